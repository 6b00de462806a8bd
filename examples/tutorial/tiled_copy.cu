/* A column-major matrix of half through shared memory, a tile of 64 x 64 for each block (x,y), x
 * along m: by the threads and values of a tiled copy. */
#include "copy_view.h"
#include "static.h"

typedef struct matrix_args {
    const uint16_t *src;
    uint16_t *dst;
    int64_t m, n, ld;
} matrix_args;

/* part: tile */
CT_DEVICE void copy_tile(const ct_tile_plan *plan, const matrix_args *args, uint16_t *smem)
{
    const ct_view src = ct_view_global(args->src, 2, args->m, args->n, 1, args->ld);
    const ct_view dst = ct_view_global(args->dst, 2, args->m, args->n, 1, args->ld);
    const ct_view tile = ct_view_shared(smem, 2, 64, 64, 1, 64);
    ct_copy_with(plan, CT_COL_MAJOR, ct_view_tile(src, 64, 64, blockIdx.x, blockIdx.y), tile);
    ct_copy_wait();
    ct_copy_with(plan, CT_COL_MAJOR, tile, ct_view_tile(dst, 64, 64, blockIdx.x, blockIdx.y));
}
/* part: kernels */
/* The article's: for column-major data, eight halves a thread by cp.async. */
CT_KERNEL_THREADS(printed, 128, matrix_args, args)
{
    CT_STATIC(ct_tile_plan, plan,
              ct_plan_tiled_copy(ct_layout2(8, 16, 16, 1), ct_layout2(8, 1, 1, 1),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_COL_MAJOR, 64, 64)));
    CT_SHARED(uint16_t, tile, 64 * 64);
    copy_tile(&plan, &args, tile);
}

/* The same with the threads numbered down the columns. */
CT_KERNEL_THREADS(transposed, 128, matrix_args, args)
{
    CT_STATIC(ct_tile_plan, plan,
              ct_plan_tiled_copy(ct_layout2(8, 16, 1, 8), ct_layout2(8, 1, 1, 1),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_COL_MAJOR, 64, 64)));
    CT_SHARED(uint16_t, tile, 64 * 64);
    copy_tile(&plan, &args, tile);
}
/* end */
