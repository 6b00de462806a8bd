/* The matrix of `cutlet compare`: read from a file or made. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/copy_options.h"
#include "base/refuse.h"
#include "compare.h"
#include "io/types.h"

enum { ALIGNMENT = 256 };

/* Memory that begins as a GPU's allocations do, so that sectors lie as they would there. */
static void *aligned(int64_t bytes)
{
    return aligned_alloc(ALIGNMENT, ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

/* The units of an element: the largest power of two that divides its size. */
static void find_units(ct_compare_input *s)
{
    s->unit_bytes = s->array.elem_bytes & -s->array.elem_bytes;
    s->units = s->array.elem_bytes / s->unit_bytes;
}

int ct_compare_input_read(ct_compare_input *s, const char *path, char error[CT_MESSAGE_BYTES])
{
    char why[CT_MESSAGE_BYTES];
    memset(s, 0, sizeof *s);
    if (ct_npy_read(path, &s->array, why)) return ct_refuse(error, CT_E_ARGUMENT, "%s", why);
    void *data = aligned(s->array.data_bytes);
    if (data) memcpy(data, s->array.data, (size_t)s->array.data_bytes);
    free(s->array.data);
    s->array.data = data;
    if (!data)
        return ct_refuse(error, CT_E_ARGUMENT,
                         "%.200s: not enough memory for its %" PRId64 " bytes", path,
                         s->array.data_bytes);
    s->path = path;
    if (s->array.rank != 1 && s->array.rank != 2) {
        const int rank = s->array.rank;
        ct_npy_free(&s->array);
        return ct_refuse(error, CT_E_ARGUMENT,
                         "%.200s: an array of %d dimensions; a matrix has two", path, rank);
    }
    s->rows = s->array.rank == 2 ? s->array.shape[0] : 1;
    s->cols = s->array.shape[s->array.rank - 1];
    if (s->array.rank == 1) s->array.fortran = 0; /* one row */
    find_units(s);
    return 0;
}

/* Random bits: splitmix64 of Vigna. */
void *ct_random_bits(int64_t bytes)
{
    uint64_t state = UINT64_C(0x6375746c6574);
    unsigned char *data = aligned(bytes);
    if (!data) return NULL;
    for (int64_t i = 0; i < bytes; i += 8) {
        uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        memcpy(data + i, &z, (size_t)ct_min(8, bytes - i));
    }
    return data;
}

int ct_compare_input_make(ct_compare_input *s, int64_t rows, int64_t cols, const char *type,
                          char error[CT_MESSAGE_BYTES])
{
    int ok = 1;
    char why[CT_MESSAGE_BYTES];
    ct_named_type known;
    memset(s, 0, sizeof *s);
    if (ct_named_type_read(type, &known, why))
        return ct_refuse(error, CT_E_ARGUMENT, "--type: %s", why);
    ct_named_type_describe(&known, s->array.descr);
    s->array.elem_bytes = known.bits / 8;
    const int64_t bytes = ct_mul(ct_mul(rows, cols, &ok), s->array.elem_bytes, &ok);
    if (!ok || bytes > INT64_MAX / 4)
        return ct_refuse(error, CT_E_ARGUMENT,
                         "%" PRId64 " x %" PRId64 " elements of %d bytes are too many", rows, cols,
                         s->array.elem_bytes);
    s->array.rank = 2;
    s->array.shape[0] = s->rows = rows;
    s->array.shape[1] = s->cols = cols;
    s->array.size = rows * cols;
    s->array.data_bytes = bytes;
    find_units(s);
    return 0;
}

/* The array in the order that it has not: element (i,j) of n lines becomes element (j,i). */
static int turn(ct_compare_input *s)
{
    const size_t e = (size_t)s->array.elem_bytes;
    const int64_t lines = s->array.fortran ? s->cols : s->rows;
    const int64_t line = s->array.fortran ? s->rows : s->cols;
    unsigned char *to = aligned(s->array.data_bytes);
    const unsigned char *from = s->array.data;
    if (!to) return -1;
    for (int64_t i = 0; i < lines; ++i)
        for (int64_t k = 0; k < line; ++k)
            memcpy(to + (size_t)(k * lines + i) * e, from + (size_t)(i * line + k) * e, e);
    s->other = to;
    return 0;
}

/* The first lines of a matrix that is made, in an order: random bits, no more than are asked for. */
static const void *make_lines(ct_compare_input *s, int row_major, int64_t lines)
{
    const int64_t line = (row_major ? s->cols : s->rows) * s->array.elem_bytes;
    if (s->made_lines[row_major] >= lines) return s->made[row_major];
    free(s->made[row_major]);
    s->made[row_major] = ct_random_bits(lines * line);
    s->made_lines[row_major] = s->made[row_major] ? lines : 0;
    return s->made[row_major];
}

void ct_compare_input_shape(const ct_compare_input *s, int row_major, ct_matrix *matrix)
{
    matrix->data = NULL;
    matrix->rows = row_major ? s->rows : s->rows * s->units;
    matrix->cols = row_major ? s->cols * s->units : s->cols;
    matrix->ld = row_major ? matrix->cols : matrix->rows;
    matrix->row_major = row_major;
    matrix->elem_bytes = s->unit_bytes;
}

int ct_compare_input_matrix(ct_compare_input *s, int row_major, int64_t lines, ct_matrix *matrix)
{
    const int own = !s->array.fortran == !!row_major;
    ct_compare_input_shape(s, row_major, matrix);
    if (!s->path) matrix->data = make_lines(s, row_major, lines);
    else if (own || s->other || turn(s) == 0) matrix->data = own ? s->array.data : s->other;
    return matrix->data ? 0 : -1;
}

void ct_compare_input_free(ct_compare_input *s)
{
    ct_npy_free(&s->array);
    free(s->other);
    for (int i = 0; i < 2; ++i) free(s->made[i]);
    memset(s, 0, sizeof *s);
}
