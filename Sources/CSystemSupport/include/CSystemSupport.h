/* Calls that Swift cannot import because they are variadic or macros, and what this module needs of C's atomics. Each returns what the call
   returns and leaves errno set. */
#ifndef CSYSTEMSUPPORT_H
#define CSYSTEMSUPPORT_H

#include <stdint.h>
#include <sys/types.h>

int csystem_open(const char *path, int flags, mode_t mode);
int csystem_open_temporary(const char *directory);
int csystem_lock_exclusive(int descriptor);
int csystem_unlock(int descriptor);
/* 1 when another descriptor holds the lock, 0 when none does; takes nothing. */
int csystem_is_locked(int descriptor);
int csystem_sync_data(int descriptor);
int64_t csystem_free_bytes(const char *path);
void csystem_line_buffer_output(void);

/* The list of faults a test has installed stands in Swift; these guard it. `unlock` publishes how many there are, so that
   `installed` answers without the lock. */
int csystem_faults_installed(void);
void csystem_faults_lock(void);
void csystem_faults_unlock(int installed);

#endif
