/* A copy by the partition that CuTe's local_partition makes: the threads cover the tile repeatedly,
 * and each has one element of every repetition. As a tiled copy: threads (4,32), one value each,
 * repeated until they fill the tile.
 *
 * The tile and the threads are constants, and so are the coordinates of a thread's elements. The
 * steps and extents of the matrix are known at run time. A launch has a block (x,y) for each tile
 * of 64 x 64, x along n. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct partition_args {
    ct_global src, dst; /* matrices (m,n) of 2-byte elements: ct_make_global, on the host */
} partition_args;

CT_KERNEL_THREADS(copy_partitioned, 128, partition_args, args)
{
    CT_STATIC(ct_tiled_copy, threads, /* (m,n) -> thread: a warp along n */
              ct_make_tiled_copy(ct_copy_atom_universal(16, 16), ct_layout2(4, 32, 32, 1),
                                 ct_layout2(1, 1, 1, 1)));
    CT_STATIC(ct_partition, P, /* -1: no contiguous axis is known at compile time */
              ct_make_partition(threads, ct_tuple2(64, 64), ct_in_global(-1), ct_in_global(-1)));
    const ct_index tile = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(&P, ct_view_src(&P, ct_view_tile(&args.src, &P, tile), threadIdx.x),
            ct_view_dst(&P, ct_view_tile(&args.dst, &P, tile), threadIdx.x));
}
