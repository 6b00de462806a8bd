/**
 * Copies of matrices by the kernels of libcutlet, and by those that benchmarks and tests alone launch: a
 * kernel's row, a case, its launch.
 */
#ifndef CUTLET_TESTS_KERNEL_CASES_H
#define CUTLET_TESTS_KERNEL_CASES_H

#include "compare/kernels.h"
#include "compare/launch.h"
#include "harness.h"
#include "kernels/best_copies.h"
#include "kernels/transposes.h"
#include "tools/bench/kernels/pipelines.h"
#include "tools/bench/kernels/plain_copy.h"
#include "tools/bench/kernels/view_copies.h"

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
    ct_staged_job job;         /* of a transpose */
} kernel_row;

/** One matrix on either side: `outer` runs of `inner` elements, ld elements from one to the next (a
 *  transpose's destination has `inner` runs of `outer`), shifted from a 256-byte boundary. */
typedef struct kernel_case {
    int64_t inner, outer, src_ld, dst_ld; /* elements; leading dimensions may be negative */
    int64_t src_shift, dst_shift;         /* bytes */
    int32_t elem_bytes;
    int32_t tile_m, tile_n, blocks; /* 0: as the kernel likes; blocks of a pipeline along y */
} kernel_case;

/* ---- launches -------------------------------------------------------------------------------- */

/** A side's layout, (outer, inner) -> element. */
static inline ct_layout kernel_layout(const kernel_row *row, const kernel_case *c, int dst)
{
    const int64_t ld = dst ? c->dst_ld : c->src_ld, is_transposed = dst && row->transposed;
    return ct_layout2(c->outer, c->inner, is_transposed ? 1 : ld, is_transposed ? ld : 1);
}

/** The argument of any of the kernels. */
typedef union kernel_args {
    ct_variant_args tiled;
    ct_pipeline_args pipeline;
    ct_staged_args best;
    ct_staged_args transpose;
    ct_plain_copy_args plain;
    ct_view_copy_args view;
} kernel_args;

static inline launch kernel_launch_tiled(const kernel_row *row, const kernel_case *c, void *src,
                                         void *dst, kernel_args *a)
{
    int count = 0;
    char error[CT_MESSAGE_BYTES];
    ct_copy_launch l;
    const int64_t m = row->row_major ? c->outer : c->inner,
                  n = row->row_major ? c->inner : c->outer;
    const ct_matrix from = {src, m, n, c->src_ld, row->row_major, c->elem_bytes};
    const ct_matrix to = {dst, m, n, c->dst_ld, row->row_major, c->elem_bytes};
    if (ct_copy_launch_make(&l, &ct_copy_variants(&count)[row->variant], &from, &to, c->tile_m,
                            c->tile_n, error))
        fail_msg("%s: %s", row->kernel->name, error);
    a->tiled = l.args.tiled;
    return make_launch(l.kernel, l.grid, l.block.x, (int64_t)l.shared_bytes, a);
}

/** Runs along n for row-major sources, along m for column-major ones. */
static inline launch kernel_launch_view(const kernel_row *row, const kernel_case *c, void *src,
                                        void *dst, kernel_args *a)
{
    ct_layout L[2];
    for (int side = 0; side < 2; ++side) {
        L[side] = kernel_layout(row, c, side);
        if (!row->row_major) L[side] = ct_make_layout2(ct_mode(L[side], 1), ct_mode(L[side], 0));
    }
    a->view = ct_make_view_copy_args(src, dst, c->elem_bytes, L[0], L[1]);
    a->view.by_cols = !row->row_major;
    return make_launch(row->kernel,
                       grid_of(ct_ceil_div_int(c->inner, CT_VIEW_COPY_TILE),
                               ct_ceil_div_int(c->outer, CT_VIEW_COPY_TILE), 1),
                       CT_VIEW_COPY_THREADS, ct_view_copy_of(c->elem_bytes).shared_bytes, a);
}

static inline launch kernel_launch_best(const kernel_row *row, const kernel_case *c, void *src,
                                        void *dst, kernel_args *a)
{
    a->best = ct_make_line_args(src, dst, c->src_ld, c->dst_ld, c->inner, c->outer, c->elem_bytes);
    const ct_staged_job job = ct_make_line_job(CT_STAGED_async, row->threads, row->accesses);
    const ct_staged_grid g = ct_staged_grid_of(job, a->best.src.extent[0], a->best.src.extent[1]);
    return make_launch(row->kernel, grid_of(g.x, g.y, g.z), row->threads,
                       ct_staged_shared_bytes(job), a);
}

static inline launch kernel_launch_transpose(const kernel_row *row, const kernel_case *c, void *src,
                                             void *dst, kernel_args *a)
{
    a->transpose =
        ct_make_transpose_args(src, dst, c->src_ld, c->dst_ld, c->outer, c->inner, c->elem_bytes);
    const ct_staged_grid g = ct_staged_grid_of(row->job, c->outer, c->inner);
    return make_launch(row->kernel, grid_of(g.x, g.y, g.z), row->job.threads,
                       ct_staged_shared_bytes(row->job), a);
}

/** The launch of a kernel for a case; src and dst: the elements at coordinate 0. */
static inline launch kernel_launch(const kernel_row *row, const kernel_case *c, void *src,
                                   void *dst, kernel_args *a)
{
    switch (row->kind) {
        case KERNEL_TILED: return kernel_launch_tiled(row, c, src, dst, a);
        case KERNEL_VIEW: return kernel_launch_view(row, c, src, dst, a);
        case KERNEL_BEST: return kernel_launch_best(row, c, src, dst, a);
        case KERNEL_TRANSPOSE: return kernel_launch_transpose(row, c, src, dst, a);
        case KERNEL_PLAIN:
            a->plain = (ct_plain_copy_args){src, dst, c->inner};
            return make_launch(row->kernel,
                               grid_of(ct_ceil_div_int(c->inner, 16 * CT_PLAIN_COPY_THREADS), 1, 1),
                               CT_PLAIN_COPY_THREADS, 0, a);
        default:
            a->pipeline.src = ct_make_global(src, 16, kernel_layout(row, c, 0));
            a->pipeline.dst = ct_make_global(dst, 16, kernel_layout(row, c, 1));
            return make_launch(row->kernel, grid_of(ct_ceil_div_int(c->inner, 64), c->blocks, 1),
                               128, 8192 * CT_PIPELINE_STAGES, a);
    }
}

/** Runs a case: NULL, or a sentence on the first wrong byte. */
static const char *kernel_failure(const kernel_row *row, const kernel_case *c, run_launch *run,
                                  int records)
{
    const int32_t bits = 8 * c->elem_bytes, is_plain = row->kind == KERNEL_PLAIN;
    const tensor src = random_tensor(kernel_layout(row, c, 0), bits, c->src_shift);
    const tensor dst = make_tensor(kernel_layout(row, c, 1), bits, c->dst_shift);
    kernel_args args;
    memset(&args, 0, sizeof args);
    launch l = kernel_launch(row, c, at_zero(&src), at_zero(&dst), &args);
    l.records = records;
    ct_global *const sides = &args.tiled.src; /* of any argument but the plain copy's */
    add_buffer(&l, "src", &src, 0,
               is_plain ? (unsigned char **)(uintptr_t)&args.plain.src : &sides[0].at);
    add_buffer(&l, "dst", &dst, 1,
               is_plain ? (unsigned char **)(uintptr_t)&args.plain.dst : &sides[1].at);
    return copy_failure(&l, run, src, dst);
}

/** Runs a case, which must be right. */
static inline void check_kernel(const kernel_row *row, const kernel_case *c, run_launch *run,
                                int records)
{
    const char *const failure = kernel_failure(row, c, run, records);
    if (failure) fail_msg("%s", failure);
}

#endif
