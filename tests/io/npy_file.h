/**
 * NumPy files made byte by byte, for the tests that read and write them.
 */
#ifndef CUTLET_TESTS_NPY_FILE_H
#define CUTLET_TESTS_NPY_FILE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cutlet/host/npy.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static char directory[64];

typedef struct bytes {
    unsigned char at[70000];
    size_t count;
} bytes;

static bytes file; /* one at a time */

static inline void put(const void *data, size_t count)
{
    assert_true(file.count + count <= sizeof file.at);
    memcpy(file.at + file.count, data, count);
    file.count += count;
}

/* A file: magic, version, header length, header, this many data bytes 0, 1, 2, ... */
static inline void make(int major, const char *header, size_t data_bytes)
{
    const size_t length = strlen(header);
    /* clang-format off */
    const unsigned char start[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)major, 0,
                                     length & 255, length >> 8 & 255, length >> 16 & 255,
                                     /* clang-format on */
                                     length >> 24 & 255};
    file.count = 0;
    put(start, major == 1 ? 10 : 12);
    put(header, length);
    for (size_t i = 0; i < data_bytes; ++i) {
        const unsigned char byte = (unsigned char)i;
        put(&byte, 1);
    }
}

static inline const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static inline const char *save(const char *name)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(file.at, 1, file.count, f), file.count);
    assert_int_equal(fclose(f), 0);
    return path;
}

static inline int is_zero(const ct_npy *a)
{
    static const ct_npy zero;
    return memcmp(a, &zero, sizeof zero) == 0;
}

/* One line: not empty, no newline, not longer than its room. */
static inline void assert_one_line(const char *name, const char *error)
{
    const size_t length = strlen(error);
    if (length == 0 || length >= CT_MESSAGE_BYTES || strchr(error, '\n'))
        fail_msg("%s: not one line: `%s`", name, error);
}

#define HEAD(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }"

/* What is accepted: the header, and what it means. */
typedef struct good {
    const char *name, *header;
    int major;
    const char *descr;
    char kind;
    int elem_bytes, big_endian, fortran, rank;
    int64_t shape[3];
} good;

static const good accepted[] = {
    /* clang-format off */
    {"half", "{'descr': '<f2', 'fortran_order': False, 'shape': (3, 5), }", 1, "<f2", 'f', 2, 0, 0, 2,
     {3, 5}},
    {"fortran", "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 5), }", 1, "<f4", 'f', 4, 0, 1,
     2, {3, 5}},
    {"big endian", "{'descr': '>i8', 'fortran_order': False, 'shape': (4,), }", 1, ">i8", 'i', 8, 1,
     0, 1, {4}},
    {"no byte order", HEAD("f4", "(2,)"), 1, "<f4", 'f', 4, 0, 0, 1, {2}},
    {"the machine's order", HEAD("=i8", "(2,)"), 1, "<i8", 'i', 8, 0, 0, 1, {2}},
    {"an order that is none", HEAD("|f4", "(2,)"), 1, "<f4", 'f', 4, 0, 0, 1, {2}},
    {"text without a sign", HEAD("S3", "(2,)"), 1, "|S3", 'S', 3, 0, 0, 1, {2}},
    {"a byte without a sign", HEAD("=u1", "(2,)"), 1, "|u1", 'u', 1, 0, 0, 1, {2}},
    {"time without a sign", HEAD("m8[s]", "(2,)"), 1, "<m8[s]", 'm', 8, 0, 0, 1, {2}},
    {"fields without a sign", "{'descr': [('x', 'f4'), ('y', '=i2')], 'fortran_order': False, 'shape': (2,), }", 1,
     "[('x', 'f4'), ('y', '=i2')]", 'V', 6, 0, 0, 1, {2}},
    {"scalar", "{'descr': '<c16', 'fortran_order': False, 'shape': (), }", 1, "<c16", 'c', 16, 0, 0, 0,
     {0}},
    {"three dimensions", "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3, 4), }", 1, "|u1",
     'u', 1, 0, 0, 3, {2, 3, 4}},
    {"bool", "{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }", 1, "|b1", 'b', 1, 0, 0, 1,
     {7}},
    {"bfloat16 as raw bytes", "{'descr': '|V2', 'fortran_order': False, 'shape': (2, 2), }", 1, "|V2",
     'V', 2, 0, 0, 2, {2, 2}},
    {"text", "{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }", 1, "|S3", 'S', 3, 0, 0, 1,
     {2}},
    {"unicode", "{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }", 1, "<U4", 'U', 16, 0, 0,
     1, {2}},
    {"time", "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,), }", 1, "<M8[ns]", 'M', 8, 0,
     0, 1, {2}},
    {"long double", "{'descr': '<f16', 'fortran_order': False, 'shape': (2,), }", 1, "<f16", 'f', 16,
     0, 0, 1, {2}},
    {"fields", "{'descr': [('x', '<f4'), ('y', '<f2', (2,)), ('', '|V1')], 'fortran_order': False, "
               "'shape': (3,), }", 1, "[('x', '<f4'), ('y', '<f2', (2,)), ('', '|V1')]", 'V', 9, 0, 0,
     1, {3}},
    {"fields in fields", "{'descr': [('a', [('b', '<i2'), ('c', '|u1')])], 'fortran_order': False, "
                         "'shape': (2,), }", 1, "[('a', [('b', '<i2'), ('c', '|u1')])]", 'V', 3, 0, 0,
     1, {2}},
    {"titled field", "{'descr': [(('title', 'x'), '<f8')], 'fortran_order': False, 'shape': (2,), }", 1,
     "[(('title', 'x'), '<f8')]", 'V', 8, 0, 0, 1, {2}},
    {"format 2", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 2, "<f8", 'f', 8, 0, 0,
     2, {2, 3}},
    {"format 3", "{'descr': [('\xc3\xa9', '<f4')], 'fortran_order': False, 'shape': (2,), }", 3,
     "[('\xc3\xa9', '<f4')]", 'V', 4, 0, 0, 1, {2}},
    {"Latin-1 in format 1", "{'descr': [('\xe9\xff', '<f4')], 'fortran_order': False, 'shape': (2,), }",
     1, "[('\xc3\xa9\xc3\xbf', '<f4')]", 'V', 4, 0, 0, 1, {2}},
    {"no Latin-1 in format 3", "{'descr': [('\xce\xb1\xf0\x9f\x98\x80', '<f4')], 'fortran_order': False, "
                               "'shape': (2,), }",
     3, "[('\xce\xb1\xf0\x9f\x98\x80', '<f4')]", 'V', 4, 0, 0, 1, {2}},
    {"keys in another order", "{'shape': (2, 2), 'fortran_order': True, 'descr': '<u4'}", 1, "<u4",
     'u', 4, 0, 1, 2, {2, 2}},
    {"double quotes and spaces", "{ \"descr\" : \"<f4\" , \"fortran_order\":False,\"shape\":( 2 ,2 )} \n",
     1, "<f4", 'f', 4, 0, 0, 2, {2, 2}},
    {"Python 2 integers", "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }", 1, "<f4",
     'f', 4, 0, 0, 2, {2, 3}},
    {"single dimension of one", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 1, "<f4",
     'f', 4, 0, 0, 1, {1}},
    /* clang-format on */
};

static inline int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/cutlet-npy-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static inline int remove_directory(void **state)
{
    (void)state;
    DIR *d = opendir(directory);
    for (struct dirent *e; d && (e = readdir(d));) unlink(path_of(e->d_name));
    if (d) closedir(d);
    return rmdir(directory);
}

#endif
