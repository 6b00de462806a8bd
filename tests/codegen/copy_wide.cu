// Copies by accesses of 256 bits, before sm_100: each access is two of 128 bits, on every path.
// arch sm_90
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct wide_args {
    ct_global src, dst;
} wide_args;

CT_FN ct_partition wide_tiles(int whole)
{
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_universal(256, 16),
                                                  ct_layout2(4, 8, 8, 1), ct_layout2(1, 16, 1, 1));
    const ct_partition P =
        ct_make_partition(copy, ct_tuple2(4, 128), ct_in_global(1), ct_in_global(1));
    return whole ? ct_partition_unchecked(P) : P;
}

#define WIDE(name, whole)                                                                          \
    CT_KERNEL_THREADS(name, 32, wide_args, args)                                                   \
    {                                                                                              \
        CT_STATIC(ct_partition, P, wide_tiles(whole));                                             \
        const ct_index x = ct_index2(blockIdx.y, blockIdx.x);                                      \
        ct_copy(&P, ct_view_tile(&args.src, &P, x), ct_view_tile(&args.dst, &P, x));               \
    }
WIDE(copy_wide, 1)
WIDE(copy_wide_any, 0)

// Whole tiles alone: one access of a thread.
// gate copy_wide
// gate copy_wide, count ^ld\.global\.v4\.u32 == 2
// gate copy_wide, count ^st\.global\.v4\.u32 == 2
// gate copy_wide, count ^(ld|st)\.global == 4
// gate copy_wide, count trap == 0

// Any tile: whole accesses twice, the second time each with a predicate.
// gate copy_wide_any
// gate copy_wide_any, count ^ld\.global\.v4\.u32 == 2
// gate copy_wide_any, count ld\.global\.v4\.u32 == 4
// gate copy_wide_any, count ^st\.global\.v4\.u32 == 2
// gate copy_wide_any, count st\.global\.v4\.u32 == 4
// gate copy_wide_any, count trap == 0
