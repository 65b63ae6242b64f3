#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystemSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

int csystem_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

/* An unnamed file in `directory`: gone with its last descriptor, whatever ends the process. */
int csystem_open_temporary(const char *directory) {
#ifdef O_TMPFILE
    int descriptor = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return descriptor;
#endif
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/.shardctl-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int named = mkstemp(path);
    if (named >= 0) {
        unlink(path);
        fcntl(named, F_SETFD, FD_CLOEXEC);
    }
    return named;
}

int csystem_open_unnamed(const char *directory, mode_t mode) {
#ifdef O_TMPFILE
    /* The way to a name leads through there. */
    if (access("/proc/self/fd", X_OK) == 0) {
        int descriptor = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
        if (descriptor < 0 && (errno == EISDIR || errno == EINVAL)) errno = EOPNOTSUPP;
        return descriptor;
    }
#endif
    errno = EOPNOTSUPP;
    return -1;
}

int csystem_link_unnamed(int descriptor, const char *path) {
    char source[64];
    snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Locks of the open file description: like flock they end with it and conflict within a process too, and unlike flock
   they can be asked about without being taken, so that a reader never makes a writer fail. */
#ifdef F_OFD_SETLK

int csystem_lock_exclusive(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = fcntl(descriptor, F_OFD_SETLK, &lock);
    if (result != 0 && errno == EACCES) errno = EWOULDBLOCK;
    return result;
}

int csystem_unlock(int descriptor) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int csystem_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
}

#else

int csystem_lock_exclusive(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int csystem_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

int csystem_is_locked(int descriptor) {
    if (flock(descriptor, LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK ? 1 : -1;
    flock(descriptor, LOCK_UN);
    return 0;
}

#endif

int csystem_sync_data(int descriptor) {
#ifdef __APPLE__
    return fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0;
#else
    return fdatasync(descriptor);
#endif
}

int64_t csystem_free_bytes(const char *path) {
    struct statvfs status;
    if (statvfs(path, &status) != 0) return -1;
    return (int64_t)status.f_bavail * (int64_t)status.f_frsize;
}

static pthread_mutex_t faults_mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int faults_installed;

int csystem_faults_installed(void) { return atomic_load_explicit(&faults_installed, memory_order_acquire); }

static pthread_mutex_t caches_mutex = PTHREAD_MUTEX_INITIALIZER;

void csystem_caches_lock(void) { pthread_mutex_lock(&caches_mutex); }

void csystem_caches_unlock(void) { pthread_mutex_unlock(&caches_mutex); }

void csystem_faults_lock(void) { pthread_mutex_lock(&faults_mutex); }

void csystem_faults_unlock(int installed) {
    atomic_store_explicit(&faults_installed, installed, memory_order_release);
    pthread_mutex_unlock(&faults_mutex);
}

void csystem_line_buffer_output(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
}

/* An end among the standard streams, which a caller may have closed, would be overwritten where they are set up. */
static int above_standard_streams(int descriptor) {
    int moved = descriptor > STDERR_FILENO ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    if (moved != descriptor) close(descriptor);
    errno = error;
    return moved;
}

int csystem_pipe(int ends[2]) {
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
#else
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    ends[0] = above_standard_streams(ends[0]);
    ends[1] = above_standard_streams(ends[1]);
    if (ends[0] < 0 || ends[1] < 0) {
        int error = errno;
        if (ends[0] >= 0) close(ends[0]);
        if (ends[1] >= 0) close(ends[1]);
        errno = error;
        return -1;
    }
#ifdef F_SETPIPE_SZ
    /* Fewer switches between the two processes; the usual size does where this is refused. */
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
#endif
    return 0;
}

int csystem_start_filter(const char *path, char *const arguments[], char *const environment[], int input, int output,
                         int error) {
    /* A process that ignores SIGCHLD, as some that start others leave it, is not told how its children end; a filter's
       verdict on its input must not be lost. */
    struct sigaction children;
    if (sigaction(SIGCHLD, NULL, &children) == 0 &&
        (children.sa_handler == SIG_IGN || (children.sa_flags & SA_NOCLDWAIT) != 0))
        signal(SIGCHLD, SIG_DFL);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = posix_spawnattr_init(&attributes);
        if (code == 0) {
            sigset_t all, none;
            sigfillset(&all);
            sigemptyset(&none);
            short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
            if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
            if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
            if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
#ifdef __linux__
            if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
            if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &all);
            if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
            if (code == 0) code = posix_spawnattr_setflags(&attributes, flags);
            pid_t process = -1;
            if (code == 0) code = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
            posix_spawnattr_destroy(&attributes);
            posix_spawn_file_actions_destroy(&actions);
            if (code == 0) return (int)process;
        } else {
            posix_spawn_file_actions_destroy(&actions);
        }
    }
    errno = code;
    return -1;
}

int csystem_wait(int process) {
    int status = 0;
    if (waitpid(process, &status, 0) < 0) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void *csystem_converter_open(const char *name) {
    iconv_t converter = iconv_open("UTF-8", name);
    return converter == (iconv_t)-1 ? NULL : converter;
}

size_t csystem_converter_run(void *converter, const char **input, size_t *input_left, char **output,
                             size_t *output_left) {
    return iconv(converter, (char **)input, input_left, output, output_left);
}

void csystem_converter_close(void *converter) { iconv_close(converter); }
