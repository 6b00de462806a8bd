/**
 * Sums over the threads of a warp and of a block.
 */
#ifndef CUTLET_DEVICE_REDUCE_H
#define CUTLET_DEVICE_REDUCE_H

#include "load_store.h"
#include "warp.h"

/** The sum over the 32 lanes of the warp, the same for each of them, bit by bit: all arrive
 *  here. */
CT_DEVICE float ct_warp_sum(float x)
{
    CT_UNROLL for (int lanes = 16; lanes > 0; lanes /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, lanes);
    return x;
}

/**
 * The sum over the block, of `threads` threads, the same for each of them: all arrive here. threads
 * is a constant, 32 to 1024, a multiple of 32; shared is room for threads / 32 floats, which nobody
 * else touches between the barriers before and behind.
 *
 * Cost: ten shuffles and a barrier; no barrier for one warp. A second sum needs other room.
 */
CT_DEVICE float ct_block_sum(float x, float *shared, const int threads)
{
    const int warps = threads / 32, warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    x = ct_warp_sum(x);
    if (warps == 1) return x;
    ct_store_shared_if(lane == 0, shared + warp, &x, 32);
    __syncthreads();
    float part = 0;
    ct_load_shared_if(lane < warps, &part, shared + lane, 32);
    return ct_warp_sum(part);
}

#define ct_warp_sum(...) CT_CALL(ct_warp_sum, __VA_ARGS__)
#define ct_block_sum(...) CT_CALL(ct_block_sum, __VA_ARGS__)

#endif
