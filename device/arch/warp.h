/**
 * Exchange between the lanes of a warp: __syncwarp, the shuffles, votes.
 *
 * On a GPU these are CUDA's own. On the CPU grid they take the same arguments. All lanes of the
 * mask that have not exited must arrive at the same call, and a lane may only read from a lane of
 * the mask. A lane that has exited votes 0; neither these calls nor __syncthreads wait for it.
 *
 *     ct_uniform(value)
 *           The value, which is equal in all lanes of the warp: nvcc keeps it in a uniform
 *           register. The whole warp calls it.
 *     ct_lane(), ct_warp(), ct_warpgroup()
 *           The number of the thread in its warp; of the warp, and of the warpgroup (128 threads), in the block. The
 *           last two are uniform, and whole warps call them.
 *     ct_warpgroup_thread()
 *           The number of the thread in its warpgroup.
 *     ct_uniform_shared(pointer)
 *           ct_uniform for an address of shared memory, which nvcc would recompute at each use.
 *
 * Fails:    The CPU grid ends the launch if a lane of the mask is at another call. It ends it too at
 *           a read from a lane that has exited, or is outside of the mask.
 * Cost:     One instruction of the warp each, without memory traffic; ct_uniform is one shuffle.
 * In a kernel:
 *           CT_SHARED(float, memory, 32);
 *           float *const tile = (float *)ct_uniform_shared(memory);
 *           const uint32_t warp = ct_uniform(threadIdx.x / 32); // a branch by it never diverges
 *           const float x = (float)threadIdx.x;
 *           assert(warp == 0 && __shfl_xor_sync(0xffffffffu, x, 1) == (float)(threadIdx.x ^ 1));
 *           assert(__ballot_sync(0xffffffffu, threadIdx.x < 4) == 15);
 *           float y = 0;
 *           ct_store_shared(tile + threadIdx.x, &x, 32);
 *           __syncwarp(); // orders the stores of the warp before its loads
 *           ct_load_shared(&y, tile + 31 - threadIdx.x, 32);
 *           assert(y == 31 - x && ct_lane() == (int32_t)threadIdx.x && ct_warp() == 0);
 *           assert(ct_warpgroup() == 0 && ct_warpgroup_thread() == threadIdx.x);
 * Source:   NVIDIA, PTX ISA 9.0, shfl.sync, barrier (9.7.13.1), bar.warp.sync and vote.sync
 *           (9.7.13.9): votes and barriers are of the threads that have not exited.
 */
#ifndef CUTLET_DEVICE_ARCH_WARP_H
#define CUTLET_DEVICE_ARCH_WARP_H

#include <cutlet/device/kernel/kernel.h>

#if !defined(__CUDACC__)

#define CT_GRID_SHUFFLE(mask, mode, var, lane, width)                                              \
    (__extension__({                                                                               \
        __typeof__((__typeof__(var))(var)) ct_value = (var); /* not const */                       \
        ct_grid_shuffle(CT_GRID_SITE, mask, mode, &ct_value, (int)sizeof ct_value, (int)(lane),    \
                        width);                                                                    \
        ct_value;                                                                                  \
    }))

/* The last argument of CUDA's functions, the width, is optional. */
#define CT_GRID_WIDTH(unused, width, ...) width

#define __shfl_sync(mask, var, lane, ...)                                                          \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_INDEX, var, lane, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))
#define __shfl_up_sync(mask, var, delta, ...)                                                      \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_UP, var, delta, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))
#define __shfl_down_sync(mask, var, delta, ...)                                                    \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_DOWN, var, delta, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))
#define __shfl_xor_sync(mask, var, lanes, ...)                                                     \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_XOR, var, lanes, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))

#define CT_GRID_MASK(unused, mask, ...) mask
#define __syncwarp(...)                                                                            \
    ct_grid_warp_barrier(CT_GRID_SITE, CT_GRID_MASK(0, ##__VA_ARGS__, 0xffffffffu, 0))

#define __ballot_sync(mask, predicate) ct_grid_ballot(CT_GRID_SITE, mask, (predicate) != 0)
#define __any_sync(mask, predicate) (__ballot_sync(mask, predicate) != 0)
#define __all_sync(mask, predicate) (__ballot_sync(mask, predicate) == (uint32_t)(mask))

#define ct_uniform(value) (value)
#define ct_uniform_shared(pointer) (pointer)

#else

CT_DEVICE uint32_t ct_uniform(uint32_t value) { return __shfl_sync(0xffffffff, value, 0); }

CT_DEVICE void *ct_uniform_shared(void *pointer)
{
    return __cvta_shared_to_generic(ct_uniform((uint32_t)__cvta_generic_to_shared(pointer)));
}

#endif

/** The thread's place in its warp. */
CT_DEVICE int32_t ct_lane(void) { return (int32_t)(threadIdx.x % 32); }
/** The number of the warp. */
CT_DEVICE int32_t ct_warp(void) { return (int32_t)ct_uniform(threadIdx.x / 32); }
/** The number of the warpgroup. */
CT_DEVICE int32_t ct_warpgroup(void) { return (int32_t)ct_uniform(threadIdx.x / 128); }
/** The thread's place in its warpgroup. */
CT_DEVICE uint32_t ct_warpgroup_thread(void) { return threadIdx.x % 128; }

#endif
