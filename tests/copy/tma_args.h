/* What the kernels of the tests with mbarriers and tile copies have in common. */
#ifndef CUTLET_TESTS_TMA_ARGS_H
#define CUTLET_TESTS_TMA_ARGS_H

#include <cutlet/device/kernel/kernel.h>

#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/arch/tma.h>
#include <cutlet/device/arch/warp.h>

/* Which reduction a kernel does. */
enum {
    REDUCE_ADD_U32,
    REDUCE_MIN_S32,
    REDUCE_MAX_U64,
    REDUCE_ADD_F16,
    REDUCE_ADD_BF16,
    REDUCE_ADD_F32,
    REDUCE_ADD_F64,
    REDUCE_MIN_F16
};

typedef struct tma_args {
    ct_tma_map src_map, dst_map;
    const unsigned char *src;
    unsigned char *dst;
    int32_t n, bytes, op, wrong;
    int32_t c[5];
} tma_args;

#if CT_HAS_BULK

/* Initialises a barrier of this many arrivals for the whole block. */
CT_DEVICE void begin_barrier(uint64_t *bar, int count)
{
    if (threadIdx.x == 0) {
        ct_mbarrier_init(bar, count);
        ct_fence_mbarrier_init();
    }
    __syncthreads();
}

#endif

#endif
