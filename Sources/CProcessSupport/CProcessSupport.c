#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CProcessSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* Descriptors below this are what a child's pipes become: an end that lies there would be overwritten by the dup2 of
   its neighbour. */
enum { first_own_descriptor = 5 };

static int move_up(int descriptor) {
    if (descriptor < 0 || descriptor >= first_own_descriptor) return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, first_own_descriptor);
    int error = errno;
    close(descriptor);
    errno = error;
    return moved;
}

int cprocess_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    ends[0] = move_up(ends[0]);
    ends[1] = move_up(ends[1]);
    if (ends[0] >= 0 && ends[1] >= 0) return 0;
    int error = errno;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    errno = error;
    return -1;
}

int cprocess_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int cprocess_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                   cprocess_descriptors descriptors) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    if (error == 0) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, descriptors.output, 1);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, descriptors.output, 2);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, descriptors.stream, 3);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, descriptors.control, 4);
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, first_own_descriptor);
    if (error == 0) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setflags(&attributes,
                                         POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (error == 0) error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int cprocess_pidfd(pid_t pid) {
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    return move_up(descriptor);
}

int cprocess_reap(int pidfd, cprocess_termination *termination) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    int result;
    do {
        result = waitid((idtype_t)P_PIDFD, (id_t)pidfd, &information, WEXITED | WNOHANG);
    } while (result != 0 && errno == EINTR);
    if (result != 0) return -1;
    if (information.si_pid == 0) return 0;
    termination->by_signal = information.si_code != CLD_EXITED;
    termination->value = information.si_status;
    return 1;
}

ssize_t cprocess_write(int descriptor, const void *bytes, size_t count) {
    sigset_t pipe_signal, old, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    /* A SIGPIPE that was waiting before is somebody else's and is left alone. */
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
    ssize_t result;
    do {
        result = write(descriptor, bytes, count);
    } while (result < 0 && errno == EINTR);
    int error = errno;
    if (result < 0 && error == EPIPE && !was_pending) {
        const struct timespec now = {0, 0};
        while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return result;
}

ssize_t cprocess_find(const void *text, size_t text_length, const void *needle, size_t needle_length) {
    const char *found = memmem(text, text_length, needle, needle_length);
    return found == NULL ? -1 : found - (const char *)text;
}

int cprocess_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int cprocess_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int cprocess_no_huge_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

int cprocess_default_stack_size(size_t bytes) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    error = pthread_attr_setstacksize(&attributes, bytes);
    if (error == 0) error = pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return error;
}

int cprocess_lower_limit(cprocess_limit limit, uint64_t soft, uint64_t hard) {
    int resource;
    switch (limit) {
        case CPROCESS_LIMIT_CORE: resource = RLIMIT_CORE; break;
        case CPROCESS_LIMIT_FILE_SIZE: resource = RLIMIT_FSIZE; break;
        case CPROCESS_LIMIT_OPEN_FILES: resource = RLIMIT_NOFILE; break;
        case CPROCESS_LIMIT_CPU_SECONDS: resource = RLIMIT_CPU; break;
        case CPROCESS_LIMIT_DATA: resource = RLIMIT_DATA; break;
        default: errno = EINVAL; return -1;
    }
    struct rlimit current;
    if (getrlimit(resource, &current) != 0) return -1;
    if (hard < current.rlim_max) current.rlim_max = hard;
    if (soft < current.rlim_cur) current.rlim_cur = soft;
    if (current.rlim_cur > current.rlim_max) current.rlim_cur = current.rlim_max;
    return setrlimit(resource, &current);
}
