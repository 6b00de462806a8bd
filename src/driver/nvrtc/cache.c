/* Entries of the cache: read and checked completely, written under a temporary name and renamed. */
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fnv.h"
#include "cache_folder.h"

/* "cutlet" and the version of the form, as a number: the other byte order has another one. */
#define MAGIC 0x6375746c65740001u

/* An entry is this, the key, the value. */
typedef struct head {
    uint64_t magic;
    uint64_t key_bytes, value_bytes;
    uint64_t checksum; /* FNV-1a of the numbers above it, the key and the value */
} head;

/* The head of an entry that holds these. */
static head head_of(const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
    head h = {MAGIC, key_bytes, value_bytes, 0};
    const uint64_t numbers = ct_fnv(CT_FNV_BEGIN, &h, offsetof(head, checksum));
    h.checksum = ct_fnv(ct_fnv(numbers, key, key_bytes), value, value_bytes);
    return h;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads this number of bytes; 0, or -1 where there are fewer. */
static int read_all(int fd, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        const ssize_t n = read(fd, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* The bytes of a possible entry for a key, which the caller frees: a regular file of the user, not
 * larger than the cache. NULL otherwise. */
static unsigned char *read_entry(int fd, size_t key_bytes, size_t *bytes)
{
    struct stat about;
    if (fstat(fd, &about) || !S_ISREG(about.st_mode) || !ct_cache_is_private(&about)) return NULL;
    if (about.st_size > ct_cache_limit() || (uint64_t)about.st_size < sizeof(head)) return NULL;
    *bytes = (size_t)about.st_size;
    if (*bytes - sizeof(head) < key_bytes) return NULL;
    unsigned char *const data = malloc(*bytes);
    if (data && read_all(fd, data, *bytes) == 0) return data;
    free(data);
    return NULL;
}

/* The value in the entry's file; 0 or -1. */
static int value_of(int fd, const void *key, size_t key_bytes, void **value, size_t *value_bytes)
{
    size_t bytes = 0;
    unsigned char *const data = read_entry(fd, key_bytes, &bytes);
    if (!data) return -1;
    const size_t before = sizeof(head) + key_bytes;
    const head right = head_of(key, key_bytes, data + before, bytes - before);
    if (memcmp(data, &right, sizeof right) != 0 ||
        (key_bytes && memcmp(data + sizeof right, key, key_bytes) != 0)) {
        free(data);
        return -1;
    }
    memmove(data, data + before, bytes - before);
    *value = data;
    *value_bytes = bytes - before;
    return 0;
}

int ct_cache_get(const void *key, size_t key_bytes, void **value, size_t *value_bytes)
{
    char name[CT_CACHE_NAME_BYTES];
    *value = NULL;
    *value_bytes = 0;
    const int folder = ct_cache_open(0);
    if (folder < 0) return -1;
    ct_cache_name(ct_fnv(CT_FNV_BEGIN, key, key_bytes), name);
    /* A pipe of that name would wait to be opened. */
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(folder);
    if (fd < 0) return -1;
    const int status = value_of(fd, key, key_bytes, value, value_bytes);
    if (status == 0) (void)futimens(fd, NULL); /* used now: it stays longest */
    close(fd);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* A file that did not exist, opened for writing, and its name; -1 on failure. */
static int open_part(int folder, uint64_t hash, char name[CT_CACHE_NAME_BYTES])
{
    static int used; /* so that the threads of a process begin with different names */
    for (int attempt = 0; attempt < 100; ++attempt) {
        ct_cache_part_name(hash, __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED), name);
        const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Whether a file may have this number of bytes, in the cache and for this process: writing more
 * than the limit would end the process (SIGXFSZ). */
static int may_write(size_t key_bytes, size_t value_bytes)
{
    struct rlimit most;
    const uint64_t limit = (uint64_t)ct_cache_limit();
    if (key_bytes > limit || value_bytes > limit) return 0;
    const uint64_t bytes = sizeof(head) + (uint64_t)key_bytes + value_bytes;
    if (bytes > limit) return 0;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
           (most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur);
}

/* Writes the entry and gives it its name; 0, or -1 and no file is left. */
static int write_entry(int folder, const char *name, uint64_t hash, const head *h, const void *key,
                       const void *value)
{
    char part[CT_CACHE_NAME_BYTES];
    const int fd = open_part(folder, hash, part);
    if (fd < 0) return -1;
    int bad = write_all(fd, h, sizeof *h) || write_all(fd, key, (size_t)h->key_bytes) ||
              write_all(fd, value, (size_t)h->value_bytes);
    bad |= close(fd) != 0; /* some file systems notice only now that they are full */
    if (!bad && renameat(folder, part, folder, name) == 0) return 0;
    unlinkat(folder, part, 0);
    return -1;
}

void ct_cache_put(const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
    char name[CT_CACHE_NAME_BYTES];
    if (!may_write(key_bytes, value_bytes)) return;
    const int folder = ct_cache_open(1);
    if (folder < 0) return;
    const uint64_t hash = ct_fnv(CT_FNV_BEGIN, key, key_bytes);
    const head h = head_of(key, key_bytes, value, value_bytes);
    ct_cache_name(hash, name);
    if (write_entry(folder, name, hash, &h, key, value) == 0) ct_cache_trim(folder, name);
    close(folder);
}
