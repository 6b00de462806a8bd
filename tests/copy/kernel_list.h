/**
 * Every kernel of device/kernels and tools/bench/kernels over random matrices: extents, leading dimensions,
 * shifts, types and tiles. Case n of a kernel under a seed is always the same.
 *
 * Not among them: the pipelines of tile copies, which take tensor maps.
 */
#ifndef CUTLET_TESTS_KERNEL_LIST_H
#define CUTLET_TESTS_KERNEL_LIST_H

#include "kernel_cases.h"
#include "kernels/transpose.cu"
#include "tools/bench/kernels/misaligned_transpose.cu"
#include "tools/bench/kernels/pipelines.cu"
#include "tools/bench/kernels/plain_copy.cu"
#include "tools/bench/kernels/view_copy.cu"

/* ---- the list -------------------------------------------------------------------------------- */

enum { KERNEL_ROWS_MOST = 256 };

static inline int kernel_add(kernel_row *rows, int n, const ct_grid_kernel *kernel, int32_t kind,
                             int32_t elem_bytes)
{
    memset(&rows[n], 0, sizeof rows[n]);
    rows[n].kernel = kernel;
    rows[n].kind = kind;
    rows[n].elem_bytes = elem_bytes;
    return n + 1;
}

static inline int kernel_add_best(kernel_row *rows, int n, const ct_grid_kernel *kernel,
                                  int32_t threads, int32_t accesses)
{
    n = kernel_add(rows, n, kernel, KERNEL_BEST, 0);
    rows[n - 1].threads = threads;
    rows[n - 1].accesses = accesses;
    return n;
}

static inline int kernel_add_view(kernel_row *rows, int n, const ct_grid_kernel *kernel,
                                  int32_t elem_bytes, int way)
{
    n = kernel_add(rows, n, kernel, KERNEL_VIEW, elem_bytes);
    rows[n - 1].row_major = way != 1;
    rows[n - 1].transposed = way == 2;
    return n;
}

/** Writes all kernels to rows, of KERNEL_ROWS_MOST; returns how many there are. */
static inline int kernel_rows(kernel_row *rows)
{
    int n = 0, variants = 0;
    const ct_copy_variant *const all = ct_copy_variants(&variants);
    for (int v = 0; v < variants; ++v) {
        if (all[v].how == CT_COPY_BEST) continue; /* among the best copies below */
        for (int axis = 0; axis < 2; ++axis) {
            for (int32_t bytes = 1; bytes <= 16; bytes *= 2) {
                n = kernel_add(rows, n, ct_copy_kernel(v, axis, bytes), KERNEL_TILED, bytes);
                rows[n - 1].variant = v;
                rows[n - 1].row_major = axis;
            }
        }
    }
    n = kernel_add_best(rows, n, ct_best_kernel_chosen.kernel, ct_best_kernel_chosen.threads,
                        ct_best_kernel_chosen.accesses);
#define KERNEL_ROW_TRANSPOSE(bytes, rows_, cols, count, ...)                                       \
    n = kernel_add(rows, n, &CT_TRANSPOSE_NAME(bytes, rows_, cols, count, __VA_ARGS__),            \
                   KERNEL_TRANSPOSE, bytes);                                                       \
    rows[n - 1].transposed = 1;                                                                    \
    rows[n - 1].job = CT_TRANSPOSE_JOB(bytes, rows_, cols, count, __VA_ARGS__);
    CT_TRANSPOSES(KERNEL_ROW_TRANSPOSE)
    CT_TRANSPOSES_MISALIGNED(KERNEL_ROW_TRANSPOSE)
    for (int way = 0; way < 3; ++way) { /* row-major, column-major, from one to the other */
        n = kernel_add_view(rows, n, &ct_view_copy_1, 1, way);
        n = kernel_add_view(rows, n, &ct_view_copy_2, 2, way);
        n = kernel_add_view(rows, n, &ct_view_copy_4, 4, way);
        n = kernel_add_view(rows, n, &ct_view_copy_8, 8, way);
        n = kernel_add_view(rows, n, &ct_view_copy_16, 16, way);
        n = kernel_add_view(rows, n, &ct_view_copy_with_2, 2, way);
    }
    n = kernel_add(rows, n, &ct_plain_copy, KERNEL_PLAIN, 1);
    return kernel_add(rows, n, &ct_pipeline_cp_async, KERNEL_PIPELINE, 2);
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* A shift in bytes: none, whole elements, or, where a kernel takes any address, bytes. */
static inline int64_t kernel_shift(dice *d, int kind, int32_t elem_bytes, int any_byte)
{
    if (kind == 0) return 0;
    return kind == 1 || !any_byte ? elem_bytes * dice_int(d, 0, 15) : dice_int(d, 0, 31);
}

/* An extent from 1 to most; one of four is small. */
static inline int64_t kernel_extent(dice *d, int64_t most)
{
    const int small = dice_int(d, 0, 3) == 0;
    return dice_int(d, 1, small && most > 9 ? 9 : most);
}

/** Case `number` of a kernel, its extents at most `most`. */
static inline kernel_case kernel_case_of(const kernel_row *row, uint64_t seed, uint64_t number,
                                         int64_t most)
{
    kernel_case c;
    uint64_t name = 0;
    memset(&c, 0, sizeof c);
    for (const char *p = row->kernel->name; *p; ++p) name = name * 131 + (unsigned char)*p;
    dice rolls = dice_of_case(seed ^ name, number), *const d = &rolls;
    const int free_address =
        row->kind == KERNEL_BEST || row->kind == KERNEL_TRANSPOSE || row->kind == KERNEL_VIEW;
    const int kind = (int)dice_int(d, 0, 2); /* of three, one is aligned as far as its extents go */
    c.elem_bytes = row->elem_bytes ? row->elem_bytes : 1 << dice_int(d, 0, 4);
    c.inner = kernel_extent(d, most);
    c.outer = kernel_extent(d, most);
    if (row->kind == KERNEL_PLAIN) {
        c.inner *= c.outer;
        c.outer = 1;
        c.src_ld = c.dst_ld = c.inner;
        c.src_shift = 16 * dice_int(d, 0, 15);
        c.dst_shift = 16 * dice_int(d, 0, 15);
        return c;
    }
    const int64_t unit = kind == 0 ? ct_max(1, 16 / c.elem_bytes) : 1;
    const int64_t src_gap = dice_int(d, 0, 24), dst_gap = dice_int(d, 0, 24);
    c.src_ld = ct_ceil_div_int(c.inner + src_gap, unit) * unit;
    c.dst_ld = ct_ceil_div_int((row->transposed ? c.outer : c.inner) + dst_gap, unit) * unit;
    c.src_shift = kernel_shift(d, kind, c.elem_bytes, free_address);
    c.dst_shift = kernel_shift(d, kind, c.elem_bytes, free_address);
    const int down = (int)dice_int(d, 0, 9); /* rows may go down in memory */
    if (free_address && down == 0) c.src_ld = -c.src_ld;
    if (free_address && down == 1) c.dst_ld = -c.dst_ld;
    c.blocks = (int32_t)dice_int(d, 1, 3);
    const int other_tile = dice_int(d, 0, 3) == 0;
    const int64_t tile_m = 64 * dice_int(d, 1, 2), tile_n = 64 * dice_int(d, 1, 2);
    if (row->kind == KERNEL_TILED && other_tile && tile_m * tile_n * c.elem_bytes <= 160 * 1024) {
        c.tile_m = (int32_t)tile_m;
        c.tile_n = (int32_t)tile_n;
    }
    return c;
}

/** So many cases of every kernel of a kind. */
static inline void check_kernels(int32_t kind, uint64_t seed, uint64_t cases, int64_t most,
                                 run_launch *run)
{
    kernel_row rows[KERNEL_ROWS_MOST];
    const int count = kernel_rows(rows);
    int64_t ran = 0;
    assert_true(count <= KERNEL_ROWS_MOST);
    for (int r = 0; r < count; ++r) {
        if (rows[r].kind != kind) continue;
        for (uint64_t number = 0; number < cases; ++number, ++ran) {
            const kernel_case c = kernel_case_of(&rows[r], seed, number, most);
            rolls = dice_of_case(seed, number + 1000003);
            const char *const failure = kernel_failure(&rows[r], &c, run, 0);
            if (failure)
                fail_msg("seed %llu, case %llu, tile %d x %d: %s", (unsigned long long)seed,
                         (unsigned long long)number, c.tile_m, c.tile_n, failure);
        }
    }
    assert_true(ran > 0);
    print_message("%lld cases, seed %llu\n", (long long)ran, (unsigned long long)seed);
}

#endif
