/* Calls that Swift cannot import because they are variadic or macros, and nothing else. Each returns what the call
   returns and leaves errno set. */
#ifndef CSYSTEMSUPPORT_H
#define CSYSTEMSUPPORT_H

#include <stdint.h>
#include <sys/types.h>

int csystem_open(const char *path, int flags, mode_t mode);
int csystem_open_temporary(const char *directory);
int csystem_lock_exclusive(int descriptor);
int csystem_unlock(int descriptor);
int csystem_sync_data(int descriptor);
int64_t csystem_free_bytes(const char *path);
int csystem_terminal_columns(int descriptor);

#endif
