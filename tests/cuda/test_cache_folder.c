/* The cache's folder: where it is, its rights, and what is not used. */
#include "test.h"

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

TEST(test_variables)
{
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

TEST(test_rights)
{
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

TEST(test_foreign_folder)
{
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

TEST(test_foreign_entries)
{
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

TEST(test_no_folder)
{
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

TEST(test_read_only)
{
    assert_int_equal(mkdir(cache_dir, 0700), 0);
    assert_int_equal(in_child(read_only), 0);
}

GROUP_OF_EACH("cache folder", new_cache, drop_cache)
