/* Kernels whose mistake shows in some orders of their threads, not in the fixed one. args.wrong = 0:
 * without it. gcc compiles this file as a part of test_schedules.c, nvcc for the GPU. */
#include "grid_args.h"

#include <cutlet/device/arch/bulk.h>
#include <cutlet/device/arch/warpgroup.h>

#if CT_HAS_BULK

CT_DEVICE void init_barriers(uint64_t *bars, int n, int count)
{
    for (int i = 0; threadIdx.x == 0 && i < n; ++i) ct_mbarrier_init(bars + i, count);
    if (threadIdx.x == 0) ct_fence_mbarrier_init();
    __syncthreads();
}

/* Four warps arrive, each at its barrier. The first takes them as they come, not in order. */
CT_KERNEL(gs_first, copy_args, args)
{
    CT_SHARED(uint64_t, bars, 4);
    const int warp = (int)threadIdx.x / 32;
    uint32_t order = 0;
    init_barriers(bars, 4, 32);
    if (warp > 0) ct_mbarrier_arrive(bars + warp - 1);
    for (int i = 0, taken = 0; warp == 0 && taken != 15; i = (i + 1) % 4) {
        if (taken >> i & 1) continue;
        if (!args.wrong) ct_mbarrier_wait(bars + i, 0);
        else if (!ct_mbarrier_try_wait(bars + i, 0)) continue;
        taken |= 1 << i;
        order = 10 * order + (uint32_t)i;
    }
    ct_store_global_if(threadIdx.x == 0, args.dst, &order, 32);
}

/* A warp that has not seen the arrivals in two tries takes two barriers the other way. */
CT_KERNEL(gs_crossed, copy_args, args)
{
    CT_SHARED(uint64_t, bar, 1);
    const int warp = (int)threadIdx.x / 32;
    int seen = threadIdx.x == 0;
    init_barriers(bar, 1, (int)blockDim.x - 32);
    if (warp == 0) {
        if (args.wrong && seen) seen = ct_mbarrier_try_wait(bar, 0) || ct_mbarrier_try_wait(bar, 0);
        seen = __any_sync(ALL_LANES, seen);
    } else {
        ct_mbarrier_arrive(bar);
    }
    ct_named_barrier_sync(seen || warp > 0 ? 1 : 2, (int)blockDim.x);
    ct_named_barrier_sync(seen || warp > 0 ? 2 : 1, (int)blockDim.x);
    if (warp == 0) ct_mbarrier_wait(bar, 0);
}

/* Thread 32 tries once; what it stores depends on whether thread 0 has arrived. */
CT_KERNEL(gs_once, copy_args, args)
{
    CT_SHARED(uint64_t, bar, 1);
    init_barriers(bar, 1, 1);
    uint32_t seen = 1;
    if (threadIdx.x == 0) ct_mbarrier_arrive(bar);
    if (threadIdx.x == 32 && args.wrong) seen = (uint32_t)ct_mbarrier_try_wait(bar, 0);
    if (threadIdx.x == 32 && !args.wrong) ct_mbarrier_wait(bar, 0);
    ct_store_global_if(threadIdx.x == 32, args.dst, &seen, 32);
}

/* The last thread arrives for two phases at once: another may be missing in the first. */
CT_KERNEL(gs_twice, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 1024);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x, n = (int)blockDim.x, is_last = t == n - 1;
    uint32_t x = (uint32_t)t;
    init_barriers(bar, 1, n);
    ct_store_shared(tile + t, &x, 32);
    ct_mbarrier_arrive(bar);
    if (!args.wrong || !is_last) {
        ct_mbarrier_wait(bar, 0);
        ct_load_shared(&x, tile + (t + 1) % n, 32);
    }
    ct_mbarrier_arrive(bar);
    ct_mbarrier_wait(bar, 1);
    ct_store_global(args.dst + 4 * t, &x, 32);
}

/* Sums of all warps of all blocks: of numbers whose sum is rounded, or of integers. */
CT_KERNEL(gs_sum, copy_args, args)
{
    CT_SHARED(float, tile, 4 * 4);
    const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const float big = (float)(1 << 24), own_x = number % 2   ? 1.7f * (float)number
                                                : number % 4 ? -big
                                                             : big;
    float *const own = tile + 4 * (threadIdx.x / 32);
    CT_FRAGMENT(float, x, 4) = {own_x, own_x, own_x, own_x};
    if (threadIdx.x % 32 != 0) return;
    ct_store_shared(own, x, 128);
    ct_fence_async_shared();
    if (args.wrong) ct_bulk_add(args.dst, own, 16, CT_ELEM_F32);
    else ct_bulk_add(args.dst, own, 16, CT_ELEM_U32);
    ct_bulk_commit();
    ct_bulk_wait_group(0);
}

#endif
