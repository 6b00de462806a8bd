/**
 * The arguments of the copies between matrices whose steps are all known only at run time.
 */
#ifndef CUTLET_TOOLS_BENCH_KERNELS_VIEW_COPIES_H
#define CUTLET_TOOLS_BENCH_KERNELS_VIEW_COPIES_H

#include <cutlet/device/staged/copy_any.h>

/** The threads of a block, and the extent of its tile. */
#define CT_VIEW_COPY_THREADS 128
#define CT_VIEW_COPY_TILE 64

/** dst(i,j) = src(i,j). A launch has a block (x,y) for each tile: x along n, or along m if by_cols.
 *  Its dynamic shared memory is ct_view_copy_of(elem_bytes).shared_bytes. */
typedef struct ct_view_copy_args {
    ct_global src, dst;
    int32_t by_cols;
} ct_view_copy_args;

/** The argument for matrices at any addresses. */
CT_FN ct_view_copy_args ct_make_view_copy_args(const void *src, void *dst, int32_t elem_bytes,
                                               ct_layout from, ct_layout to)
{
    ct_view_copy_args args = CT_ZERO;
    args.src = ct_global_at(ct_make_global(0, 8 * elem_bytes, from), src);
    args.dst = ct_global_at(ct_make_global(0, 8 * elem_bytes, to), dst);
    args.by_cols = ct_abs(from.stride[0]) < ct_abs(from.stride[1]);
    return args;
}

/** The copy of elements of elem_bytes bytes. */
CT_FN ct_any_copy ct_view_copy_of(int32_t elem_bytes)
{
    return ct_make_any_copy(8 * elem_bytes, CT_VIEW_COPY_TILE, CT_VIEW_COPY_THREADS);
}

#endif
