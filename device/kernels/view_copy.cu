/* Global -> shared -> global between any two matrices of a shape, whose steps nobody knows before
 * the launch: ct_copy finds the widest accesses from the numbers that it is given. ct_view_copy_2
 * is the kernel for elements of 2 bytes, ct_view_copy_with_2 the same by the threads of a tiled
 * copy.
 *
 * The tile in shared memory has the order of the source. */
#include "../copy_view.h"
#include "../static.h"
#include "view_copies.h"

/* The tile of this block, in a matrix. */
CT_DEVICE ct_view tile_of(const ct_view matrix, const int by_cols)
{
    const int64_t i = by_cols ? blockIdx.x : blockIdx.y, j = by_cols ? blockIdx.y : blockIdx.x;
    return ct_view_tile(matrix, CT_VIEW_COPY_TILE, CT_VIEW_COPY_TILE, i, j);
}

CT_DEVICE ct_view source_of(const ct_view_copy_args *a, const int elem_bytes)
{
    return ct_view_global(a->src, elem_bytes, a->m, a->n, a->src_step_m, a->src_step_n);
}

CT_DEVICE ct_view result_of(const ct_view_copy_args *a, const int elem_bytes)
{
    return ct_view_global(a->dst, elem_bytes, a->m, a->n, a->dst_step_m, a->dst_step_n);
}

CT_DEVICE ct_view shared_of(unsigned char *tile, const int elem_bytes, const int by_cols)
{
    enum { SIDE = CT_VIEW_COPY_TILE };
    return ct_view_shared(tile, elem_bytes, SIDE, SIDE, by_cols ? 1 : SIDE, by_cols ? SIDE : 1);
}

#define VIEW_KERNEL(bytes)                                                                       \
    CT_KERNEL_RESIDENT(ct_view_copy_##bytes, CT_VIEW_COPY_THREADS, 16, ct_view_copy_args, args)  \
    {                                                                                            \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                \
        const ct_view tile = shared_of(memory, bytes, args.by_cols);                             \
        ct_copy(tile_of(source_of(&args, bytes), args.by_cols), tile);                           \
        ct_copy_wait();                                                                          \
        ct_copy(tile, tile_of(result_of(&args, bytes), args.by_cols));                           \
    }
VIEW_KERNEL(1)
VIEW_KERNEL(2)
VIEW_KERNEL(4)
VIEW_KERNEL(8)
VIEW_KERNEL(16)

/* The tiled copy rows8-async of variants.h, and its like for columns. */
CT_KERNEL_THREADS(ct_view_copy_with_2, CT_VIEW_COPY_THREADS, ct_view_copy_args, args)
{
    enum { SIDE = CT_VIEW_COPY_TILE };
    CT_STATIC(ct_tile_plan, rows,
              ct_plan_tiled_copy(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_ROW_MAJOR, SIDE, SIDE)));
    CT_STATIC(ct_tile_plan, cols,
              ct_plan_tiled_copy(ct_layout2(8, 16, 1, 8), ct_layout2(8, 1, 1, 8),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_COL_MAJOR, SIDE, SIDE)));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    const ct_view tile = shared_of(memory, 2, args.by_cols);
    const ct_view src = tile_of(source_of(&args, 2), args.by_cols);
    const ct_view dst = tile_of(result_of(&args, 2), args.by_cols);
    if (args.by_cols) ct_copy_with(&cols, CT_COL_MAJOR, src, tile);
    else ct_copy_with(&rows, CT_ROW_MAJOR, src, tile);
    ct_copy_wait();
    if (args.by_cols) ct_copy_with(&cols, CT_COL_MAJOR, tile, dst);
    else ct_copy_with(&rows, CT_ROW_MAJOR, tile, dst);
}
