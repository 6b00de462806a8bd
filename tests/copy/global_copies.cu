/* Bulk and tile copies whose global memory is accessed too early, or just in time. The enumerations say
 * what a kernel does; test_global_copies.c says which of all combinations are right. */
#include "tma_args.h"

#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/warpgroup.h>

/* What a thread does to the 1024 bytes at dst. */
enum {
    /* clang-format off */
    BULK_STORE, TILE_STORE, BULK_ADD, TILE_ADD, STORES, /* copies from shared memory */
    BULK_LOAD = STORES, TILE_LOAD, COPIES,              /* copies to shared memory */
    STORE = COPIES, LOAD, CP_ASYNC, ACTIONS
    /* clang-format on */
};
enum { NO_WAIT, NO_COMMIT, WAIT_BUT_ONE, WAIT_READ, WAIT_ALL, STORE_WAITS };
enum { WAITS_NOT, WAITS_ELSEWHERE, WAITS_BEFORE, WAITS_ITSELF, LOAD_WAITS };
enum { FENCE_NONE, FENCE_EARLY, FENCE_LATE, FENCE_WRONG, FENCE_WRITERS, FENCE_ISSUER, FENCES };
enum { BY_SYNCTHREADS, BY_MBARRIER, BY_NAMED_BARRIER, MEETINGS };

#if CT_HAS_BULK

/* One thread: action `what` on dst, with a tile in shared memory. */
CT_DEVICE void act(const tma_args *args, int what, float *tile, uint64_t *bar)
{
    CT_FRAGMENT(float, x, 4) = {1, 2, 3, 4};
    if (what == BULK_LOAD || what == TILE_LOAD) ct_mbarrier_arrive_expect(bar, 1024);
    switch (what) {
        case BULK_STORE: ct_bulk_store(args->dst, tile, 1024); break;
        case TILE_STORE: ct_tma_store_2d(&args->dst_map, tile, 0, 0); break;
        case BULK_ADD: ct_bulk_add(args->dst, tile, 1024, CT_ELEM_F32); break;
        case TILE_ADD: ct_tma_add_2d(&args->dst_map, tile, 0, 0); break;
        case BULK_LOAD: ct_bulk_load(tile, args->dst, 1024, bar); break;
        case TILE_LOAD: ct_tma_load_2d(tile, &args->dst_map, bar, 0, 0); break;
        case STORE: ct_store_global(args->dst + 1008, x, 128); break;
        case LOAD: ct_load_global(x, args->dst + 1008, 128); break;
        default:
            ct_cp_async_cg(tile, args->dst + 1008, 16);
            ct_cp_async_wait_all();
            break;
    }
    if (what < STORES) ct_bulk_commit();
}

/* Ends what is in flight. */
CT_DEVICE void finish(int what, uint64_t *bar)
{
    if (what < STORES) ct_bulk_wait_group(0);
    else if (what < COPIES) ct_mbarrier_wait(bar, 0);
}

/* Copy c[0] by thread 0, its wait c[1], then action c[2] by thread c[3]. */
CT_KERNEL(gc_store, tma_args, args)
{
    CT_SHARED(float, tile, 256);
    CT_SHARED(float, other, 256);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(float, x, 4) = {1, 2, 3, 4};
    ct_store_shared(tile + 4 * t, x, 128);
    ct_store_shared(other + 4 * t, x, 128);
    ct_fence_async_shared();
    begin_barrier(bar, 1);
    if (t == 0) {
        if (args.c[1] == NO_COMMIT) ct_bulk_store(args.dst, tile, 1024);
        else act(&args, args.c[0], tile, bar);
        if (args.c[1] == WAIT_BUT_ONE) ct_bulk_wait_group(1);
        if (args.c[1] == WAIT_READ) ct_bulk_wait_group_read(0);
        if (args.c[1] == NO_COMMIT || args.c[1] == WAIT_ALL) ct_bulk_wait_group(0);
    }
    __syncthreads();
    if (t == args.c[3]) {
        act(&args, args.c[2], other, bar);
        finish(args.c[2], bar);
    }
    __syncthreads();
    if (t == 0) {
        ct_bulk_commit();
        ct_bulk_wait_group(0);
    }
}

/* Load c[0] by thread 0, a wait c[1], then action c[2] by thread c[3]. */
CT_KERNEL(gc_load, tma_args, args)
{
    CT_SHARED(float, tile, 256);
    CT_SHARED(float, other, 256);
    CT_SHARED(uint64_t, bars, 2);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(float, x, 4) = {1, 2, 3, 4};
    ct_store_shared(other + 4 * t, x, 128);
    ct_fence_async_shared();
    if (t == 0) ct_mbarrier_init(bars + 1, 1);
    begin_barrier(bars, 1);
    if (t == 0) act(&args, args.c[0], tile, bars);
    if (args.c[1] == WAITS_ITSELF && t == args.c[3]) ct_mbarrier_wait(bars, 0);
    if (args.c[1] >= WAITS_ELSEWHERE && args.c[1] < WAITS_ITSELF && t == 63)
        ct_mbarrier_wait(bars, 0);
    if (args.c[1] != WAITS_ELSEWHERE) __syncthreads();
    if (t == args.c[3]) {
        act(&args, args.c[2], other, bars + 1);
        finish(args.c[2], bars + 1);
    }
    __syncthreads();
    ct_mbarrier_wait(bars, 0);
}

/* All threads meet in way `how`. */
CT_DEVICE void meet(int how, uint64_t *bar)
{
    if (how == BY_SYNCTHREADS) __syncthreads();
    else if (how == BY_NAMED_BARRIER) ct_named_barrier_sync(1, 64);
    else {
        ct_mbarrier_arrive(bar);
        ct_mbarrier_wait(bar, 0);
    }
}

/* The fence of one space, or of both if kind has bit 1. */
CT_DEVICE void fence(int kind)
{
    if (kind & 2) ct_fence_async();
    else if (kind) ct_fence_async_global();
    else ct_fence_async_shared();
}

/* All threads store to global memory (bit 0 of n) or to shared memory, fence in way c[1] and meet in
 * way c[2]. Then thread c[3] makes copy c[0]. */
CT_KERNEL(gc_fence, tma_args, args)
{
    CT_SHARED(float, tile, 256);
    CT_SHARED(uint64_t, bars, 2);
    const int t = (int)threadIdx.x, global = args.n & 1;
    CT_FRAGMENT(float, x, 4) = {1, 2, 3, 4};
    if (t == 0) ct_mbarrier_init(bars + 1, 64);
    begin_barrier(bars, 1);
    if (args.c[1] == FENCE_EARLY) fence(args.n);
    if (global) ct_store_global(args.dst + 16 * t, x, 128);
    else ct_store_shared(tile + 4 * t, x, 128);
    if (global && args.c[0] < STORES) { /* the source in shared memory is right */
        ct_store_shared(tile + 4 * t, x, 128);
        ct_fence_async_shared();
    }
    if (args.c[1] == FENCE_WRITERS) fence(args.n);
    if (args.c[1] == FENCE_WRONG) fence(!global);
    meet(args.c[2], bars + 1);
    if (args.c[1] == FENCE_LATE && t != args.c[3]) fence(args.n);
    if (args.c[1] == FENCE_ISSUER && t == args.c[3]) fence(args.n);
    if (t == args.c[3]) {
        act(&args, args.c[0], tile, bars);
        finish(args.c[0], bars);
    }
}

/* n loads of 1024 bytes at a barrier that expects c[0] times 1024; all threads read the last. */
CT_KERNEL(gc_expect, tma_args, args)
{
    CT_SHARED(float, tile, 4 * 256);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x;
    float x = 0;
    begin_barrier(bar, 1);
    if (t == 0) {
        ct_mbarrier_arrive_expect(bar, 1024 * args.c[0]);
        for (int i = 0; i < args.n; ++i) {
            if (args.c[1]) ct_tma_load_2d(tile + 256 * i, &args.dst_map, bar, 0, 0);
            else ct_bulk_load(tile + 256 * i, args.dst, 1024, bar);
        }
    }
    ct_mbarrier_wait(bar, 0);
    ct_load_shared(&x, tile + 256 * (args.n - 1) + t, 32);
}

#endif
