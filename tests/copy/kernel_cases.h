/**
 * Every kernel of device/kernels over random matrices: extents, leading dimensions, shifts and
 * types, the launch, and what memory holds afterwards. The same cases run on the CPU grid and on a
 * GPU. Case n of a kernel under a seed is always the same.
 *
 * Not among them: the pipelines of tile copies, which take tensor maps.
 */
#ifndef CUTLET_TESTS_KERNEL_CASES_H
#define CUTLET_TESTS_KERNEL_CASES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compare/kernels.h"
#include "compare/launch.h"
#include "dice.h"
#include "kernels/transpose.cu"
#include "tools/bench/kernels/misaligned_transpose.cu"
#include "tools/bench/kernels/pipelines.cu"
#include "tools/bench/kernels/plain_copy.cu"
#include "tools/bench/kernels/view_copy.cu"

/** What kind of kernel: how it is launched. */
enum { KERNEL_TILED, KERNEL_BEST, KERNEL_TRANSPOSE, KERNEL_PLAIN, KERNEL_PIPELINE, KERNEL_VIEW };

/** A kernel of the list. */
typedef struct kernel_row {
    const ct_grid_kernel *kernel;
    int32_t kind, elem_bytes;  /* elem_bytes 0: any */
    int32_t transposed;        /* the destination is read across */
    int32_t variant;           /* of a tiled copy */
    int32_t row_major;         /* of that, or of a copy between views */
    int32_t threads, accesses; /* of a best copy */
    ct_transpose_job job;      /* of a transpose */
} kernel_row;

/** One matrix on either side: `outer` runs of `inner` elements, ld elements from one to the next (a
 *  transpose's destination has `inner` runs of `outer`), shifted from a 256-byte boundary. */
typedef struct kernel_case {
    int64_t inner, outer, src_ld, dst_ld; /* elements; leading dimensions may be negative */
    int64_t src_shift, dst_shift;         /* bytes */
    int32_t elem_bytes;
    int32_t tile_m, tile_n, blocks; /* 0: as the kernel likes; blocks of a pipeline along y */
} kernel_case;

typedef struct kernel_launch {
    ct_dim3 grid, block;
    size_t shared_bytes, args_bytes;
    union {
        ct_variant_args tiled;
        ct_pipeline_args pipeline;
        ct_best_copy_args best;
        ct_transpose_args transpose;
        ct_plain_copy_args plain;
        ct_view_copy_args view;
    } args;
} kernel_launch;

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

/* ---- where it lies, in bytes from the first one that belongs to it --------------------------- */

static inline int64_t kernel_runs(const kernel_row *row, const kernel_case *c, int dst)
{
    return dst && row->transposed ? c->inner : c->outer;
}

/** The bytes from the lowest element of a side to its highest. */
static inline size_t kernel_bytes(const kernel_row *row, const kernel_case *c, int dst)
{
    const int64_t ld = dst ? c->dst_ld : c->src_ld, runs = kernel_runs(row, c, dst);
    const int64_t run = dst && row->transposed ? c->outer : c->inner;
    return (size_t)(((ld < 0 ? -ld : ld) * (runs - 1) + run) * c->elem_bytes);
}

/** Where the first element of a side is: not at 0 where its runs go down. */
static inline int64_t kernel_first(const kernel_row *row, const kernel_case *c, int dst)
{
    const int64_t ld = dst ? c->dst_ld : c->src_ld;
    return ld < 0 ? -ld * (kernel_runs(row, c, dst) - 1) * c->elem_bytes : 0;
}

/** Does to dst what the kernel is to do, plainly. Both point to the first bytes of their sides. */
static inline void kernel_reference(const kernel_row *row, const kernel_case *c,
                                    const unsigned char *src, unsigned char *dst)
{
    const size_t e = (size_t)c->elem_bytes;
    src += kernel_first(row, c, 0);
    dst += kernel_first(row, c, 1);
    for (int64_t o = 0; o < c->outer; ++o) {
        for (int64_t i = 0; i < c->inner; ++i) {
            const int64_t to = row->transposed ? i * c->dst_ld + o : o * c->dst_ld + i;
            memcpy(dst + to * c->elem_bytes, src + (o * c->src_ld + i) * c->elem_bytes, e);
        }
    }
}

#endif
