/* NumPy files: the header is a Python dictionary in text, followed by the bytes of the data. */
#include <cutlet/host/npy.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/refuse.h"
#include "npy_header.h"
#include "npz.h"

/* A pipe is read in pieces: bytes that a header promises are not allocated before they arrive. */
#define PIECE_BYTES ((int64_t)1 << 24)

void ct_npy_free(ct_npy *array)
{
    free(array->data);
    memset(array, 0, sizeof *array);
}

ct_layout ct_npy_layout(const ct_npy *array)
{
    ct_layout layout = CT_ZERO;
    if (array->rank > CT_MAX_LEAVES)
        return ct_layout_fail(ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
                                            array->rank, CT_MAX_LEAVES));
    if (array->rank == 0) return ct_layout1(1, 0);
    int64_t stride = 1;
    layout.profile = array->rank == 1 ? ct_int(0).profile : ct_profile_flat(array->rank);
    for (int i = 0; i < array->rank; ++i) {
        const int k = array->fortran ? i : array->rank - 1 - i;
        layout.shape[k] = array->shape[k];
        layout.stride[k] = stride;
        stride *= array->shape[k];
    }
    return ct_checked(layout, CT_OP_MAKE_LAYOUT);
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* The bytes of a file, wherever they come from. */
typedef struct source {
    FILE *stream;               /* or NULL: the bytes lie in memory */
    const unsigned char *bytes; /* what is left of them */
    int64_t left;               /* how many are left; -1 when that is not known (a pipe) */
    int64_t end;                /* of a member of an archive: the byte after it; or -1 */
} source;

/* Reads up to count bytes; returns how many came. */
static int64_t take(source *from, void *into, int64_t count)
{
    if (from->stream) {
        if (from->end >= 0)
            count = ct_max(0, ct_min(count, from->end - (int64_t)ftello(from->stream)));
        return (int64_t)fread(into, 1, (size_t)count, from->stream);
    }
    if (count > from->left) count = from->left;
    if (count > 0) memcpy(into, from->bytes, (size_t)count);
    from->bytes += count;
    from->left -= count;
    return count;
}

/* Whether these bytes begin an array. numpy.save writes several into one file; the first is read. */
static int is_array(const char *magic, int64_t count)
{
    return count >= 6 && memcmp(magic, "\x93NUMPY", 6) == 0;
}

/* Reads all the data. What is missing is an error, and so is more, but for another array. */
static ct_status read_data(source *from, ct_npy *array, const char *name, char *message)
{
    const int64_t total = array->data_bytes, left = from->left;
    int64_t got = 0;
    if (left >= 0 && left < total)
        return ct_refuse(message, CT_E_FILE,
                         "%.150s: truncated: %lld of the %lld data bytes that its header declares",
                         name, (long long)left, (long long)total);
    while (got < total) {
        const int64_t capacity =
            left >= 0 ? total : ct_min(total, ct_max(PIECE_BYTES, got + ct_min(got, total - got)));
        void *larger = realloc(array->data, (size_t)capacity);
        if (!larger)
            return ct_refuse(message, CT_E_MEMORY,
                             "%.150s: not enough memory for %lld bytes of data", name,
                             (long long)total);
        array->data = larger;
        const int64_t came = take(from, (char *)larger + got, capacity - got);
        got += came;
        if (got < capacity)
            return ct_refuse(message, CT_E_FILE,
                             "%.150s: truncated: %lld of the %lld data bytes that its header "
                             "declares",
                             name, (long long)got, (long long)total);
    }
    char more[6];
    const int64_t count = take(from, more, sizeof more);
    if (count == 0 || is_array(more, count)) return 0;
    if (left > total)
        return ct_refuse(message, CT_E_FILE,
                         "%.150s: %lld more bytes than the %lld of data that its header declares",
                         name, (long long)(left - total), (long long)total);
    return ct_refuse(message, CT_E_FILE,
                     "%.150s: more bytes than the %lld of data that its header declares", name,
                     (long long)total);
}

/* Reads the names of fields as UTF-8, for any encoding of the format. */
static ct_status decode_names(int format, ct_npy *array, char *message)
{
    if (format < 3 && ct_npy_from_latin1(array->descr, sizeof array->descr))
        return ct_refuse(message, CT_E_FILE, "type: its text as UTF-8 takes more than %d bytes",
                         CT_NPY_DESCR_BYTES - 1);
    if (!ct_npy_is_utf8(array->descr))
        return ct_refuse(message, CT_E_FILE,
                         "type: its text is not UTF-8, which format 3.0 asks for");
    return 0;
}

/* Reads the header's text after the magic bytes and the version. */
static ct_status read_header(source *from, ct_npy *array, const char *name, char *message)
{
    unsigned char start[8], length[4] = {0, 0, 0, 0};
    char why[CT_MESSAGE_BYTES];
    const int64_t got = take(from, start, 8);
    if (got < 8 && memcmp(start, "\x93NUMPY", (size_t)ct_min(got, 6)) == 0)
        return ct_refuse(message, CT_E_FILE,
                         got ? "%.150s: truncated: it ends within its header" : "%.150s: empty",
                         name);
    if (got < 8 || memcmp(start, "\x93NUMPY", 6) != 0)
        return ct_refuse(message, CT_E_FILE,
                         "%.150s: not a NumPy file: it does not begin with \\x93NUMPY", name);
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        return ct_refuse(message, CT_E_FILE,
                         "%.150s: format %d.%d; formats 1.0, 2.0 and 3.0 are read", name, start[6],
                         start[7]);
    const int wide = start[6] == 1 ? 2 : 4;
    if (take(from, length, wide) < wide)
        return ct_refuse(message, CT_E_FILE, "%.150s: truncated: it ends within its header", name);
    const int64_t bytes = length[0] | length[1] << 8 | length[2] << 16 | (int64_t)length[3] << 24;
    if (bytes > CT_NPY_HEADER_MAX)
        return ct_refuse(message, CT_E_FILE, "%.150s: a header of %lld bytes; at most %d are read",
                         name, (long long)bytes, CT_NPY_HEADER_MAX);
    char *text = malloc((size_t)bytes + 1);
    if (!text) return ct_refuse(message, CT_E_MEMORY, "%.150s: no memory", name);
    ct_status result = CT_OK;
    if (take(from, text, bytes) < bytes) {
        result =
            ct_refuse(message, CT_E_FILE, "%.150s: truncated: it ends within its header", name);
    } else {
        text[bytes] = 0;
        result = ct_npy_parse(text, (size_t)bytes, array, why);
        if (!result) result = decode_names(start[6], array, why);
        if (result) ct_refuse(message, result, "%.150s: %s", name, why);
    }
    free(text);
    return result;
}

static ct_status read_all(source *from, ct_npy *array, const char *name, char *message)
{
    char why[CT_MESSAGE_BYTES];
    ct_status result = read_header(from, array, name, message);
    if (!result) {
        result = ct_npy_refuse_empty(array, why);
        if (result) ct_refuse(message, result, "%.150s: %s", name, why);
    }
    if (!result && from->stream) {
        struct stat file;
        from->left = -1;
        if (fstat(fileno(from->stream), &file) == 0 && S_ISREG(file.st_mode))
            from->left = ct_max(0, (from->end >= 0 ? from->end : (int64_t)file.st_size) -
                                       (int64_t)ftello(from->stream));
    }
    if (!result) result = read_data(from, array, name, message);
    if (result) ct_npy_free(array);
    return result;
}

/* Whether another array follows after this number of bytes of data. */
static int has_another(FILE *f, int64_t data_bytes)
{
    char magic[6];
    const off_t at = ftello(f);
    const int there = fseeko(f, at + (off_t)data_bytes, SEEK_SET) == 0 &&
                      is_array(magic, (int64_t)fread(magic, 1, 6, f));
    return fseeko(f, at, SEEK_SET) == 0 && there;
}

ct_status ct_npy_open(const char *path, FILE **stream, ct_npy *array, char *message)
{
    struct stat there;
    source from = {NULL, NULL, -1, -1};
    memset(array, 0, sizeof *array);
    *stream = NULL;
    if (stat(path, &there) == 0 && S_ISFIFO(there.st_mode)) /* to open one waits for a writer */
        return ct_refuse(message, CT_E_FILE, "%.200s: not a regular file", path);
    ct_status result = ct_npz_open(path, &from.stream, &from.end, message);
    if (result) return result;
    *stream = from.stream;
    if (fstat(fileno(from.stream), &there) != 0 || !S_ISREG(there.st_mode)) {
        result = ct_refuse(message, CT_E_FILE, "%.200s: not a regular file", path);
    } else {
        result = read_header(&from, array, path, message);
        const int64_t end = from.end >= 0 ? from.end : (int64_t)there.st_size;
        const int64_t left = result ? 0 : end - (int64_t)ftello(from.stream);
        if (!result && left != array->data_bytes &&
            (left < array->data_bytes || !has_another(from.stream, array->data_bytes)))
            result = ct_refuse(message, CT_E_FILE,
                               "%.150s: %lld bytes of data, but its header declares %lld", path,
                               (long long)left, (long long)array->data_bytes);
    }
    if (!result) return 0;
    fclose(from.stream);
    *stream = NULL;
    return result;
}

ct_status ct_npy_decode(const void *bytes, size_t count, ct_npy *array,
                        char message[CT_MESSAGE_BYTES])
{
    source from = {NULL, bytes, (int64_t)count, -1};
    memset(array, 0, sizeof *array);
    return read_all(&from, array, "array", message);
}

ct_status ct_npy_read(const char *path, ct_npy *array, char message[CT_MESSAGE_BYTES])
{
    struct stat there;
    source from = {NULL, NULL, -1, -1};
    memset(array, 0, sizeof *array);
    ct_status result = ct_npz_open(path, &from.stream, &from.end, message);
    if (result) return result;
    if (fstat(fileno(from.stream), &there) == 0 && S_ISDIR(there.st_mode))
        result = ct_refuse(message, CT_E_FILE, "%.200s: a directory, not a NumPy file", path);
    else result = read_all(&from, array, path, message);
    fclose(from.stream);
    return result;
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* Adds to the text at *at of `room` bytes; what does not fit makes *at larger than room. */
__attribute__((format(printf, 4, 5))) static void add(char *text, size_t capacity, size_t *at,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(*at < capacity ? text + *at : NULL,
                                 *at < capacity ? capacity - *at : 0, format, arguments);
    va_end(arguments);
    if (length > 0) *at += (size_t)length;
}

/* The dictionary of the header; returns its length, at most room - 1. */
static size_t header_text(const ct_npy *array, char *text, size_t capacity)
{
    const char *quote = array->descr[0] == '[' ? "" : "'";
    size_t at = 0;
    add(text, capacity, &at, "{'descr': %s%s%s, 'fortran_order': %s, 'shape': (", quote,
        array->descr, quote, array->fortran ? "True" : "False");
    for (int i = 0; i < array->rank; ++i)
        add(text, capacity, &at, "%s%lld", i ? ", " : "", (long long)array->shape[i]);
    add(text, capacity, &at, "%s), }", array->rank == 1 ? "," : "");
    return at;
}

/* What the header text means must be what the fields say. */
static ct_status check_fields(const ct_npy *given, const ct_npy *meant, char *message)
{
    const char *field = NULL;
    if (strcmp(given->descr, meant->descr) != 0) field = "descr";
    if (given->kind && given->kind != meant->kind) field = "kind";
    if (given->elem_bytes && given->elem_bytes != meant->elem_bytes) field = "elem_bytes";
    if (given->big_endian && !meant->big_endian) field = "big_endian";
    if (given->size && given->size != meant->size) field = "size";
    if (given->data_bytes && given->data_bytes != meant->data_bytes) field = "data_bytes";
    if (field)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "npy: the field %s does not agree with the header that is to be written",
                         field);
    if (!given->data) return ct_refuse(message, CT_E_ARGUMENT, "npy: there are no data");
    return 0;
}

/* Checks the array, opens the file and writes the header; *bytes gets those of the data. */
static ct_status begin_file(ct_whole_file *file, const char *path, const ct_npy *array,
                            int with_data, int64_t *bytes, char *message)
{
    char text[CT_NPY_DESCR_BYTES + CT_NPY_MAX_RANK * 22 + 128], why[CT_MESSAGE_BYTES];
    ct_npy meant;
    if (array->rank < 0 || array->rank > CT_NPY_MAX_RANK)
        return ct_refuse(message, CT_E_ARGUMENT, "npy: %d dimensions; at most %d are written",
                         array->rank, CT_NPY_MAX_RANK);
    if (!memchr(array->descr, 0, sizeof array->descr))
        return ct_refuse(message, CT_E_ARGUMENT, "npy: descr has no end");
    size_t length = header_text(array, text, sizeof text);
    memset(&meant, 0, sizeof meant);
    if (ct_npy_parse(text, length, &meant, why) || (with_data && ct_npy_refuse_empty(&meant, why)))
        return ct_refuse(message, CT_E_ARGUMENT, "%.150s: %s", path, why);
    if (!ct_npy_is_utf8(array->descr))
        return ct_refuse(message, CT_E_ARGUMENT, "%.150s: type: its text is not UTF-8", path);
    ct_status bad = with_data ? check_fields(array, &meant, message) : CT_OK;
    if (!bad) bad = ct_whole_open(file, path, message);
    if (bad) return bad;

    /* Magic, version and length take 10 bytes, 12 in format 3.0; the data begin at a multiple
     * of 64. */
    const int format = ct_npy_to_latin1(text) ? 1 : 3;
    const size_t begin = format == 1 ? 10 : 12;
    length = strlen(text);
    const size_t rest = (begin + length + 1 + 63) / 64 * 64 - begin;
    const unsigned char start[12] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)format, 0, rest & 255, rest >> 8, 0, 0};
    ct_whole_write(file, start, begin);
    ct_whole_write(file, text, length);
    for (; length + 1 < rest; ++length) ct_whole_write(file, " ", 1);
    ct_whole_write(file, "\n", 1);
    *bytes = meant.data_bytes;
    return 0;
}

ct_status ct_npy_begin(ct_whole_file *file, const char *path, const ct_npy *array, char *message)
{
    int64_t bytes = 0;
    return begin_file(file, path, array, 0, &bytes, message);
}

ct_status ct_npy_write(const char *path, const ct_npy *array, char message[CT_MESSAGE_BYTES])
{
    ct_whole_file file;
    int64_t bytes = 0;
    const ct_status bad = begin_file(&file, path, array, 1, &bytes, message);
    if (bad) return bad;
    ct_whole_write(&file, array->data, (size_t)bytes);
    return ct_whole_commit(&file, message);
}
