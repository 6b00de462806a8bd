/**
 * Sums over the threads of a warp and of a block.
 *
 * Fails:    The CPU grid ends the launch if a thread does not call it, and at a race in `shared`.
 * In a kernel:
 *           CT_SHARED(float, shared, 1); // of one warp; 32 floats for 1024 threads
 *           float x = 0;
 *           ct_load_global(&x, in + threadIdx.x, 32); // 0 to 31
 *           assert(ct_warp_sum(x) == 496);
 *           assert(ct_block_sum(x * x, shared, 32) == 10416); // in every thread
 * Used by:  examples/vector/layer_norm.cu, for more than one warp
 * Source:   NVIDIA, PTX ISA 9.0, shfl.sync.
 */
#ifndef CUTLET_DEVICE_REGISTER_REDUCE_H
#define CUTLET_DEVICE_REGISTER_REDUCE_H

#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/warp.h>

/**
 * The sum over the 32 lanes of a warp, the same bits in every lane. All lanes call it. Each of five
 * steps adds the values of lanes whose numbers differ in one bit, 16 first.
 *
 * Cost:     five shuffles and five additions; no memory traffic.
 */
CT_DEVICE float ct_warp_sum(float x)
{
    CT_UNROLL for (int lanes = 16; lanes > 0; lanes /= 2) x +=
        __shfl_xor_sync(0xffffffffu, x, lanes);
    return x;
}

/**
 * The sum over a block of `threads` threads, the same bits in every thread. All threads call it.
 * threads is a constant multiple of 32, 32 to 1024. shared holds threads / 32 floats, and has no
 * other use from the barrier before the call to the one after it.
 *
 * Cost:     ten shuffles, ten additions, a store and a load of shared memory, and a barrier; for
 *           one warp five shuffles and no barrier. A second sum needs other memory.
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
