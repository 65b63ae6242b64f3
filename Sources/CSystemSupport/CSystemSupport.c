#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSystemSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
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

int csystem_lock_exclusive(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int csystem_unlock(int descriptor) { return flock(descriptor, LOCK_UN); }

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

int csystem_terminal_columns(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    return size.ws_col;
}
