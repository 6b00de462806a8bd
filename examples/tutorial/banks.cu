/* A warp transposes 32 x 32 floats through shared memory, which lie there in three ways. */
#include <cutlet/cutlet.h>

#include "atoms.h"

typedef struct banks_args {
    const float *src;
    float *dst;
} banks_args;

/* part: transpose */
/* Writes rows, reads columns. Element (i,j) lies at place i * step + j, swizzled by s. */
CT_DEVICE void transpose(const banks_args *args, float *tile, int step, const ct_swizzle s)
{
    const int lane = (int)threadIdx.x;
    for (int i = 0; i < 32; ++i) {
        float x = 0;
        ct_load_global(&x, args->src + 32 * i + lane, 32);
        ct_store_shared(tile + ct_swizzle_apply(s, i * step + lane), &x, 32);
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
        float x = 0;
        ct_load_shared(&x, tile + ct_swizzle_apply(s, lane * step + j), 32);
        ct_store_global(args->dst + 32 * j + lane, &x, 32);
    }
}
/* end */

CT_KERNEL_THREADS(plain, 32, banks_args, args)
{
    CT_SHARED(float, tile, 32 * 32);
    transpose(&args, tile, 32, ct_swizzle_none());
}

CT_KERNEL_THREADS(padded, 32, banks_args, args)
{
    CT_SHARED(float, tile, 32 * 33);
    transpose(&args, tile, 33, ct_swizzle_none());
}

/* part: swizzled */
CT_KERNEL_THREADS(swizzled, 32, banks_args, args)
{
    CT_SHARED(float, tile, 32 * 32);
    transpose(&args, tile, 32, ct_make_swizzle(5, 0, 5));
}
/* end */
