/* The cache's folder: where it is, its rights, what is not used, and how much stays in it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "cache_dir.h"

enum { NOBODY = 65534 };

/* ---- where ----------------------------------------------------------------------------------- */

/* Puts and gets with these variables, NULL for unset; whether that worked. */
static int works_with(const char *own, const char *xdg, const char *home)
{
    const struct {
        const char *name, *value;
    } set[] = {{"CUTLET_CACHE", own}, {"XDG_CACHE_HOME", xdg}, {"HOME", home}};
    for (int i = 0; i < 3; ++i) {
        if (set[i].value) setenv(set[i].name, set[i].value, 1);
        else unsetenv(set[i].name);
    }
    put("key", "value");
    return found("key", "value");
}

static const char *below(const char *name)
{
    static char ring[4][200];
    static int next;
    next = (next + 1) % 4;
    snprintf(ring[next], sizeof ring[next], "%s/%s", base_dir, name);
    return ring[next];
}

static void test_variables(void **state)
{
    (void)state;
    const char *const real = getenv("HOME");
    char home[300] = "";
    if (real) snprintf(home, sizeof home, "%s", real);
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(base_dir), 0);

    assert_false(works_with("", base_dir, base_dir));
    assert_false(works_with("0", base_dir, base_dir));
    assert_false(works_with(NULL, NULL, NULL));
    assert_false(works_with(NULL, "", ""));
    assert_false(works_with(NULL, NULL, below("no-home")));
    assert_int_equal(files_in(base_dir, NULL), 0);

    assert_true(works_with(below("own"), below("xdg"), base_dir));
    assert_int_equal(files_in(below("own"), NULL), 1);
    assert_true(works_with(below("outer/inner///"), NULL, NULL));
    assert_int_equal(files_in(below("outer/inner"), NULL), 1);
    assert_false(works_with(below("one/two/three"), NULL, NULL));
    assert_int_equal(files_in(base_dir, NULL), 2);

    assert_true(works_with(NULL, below("xdg"), base_dir));
    assert_int_equal(files_in(below("xdg/cutlet"), NULL), 1);
    assert_int_equal(files_in(base_dir, NULL), 3);
    assert_true(works_with(NULL, "relative", base_dir));
    assert_int_equal(files_in(below(".cache/cutlet"), NULL), 1);
    assert_int_equal(files_in(base_dir, NULL), 4); /* there is no `relative` */

    assert_int_equal(fchdir(here), 0);
    close(here);
    unsetenv("XDG_CACHE_HOME");
    if (real) setenv("HOME", home, 1);
}

static void test_rights(void **state)
{
    (void)state;
    struct stat about;
    char name[256];
    const mode_t before = umask(0);
    put("key", "value");
    umask(before);
    assert_int_equal(stat(cache_dir, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0700);
    assert_int_equal(files_in(cache_dir, name), 1);
    assert_int_equal(stat(in_cache(name), &about), 0);
    assert_int_equal(about.st_mode & 07777, 0600);
}

/* ---- what is not used ------------------------------------------------------------------------ */

static void test_foreign_folder(void **state)
{
    (void)state;
    static const mode_t open_to_others[] = {0720, 0702, 0777, 01777};
    put("key", "value");
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(chmod(cache_dir, open_to_others[i]), 0);
        assert_false(found("key", "value"));
        put("more", "value");
        assert_int_equal(files_in(cache_dir, NULL), 1);
    }
    assert_int_equal(chmod(cache_dir, 0755), 0);
    assert_true(found("key", "value"));
    if (geteuid() == 0) {
        assert_int_equal(chown(cache_dir, NOBODY, NOBODY), 0);
        assert_false(found("key", "value"));
        put("more", "value");
        assert_int_equal(files_in(cache_dir, NULL), 1);
    }
}

static void test_foreign_entries(void **state)
{
    (void)state;
    char name[256], path[400];
    put("key", "value");
    assert_int_equal(files_in(cache_dir, name), 1);
    snprintf(path, sizeof path, "%s", in_cache(name));
    assert_int_equal(chmod(path, 0660), 0);
    assert_false(found("key", "value"));
    assert_int_equal(chmod(path, 0602), 0);
    assert_false(found("key", "value"));
    assert_int_equal(chmod(path, 0644), 0);
    assert_true(found("key", "value"));
    if (geteuid() == 0) {
        assert_int_equal(chown(path, NOBODY, NOBODY), 0);
        assert_false(found("key", "value"));
    }
    put("key", "new");
    assert_true(found("key", "new"));

    assert_int_equal(rename(path, in_cache("aside")), 0);
    assert_int_equal(symlink("aside", path), 0);
    assert_false(found("key", "new"));
    put("key", "newer"); /* takes the link's place, not that of what it points to */
    assert_true(found("key", "newer"));
    assert_int_equal(rename(in_cache("aside"), path), 0);
    assert_true(found("key", "new"));

    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(20);
    assert_false(found("key", "new"));
    alarm(0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(found("key", "new"));
    put("key", "new");
    assert_false(found("key", "new"));
    assert_int_equal(files_in(cache_dir, NULL), 1);
}

static void test_no_folder(void **state)
{
    (void)state;
    static const char *const nowhere[] = {"/dev/null", "/dev/null/cache", "/proc/cutlet", "/"};
    for (int i = 0; i < 3; ++i) assert_false(works_with(nowhere[i], NULL, NULL));
    if (geteuid() != 0) assert_false(works_with("/", NULL, NULL));
}

/* A user without rights over a folder that may be read only. */
static void read_only(void)
{
    if (geteuid() == 0 && (chown(cache_dir, NOBODY, NOBODY) || chmod(base_dir, 0755) ||
                           setgid(NOBODY) || setuid(NOBODY)))
        _exit(97);
    put("key", "value");
    if (!found("key", "value")) _exit(1);
    if (chmod(cache_dir, 0500)) _exit(96);
    put("key", "other");
    put("new", "other");
    if (!found("key", "value") || found("new", "other")) _exit(2);
    if (files_in(cache_dir, NULL) != 1) _exit(3);
    if (chmod(cache_dir, 0)) _exit(96);
    if (found("key", "value")) _exit(4);
}

static void test_read_only(void **state)
{
    (void)state;
    assert_int_equal(mkdir(cache_dir, 0700), 0);
    assert_int_equal(in_child(read_only), 0);
}

/* ---- how much stays -------------------------------------------------------------------------- */

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

/* Lets every entry seem used so many seconds earlier. */
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

static void test_bound(void **state)
{
    (void)state;
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
static void test_neighbours(void **state)
{
    (void)state;
    static const char *const stay[] = {
        "notes", "0123456789abcdef", "0123456789abcdef.entry.txt", "0123456789abcdeg.entry",
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

/* What a process of the same number left half written is in nobody's way. */
static void test_left_over(void **state)
{
    (void)state;
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

#define TEST(test) cmocka_unit_test_setup_teardown(test, new_cache, drop_cache)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_variables),       TEST(test_rights),    TEST(test_foreign_folder),
        TEST(test_foreign_entries), TEST(test_no_folder), TEST(test_read_only),
        TEST(test_bound),           TEST(test_neighbours), TEST(test_left_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
