/**
 * A cache in a folder of the test's own, and writing that fails when it is told to.
 */
#ifndef CUTLET_TESTS_CACHE_DIR_H
#define CUTLET_TESTS_CACHE_DIR_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/nvrtc/cache.h"

static char base_dir[64];  /* of this test */
static char cache_dir[96]; /* in it: what CUTLET_CACHE says; does not exist at first */

/* The path of a name in the cache's folder, in a ring of buffers. */
static inline const char *in_cache(const char *name)
{
    static char ring[4][400];
    static int next;
    next = (next + 1) % 4;
    snprintf(ring[next], sizeof ring[next], "%s/%s", cache_dir, name);
    return ring[next];
}

static inline int remove_tree(const char *path)
{
    char command[200];
    snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", path, path);
    return system(command);
}

/* Each test begins with an empty folder. */
static inline int new_cache(void **state)
{
    (void)state;
    snprintf(base_dir, sizeof base_dir, "/tmp/cutlet-cache-XXXXXX");
    if (!mkdtemp(base_dir)) return -1;
    snprintf(cache_dir, sizeof cache_dir, "%s/cache", base_dir);
    setenv("CUTLET_CACHE", cache_dir, 1);
    unsetenv("CUTLET_CACHE_BYTES");
    return 0;
}

static inline int drop_cache(void **state)
{
    (void)state;
    return remove_tree(base_dir);
}

/* How many files are in the folder; *name gets that of one of them. -1: there is no folder. */
static inline int files_in(const char *path, char name[256])
{
    int count = 0;
    DIR *const directory = opendir(path);
    if (!directory) return -1;
    for (const struct dirent *d = readdir(directory); d; d = readdir(directory)) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
        ++count;
        if (name) snprintf(name, 256, "%s", d->d_name);
    }
    closedir(directory);
    return count;
}

static inline void put(const char *key, const char *value)
{
    ct_cache_put(key, strlen(key), value, strlen(value));
}

static inline int found(const char *key, const char *value)
{
    void *got = NULL;
    size_t bytes = 0;
    const int status = ct_cache_get(key, strlen(key), &got, &bytes);
    if (status) {
        assert_int_equal(status, -1);
        assert_null(got);
        assert_int_equal(bytes, 0);
        return 0;
    }
    assert_int_equal(bytes, strlen(value));
    assert_memory_equal(got, value, bytes);
    free(got);
    return 1;
}

/* The exit status of work in a process of its own, 99 where a signal ended it. */
static inline int in_child(void (*work)(void))
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return 98;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/* ---- a disk that fails ----------------------------------------------------------------------- */

static struct {
    int on;
    size_t space;   /* bytes until it is full */
    size_t most;    /* that one call writes, 0: any */
    int interrupts; /* every other call is interrupted */
    int rename_fails;
    int calls;
} disk;

/* The library calls these, as they are in the program. */
ssize_t write(int fd, const void *data, size_t bytes)
{
    if (disk.on) {
        if (disk.interrupts && disk.calls++ % 2 == 0) {
            errno = EINTR;
            return -1;
        }
        if (disk.most && bytes > disk.most) bytes = disk.most;
        if (bytes > disk.space) bytes = disk.space;
        if (bytes == 0) {
            errno = ENOSPC;
            return -1;
        }
        disk.space -= bytes;
    }
    return syscall(SYS_write, fd, data, bytes);
}

int renameat(int from, const char *old, int to, const char *new)
{
    if (disk.on && disk.rename_fails) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

#endif
