/* The tiled copy rows8-async of device/kernels/variants.h, for half in rows: one kernel, for any matrix,
 * or with WHOLE_TILES for whole tiles, which is what the same with CuTe does (peers/cute_copy.cu with
 * CUTE_COPY_ONE). */
#include "kernels/copy_variant.h"
#include <cutlet/device/kernel/static.h>

CT_FN ct_partition rows8_async(int to_shared)
{
    return ct_variant_partition(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1), CT_BY_CP_ASYNC, 2,
                                1, ct_variant_tile(), to_shared);
}

CT_KERNEL_THREADS(rows8_async_row, 128, ct_variant_args, args)
{
    CT_STATIC(ct_partition, whole_in, ct_partition_unchecked(rows8_async(1)));
    CT_STATIC(ct_partition, whole_out, ct_partition_unchecked(rows8_async(0)));
    CT_SHARED_DYNAMIC(unsigned char, memory);
#if !defined(WHOLE_TILES)
    CT_STATIC(ct_partition, in, rows8_async(1));
    CT_STATIC(ct_partition, out, rows8_async(0));
    CT_STATIC(ct_sector_copy, sector, ct_variant_sectors(128, 2, 1));
    if (args.by_sectors) return ct_variant_by_sectors(&sector, &args, memory);
    if (!args.is_whole) return ct_variant_tile_by(&in, &out, &args, memory);
#endif
    ct_variant_tile_by(&whole_in, &whole_out, &args, memory);
}
