/* A matrix through shared memory, tile by tile, with any extents, steps and addresses: nvcc
 * compiles it for the GPU, a C compiler for the CPU grid. A launch has a block (x,y) for each tile,
 * x along n. */
#include "copy_view.h"

typedef struct copy_args {
    const void *src;
    void *dst;
    int64_t m, n, src_m, src_n, dst_m, dst_n; /* extents and steps, in elements of 2 bytes */
} copy_args;

CT_KERNEL_THREADS(copy_tiles, 128, copy_args, args)
{
    CT_SHARED(uint16_t, smem, 64 * 64);
    const ct_view tile = ct_view_shared(smem, 2, 64, 64, 64, 1);
    const ct_view src = ct_view_global(args.src, 2, args.m, args.n, args.src_m, args.src_n);
    const ct_view dst = ct_view_global(args.dst, 2, args.m, args.n, args.dst_m, args.dst_n);
    ct_copy(ct_view_tile(src, 64, 64, blockIdx.y, blockIdx.x), tile);
    ct_copy_wait();
    ct_copy(tile, ct_view_tile(dst, 64, 64, blockIdx.y, blockIdx.x));
}
