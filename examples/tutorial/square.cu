/* The squares of n floats, n a multiple of 128, both arrays aligned: through a tile in shared
 * memory, as document 004 does it, with two ways to fill the tile; and without one. */
#include "atoms.h"

enum { TILE = 128 };

typedef struct square_args {
    const float *src;
    float *dst;
} square_args;

/* part: tile */
/* A quarter of the threads load four floats each, which go to the tile by accesses of so many bits;
 * then each thread has one. */
CT_DEVICE void square_by_tile(const square_args *args, float *tile, const int bits)
{
    const int t = (int)threadIdx.x, first = (int)blockIdx.x * TILE;
    CT_FRAGMENT(float, x, 4) = {0};
    if (t < TILE / 4) {
        ct_load_global(x, args->src + first + 4 * t, 128);
        CT_UNROLL for (int i = 0; i < 4; i += bits / 32)
            ct_store_shared(tile + 4 * t + i, x + i, bits);
    }
    __syncthreads();
    ct_load_shared(x, tile + t, 32);
    x[0] *= x[0];
    ct_store_global(args->dst + first + t, x, 32);
}
/* end */

CT_KERNEL_THREADS(four_stores, TILE, square_args, args)
{
    CT_SHARED(float, tile, TILE);
    square_by_tile(&args, tile, 32);
}

CT_KERNEL_THREADS(one_store, TILE, square_args, args)
{
    CT_SHARED(float, tile, TILE);
    square_by_tile(&args, tile, 128);
}

/* part: none */
CT_KERNEL_THREADS(no_tile, TILE / 4, square_args, args)
{
    const int first = (int)blockIdx.x * TILE + 4 * (int)threadIdx.x;
    CT_FRAGMENT(float, x, 4) = {0};
    ct_load_global(x, args.src + first, 128);
    CT_UNROLL for (int i = 0; i < 4; ++i) x[i] *= x[i];
    ct_store_global(args.dst + first, x, 128);
}
/* end */
