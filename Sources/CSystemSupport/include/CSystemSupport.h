/* Calls that Swift cannot import because they are variadic or macros, and what this module needs of C's atomics. Each returns what the call
   returns and leaves errno set. */
#ifndef CSYSTEMSUPPORT_H
#define CSYSTEMSUPPORT_H

#include <stdint.h>
#include <sys/types.h>

int csystem_open(const char *path, int flags, mode_t mode);
int csystem_open_temporary(const char *directory);
/* An unnamed file for writing in `directory` that can be given a name; -1 with EOPNOTSUPP where there are none. */
int csystem_open_unnamed(const char *directory, mode_t mode);
/* Gives such a file a name that no file has. */
int csystem_link_unnamed(int descriptor, const char *path);
int csystem_lock_exclusive(int descriptor);
int csystem_unlock(int descriptor);
/* 1 when another descriptor holds the lock, 0 when none does; takes nothing. */
int csystem_is_locked(int descriptor);
int csystem_sync_data(int descriptor);
int64_t csystem_free_bytes(const char *path);
void csystem_line_buffer_output(void);

/* A pipe whose ends are closed on exec and lie above the standard streams. */
int csystem_pipe(int ends[2]);
/* Starts `path` with `input`, `output` and `error` as its standard streams and no other descriptor; all signals at their
   defaults and none blocked. The number of the process, or -1 with errno set. */
int csystem_start_filter(const char *path, char *const arguments[], char *const environment[], int input, int output,
                         int error);
/* Waits for the process: its exit status, 128 and more for a signal; -1 with errno set. */
int csystem_wait(int process);

/* A conversion of text in the encoding `name` to UTF-8; NULL with errno set when there is none. */
void *csystem_converter_open(const char *name);
/* iconv(): moves the pointers and lowers the counts. */
size_t csystem_converter_run(void *converter, const char **input, size_t *input_left, char **output,
                             size_t *output_left);
void csystem_converter_close(void *converter);

/* The list of faults a test has installed stands in Swift; these guard it. `unlock` publishes how many there are, so that
   `installed` answers without the lock. */
int csystem_faults_installed(void);
void csystem_faults_lock(void);
void csystem_faults_unlock(int installed);

/* A byte that several threads may set and read without waiting for each other. */
static inline int csystem_mark_get(const unsigned char *mark) { return __atomic_load_n(mark, __ATOMIC_RELAXED); }
static inline void csystem_mark_set(unsigned char *mark) { __atomic_store_n(mark, 1, __ATOMIC_RELAXED); }

/* Asks for the cache line at an address, which need not be readable. */
static inline void csystem_prefetch(const void *address) { __builtin_prefetch(address); }

/* One bit for each of the 64 bytes at an address, the first one lowest, set where it is `byte`. All 64 are read. A vector
   of booleans is what Swift lacks for this: Clang makes one instruction per 16 bytes of it. */
static inline uint64_t csystem_find64(const void *bytes, unsigned char byte) {
  typedef unsigned char bytes64 __attribute__((ext_vector_type(64)));
  typedef _Bool bits64 __attribute__((ext_vector_type(64)));
  bytes64 vector;
  __builtin_memcpy(&vector, bytes, sizeof vector);
  const bits64 found = __builtin_convertvector(vector == (bytes64)byte, bits64);
  uint64_t bits;
  __builtin_memcpy(&bits, &found, sizeof bits);
  return bits;
}

/* One lock for caches that live as long as the process. */
void csystem_caches_lock(void);
void csystem_caches_unlock(void);

#endif
