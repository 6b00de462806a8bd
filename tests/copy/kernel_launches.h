/**
 * How the kernels of kernel_cases.h are launched for a case, and how a case is named.
 */
#ifndef CUTLET_TESTS_KERNEL_LAUNCHES_H
#define CUTLET_TESTS_KERNEL_LAUNCHES_H

#include "kernel_cases.h"

static inline int kernel_launch_tiled(const kernel_row *row, const kernel_case *c,
                                      const unsigned char *src, unsigned char *dst,
                                      kernel_launch *out, char *error)
{
    int count = 0;
    const ct_copy_variant *const all = ct_copy_variants(&count);
    ct_matrix m;
    ct_copy_launch l;
    memset(&m, 0, sizeof m);
    m.data = (void *)(uintptr_t)src;
    m.rows = row->row_major ? c->outer : c->inner;
    m.cols = row->row_major ? c->inner : c->outer;
    m.ld = c->src_ld;
    m.row_major = row->row_major;
    m.elem_bytes = c->elem_bytes;
    ct_matrix to = m;
    to.data = dst;
    to.ld = c->dst_ld;
    if (ct_copy_launch_make(&l, &all[row->variant], &m, &to, c->tile_m, c->tile_n, error))
        return -1;
    out->grid = l.grid;
    out->block = l.block;
    out->shared_bytes = l.shared_bytes;
    out->args.tiled = l.args.tiled;
    out->args_bytes = sizeof l.args.tiled;
    return 0;
}

static inline void kernel_launch_pipeline(const kernel_case *c, const unsigned char *src,
                                          unsigned char *dst, kernel_launch *out)
{
    ct_pipeline_args *const a = &out->args.pipeline;
    a->src = ct_make_global(src, 16, ct_layout2(c->outer, c->inner, c->src_ld, 1));
    a->dst = ct_make_global(dst, 16, ct_layout2(c->outer, c->inner, c->dst_ld, 1));
    out->args_bytes = sizeof *a;
    out->grid = (ct_dim3){(uint32_t)ct_ceil_div_int(c->inner, 64), (uint32_t)c->blocks, 1};
    out->block = (ct_dim3){128, 1, 1};
    out->shared_bytes = 8192 * CT_PIPELINE_STAGES;
}

/** Runs along n for row-major sources, along m for column-major ones. */
static inline void kernel_launch_view(const kernel_row *row, const kernel_case *c,
                                      const unsigned char *src, unsigned char *dst,
                                      kernel_launch *out)
{
    const int64_t dst_inner = row->transposed ? c->dst_ld : 1;
    const int64_t dst_outer = row->transposed ? 1 : c->dst_ld;
    const int64_t m = row->row_major ? c->outer : c->inner,
                  n = row->row_major ? c->inner : c->outer;
    ct_view_copy_args *const a = &out->args.view;
    *a = ct_make_view_copy_args(
        src, dst, c->elem_bytes,
        ct_layout2(m, n, row->row_major ? c->src_ld : 1, row->row_major ? 1 : c->src_ld),
        ct_layout2(m, n, row->row_major ? dst_outer : dst_inner,
                   row->row_major ? dst_inner : dst_outer));
    a->by_cols = !row->row_major;
    out->args_bytes = sizeof *a;
    out->grid = (ct_dim3){(uint32_t)ct_ceil_div_int(c->inner, CT_VIEW_COPY_TILE),
                          (uint32_t)ct_ceil_div_int(c->outer, CT_VIEW_COPY_TILE), 1};
    out->block = (ct_dim3){CT_VIEW_COPY_THREADS, 1, 1};
    out->shared_bytes = (size_t)ct_view_copy_of(c->elem_bytes).shared_bytes;
}

/** How the kernel is launched; src and dst point to the first bytes of their sides. 0, or -1 and
 *  one line in error, of CT_MESSAGE_BYTES. */
static inline int kernel_launch_of(const kernel_row *row, const kernel_case *c,
                                   const unsigned char *src, unsigned char *dst, kernel_launch *out,
                                   char *error)
{
    memset(out, 0, sizeof *out);
    src += kernel_first(row, c, 0);
    dst += kernel_first(row, c, 1);
    if (row->kind == KERNEL_TILED) return kernel_launch_tiled(row, c, src, dst, out, error);
    if (row->kind == KERNEL_PIPELINE) {
        kernel_launch_pipeline(c, src, dst, out);
    } else if (row->kind == KERNEL_VIEW) {
        kernel_launch_view(row, c, src, dst, out);
    } else if (row->kind == KERNEL_PLAIN) {
        out->args.plain = (ct_plain_copy_args){src, dst, c->inner};
        out->args_bytes = sizeof out->args.plain;
        const int64_t blocks = ct_ceil_div_int(c->inner, 16 * CT_PLAIN_COPY_THREADS);
        out->grid = (ct_dim3){(uint32_t)blocks, 1, 1};
        out->block = (ct_dim3){CT_PLAIN_COPY_THREADS, 1, 1};
    } else if (row->kind == KERNEL_BEST) {
        out->args.best = ct_make_best_copy_args(src, dst, c->src_ld, c->dst_ld, c->inner, c->outer,
                                                c->elem_bytes);
        out->args_bytes = sizeof out->args.best;
        const ct_best_copy_grid g =
            ct_best_copy_grid_of(&out->args.best, row->threads, row->accesses);
        out->grid = (ct_dim3){g.x, g.y, g.z};
        out->block = (ct_dim3){(uint32_t)row->threads, 1, 1};
        out->shared_bytes = (size_t)ct_best_copy_shared_bytes(row->threads, row->accesses);
    } else {
        out->args.transpose = ct_make_transpose_args(src, dst, c->src_ld, c->dst_ld, c->outer,
                                                     c->inner, c->elem_bytes);
        out->args_bytes = sizeof out->args.transpose;
        const ct_transpose_grid g = ct_transpose_grid_of(row->job, c->outer, c->inner);
        out->grid = (ct_dim3){g.x, g.y, g.z};
        out->block = (ct_dim3){(uint32_t)row->job.threads, 1, 1};
        out->shared_bytes = (size_t)ct_transpose_shared_bytes(row->job);
    }
    return 0;
}

/** Which case it is, in a line. */
static inline const char *kernel_case_text(const kernel_row *row, const kernel_case *c,
                                           uint64_t seed, uint64_t number)
{
    static char text[512];
    snprintf(text, sizeof text,
             "%s, seed %llu, case %llu: %lld runs of %lld elements of %d bytes, ld %lld -> %lld, "
             "shift %lld -> %lld, tile %d x %d",
             row->kernel->name, (unsigned long long)seed, (unsigned long long)number,
             (long long)c->outer, (long long)c->inner, c->elem_bytes, (long long)c->src_ld,
             (long long)c->dst_ld, (long long)c->src_shift, (long long)c->dst_shift, c->tile_m,
             c->tile_n);
    return text;
}

#endif
