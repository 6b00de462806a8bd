/**
 * Each atom by the one copy, for whoever runs kernels: matrices of halves, whole tiles and edges.
 */
#ifndef TESTS_COPY_ATOM_CASES_H
#define TESTS_COPY_ATOM_CASES_H

#include <math.h>

#include <cutlet/device/element/element.h>

#include "harness.h"

#include "copy_atoms.cu"

/* A matrix of halves, rows ld apart: poison, or random ones of modest size, either sign. */
static tensor make_matrix(int64_t rows, int64_t cols, int64_t ld, int is_random)
{
    const tensor m = make_tensor(ct_layout2(rows, cols, ld, 1), 16, 0);
    uint16_t *const at = at_zero(&m);
    for (size_t i = 0; is_random && i < m.bytes / 2; ++i)
        at[i] = (uint16_t)((random_bits() & 0x83ff) | 0x3800);
    return m;
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

/* The launch of a kernel of copy_atoms.cu, with maps where it takes them. */
static launch atom_launch(const atom_case *c, const tensor *src, const tensor *dst,
                          copy_atoms_args *args)
{
    const tensor *const sides[] = {src, dst};
    const int64_t rows = dst->layout.shape[0], cols = dst->layout.shape[1];
    const int64_t wide =
        ct_ceil_div_int(ct_ceil_div_int(cols, c->tile_cols), c->cluster) * c->cluster;
    args->src = global_of(src);
    args->dst = global_of(dst);
    launch l = make_launch(c->kernel, grid_of(wide, ct_ceil_div_int(rows, c->tile_rows), 1), 32,
                           c->maps ? 8192 : 0, args);
    add_sides(&l, src, &args->src, dst, &args->dst);
    for (int i = 0; i < 2; ++i) {
        l.desc[i] = ct_make_tma_desc(sides[i]->layout, ct_tuple2(c->tile_rows, c->tile_cols),
                                     CT_ELEM_F16, CT_TMA_SWIZZLE_128B, (uintptr_t)begin(sides[i]));
        l.maps[i] = !c->maps ? NULL : i ? &args->dst_map : &args->src_map;
    }
    return l;
}

static void run_atom(const atom_case *c, int64_t rows, int64_t cols, int64_t ld, run_launch *run)
{
    const tensor src = make_matrix(rows, cols, ld, 1),
                 dst = make_matrix(rows, cols, ld, c->what != RESULT_COPY);
    const uint16_t *const s = at_zero(&src);
    uint16_t *const d = at_zero(&dst);
    for (int64_t i = 0; c->what != RESULT_COPY && i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) d[i * ld + j] = s[(rows - 1 - i) * ld + j];
    unsigned char *const right = memory_like(&dst);
    uint16_t *const r = (uint16_t *)(void *)(right + GUARD);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j)
            r[i * ld + j] = expected(c->what, s[i * ld + j], d[i * ld + j]);
    copy_atoms_args args = {0};
    launch l = atom_launch(c, &src, &dst, &args);
    run_well(&l, run);
    if (wrong_byte(&dst, right) != ALL_RIGHT)
        fail_msg("%s, %lld x %lld: wrong result", c->kernel->name, (long long)rows,
                 (long long)cols);
    drop(&src);
    drop(&dst);
    free(right);
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

static void every_case(run_launch *run)
{
    for (int k = 0; k < LENGTH(CASES); ++k) {
        const atom_case *c = &CASES[k];
        run_atom(c, c->tile_rows, c->tile_cols, c->tile_cols, run);
        run_atom(c, 2 * c->tile_rows, 3 * c->tile_cols, 3 * c->tile_cols + 8, run);
        if (c->whole) continue;
        const int64_t cols = c->tile_cols + (c->maps ? 24 : 5);
        run_atom(c, c->tile_rows + 3, cols, (cols + 7) / 8 * 8, run);
        if (!c->maps) run_atom(c, 7, 3, 3, run);
    }
}

#endif
