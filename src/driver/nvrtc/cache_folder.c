/* Where entries are, and how many stay. */
#include "cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/trusted.h"

enum { HASH_DIGITS = 16, STALE_SECONDS = 3600, ROUNDS = 4 };

#define ENTRY_END ".entry"
#define PART_END ".part"

/* ---- where ----------------------------------------------------------------------------------- */

/* The path of the folder, which the caller frees, or NULL. A relative path of XDG
 * is to be ignored (XDG Base Directory Specification). */
static char *folder_path(void)
{
    const char *const own = ct_trusted_variable("CUTLET_CACHE");
    const char *const xdg = ct_trusted_variable("XDG_CACHE_HOME");
    const char *const home = ct_trusted_variable("HOME");
    const char *base = NULL, *rest = "";
    if (own) {
        if (own[0] && strcmp(own, "0") != 0) base = own;
    } else if (xdg && xdg[0] == '/') {
        base = xdg;
        rest = "/cutlet";
    } else if (home && home[0]) {
        base = home;
        rest = "/.cache/cutlet";
    }
    if (!base) return NULL;
    const size_t bytes = strlen(base) + strlen(rest) + 1;
    char *const path = malloc(bytes);
    if (path) snprintf(path, bytes, "%s%s", base, rest);
    return path;
}

/* Makes the folder and its parent if they do not exist. It makes no more, because a missing home
 * should stay missing. */
static void make_folder(char *path)
{
    char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/') *--end = 0;
    if (mkdir(path, 0700) == 0 || errno != ENOENT) return;
    char *const slash = strrchr(path, '/');
    if (!slash || slash == path) return;
    *slash = 0;
    const int made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (made) (void)mkdir(path, 0700);
}

int ct_cache_is_private(const struct stat *about)
{
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int ct_cache_open(int make)
{
    struct stat about;
    char *const path = folder_path();
    if (!path) return -1;
    if (make) make_folder(path);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(path);
    if (folder >= 0 && (fstat(folder, &about) || !ct_cache_is_private(&about))) {
        close(folder);
        folder = -1;
    }
    return folder;
}

/* ---- names ----------------------------------------------------------------------------------- */

void ct_cache_name(uint64_t hash, char name[CT_CACHE_NAME_BYTES])
{
    snprintf(name, CT_CACHE_NAME_BYTES, "%0*llx" ENTRY_END, HASH_DIGITS, (unsigned long long)hash);
}

void ct_cache_part_name(uint64_t hash, int number, char name[CT_CACHE_NAME_BYTES])
{
    snprintf(name, CT_CACHE_NAME_BYTES, "%0*llx" ENTRY_END ".%ld-%d" PART_END, HASH_DIGITS,
             (unsigned long long)hash, (long)getpid(), number);
}

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), part = strlen(end);
    return length >= part && strcmp(text + length - part, end) == 0;
}

/* Whether a file is one of ours, and, in *part, whether it is still being written. */
static int is_ours(const char *name, int *part)
{
    const size_t entry = HASH_DIGITS + strlen(ENTRY_END);
    if (strlen(name) >= CT_CACHE_NAME_BYTES || strspn(name, "0123456789abcdef") != HASH_DIGITS ||
        strncmp(name + HASH_DIGITS, ENTRY_END, strlen(ENTRY_END)) != 0)
        return 0;
    *part = name[entry] == '.' && ends_with(name, PART_END);
    return *part || name[entry] == 0;
}

/* ---- how many -------------------------------------------------------------------------------- */

typedef struct entry {
    struct timespec used;
    int64_t bytes;
    char name[HASH_DIGITS + sizeof ENTRY_END];
} entry;

typedef struct entries {
    entry *all;
    size_t count, capacity;
    int64_t bytes;
} entries;

int64_t ct_cache_limit(void)
{
    const char *const asked = getenv("CUTLET_CACHE_BYTES");
    int64_t bytes = (int64_t)64 << 20;
    if (asked) (void)ct_number_read(asked, 0, INT64_MAX, &bytes);
    return bytes;
}

static int by_use(const void *left, const void *right)
{
    const entry *const a = left, *const b = right;
    if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec) return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Adds one file; files that do not fit into memory are not counted. */
static void add(entries *list, const char *name, const struct stat *about)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        entry *const grown = realloc(list->all, capacity * sizeof *grown);
        if (!grown) return;
        list->all = grown;
        list->capacity = capacity;
    }
    entry *const e = &list->all[list->count++];
    e->used = about->st_mtim;
    e->bytes = about->st_size;
    memcpy(e->name, name, sizeof e->name - 1); /* of a fixed length, as is_ours has found */
    e->name[sizeof e->name - 1] = 0;
    list->bytes += e->bytes;
}

/* Reads the folder, and removes what was left half written. */
static void list_entries(int folder, entries *list)
{
    struct stat about;
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const directory = again < 0 ? NULL : fdopendir(again);
    if (!directory) {
        if (again >= 0) close(again);
        return;
    }
    const time_t now = time(NULL);
    for (const struct dirent *d = readdir(directory); d; d = readdir(directory)) {
        int part = 0;
        if (!is_ours(d->d_name, &part) || fstatat(folder, d->d_name, &about, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(about.st_mode))
            continue;
        if (!part) add(list, d->d_name, &about);
        else if (about.st_mtime < now - STALE_SECONDS) unlinkat(folder, d->d_name, 0);
    }
    closedir(directory);
}

/* Removes an entry, but not one that was used or made anew since it was listed. Whether it is
 * gone. */
static int remove_entry(int folder, const entry *e)
{
    struct stat about;
    if (fstatat(folder, e->name, &about, AT_SYMLINK_NOFOLLOW)) return errno == ENOENT;
    if (about.st_size != e->bytes || about.st_mtim.tv_sec != e->used.tv_sec ||
        about.st_mtim.tv_nsec != e->used.tv_nsec)
        return 0;
    return unlinkat(folder, e->name, 0) == 0 || errno == ENOENT;
}

/* Removes what was not used for longest. */
static void remove_oldest(int folder, const char *keep, int64_t limit)
{
    entries list = {0};
    list_entries(folder, &list);
    if (list.bytes > limit) qsort(list.all, list.count, sizeof *list.all, by_use);
    for (size_t i = 0; i < list.count && list.bytes > limit; ++i) {
        const entry *const e = &list.all[i];
        if (strcmp(e->name, keep) != 0 && remove_entry(folder, e)) list.bytes -= e->bytes;
    }
    free(list.all);
}

static int64_t bytes_in(int folder)
{
    entries list = {0};
    list_entries(folder, &list);
    free(list.all);
    return list.bytes;
}

/* One at a time removes, of all threads and processes: two that each keep their own entry
 * would remove the other's. Whoever finds another at it leaves, so the other looks once more
 * when it is done. Where the file system has no locks, all go on without. */
void ct_cache_trim(int folder, const char *keep)
{
    const int64_t limit = ct_cache_limit();
    for (int round = 0; round < ROUNDS && (round == 0 || bytes_in(folder) > limit); ++round) {
        const int locked = flock(folder, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno == EWOULDBLOCK) return;
        remove_oldest(folder, keep, limit);
        if (locked) (void)flock(folder, LOCK_UN);
    }
}
