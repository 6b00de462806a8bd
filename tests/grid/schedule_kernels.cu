/* Kernels whose mistake shows in some orders of their threads, not in the fixed one. args.wrong = 0:
 * without it. gcc compiles this file as a part of test_schedules.c, nvcc for the GPU. */
#include "grid_args.h"

#include "bulk.h"
#include "warpgroup.h"

#if CT_HAS_BULK

CT_DEVICE void init_barriers(uint64_t *bars, int n, int count)
{
    for (int i = 0; threadIdx.x == 0 && i < n; ++i) ct_mbarrier_init(bars + i, count);
    if (threadIdx.x == 0) ct_fence_mbarrier_init();
    __syncthreads();
}

/* A copy that has landed is used, and 0 otherwise. */
CT_KERNEL(gs_poll, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    init_barriers(bar, 1, 1);
    if (t == 0) {
        ct_mbarrier_arrive_expect(bar, 128);
        ct_bulk_load(tile, args.src, 128, bar);
    }
    if (!args.wrong) ct_mbarrier_wait(bar, 0);
    if (ct_mbarrier_try_wait(bar, 0)) ct_load_shared(&x, tile + t, 32);
    ct_store_global(args.dst + 4 * t, &x, 32);
    ct_mbarrier_wait(bar, 0);
}

/* The same without a look at the result. */
CT_KERNEL(gs_ignored, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x;
    uint32_t x = (uint32_t)t;
    init_barriers(bar, 1, 32);
    ct_store_shared(tile + t, &x, 32);
    ct_mbarrier_arrive(bar);
    if (args.wrong) (void)ct_mbarrier_try_wait(bar, 0);
    else ct_mbarrier_wait(bar, 0);
    ct_load_shared(&x, tile + 31 - t, 32);
    ct_store_global(args.dst + 4 * t, &x, 32);
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
    if (args.wrong && is_last) ct_mbarrier_arrive(bar);
    ct_mbarrier_wait(bar, 0);
    ct_load_shared(&x, tile + (t + 1) % n, 32);
    if (!args.wrong || !is_last) ct_mbarrier_arrive(bar);
    ct_mbarrier_wait(bar, 1);
    ct_store_global(args.dst + 4 * t, &x, 32);
}

/* The same at named barriers: the third warp does not wait between its two arrivals. */
CT_KERNEL(gs_named_twice, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 96);
    const int t = (int)threadIdx.x, warp = t / 32, waiting = args.wrong ? 64 : 96;
    uint32_t x = (uint32_t)t;
    ct_store_shared(tile + t, &x, 32);
    for (int round = 0; round < 2; ++round) {
        if (warp == 0) {
            ct_named_barrier_sync(1, 96);
            ct_load_shared(&x, tile + 32 + t, 32);
            ct_store_global(args.dst + 4 * t, &x, 32);
            ct_named_barrier_arrive(2, waiting);
        } else {
            ct_named_barrier_arrive(1, 96);
            if (!args.wrong || warp == 1) ct_named_barrier_sync(2, waiting);
        }
    }
}

/* A slot is released by one reader for both. */
CT_KERNEL(gs_leader, copy_args, args)
{
    CT_SHARED(uint64_t, bars, 2);
    uint64_t *const full = bars, *const empty = bars + 1;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    init_barriers(bars, 2, 1);
    for (int i = 0; i < 4; ++i) {
        if (warp == 0) {
            ct_mbarrier_wait(empty, (i + 1) % 2);
            __syncwarp();
            if (lane == 0) ct_mbarrier_arrive(full);
        } else {
            ct_mbarrier_wait(full, i % 2);
            if (!args.wrong) ct_named_barrier_sync(1, 64);
            else __syncwarp();
            if (threadIdx.x == (args.wrong ? 64 : 32)) ct_mbarrier_arrive(empty);
        }
    }
}

/* Sums of all warps of all blocks: of numbers whose sum is rounded, or of integers. */
CT_KERNEL(gs_sum, copy_args, args)
{
    CT_SHARED(float, tile, 4 * 4);
    const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const float big = (float)(1 << 24), own_x = number % 2 ? 1.7f * (float)number : number % 4 ? -big : big;
    float *const own = tile + 4 * (threadIdx.x / 32);
    CT_FRAGMENT(float, x, 4) = {own_x, own_x, own_x, own_x};
    if (threadIdx.x % 32 != 0) return;
    ct_store_shared(own, x, 128);
    ct_fence_async();
    if (args.wrong) ct_bulk_add(args.dst, own, 16, CT_ELEM_F32);
    else ct_bulk_add(args.dst, own, 16, CT_ELEM_U32);
    ct_bulk_commit();
    ct_bulk_wait_group(0);
}

#endif
