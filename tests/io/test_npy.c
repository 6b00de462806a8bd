/* NumPy files read: every type and order, every kind of damage refused in one line. */
#include "test.h"

#include "npy_file.h"

TEST(test_accepted)
{
    for (size_t i = 0; i < LENGTH(accepted); ++i) {
        const good *g = &accepted[i];
        char error[CT_MESSAGE_BYTES] = "";
        int64_t size = 1;
        ct_npy a, b;
        for (int k = 0; k < g->rank; ++k) size *= g->shape[k];
        make(g->major, g->header, (size_t)(size * g->elem_bytes));
        if (ct_npy_read(save("good.npy"), &a, error)) fail_msg("%s: %s", g->name, error);
        assert_int_equal(ct_npy_decode(file.at, file.count, &b, error), 0);
        const int right = strcmp(a.descr, g->descr) == 0 && a.kind == g->kind &&
                          a.elem_bytes == g->elem_bytes && a.big_endian == g->big_endian &&
                          a.fortran == g->fortran && a.rank == g->rank && a.size == size &&
                          a.data_bytes == size * g->elem_bytes;
        if (!right)
            fail_msg("%s: descr `%s` kind %c bytes %d", g->name, a.descr, a.kind, a.elem_bytes);
        for (int k = 0; k < g->rank; ++k) assert_int_equal(a.shape[k], g->shape[k]);
        for (int64_t k = 0; k < a.data_bytes; ++k)
            if (((unsigned char *)a.data)[k] != (k & 255))
                fail_msg("%s: byte %ld", g->name, (long)k);
        assert_memory_equal(a.data, b.data, (size_t)a.data_bytes);
        ct_npy_free(&a);
        ct_npy_free(&b);
        assert_true(is_zero(&a));
        ct_npy_free(&a);
    }
}

/* ---- what is refused -------------------------------------------------------------------------- */

typedef struct bad {
    const char *name, *header;
    int major;
    size_t data_bytes;
    const char *why; /* part of the line */
} bad;

static const bad refused[] = {
    {"object", HEAD("|O", "(2,)"), 1, 16,
     "type `|O`: elements are Python objects, which have no fixed size"},
    {"object field",
     "{'descr': [('a', '<f4'), ('b', 'O')], 'fortran_order': False, 'shape': (2,), }", 1, 24,
     "Python objects"},
    {"no bytes", HEAD("float32", "(2,)"), 1, 8, "type `float32`: no bytes are said, as in `<f4`"},
    {"no such kind", HEAD("<q4", "(2,)"), 1, 8, "type `<q4`: no element type of a fixed size"},
    {"no size", HEAD("<f", "(2,)"), 1, 8, "no bytes are said"},
    {"text without a size", HEAD("|S", "(2,)"), 1, 8, "no bytes are said"},
    {"text of size 0", HEAD("|S0", "(2,)"), 1, 0, "type `|S0`: elements of 0 bytes"},
    {"int of 3 bytes", HEAD("<i3", "(2,)"), 1, 6, "no element type"},
    {"bool of 2 bytes", HEAD("|b2", "(2,)"), 1, 4, "no element type"},
    {"another sign", HEAD("@f4", "(2,)"), 1, 8, "no element type"},
    {"complex of 32 bytes", HEAD("<c32", "(2,)"), 1, 64,
     "type `<c32`: elements of 32 bytes; at most 16 are read"},
    {"unicode of 20 bytes", HEAD("<U5", "(2,)"), 1, 40, "at most 16"},
    {"size that wraps", HEAD("<f4294967300", "(2,)"), 1, 8, "no element type"},
    {"no fields", "{'descr': [], 'fortran_order': False, 'shape': (2,), }", 1, 0,
     "type: elements of 0 bytes"},
    {"too many bytes of fields",
     "{'descr': [('a', '<f8'), ('b', '<f8'), ('c', '|u1')], "
     "'fortran_order': False, 'shape': (1,), }",
     1, 17, "type: fields of more than 16 bytes together; at most 16 are read"},
    {"huge subarray",
     "{'descr': [('a', '<f8', (9223372036854775807,))], 'fortran_order': False, "
     "'shape': (1,), }",
     1, 8, "at most 16"},
    {"fields nested too deep",
     "{'descr': [('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a','|u1')])])])])])])])])])],"
     "'fortran_order': False, 'shape': (1,), }",
     1, 1, "type: fields nest more than 8 deep"},
    {"empty header", "", 1, 8, "header: `{` expected at byte 0"},
    {"no end", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", 1, 8, "expected"},
    {"text after the end", HEAD("<f4", "(2,)") "x", 1, 8, "the end expected"},
    {"no comma", "{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }", 1, 8, "expected"},
    {"no colon", "{'descr' '<f4', 'fortran_order': False, 'shape': (2,), }", 1, 8, "`:` expected"},
    {"open string", "{'descr: <f4, fortran_order: False, shape: (2,), }", 1, 8,
     "header: the end of a string expected at byte 50"},
    {"order as a number", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,), }", 1, 8,
     "True or False"},
    {"no descr", "{'fortran_order': False, 'shape': (2,), }", 1, 8, "header: no key `descr`"},
    {"no order", "{'descr': '<f4', 'shape': (2,), }", 1, 8, "no key `fortran_order`"},
    {"no shape", "{'descr': '<f4', 'fortran_order': False, }", 1, 8, "no key `shape`"},
    {"key twice", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 1, 8,
     "header: the key `descr` twice"},
    {"unknown key", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 1, 8,
     "header: unknown key `x`"},
    {"shape is not a tuple", HEAD("<f4", "2"), 1, 8, "`(` expected"},
    {"shape without its comma", HEAD("<f4", "(2)"), 1, 8,
     "shape: a tuple of one extent ends in a comma: (5,)"},
    {"shape of text", HEAD("<f4", "('a',)"), 1, 8, "integer expected"},
    {"shape not closed", HEAD("<f4", "(2, 3"), 1, 24, "expected"},
    {"shape of a fraction", HEAD("<f4", "(2.0, 3)"), 1, 24, "expected"},
    {"negative extent", HEAD("<f4", "(-2, 3)"), 1, 24, "shape: a negative extent"},
    {"zero extent", HEAD("<f4", "(2, 0)"), 1, 0, "shape: the extent of dimension 1 is 0"},
    {"extent beyond 63 bits", HEAD("<f4", "(9223372036854775808,)"), 1, 8,
     "shape: an extent that 63 bits do not hold"},
    {"extent of 30 digits", HEAD("<f4", "(999999999999999999999999999999,)"), 1, 8, "63 bits"},
    {"size beyond 63 bits", HEAD("<f4", "(4294967296, 4294967296)"), 1, 8, "63 bits"},
    {"bytes beyond 63 bits", HEAD("<f8", "(4611686018427387904,)"), 1, 8,
     "shape: more bytes than 63 bits count"},
    {"promises much", HEAD("<f8", "(1000000, 1000000)"), 1, 64, "truncated"},
    {"one byte short", HEAD("<f4", "(2, 3)"), 1, 23,
     "bad.npy: truncated: 23 of the 24 data bytes that its header declares"},
    {"no data", HEAD("<f4", "(2, 3)"), 1, 0, "truncated"},
    {"one byte more", HEAD("<f4", "(2, 3)"), 1, 25,
     ": 1 more bytes than the 24 of data that its header declares"},
    {"much more", HEAD("<f4", "(2, 3)"), 2, 4000, "more bytes"},
    {"no UTF-8 in format 3",
     "{'descr': [('\xe9', '<f4')], 'fortran_order': False, 'shape': (2,), }", 3, 8,
     "type: its text is not UTF-8, which format 3.0 asks for"},
    {"a character too long",
     "{'descr': [('\xc0\xaf', '<f4')], 'fortran_order': False, 'shape': (2,), }", 3, 8,
     "type: its text is not UTF-8"},
    {"half of a pair",
     "{'descr': [('\xed\xa0\x80', '<f4')], 'fortran_order': False, 'shape': (2,), }", 3, 8,
     "type: its text is not UTF-8"},
    {"beyond the last",
     "{'descr': [('\xf4\x90\x80\x80', '<f4')], 'fortran_order': False, "
     "'shape': (2,), }",
     3, 8, "type: its text is not UTF-8"},
    {"format 0", HEAD("<f4", "(2,)"), 0, 8, "format 0.0; formats 1.0, 2.0 and 3.0 are read"},
    {"format 4", HEAD("<f4", "(2,)"), 4, 8, "format 4.0"},
};

static void assert_refused(const char *name, const char *why)
{
    char error[CT_MESSAGE_BYTES] = "";
    ct_npy a;
    memset(&a, 0x5a, sizeof a);
    if (ct_npy_read(save("bad.npy"), &a, error) != CT_E_FILE) fail_msg("%s: read", name);
    assert_one_line(name, error);
    if (!is_zero(&a)) fail_msg("%s: something is left of it", name);
    if (!strstr(error, "bad.npy: ")) fail_msg("%s: no file name: %s", name, error);
    if (why && !strstr(error, why)) fail_msg("%s: `%s` is not in: %s", name, why, error);
    memset(&a, 0x5a, sizeof a);
    if (ct_npy_decode(file.at, file.count, &a, error) != CT_E_FILE) fail_msg("%s: decoded", name);
    if (!is_zero(&a)) fail_msg("%s: something is left of it", name);
}

TEST(test_refused)
{
    for (size_t i = 0; i < LENGTH(refused); ++i) {
        make(refused[i].major, refused[i].header, refused[i].data_bytes);
        assert_refused(refused[i].name, refused[i].why);
    }
    make(1, HEAD("<f4", "(2,)"), 8);
    file.at[7] = 1;
    assert_refused("format 1.1", "format 1.1");
    make(1, HEAD("<f4", "(2,)"), 8);
    file.at[0] = 'N';
    assert_refused("no magic", ": not a NumPy file: it does not begin with \\x93NUMPY");
    make(1, "", 0);
    file.count = 0;
    assert_refused("empty", "empty");
    make(3, HEAD("<f4", "(2,)"), 8);
    memset(file.at + 8, 0xff, 4);
    assert_refused("header of 4 GiB", ": a header of 4294967295 bytes; at most 65535 are read");
    make(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8);
    *(char *)memchr(file.at + 10, 'a', 30) = 0;
    assert_refused("zero byte in a name", "expected");
    char deep[400] = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (int k = 0; k < CT_NPY_MAX_RANK + 1; ++k) strcat(deep, "1,");
    strcat(deep, "), }");
    make(1, deep, 4);
    assert_refused("65 dimensions", "shape: more than 64 dimensions");
    char wide[600] = "{'descr': [";
    for (int k = 0; k < 16; ++k) strcat(wide, "('name_of_field_', '|u1'),");
    strcat(wide, "], 'fortran_order': False, 'shape': (1,), }");
    make(1, wide, 16);
    assert_refused("long text of a type", "type: 418 characters of text; at most 255 are read");
    char latin[400] = "{'descr': [('";
    for (int k = 0; k < 130; ++k) strcat(latin, "\xe9");
    strcat(latin, "', '|u1')], 'fortran_order': False, 'shape': (1,), }");
    make(1, latin, 1);
    assert_refused("long text of a type as UTF-8",
                   "type: its text as UTF-8 takes more than 255 bytes");
}

/* Several arrays in one file: the first is read, of memory and of a file. */
TEST(test_several)
{
    static bytes second;
    char error[CT_MESSAGE_BYTES] = "";
    for (int kept = 5; kept <= 6; ++kept) { /* bytes of the magic of the second one */
        ct_npy a;
        make(2, HEAD("<u2", "(3,)"), 6);
        second = file;
        make(1, HEAD("<f4", "(2, 3)"), 24);
        put(second.at, kept == 6 ? second.count : (size_t)kept);
        const ct_status right = kept == 6 ? CT_OK : CT_E_FILE;
        for (int way = 0; way < 2; ++way) {
            assert_int_equal(way == 0 ? ct_npy_decode(file.at, file.count, &a, error)
                                      : ct_npy_read(save("two.npy"), &a, error),
                             right);
            if (right) assert_non_null(strstr(error, "more bytes than the 24 of data"));
            else assert_true(a.data_bytes == 24 && ((unsigned char *)a.data)[23] == 23);
            ct_npy_free(&a);
        }
    }
}

/* Every file cut short, and every header with one byte changed: an error or a whole result. */
TEST(test_damage)
{
    const char *header = HEAD("<f4", "(2, 3)") "   \n";
    make(1, header, 24);
    const size_t whole = file.count;
    for (size_t cut = 0; cut < whole; ++cut) {
        file.count = cut;
        assert_refused("cut short", cut == 0           ? "empty"
                                    : cut < whole - 24 ? ": truncated: it ends within its header"
                                                       : "truncated: ");
    }
    int read = 0, failed = 0;
    for (size_t at = 0; at < whole - 24; ++at)
        for (int value = 0; value < 256; ++value) {
            char error[CT_MESSAGE_BYTES] = "";
            ct_npy a;
            make(1, header, 24);
            file.at[at] = (unsigned char)value;
            if (ct_npy_decode(file.at, file.count, &a, error)) {
                ++failed;
                assert_one_line("one byte changed", error);
                assert_true(is_zero(&a));
            } else {
                ++read;
                assert_int_equal(a.data_bytes, 24);
                assert_int_equal(a.size * a.elem_bytes, 24);
                ct_npy_free(&a);
            }
        }
    /* nearly every change breaks the header; blanks and the byte order are the exceptions */
    assert_in_range(read, (int)(whole - 24), (int)(whole - 24) + 80);
    assert_true(failed > 10000);
}

TEST(test_no_file)
{
    char error[CT_MESSAGE_BYTES];
    ct_npy a;
    assert_int_equal(ct_npy_read(path_of("missing.npy"), &a, error), CT_E_FILE);
    assert_non_null(strstr(error, "missing.npy: cannot be read: No such file"));
    assert_int_equal(ct_npy_read(directory, &a, error), CT_E_FILE);
    assert_non_null(strstr(error, ": a directory, not a NumPy file"));
    assert_int_equal(ct_npy_read("/dev/null", &a, error), CT_E_FILE);
    assert_non_null(strstr(error, "/dev/null: empty"));
    assert_int_equal(ct_npy_read("a\nname\twith\x01 controls", &a, error), CT_E_FILE);
    assert_one_line("name with a newline", error);
    char name[5000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    assert_int_equal(ct_npy_read(name, &a, error), CT_E_FILE);
    assert_one_line("long name", error);
}

/* A pipe says nothing about its size: whole, cut short and promising too much. */
TEST(test_pipe)
{
    static const struct {
        const char *name, *shape;
        size_t bytes;
        const char *why;
    } row[] = {{"whole", "(2, 3)", 24, NULL},
               {"short", "(2, 3)", 20, "truncated: 20 of the 24"},
               {"long", "(2, 3)", 25, ": more bytes than the 24 of data that its header declares"},
               {"a terabyte promised", "(1000000, 1000000)", 24, "truncated: 24 of the"}};
    for (size_t i = 0; i < LENGTH(row); ++i) {
        char header[128], error[CT_MESSAGE_BYTES] = "", name[32];
        int end[2];
        ct_npy a;
        snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
                 row[i].shape);
        make(1, header, row[i].bytes);
        assert_int_equal(pipe(end), 0);
        assert_int_equal(write(end[1], file.at, file.count), (ssize_t)file.count);
        close(end[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", end[0]);
        const ct_status result = ct_npy_read(name, &a, error);
        close(end[0]);
        if (row[i].why ? result != CT_E_FILE || !strstr(error, row[i].why) : result != 0)
            fail_msg("%s: %d, %s", row[i].name, result, error);
        if (!row[i].why) assert_int_equal(((unsigned char *)a.data)[23], 23);
        ct_npy_free(&a);
    }
}

GROUP("npy", make_directory, remove_directory)
