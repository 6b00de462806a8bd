/* How much stays in the cache, and what lies beside its entries. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for RTLD_NEXT */
#endif
#include "test.h"

#include <dlfcn.h>
#include <time.h>

#include "cache_dir.h"

static int64_t bytes_in_cache(void)
{
    int64_t sum = 0;
    struct stat about;
    DIR *const directory = opendir(cache_dir);
    assert_non_null(directory);
    for (const struct dirent *d = readdir(directory); d; d = readdir(directory))
        if (stat(in_cache(d->d_name), &about) == 0 && S_ISREG(about.st_mode)) sum += about.st_size;
    closedir(directory);
    return sum;
}

/* Lets every entry seem used this many seconds earlier. */
static void age(long seconds)
{
    DIR *const directory = opendir(cache_dir);
    assert_non_null(directory);
    for (const struct dirent *d = readdir(directory); d; d = readdir(directory)) {
        struct stat about;
        if (stat(in_cache(d->d_name), &about) || !S_ISREG(about.st_mode)) continue;
        struct timespec times[2] = {about.st_mtim, about.st_mtim};
        times[0].tv_sec -= seconds;
        times[1].tv_sec -= seconds;
        assert_int_equal(utimensat(AT_FDCWD, in_cache(d->d_name), times, 0), 0);
    }
    closedir(directory);
}

static void put_number(int number)
{
    char key[32], value[901];
    snprintf(key, sizeof key, "%d", number);
    memset(value, 'a' + number % 26, 900);
    value[900] = 0;
    put(key, value);
}

static int found_number(int number)
{
    char key[32], value[901];
    snprintf(key, sizeof key, "%d", number);
    memset(value, 'a' + number % 26, 900);
    value[900] = 0;
    return found(key, value);
}

TEST(test_bound)
{
    setenv("CUTLET_CACHE_BYTES", "5000", 1); /* five entries */
    for (int i = 0; i < 40; ++i) {
        put_number(i);
        assert_true(found_number(i));
        assert_in_range(bytes_in_cache(), 900, 5000);
        assert_int_equal(files_in(cache_dir, NULL), i < 5 ? i + 1 : 5);
        if (i >= 2) assert_true(found_number(2)); /* used each time: it stays */
        if (i >= 8) assert_false(found_number(i - 6 == 2 ? 0 : i - 6));
        age(10);
    }
    char large[6000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = 0;
    put("large", large);
    assert_false(found("large", large));
    large[4990] = 0; /* fits without its head and its key */
    put("large", large);
    assert_false(found("large", large));
    assert_int_equal(files_in(cache_dir, NULL), 5);
    setenv("CUTLET_CACHE_BYTES", "0", 1);
    put("key", "value");
    assert_false(found("key", "value"));
    assert_int_equal(files_in(cache_dir, NULL), 5);
    assert_false(found_number(2)); /* larger than the cache may be by now */
    /* what is no number of bytes is not heeded: the usual bound */
    static const char *const none[] = {"", "-1", "many", "5000x", "5 000"};
    for (int i = 0; i < 5; ++i) {
        setenv("CUTLET_CACHE_BYTES", none[i], 1);
        put("large", large);
        assert_true(found("large", large));
        assert_int_equal(files_in(cache_dir, NULL), 6);
    }
}

/* Entries are counted and removed, and nothing else that lies beside them. */
TEST(test_neighbours)
{
    static const char *const stay[] = {
        "notes",
        "0123456789abcdef",
        "0123456789abcdef.entry.txt",
        "0123456789abcdeg.entry",
        "0123456789abcdef.entry.7-1.part", /* fresh: someone writes it */
    };
    static const char *const stale = "0123456789abcdef.entry.8-1.part";
    setenv("CUTLET_CACHE_BYTES", "2000", 1);
    put_number(0);
    age(10);
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(mknod(in_cache(stay[i]), S_IFREG | 0600, 0), 0);
        assert_int_equal(truncate(in_cache(stay[i]), 3000), 0);
    }
    assert_int_equal(mkdir(in_cache("fedcba9876543210.entry"), 0700), 0);
    assert_int_equal(mknod(in_cache(stale), S_IFREG | 0600, 0), 0);
    const struct timespec times[2] = {{time(NULL) - 4000, 0}, {time(NULL) - 4000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, in_cache(stale), times, 0), 0);
    for (int i = 1; i < 10; ++i) put_number(i);
    for (int i = 0; i < 5; ++i) assert_int_equal(access(in_cache(stay[i]), F_OK), 0);
    assert_int_equal(access(in_cache(stale), F_OK), -1);
    assert_int_equal(files_in(cache_dir, NULL), 8);
    assert_false(found_number(0));
    assert_true(found_number(9));
    age(-1000); /* written by a clock that is ahead: what comes now is not the first to go */
    put_number(10);
    assert_true(found_number(10));
    assert_int_equal(files_in(cache_dir, NULL), 8);
}

/* ---- another process in between -------------------------------------------------------------- */

static const char *between; /* the function of the library's in which it comes, or NULL */

static void put_1(void) { put_number(1); }

/* The other process does its work, once. */
static void come_between(const char *function)
{
    if (!between || strcmp(between, function) != 0) return;
    between = NULL;
    assert_int_equal(in_child(put_1), 0);
}

/* The library calls these, as they are in the program. */
int unlinkat(int folder, const char *name, int flags)
{
    come_between("unlinkat");
    return (int)syscall(SYS_unlinkat, folder, name, flags);
}

int closedir(DIR *directory)
{
    int (*real)(DIR *);
    *(void **)&real = dlsym(RTLD_NEXT, "closedir");
    const int status = real(directory);
    come_between("closedir");
    return status;
}

/* Two processes that each put an entry, of which one has room, keep one: neither removes the
 * other's. */
TEST(test_each_other)
{
    setenv("CUTLET_CACHE_BYTES", "1000", 1);
    put_number(1);
    age(10);
    between = "unlinkat";
    put_number(2);
    assert_null(between);
    assert_true(found_number(2));
    assert_int_equal(files_in(cache_dir, NULL), 1);
}

/* An entry that was made anew after the entries were listed is not the oldest any more. */
TEST(test_renewed)
{
    setenv("CUTLET_CACHE_BYTES", "2000", 1); /* two entries */
    put_number(1);
    age(10);
    put_number(0);
    age(10);
    between = "closedir";
    put_number(2);
    assert_null(between);
    assert_true(found_number(1));
    assert_true(found_number(2));
    assert_int_equal(files_in(cache_dir, NULL), 2);
}

/* What a process of the same number left half written is in nobody's way. */
TEST(test_left_over)
{
    char name[256], part[300];
    put("key", "value");
    assert_int_equal(files_in(cache_dir, name), 1);
    for (int i = 0; i < 2000; i += 2) {
        snprintf(part, sizeof part, "%s.%ld-%d.part", name, (long)getpid(), i);
        assert_int_equal(mknod(in_cache(part), S_IFREG | 0600, 0), 0);
    }
    for (int i = 0; i < 4; ++i) {
        put("key", i % 2 ? "other" : "value");
        assert_true(found("key", i % 2 ? "other" : "value"));
    }
    assert_int_equal(files_in(cache_dir, NULL), 1001);
}

GROUP_OF_EACH("cache bound", new_cache, drop_cache)
