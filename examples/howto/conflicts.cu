/* A block transposes a tile of 32 x 32 floats through shared memory, where it lies in two ways. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct transpose_args {
    ct_global src, dst; /* (m,n) of floats, row-major and column-major: ct_make_global */
} transpose_args;

/* part: along */
/* The tile of 32 x 32 divided among four warps that lie along `axis` of it. */
CT_FN ct_partition along(int axis, ct_memory src, ct_memory dst)
{
    const ct_layout warps = axis == 1 ? ct_layout2(4, 32, 32, 1) : ct_layout2(32, 4, 1, 32);
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_universal(32, 32), warps, ct_layout2(1, 1, 1, 1));
    return ct_make_partition(copy, ct_tuple2(32, 32), src, dst);
}

/* part: plain */
CT_KERNEL_THREADS(plain, 128, transpose_args, args)
{
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(32, 32, 32, 1)));
    CT_STATIC(ct_partition, in, along(1, ct_in_global(1), shared));
    CT_STATIC(ct_partition, out, along(0, shared, ct_in_global(0)));
    CT_SHARED(float, tile, 32 * 32);
    const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&args.src, &in, x), ct_view_shared(tile));
    __syncthreads();
    ct_copy(ct_view_shared(tile), ct_view_tile(&args.dst, &out, x));
}
/* part: swizzled */
CT_KERNEL_THREADS(swizzled, 128, transpose_args, args)
{
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(5, 0, 5), 0, ct_layout2(32, 32, 32, 1)));
    CT_STATIC(ct_memory, shared, ct_in_shared(rows));
    /* end */
    CT_STATIC(ct_partition, in, along(1, ct_in_global(1), shared));
    CT_STATIC(ct_partition, out, along(0, shared, ct_in_global(0)));
    CT_SHARED(float, tile, 32 * 32);
    const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&args.src, &in, x), ct_view_shared(tile));
    __syncthreads();
    ct_copy(ct_view_shared(tile), ct_view_tile(&args.dst, &out, x));
}
