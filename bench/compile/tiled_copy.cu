/* The tiled copy rows8-async of device/kernels/variants.h, for half in rows: one kernel, for any tiles,
 * or with WHOLE_TILES for whole ones, which is what the same with CuTe does (peers/cute_copy.cu with
 * CUTE_COPY_ONE). */
#include "copy_tile.h"
#include "kernel.h"

CT_KERNEL_THREADS(rows8_async_row, 128, ct_copy_args, args)
{
    CT_STATIC(ct_tile_plan, plan,
              ct_plan_tiled_copy(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_ROW_MAJOR, 64, 64)));
    CT_SHARED_DYNAMIC(unsigned char, tile);
#if defined(WHOLE_TILES)
    ct_copy_tile_whole(&plan, &args, tile);
#else
    ct_copy_tile(&plan, &args, tile);
#endif
}
