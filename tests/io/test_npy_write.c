/* NumPy files written: read back, left alone on failure, and beside NumPy itself. */
#include "test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "npy_file.h"

static ct_npy array_of(const char *descr, int fortran, int rank, const int64_t *shape, void *data)
{
    ct_npy a;
    memset(&a, 0, sizeof a);
    snprintf(a.descr, sizeof a.descr, "%s", descr);
    a.fortran = fortran;
    a.rank = rank;
    for (int k = 0; k < rank; ++k) a.shape[k] = shape[k];
    a.data = data;
    return a;
}

static int files_in_directory(void)
{
    int count = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    while (readdir(d)) ++count;
    closedir(d);
    return count - 2;
}

TEST(test_write)
{
    unsigned char data[256];
    for (int i = 0; i < 256; ++i) data[i] = (unsigned char)(255 - i);
    for (size_t i = 0; i < LENGTH(accepted); ++i) {
        const good *g = &accepted[i];
        char error[CT_MESSAGE_BYTES] = "";
        ct_npy back, a = array_of(g->descr, g->fortran, g->rank, g->shape, data);
        if (ct_npy_write(path_of("written.npy"), &a, error)) fail_msg("%s: %s", g->name, error);
        if (ct_npy_read(path_of("written.npy"), &back, error)) fail_msg("%s: %s", g->name, error);
        assert_string_equal(back.descr, g->descr);
        assert_int_equal(back.fortran, g->fortran);
        assert_int_equal(back.rank, g->rank);
        for (int k = 0; k < g->rank; ++k) assert_int_equal(back.shape[k], g->shape[k]);
        assert_memory_equal(back.data, data, (size_t)back.data_bytes);
        /* what was read can be written as it is; the data begin at a multiple of 64 */
        assert_int_equal(ct_npy_write(path_of("again.npy"), &back, error), 0);
        struct stat s;
        assert_int_equal(stat(path_of("again.npy"), &s), 0);
        assert_int_equal((s.st_size - back.data_bytes) % 64, 0);
        ct_npy_free(&back);
    }
}

/* Field names: in the format that NumPy writes them in, and as bytes of it. */
TEST(test_write_names)
{
    static const struct {
        const char *descr, *bytes;
        int format;
    } row[] = {
        {"[('x', '<f4')]", "[('x', '<f4')]", 1},
        {"[('\xc3\xa9', '<f4')]", "[('\xe9', '<f4')]", 1},
        {"[('\xc4\x80', '<f4')]", "[('\xc4\x80', '<f4')]", 3},
        {"[('\xc3\xa9\xf0\x9f\x98\x80', '<f4')]", "[('\xc3\xa9\xf0\x9f\x98\x80', '<f4')]", 3},
    };
    static const int64_t two[1] = {2};
    unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, whole[512];
    for (size_t i = 0; i < LENGTH(row); ++i) {
        char error[CT_MESSAGE_BYTES] = "", text[128];
        const ct_npy a = array_of(row[i].descr, 0, 1, two, data);
        if (ct_npy_write(path_of("names.npy"), &a, error)) fail_msg("%s", error);
        FILE *f = fopen(path_of("names.npy"), "rb");
        const size_t count = fread(whole, 1, sizeof whole, f), begin = row[i].format == 1 ? 10 : 12;
        fclose(f);
        assert_int_equal(whole[6], row[i].format);
        assert_int_equal(count % 64, 8);
        assert_int_equal(whole[8] | whole[9] << 8, (int)(count - 8 - begin));
        if (begin == 12) assert_int_equal(whole[10] | whole[11], 0);
        snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': (2,), } ",
                 row[i].bytes);
        assert_memory_equal(whole + begin, text, strlen(text));
    }
}

TEST(test_write_refused)
{
    static const int64_t two[2] = {2, 3}, none[2] = {2, 0}, huge[2] = {INT64_MAX, 2};
    unsigned char data[64] = {0};
    char error[CT_MESSAGE_BYTES], kept[8] = "";
    const int before = files_in_directory();
    FILE *old = fopen(path_of("old.npy"), "wb");
    fputs("before", old);
    fclose(old);
    struct {
        const char *name, *why;
        ct_npy array;
    } row[] = {
        {"object", "Python objects", array_of("|O", 0, 2, two, data)},
        {"text that goes on after a type", "unknown key",
         array_of("<f4', 'x': '", 0, 2, two, data)},
        {"no UTF-8", ": type: its text is not UTF-8",
         array_of("[('\xe9', '<f4')]", 0, 2, two, data)},
        {"no elements", "is 0", array_of("<f4", 0, 2, none, data)},
        {"overflow", "63 bits", array_of("<f4", 0, 2, huge, data)},
        {"no data", "npy: there are no data", array_of("<f4", 0, 2, two, NULL)},
        {"rank", "npy: 65 dimensions; at most 64 are written", array_of("<f4", 0, 2, two, data)},
        {"wrong size", "npy: the field size does not agree with the header that is to be written",
         array_of("<f4", 0, 2, two, data)},
        {"wrong element size", "elem_bytes", array_of("<f4", 0, 2, two, data)},
        {"no end", "npy: descr has no end", array_of("<f4", 0, 2, two, data)},
    };
    row[6].array.rank = 65;
    row[7].array.size = 7;
    row[8].array.elem_bytes = 2;
    memset(row[9].array.descr, 'a', sizeof row[9].array.descr);
    for (size_t i = 0; i < LENGTH(row); ++i) {
        if (ct_npy_write(path_of("old.npy"), &row[i].array, error) != CT_E_ARGUMENT)
            fail_msg("%s: written", row[i].name);
        assert_one_line(row[i].name, error);
        if (!strstr(error, row[i].why)) fail_msg("%s: %s", row[i].name, error);
    }
    ct_npy fine = array_of("<f4", 0, 2, two, data);
    assert_int_equal(ct_npy_write(path_of("no/such/directory.npy"), &fine, error), CT_E_FILE);
    assert_non_null(strstr(error, "cannot be written: No such file"));
    assert_int_equal(ct_npy_write(directory, &fine, error), CT_E_FILE);
    assert_non_null(strstr(error, "cannot be written: Is a directory"));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(ct_npy_write("/dev/full", &fine, error), CT_E_FILE);
        assert_non_null(strstr(error, "/dev/full: cannot be written: No space"));
    }
    assert_int_equal(ct_npy_write("/dev/null", &fine, error), 0);
    struct stat device;
    assert_int_equal(stat("/dev/null", &device), 0);
    assert_true(S_ISCHR(device.st_mode)); /* written to, not replaced */
    old = fopen(path_of("old.npy"), "rb");
    assert_int_equal(fread(kept, 1, sizeof kept, old), 6);
    fclose(old);
    assert_string_equal(kept, "before");
    assert_int_equal(files_in_directory(), before + 1); /* no temporary file is left */
}

/* A disk that fills up, played by a limit on the size of files: the old file stays, and only it. */
TEST(test_write_full)
{
    static const int64_t shape[2] = {100, 100};
    static unsigned char data[40000];
    char error[CT_MESSAGE_BYTES];
    struct rlimit before, limit;
    struct stat s;
    ct_npy large = array_of("<f4", 0, 2, shape, data);
    make(1, HEAD("<f4", "(2,)"), 8);
    save("full.npy");
    const int files = files_in_directory();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const ct_status result = ct_npy_write(path_of("full.npy"), &large, error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(result, CT_E_FILE);
    assert_non_null(strstr(error, "full.npy: cannot be written: File too large"));
    assert_int_equal(stat(path_of("full.npy"), &s), 0);
    assert_int_equal(s.st_size, (off_t)file.count);
    assert_int_equal(files_in_directory(), files);
}

/* A link stays a link, and the file that it names keeps its permissions. */
TEST(test_write_link)
{
    static const int64_t two[2] = {2, 3};
    char error[CT_MESSAGE_BYTES], target[512];
    unsigned char data[24] = {0};
    struct stat s;
    ct_npy fine = array_of("<f4", 1, 2, two, data);
    snprintf(target, sizeof target, "%s", path_of("target.npy"));
    FILE *old = fopen(target, "wb");
    fclose(old);
    assert_int_equal(chmod(target, 0600), 0);
    assert_int_equal(symlink(target, path_of("link.npy")), 0);
    assert_int_equal(ct_npy_write(path_of("link.npy"), &fine, error), 0);
    assert_int_equal(lstat(path_of("link.npy"), &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_int_equal(stat(target, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    assert_int_equal(s.st_size, 128 + 24);
}

/* A link to no file stays one, and nothing is written: neither in its place nor where it leads to. */
TEST(test_write_dangling)
{
    static const int64_t two[2] = {2, 3};
    char error[CT_MESSAGE_BYTES];
    unsigned char data[24] = {0};
    struct stat s;
    ct_npy fine = array_of("<f4", 1, 2, two, data);
    assert_int_equal(symlink("nowhere.npy", path_of("dangling.npy")), 0);
    assert_int_equal(symlink("loop.npy", path_of("loop.npy")), 0);
    const int files = files_in_directory();
    assert_int_equal(ct_npy_write(path_of("dangling.npy"), &fine, error), CT_E_FILE);
    assert_non_null(strstr(error, "dangling.npy: cannot be written: a dangling link: No such "
                                  "file"));
    assert_int_equal(ct_npy_write(path_of("loop.npy"), &fine, error), CT_E_FILE);
    assert_non_null(strstr(error, "loop.npy: cannot be written: a dangling link: Too many levels"));
    assert_int_equal(lstat(path_of("dangling.npy"), &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_int_equal(lstat(path_of("loop.npy"), &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_int_equal(files_in_directory(), files);
}

TEST(test_layout)
{
    static const int64_t shape[3] = {3, 5, 7};
    ct_npy a = array_of("<f4", 0, 3, shape, NULL);
    a.rank = 2;
    assert_true(ct_layout_equal(ct_npy_layout(&a), ct_layout2(3, 5, 5, 1)));
    a.fortran = 1;
    assert_true(ct_layout_equal(ct_npy_layout(&a), ct_layout2(3, 5, 1, 3)));
    a.rank = 1;
    assert_true(ct_layout_equal(ct_npy_layout(&a), ct_layout1(3, 1)));
    a.rank = 0;
    assert_true(ct_layout_equal(ct_npy_layout(&a), ct_layout1(1, 0)));
    a.rank = 3;
    a.fortran = 0;
    assert_true(ct_layout_equal(ct_npy_layout(&a),
                                ct_make_layout(ct_tuple3(3, 5, 7), ct_tuple3(35, 7, 1))));
    a.rank = CT_MAX_LEAVES + 1;
    assert_int_equal(ct_npy_layout(&a).err.status, CT_E_CAPACITY);
}

TEST(test_numpy)
{
    static const char *const type[] = {"float16", "float32",    "float64",      "int8", "uint16",
                                       ">i4",     "complex128", "longdouble",   "bool", "V2",
                                       "S5",      "U3",         "datetime64[s]"};
    if (system("python3 -c 'import numpy' >/dev/null 2>&1") != 0) skip();
    for (size_t i = 0; i < LENGTH(type); ++i)
        for (int fortran = 0; fortran < 2; ++fortran) {
            char command[1024], error[CT_MESSAGE_BYTES] = "";
            ct_npy a;
            snprintf(command, sizeof command,
                     "cd %s && python3 -c \"import numpy as n; d = n.dtype('%s'); "
                     "a = n.frombuffer(bytes(i & 1 for i in range(12 * d.itemsize)), d)"
                     ".reshape(3, 4, order='%c'); n.save('numpy.npy', a)\"",
                     directory, type[i], fortran ? 'F' : 'C');
            assert_int_equal(system(command), 0);
            if (ct_npy_read(path_of("numpy.npy"), &a, error)) fail_msg("%s: %s", type[i], error);
            assert_int_equal(a.rank, 2);
            assert_int_equal(a.fortran, fortran);
            assert_int_equal(a.size, 12);
            assert_int_equal(ct_npy_write(path_of("cutlet.npy"), &a, error), 0);
            ct_npy_free(&a);
            snprintf(
                command, sizeof command,
                "cd %s && python3 -c \"import numpy as n; a = n.load('numpy.npy'); "
                "b = n.load('cutlet.npy'); assert a.dtype == b.dtype and a.shape == b.shape and "
                "a.flags.f_contiguous == b.flags.f_contiguous and a.tobytes() == b.tobytes()\"",
                directory);
            if (system(command) != 0) fail_msg("%s: NumPy reads something else", type[i]);
        }
}

GROUP("npy write", make_directory, remove_directory)
