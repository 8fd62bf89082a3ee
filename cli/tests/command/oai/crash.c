/* Preloaded into a run of the command: at the Nth operation that changes a file, the operation fails (disk full) or the process is killed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long count;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* True if this is the operation that fails. */
static int fails(void) {
    long own = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (own == number("CRASH_KILL")) {
        kill(getpid(), SIGKILL);
    }
    if (own == number("CRASH_FAIL")) {
        errno = ENOSPC;
        return 1;
    }
    return 0;
}

static int is_file(int fd) {
    struct stat meta;
    return fstat(fd, &meta) == 0 && S_ISREG(meta.st_mode);
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL(write);
    if (!is_file(fd)) {
        return real(fd, bytes, length);
    }
    /* A write that is cut short by a kill has written a part. */
    if (count + 1 == number("CRASH_KILL")) {
        real(fd, bytes, length / 2);
    }
    return fails() ? -1 : real(fd, bytes, length);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    REAL(open64);
    return (flags & (O_CREAT | O_TRUNC)) && fails() ? -1 : real(path, flags, mode);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return fails() ? -1 : real(from, to);
}

int unlink(const char *path) {
    REAL(unlink);
    return fails() ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return fails() ? -1 : real(path, mode);
}

int ftruncate64(int fd, off64_t length) {
    REAL(ftruncate64);
    return fails() ? -1 : real(fd, length);
}

int fsync(int fd) {
    REAL(fsync);
    return fails() ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return fails() ? -1 : real(fd);
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("CRASH_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld", count);
        fclose(file);
    }
}
