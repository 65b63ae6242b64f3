#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystemSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

void csystem_faults_lock(void) { pthread_mutex_lock(&faults_mutex); }

void csystem_faults_unlock(int installed) {
    atomic_store_explicit(&faults_installed, installed, memory_order_release);
    pthread_mutex_unlock(&faults_mutex);
}

void csystem_line_buffer_output(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
}
