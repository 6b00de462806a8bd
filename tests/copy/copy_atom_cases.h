/**
 * Each atom by the one copy, for whoever runs kernels: matrices of halves, whole tiles and edges.
 */
#ifndef TESTS_COPY_ATOM_CASES_H
#define TESTS_COPY_ATOM_CASES_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/device/element/element.h>
#include <cutlet/host/grid.h>
#include <cutlet/host/tma.h>

#include "copy_atoms.cu"

enum { ATOM_POISON = 0xa5 };

/* A matrix of halves, rows ld apart, in memory that ends with it. */
typedef struct matrix {
    uint16_t *at;
    size_t bytes;
    int64_t rows, cols, ld;
} matrix;

static matrix make_matrix(int64_t rows, int64_t cols, int64_t ld, int random)
{
    matrix m = {
        .rows = rows, .cols = cols, .ld = ld, .bytes = (size_t)(2 * ((rows - 1) * ld + cols))};
    m.at = aligned_alloc(256, (m.bytes + 255) / 256 * 256);
    assert_non_null(m.at);
    memset(m.at, ATOM_POISON, m.bytes);
    uint32_t x = 12345;
    for (size_t i = 0; random && i < m.bytes / 2; ++i) {
        x = x * 1664525u + 1013904223u;
        m.at[i] = (uint16_t)((x >> 16 & 0x83ff) | 0x3800); /* halves of modest size, either sign */
    }
    return m;
}

static ct_layout layout_of(const matrix *m) { return ct_layout2(m->rows, m->cols, m->ld, 1); }

/* The descriptor of tiles of a matrix that lies at an address. */
static ct_tma_desc desc_of(const matrix *m, const void *at, int64_t rows, int64_t cols)
{
    return ct_make_tma_desc(layout_of(m), ct_tuple2(rows, cols), CT_ELEM_F16, CT_TMA_SWIZZLE_128B,
                            (uint64_t)(uintptr_t)at);
}

/* What an atom leaves in the destination, where the source has s and the destination had d. */
typedef enum result { RESULT_COPY, RESULT_ADD, RESULT_MIN, RESULT_MAX } result;

static uint16_t expected(result r, uint16_t s, uint16_t d)
{
    const float a = ct_float_of_half(s), b = ct_float_of_half(d);
    uint32_t sum[1] = {0};
    if (r == RESULT_MIN) return b < a ? d : s;
    if (r == RESULT_MAX) return b > a ? d : s;
    if (r == RESULT_COPY) return s;
    ct_put_half(sum, 0, a + b);
    return (uint16_t)sum[0];
}

typedef struct atom_case {
    const ct_grid_kernel *kernel;
    int64_t tile_rows, tile_cols;
    int maps, whole, cluster; /* by maps; tiles are whole; blocks of a cluster */
    result what;
} atom_case;

/* Runs a case's kernel where the test runs kernels: fills in the arguments, and leaves the result in dst. */
typedef void atom_launch(const atom_case *c, ct_dim3 grid, size_t shared_bytes, const matrix *src,
                         matrix *dst);

static void run_atom(const atom_case *c, int64_t rows, int64_t cols, int64_t ld,
                     atom_launch *launch)
{
    matrix src = make_matrix(rows, cols, ld, 1),
           dst = make_matrix(rows, cols, ld, c->what != RESULT_COPY);
    for (int64_t i = 0; c->what != RESULT_COPY && i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) dst.at[i * ld + j] = src.at[(rows - 1 - i) * ld + j];
    matrix right = make_matrix(rows, cols, ld, 0);
    memcpy(right.at, dst.at, dst.bytes);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j)
            right.at[i * ld + j] = expected(c->what, src.at[i * ld + j], dst.at[i * ld + j]);
    const int64_t wide =
        ct_ceil_div_int(ct_ceil_div_int(cols, c->tile_cols), c->cluster) * c->cluster;
    const ct_dim3 grid = {(uint32_t)wide, (uint32_t)ct_ceil_div_int(rows, c->tile_rows), 1};
    launch(c, grid, c->maps ? 8192 : 0, &src, &dst);
    if (memcmp(dst.at, right.at, dst.bytes) != 0)
        fail_msg("%s, %lld x %lld: wrong result", c->kernel->name, (long long)rows,
                 (long long)cols);
    free(src.at);
    free(dst.at);
    free(right.at);
}

static const atom_case CASES[] = {
    /* clang-format off */
    {&copy_ldmatrix_1, 16, 32, 0, 0, 1, RESULT_COPY},       {&copy_ldmatrix_2, 32, 32, 0, 0, 1, RESULT_COPY},
    {&copy_ldmatrix_4, 64, 32, 0, 0, 1, RESULT_COPY},       {&copy_ldmatrix_trans_1, 16, 32, 0, 0, 1, RESULT_COPY},
    {&copy_ldmatrix_trans_2, 32, 32, 0, 0, 1, RESULT_COPY}, {&copy_ldmatrix_trans_4, 64, 32, 0, 0, 1, RESULT_COPY},
    {&copy_stmatrix_1, 16, 32, 0, 0, 1, RESULT_COPY},       {&copy_stmatrix_2, 32, 32, 0, 0, 1, RESULT_COPY},
    {&copy_stmatrix_4, 64, 32, 0, 0, 1, RESULT_COPY},       {&copy_stmatrix_trans_1, 16, 32, 0, 0, 1, RESULT_COPY},
    {&copy_stmatrix_trans_2, 32, 32, 0, 0, 1, RESULT_COPY}, {&copy_stmatrix_trans_4, 64, 32, 0, 0, 1, RESULT_COPY},
    {&copy_bulk, 32, 64, 0, 1, 1, RESULT_COPY},             {&copy_tma, 32, 64, 1, 0, 2, RESULT_COPY},
    {&copy_tma_add, 32, 64, 1, 0, 2, RESULT_ADD},           {&copy_tma_min, 32, 64, 1, 0, 2, RESULT_MIN},
    {&copy_tma_max, 32, 64, 1, 0, 2, RESULT_MAX},           {&copy_bulk_add, 32, 64, 0, 1, 1, RESULT_ADD},
    {&copy_bulk_min, 32, 64, 0, 1, 1, RESULT_MIN},          {&copy_bulk_max, 32, 64, 0, 1, 1, RESULT_MAX},
    /* clang-format on */
};

static void every_case(atom_launch *launch)
{
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k) {
        const atom_case *c = &CASES[k];
        run_atom(c, c->tile_rows, c->tile_cols, c->tile_cols, launch);
        run_atom(c, 2 * c->tile_rows, 3 * c->tile_cols, 3 * c->tile_cols + 8, launch);
        if (c->whole) continue;
        const int64_t cols = c->tile_cols + (c->maps ? 24 : 5);
        run_atom(c, c->tile_rows + 3, cols, (cols + 7) / 8 * 8, launch);
        if (!c->maps) run_atom(c, 7, 3, 3, launch);
    }
}

#endif
