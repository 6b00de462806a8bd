/* Waits that are right in the order in which the grid runs threads, and wrong in another; the memory of
 * mbarriers; lanes that have left. The enumerations say what a kernel does; test_waits.c says which of
 * all combinations are right. */
#include "grid_args.h"

#include <cutlet/device/arch/bulk.h>
#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/device/arch/warpgroup.h>

enum { MEET_NAMED, MEET_BLOCK_OF_ARRIVALS, MEET_WARPS_ONLY, MEET_NOT, MEETINGS };
enum { TURN_OWN, TURN_BARRIER_BETWEEN, TURN_HANDED_ON, TURN_SAME, TURN_CROSSED, TURNS };
enum { OBJECT_STORE, OBJECT_HALF, OBJECT_LOAD, OBJECT_CP_ASYNC, OBJECT_BULK, OBJECT_INIT, OBJECTS };
enum { TRY_LOOP, TRY_THEN_WAIT, TRY_KNOWN, TRY_IGNORED, TRY_OTHER_IGNORED, TRIES };

typedef struct wait_args {
    const unsigned char *src;
    unsigned char *dst;
    int32_t how, n, data;
} wait_args;

#if CT_HAS_BULK

/* Warp 0 fills a slot n times for warps 1 and 2, of which the first releases it for both. */
CT_KERNEL(wt_leader, wait_args, args)
{
    CT_SHARED(uint32_t, slot, 32);
    CT_SHARED(uint64_t, bars, 2);
    uint64_t *const full = bars, *const empty = bars + 1;
    const int t = (int)threadIdx.x, lane = t % 32, each = args.how == MEET_BLOCK_OF_ARRIVALS;
    uint32_t x = (uint32_t)t;
    if (t == 0) {
        ct_mbarrier_init(full, 1);
        ct_mbarrier_init(empty, each ? 2 : 1);
    }
    __syncthreads();
    for (int i = 0; i < args.n; ++i) {
        if (t < 32) {
            ct_mbarrier_wait(empty, (i + 1) % 2);
            ct_store_shared_if(args.data, slot + lane, &x, 32);
            __syncwarp();
            if (lane == 0) ct_mbarrier_arrive(full);
            continue;
        }
        ct_mbarrier_wait(full, i % 2);
        ct_load_shared_if(args.data, &x, slot + 31 - lane, 32);
        if (args.how == MEET_NAMED) ct_named_barrier_sync(1, 64);
        if (args.how != MEET_NOT) __syncwarp();
        if (lane == 0 && (t == 32 || each)) ct_mbarrier_arrive(empty);
    }
}

/* Thread 32 loads n tiles, each for a phase that lane 0 announces. It waits (how = 0) until all lanes of
 * warp 0 have seen the phase before, (1) until lane 0 has, or (2) not. */
CT_KERNEL(wt_bytes, wait_args, args)
{
    CT_SHARED(uint32_t, tiles, 4 * 32);
    CT_SHARED(uint64_t, bars, 2);
    uint64_t *const full = bars, *const empty = bars + 1;
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    if (t == 0) {
        ct_mbarrier_init(full, 1);
        ct_mbarrier_init(empty, args.how == 0 ? 32 : 1);
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    for (int i = 0; i < args.n; ++i) {
        if (t == 32) {
            if (i > 0 && args.how < 2) ct_mbarrier_wait(empty, (i - 1) % 2);
            ct_bulk_load(tiles + 32 * i, args.src, 128, full);
        } else if (t < 32) {
            if (t == 0) ct_mbarrier_arrive_expect(full, 128);
            ct_mbarrier_wait(full, i % 2);
            ct_load_shared(&x, tiles + 32 * i + t, 32);
            if (args.how == 0 || t == 0) ct_mbarrier_arrive(empty);
        }
    }
}

/* Two pairs of warps exchange words; each pair meets at a barrier. */
CT_KERNEL(wt_turns, wait_args, args)
{
    CT_SHARED(uint32_t, words, 128);
    const int t = (int)threadIdx.x, warp = t / 32;
    const int pair = args.how == TURN_CROSSED ? warp % 2 : warp / 2;
    const int other = args.how == TURN_CROSSED ? t ^ 64 : t ^ 32;
    uint32_t x = (uint32_t)t;
    ct_store_shared(words + t, &x, 32);
    if (args.how == TURN_OWN) ct_named_barrier_sync(1 + pair, 64);
    if (args.how == TURN_HANDED_ON && pair == 1) ct_named_barrier_sync(2, 128);
    if (args.how != TURN_OWN && (args.how >= TURN_SAME || pair == 0)) ct_named_barrier_sync(1, 64);
    if (args.how == TURN_BARRIER_BETWEEN) __syncthreads();
    if (args.how == TURN_HANDED_ON && pair == 0) ct_named_barrier_arrive(2, 128);
    if ((args.how == TURN_BARRIER_BETWEEN || args.how == TURN_HANDED_ON) && pair == 1)
        ct_named_barrier_sync(1, 64);
    ct_load_shared(&x, words + other, 32);
    ct_store_global(args.dst + 4 * t, &x, 32);
}

/* The memory of an mbarrier is used otherwise, after its end (n = 0) or before. */
CT_KERNEL(wt_object, wait_args, args)
{
    CT_SHARED(uint64_t, bars, 4);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 2) = {0, 0};
    if (t == 0) {
        ct_mbarrier_init(bars, 32);
        ct_mbarrier_init(bars + 2, 1);
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    ct_mbarrier_arrive(bars);
    ct_mbarrier_wait(bars, 0);
    if (t == 0 && args.n == 0) ct_mbarrier_invalidate(bars);
    ct_fence_async_shared();
    __syncthreads();
    if (t != 9) return;
    if (args.how == OBJECT_STORE) ct_store_shared(bars, x, 64);
    if (args.how == OBJECT_HALF) ct_store_shared((unsigned char *)bars + 4, x, 16);
    if (args.how == OBJECT_LOAD) ct_load_shared(x, bars, 64);
    if (args.how == OBJECT_INIT) ct_mbarrier_init(bars, 1);
    if (args.how == OBJECT_CP_ASYNC) {
        ct_cp_async_ca(bars, args.src, 8);
        ct_cp_async_wait_all();
    }
    if (args.how == OBJECT_BULK) {
        ct_mbarrier_arrive_expect(bars + 2, 16);
        ct_bulk_load(bars, args.src, 16, bars + 2);
        ct_mbarrier_wait(bars + 2, 0);
    }
}

/* Warp 1 (data = 0) or a copy fills the words n times; warp 0 tries to wait for them. */
CT_KERNEL(wt_try, wait_args, args)
{
    CT_SHARED(uint32_t, words, 4 * 32);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x;
    uint32_t x = (uint32_t)t;
    if (t == 0) {
        ct_mbarrier_init(bar, args.data ? 1 : 32);
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    for (int i = 0; i < args.n; ++i) {
        if (t >= 32 && !args.data) {
            ct_store_shared(words + 32 * i + t - 32, &x, 32);
            ct_mbarrier_arrive(bar);
        }
        if (t == 32 && args.data) {
            ct_mbarrier_arrive_expect(bar, 128);
            ct_bulk_load(words + 32 * i, args.src, 128, bar);
        }
        if (args.how == TRY_KNOWN || args.how == TRY_OTHER_IGNORED) {
            if (t == 40) ct_mbarrier_wait(bar, i % 2);
            if (args.how == TRY_KNOWN) __syncthreads();
        }
        if (t < 32) {
            if (args.how == TRY_LOOP)
                while (!ct_mbarrier_try_wait(bar, i % 2)) continue;
            else if (args.how != TRY_THEN_WAIT) (void)ct_mbarrier_try_wait(bar, i % 2);
            else if (!ct_mbarrier_try_wait(bar, i % 2)) ct_mbarrier_wait(bar, i % 2);
            ct_load_shared(&x, words + 32 * i + 31 - t, 32);
        }
        __syncthreads();
    }
}

#endif

/* Threads from n on leave. The others vote, meet and exchange words. */
CT_KERNEL(wt_leave, wait_args, args)
{
    CT_SHARED(uint32_t, words, 128);
    const int t = (int)threadIdx.x;
    uint32_t x = (uint32_t)t;
    if (t >= args.n) return;
    ct_store_shared(words + t, &x, 32);
    const uint32_t votes = __ballot_sync(ALL_LANES, 1);
    __syncwarp();
    __syncthreads();
    ct_load_shared(&x, words + args.n - 1 - t, 32);
    ct_store_global(args.dst + 4 * t, &x, 32);
    ct_store_global(args.dst + 512 + 4 * t, &votes, 32);
}
