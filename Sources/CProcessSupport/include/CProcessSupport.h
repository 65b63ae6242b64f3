/* Calls that Swift cannot import because they are variadic, macros or GNU extensions, and nothing else. Unless stated
   otherwise each returns what the call returns, -1 on failure with errno set. */
#ifndef CPROCESSSUPPORT_H
#define CPROCESSSUPPORT_H

#include <stdint.h>
#include <sys/types.h>

/* Parent ------------------------------------------------------------------ */

/* A pipe whose ends are closed on exec and lie above every number a child's descriptors are moved to. */
int cprocess_pipe(int ends[2]);

/* Reads from `descriptor` fail with EAGAIN instead of waiting. */
int cprocess_set_nonblocking(int descriptor);

/* What a child gets: descriptors to become 1 and 2, 3, and 4. Everything from 5 on is closed in it. */
typedef struct cprocess_descriptors {
    int output;
    int stream;
    int control;
} cprocess_descriptors;

/* Starts `path` in a process group of its own, standard input from /dev/null, all signals at their defaults and none
   blocked. Returns 0 or an error number; errno is not used. */
int cprocess_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                   cprocess_descriptors descriptors);

/* A descriptor that becomes readable when the process ends; closed on exec. */
int cprocess_pidfd(pid_t pid);

/* How a process ended. */
typedef struct cprocess_termination {
    int by_signal; /* 1: `value` is a signal number; 0: it is an exit status */
    int value;
} cprocess_termination;

/* 1 and `*termination` when the process has ended (it is then reaped), 0 when it runs. */
int cprocess_reap(int pidfd, cprocess_termination *termination);

/* write() that reports a closed reader as EPIPE and raises no SIGPIPE in this process. */
ssize_t cprocess_write(int descriptor, const void *bytes, size_t count);

/* Where `needle` begins in `text`, or -1. */
ssize_t cprocess_find(const void *text, size_t text_length, const void *needle, size_t needle_length);

/* Child ------------------------------------------------------------------- */

int cprocess_die_with_parent(void);
int cprocess_no_new_privileges(void);
int cprocess_no_huge_pages(void);
/* Stack size of threads started later; 0 or an error number. */
int cprocess_default_stack_size(size_t bytes);

typedef enum cprocess_limit {
    CPROCESS_LIMIT_CORE,
    CPROCESS_LIMIT_FILE_SIZE,
    CPROCESS_LIMIT_OPEN_FILES,
    CPROCESS_LIMIT_CPU_SECONDS,
    CPROCESS_LIMIT_DATA
} cprocess_limit;

/* Lowers the limit; one that is lower already stays. */
int cprocess_lower_limit(cprocess_limit limit, uint64_t soft, uint64_t hard);

#endif
