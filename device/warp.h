/**
 * Exchange between the lanes of a warp: __syncwarp, the shuffles, votes.
 *
 * On a GPU these are CUDA's own. On the CPU grid they take the same arguments. All lanes of the
 * mask must arrive at the same call, and a lane may only read from a lane of the mask.
 *
 *     ct_uniform(value)            a value equal in all lanes: nvcc keeps it in a uniform register
 *     ct_uniform_shared(pointer)   the same for an address of shared memory, which nvcc would
 *                                  recompute at each use. Whole warps call both.
 */
#ifndef CUTLET_DEVICE_WARP_H
#define CUTLET_DEVICE_WARP_H

#include "kernel.h"

#if !defined(__CUDACC__)

#define CT_GRID_SHUFFLE(mask, mode, var, lane, width)                                          \
    (__extension__({                                                                           \
        __typeof__(var) ct_value = (var);                                                      \
        ct_grid_shuffle(CT_GRID_SITE, mask, mode, &ct_value, (int)sizeof ct_value, (int)(lane), \
                        width);                                                                \
        ct_value;                                                                              \
    }))

/* The last argument of CUDA's functions, the width, is optional. */
#define CT_GRID_WIDTH(unused, width, ...) width

#define __shfl_sync(mask, var, lane, ...) \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_INDEX, var, lane, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))
#define __shfl_up_sync(mask, var, delta, ...) \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_UP, var, delta, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))
#define __shfl_down_sync(mask, var, delta, ...) \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_DOWN, var, delta, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))
#define __shfl_xor_sync(mask, var, lanes, ...) \
    CT_GRID_SHUFFLE(mask, CT_SHUFFLE_XOR, var, lanes, CT_GRID_WIDTH(0, ##__VA_ARGS__, 32, 32))

#define CT_GRID_MASK(unused, mask, ...) mask
#define __syncwarp(...) \
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

#endif
