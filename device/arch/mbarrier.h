/**
 * Barriers in shared memory at which threads and asynchronous copies arrive (mbarrier), sm_90.
 *
 *     CT_SHARED(uint64_t, full, STAGES);
 *     if (threadIdx.x == 0) { ct_mbarrier_init(full, 1); ct_fence_mbarrier_init(); }
 *     __syncthreads();
 *
 *     ct_mbarrier_init(bar, count)
 *           Initialises the barrier at bar, 8 bytes of shared memory: each phase expects `count`
 *           arrivals, 1 to 2^20 - 1. One thread calls it.
 *     ct_mbarrier_invalidate(bar)
 *           Ends the barrier: its memory may be used for something else.
 *     ct_mbarrier_arrive(bar)
 *           Arrives once in the current phase of the barrier.
 *     ct_mbarrier_expect(bar, bytes)
 *           Makes the current phase expect `bytes` bytes more of asynchronous copies.
 *     ct_mbarrier_arrive_expect(bar, bytes)
 *           Makes the current phase expect `bytes` bytes more, and arrives once.
 *     ct_mbarrier_arrive_remote(bar, rank)
 *           Arrives once at the same barrier of block `rank` of the cluster, with cluster scope.
 *     ct_mbarrier_try_wait(bar, parity)
 *           1 if the last complete phase has this parity, 0 or 1; 0 if it does not after some time.
 *           On the CPU grid the first try gives 0 unless every order of the threads gives 1.
 *     ct_mbarrier_wait(bar, parity)
 *           Waits until the last complete phase has this parity, 0 or 1.
 *     ct_mbarrier_arrive_cluster(bar)
 *           ct_mbarrier_arrive with cluster scope: it releases to all blocks of the cluster.
 *     ct_mbarrier_arrive_relaxed(bar)
 *           ct_mbarrier_arrive without release: for a thread that has only read.
 *     ct_mbarrier_arrive_expect_cluster(bar, bytes)
 *           ct_mbarrier_arrive_expect with cluster scope.
 *     ct_mbarrier_arrive_expect_relaxed(bar, bytes)
 *           ct_mbarrier_arrive_expect without release.
 *     ct_mbarrier_arrive_remote_relaxed(bar, rank)
 *           ct_mbarrier_arrive_remote without release.
 *     ct_mbarrier_try_wait_cluster(bar, parity)
 *           ct_mbarrier_try_wait with cluster scope: it acquires from all blocks of the cluster.
 *     ct_mbarrier_try_wait_relaxed(bar, parity)
 *           ct_mbarrier_try_wait without acquire: for a thread that then only writes.
 *     ct_mbarrier_wait_cluster(bar, parity)
 *           ct_mbarrier_wait with cluster scope.
 *     ct_mbarrier_wait_relaxed(bar, parity)
 *           ct_mbarrier_wait without acquire.
 *     ct_fence_mbarrier_init()
 *           Fence after initialisations, before other threads or copies use the barriers.
 *     ct_fence_async()
 *           Both fences that follow, by one instruction.
 *     ct_fence_async_shared()
 *           Fence between stores to shared memory and a bulk or TMA copy that reads or overwrites
 *           what they wrote. The threads that stored call it before a barrier, or the thread that
 *           copies calls it after the barrier.
 *     ct_fence_async_global()
 *           The same for stores to global memory.
 *
 * A phase is complete when it has its arrivals and its bytes; then the next one begins. Phases
 * count from 0; parity is that of the count: the first wait is for 0. On a new barrier a wait for 1
 * returns at once. One lane arrives for its warp after a __syncwarp.
 * A thread that misses a phase waits for another. So every wait for a phase comes before an arrival
 * or a copy of the next one: the thread makes it, or meets one that does so later.
 * After a wait, a thread sees what threads of the block wrote before they arrived, and what copies
 * wrote. It sees what another block wrote, to shared or global memory, only after a wait of cluster
 * scope for an arrival of cluster scope, or after ct_cluster_sync.
 *
 * CT_HAS_BULK says whether this, bulk.h and tma.h are available.
 *
 * Fails:    The CPU grid ends the launch at a count out of range and where no barrier is, or where
 *           no __syncthreads follows its initialisation. It ends it too when no phase can complete
 *           and threads wait, at a wait that nothing puts before the end of the next phase, and at
 *           any other access to a barrier's memory before ct_mbarrier_invalidate. A GPU hangs, or
 *           computes something else.
 * Cost:     One instruction each; the address of another block takes one more. An operation is an
 *           access of 8 bytes to shared memory. A wait is a loop around try_wait, which suspends
 *           the thread in hardware.
 * In a kernel:
 *           CT_SHARED(float, tile, 32);
 *           CT_SHARED(uint64_t, bar, 1);
 *           const int i = (int)threadIdx.x;
 *           const float own = (float)i;
 *           float x = 0;
 *           if (i == 0) {
 *               ct_mbarrier_init(bar, 32); // 32 arrivals in each phase
 *               ct_fence_mbarrier_init();
 *           }
 *           __syncthreads();
 *           ct_store_shared(tile + i, &own, 32);
 *           assert(ct_mbarrier_try_wait(bar, 1)); // phase 0 is not complete yet
 *           ct_mbarrier_arrive(bar);
 *           ct_mbarrier_wait(bar, 0); // all lanes have stored
 *           ct_load_shared(&x, tile + 31 - i, 32);
 *           assert(x == (float)(31 - i));
 *           ct_store_global(out + i, &own, 32);
 *           ct_fence_async_shared(); // the copies below overwrite what lanes stored there,
 *           ct_fence_async_global(); // and read what they stored here;
 *           ct_fence_async();        // this is both
 *           __syncthreads();
 *           if (i == 0) { // phase 1: 32 arrivals and 128 bytes
 *               ct_mbarrier_expect(bar, 64); // before the last arrival
 *               ct_bulk_load(tile, in + 64, 64, bar);
 *               ct_mbarrier_arrive_expect(bar, 64);
 *               ct_bulk_load(tile + 16, out, 64, bar);
 *           } else if (i < 16) {
 *               ct_mbarrier_arrive_remote(bar, 0); // at block 0 of the cluster: this one
 *           } else {
 *               ct_mbarrier_arrive_remote_relaxed(bar, 0);
 *           }
 *           ct_mbarrier_wait(bar, 1);
 *           ct_load_shared(&x, tile + i, 32);
 *           assert(x == (float)(i < 16 ? 64 + i : i - 16));
 *           if (i > 0) ct_mbarrier_arrive_relaxed(bar); // phase 2: the lanes have only read
 *           else ct_mbarrier_arrive_expect_relaxed(bar, 0);
 *           if (!ct_mbarrier_try_wait_relaxed(bar, 0)) ct_mbarrier_wait_relaxed(bar, 0);
 *           ct_store_shared(tile + 31 - i, &own, 32);
 *           if (i > 0) ct_mbarrier_arrive_cluster(bar); // phase 3: as if other blocks took part
 *           else ct_mbarrier_arrive_expect_cluster(bar, 0);
 *           if (!ct_mbarrier_try_wait_cluster(bar, 1)) ct_mbarrier_wait_cluster(bar, 1);
 *           ct_load_shared(&x, tile + i, 32);
 *           assert(x == (float)(31 - i));
 *           __syncthreads();
 *           if (i == 0) ct_mbarrier_invalidate(bar);
 * Source:   NVIDIA, PTX ISA 9.0, mbarrier (9.7.13.15) and membar, fence (9.7.13.4): a fence between
 *           proxies takes effect in its thread, and barriers compose with it.
 */
#ifndef CUTLET_DEVICE_ARCH_MBARRIER_H
#define CUTLET_DEVICE_ARCH_MBARRIER_H

#include <cutlet/device/arch/load_store.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define CT_HAS_BULK 1
#else
#define CT_HAS_BULK 0
#endif

#if !defined(__CUDACC__)

#define ct_mbarrier_init(bar, count) ct_grid_mbarrier_init(CT_GRID_SITE, bar, count)
#define ct_mbarrier_invalidate(bar) ct_grid_mbarrier_invalidate(CT_GRID_SITE, bar)
/** @internal The forms with an order: CTA, CLUSTER or RELAXED. */
#define CT_GRID_ARRIVE(bar, arrivals, bytes, order)                                                \
    ct_grid_mbarrier_arrive(CT_GRID_SITE, bar, arrivals, bytes, CT_ORDER_##order)
#define CT_GRID_REMOTE(bar, rank, order)                                                           \
    ct_grid_mbarrier_remote(CT_GRID_SITE, bar, rank, CT_ORDER_##order)
#define CT_GRID_WAIT(bar, parity, may_fail, order)                                                 \
    ct_grid_mbarrier_wait(CT_GRID_SITE, bar, parity, may_fail, CT_ORDER_##order)

#define ct_mbarrier_arrive(bar) CT_GRID_ARRIVE(bar, 1, 0, CTA)
#define ct_mbarrier_arrive_cluster(bar) CT_GRID_ARRIVE(bar, 1, 0, CLUSTER)
#define ct_mbarrier_arrive_relaxed(bar) CT_GRID_ARRIVE(bar, 1, 0, RELAXED)
#define ct_mbarrier_expect(bar, bytes) CT_GRID_ARRIVE(bar, 0, bytes, CTA)
#define ct_mbarrier_arrive_expect(bar, bytes) CT_GRID_ARRIVE(bar, 1, bytes, CTA)
#define ct_mbarrier_arrive_expect_cluster(bar, bytes) CT_GRID_ARRIVE(bar, 1, bytes, CLUSTER)
#define ct_mbarrier_arrive_expect_relaxed(bar, bytes) CT_GRID_ARRIVE(bar, 1, bytes, RELAXED)
#define ct_mbarrier_arrive_remote(bar, rank) CT_GRID_REMOTE(bar, rank, CLUSTER)
#define ct_mbarrier_arrive_remote_relaxed(bar, rank) CT_GRID_REMOTE(bar, rank, RELAXED)
#define ct_mbarrier_try_wait(bar, parity) CT_GRID_WAIT(bar, parity, 1, CTA)
#define ct_mbarrier_try_wait_cluster(bar, parity) CT_GRID_WAIT(bar, parity, 1, CLUSTER)
#define ct_mbarrier_try_wait_relaxed(bar, parity) CT_GRID_WAIT(bar, parity, 1, RELAXED)
#define ct_mbarrier_wait(bar, parity) ((void)CT_GRID_WAIT(bar, parity, 0, CTA))
#define ct_mbarrier_wait_cluster(bar, parity) ((void)CT_GRID_WAIT(bar, parity, 0, CLUSTER))
#define ct_mbarrier_wait_relaxed(bar, parity) ((void)CT_GRID_WAIT(bar, parity, 0, RELAXED))
#define ct_cp_async_arrive(bar) (ct_grid_cp_async_wait(-1), CT_GRID_ARRIVE(bar, 1, 0, CTA))
#define ct_fence_mbarrier_init() ct_grid_fence_mbarrier_init()
#define ct_fence_async() (ct_grid_fence_async(), ct_grid_fence_async_global())
#define ct_fence_async_shared() ct_grid_fence_async()
#define ct_fence_async_global() ct_grid_fence_async_global()

#elif CT_HAS_BULK

CT_DEVICE void ct_mbarrier_init(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::CT_PTX_AT_shared(bar), "r"(count)
                 : "memory");
}

CT_DEVICE void ct_mbarrier_invalidate(uint64_t *bar)
{
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::CT_PTX_AT_shared(bar) : "memory");
}

/** @internal Arrivals and waits of one order, `.cta`'s being the instruction's own. */
#define CT_PTX_MBARRIER(suffix, release, acquire)                                                  \
    CT_DEVICE void ct_mbarrier_arrive##suffix(uint64_t *bar)                                       \
    {                                                                                              \
        asm volatile("mbarrier.arrive" release ".shared::cta.b64 _, [%0];" ::CT_PTX_AT_shared(bar) \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_mbarrier_arrive_expect##suffix(uint64_t *bar, int bytes)                     \
    {                                                                                              \
        asm volatile("mbarrier.arrive.expect_tx" release                                           \
                     ".shared::cta.b64 _, [%0], %1;" ::CT_PTX_AT_shared(bar),                      \
                     "r"(bytes)                                                                    \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE int ct_mbarrier_try_wait##suffix(uint64_t *bar, int parity)                          \
    {                                                                                              \
        int done;                                                                                  \
        asm volatile("{\n .reg .pred p;\n"                                                         \
                     " mbarrier.try_wait.parity" acquire ".shared::cta.b64 p, [%1], %2;\n"         \
                     " selp.b32 %0, 1, 0, p;\n }"                                                  \
                     : "=r"(done)                                                                  \
                     : CT_PTX_AT_shared(bar), "r"(parity)                                          \
                     : "memory");                                                                  \
        return done;                                                                               \
    }                                                                                              \
    CT_DEVICE void ct_mbarrier_wait##suffix(uint64_t *bar, int parity)                             \
    {                                                                                              \
        while (!ct_mbarrier_try_wait##suffix(bar, parity)) continue;                               \
    }
CT_PTX_MBARRIER(, "", "")
CT_PTX_MBARRIER(_cluster, ".release.cluster", ".acquire.cluster")
CT_PTX_MBARRIER(_relaxed, ".relaxed.cluster", ".relaxed.cluster")

CT_DEVICE void ct_mbarrier_expect(uint64_t *bar, int bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::CT_PTX_AT_shared(bar),
                 "r"(bytes)
                 : "memory");
}

CT_DEVICE void ct_mbarrier_arrive_remote(uint64_t *bar, int rank)
{
    asm volatile(
        "{\n .reg .b32 there;\n mapa.shared::cluster.u32 there, %0, %1;\n"
        " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n }" ::CT_PTX_AT_shared(
            bar),
        "r"(rank)
        : "memory");
}

CT_DEVICE void ct_mbarrier_arrive_remote_relaxed(uint64_t *bar, int rank)
{
    asm volatile(
        "{\n .reg .b32 there;\n mapa.shared::cluster.u32 there, %0, %1;\n"
        " mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [there];\n }" ::CT_PTX_AT_shared(
            bar),
        "r"(rank)
        : "memory");
}

CT_DEVICE void ct_cp_async_arrive(uint64_t *bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(bar))
                 : "memory");
}

CT_DEVICE void ct_fence_mbarrier_init(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

CT_DEVICE void ct_fence_async(void) { asm volatile("fence.proxy.async;" ::: "memory"); }

CT_DEVICE void ct_fence_async_shared(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

CT_DEVICE void ct_fence_async_global(void)
{
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

#endif

#endif
