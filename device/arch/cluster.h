/**
 * Clusters: blocks that run at the same time, sm_90. CT_KERNEL_CLUSTER of kernel.h defines a kernel
 * with clusters.
 *
 *     ct_cluster_rank()
 *           The rank of this block in its cluster, from 0.
 *     ct_cluster_sync()
 *           A barrier of all threads of the cluster, which orders their accesses to memory.
 *     ct_cluster_arrive()
 *           The first half of ct_cluster_sync, which does not wait. All lanes of a warp call it.
 *     ct_cluster_arrive_relaxed()
 *           ct_cluster_arrive without release: for a thread that has not written, and has used all
 *           that it loaded from other blocks.
 *     ct_cluster_wait()
 *           The second half: waits for the arrivals of all threads, whose writes before them it
 *           then sees. All lanes of a warp call it.
 *     ct_load_cluster(reg, src, rank)
 *           Loads 128 bits of the shared memory of block `rank` into the variable at reg. src is
 *           the same offset in this block's shared memory.
 *
 * A barrier of the cluster precedes the first access to another block's shared memory or mbarriers:
 * it ensures that these are there and initialised. No block exits while others may still access its
 * shared memory, or arrive at its mbarriers.
 *
 * Fails:    The CPU grid ends the launch at a rank that the cluster lacks. It does so at an address
 *           that is not a multiple of 16 or not in shared memory, and when some thread of the
 *           cluster does not reach a barrier. It does so too when a block ends and does not wait
 *           for another's last access to it. A GPU faults or hangs, or computes something else.
 * Cost:     The rank is one move. A barrier is two instructions, and takes longer than that of a
 *           block. A load is two instructions, and moves 512 bytes for a warp between
 *           multiprocessors, not through L2.
 * In a kernel:
 *           // for clusters of any size; here of one block
 *           CT_SHARED(uint32_t, tile, 128);
 *           const uint32_t i = threadIdx.x, rank = (uint32_t)ct_cluster_rank();
 *           CT_FRAGMENT(uint32_t, v, 4) = {rank, i, 2 * i, 3 * i};
 *           ct_store_shared(tile + 4 * i, v, 128);
 *           ct_cluster_sync(); // all blocks have written their tiles
 *           ct_load_cluster(v, tile + 4 * (31 - i), 0); // of block 0
 *           assert(v[0] == 0 && v[1] == 31 - i && v[3] == 3 * (31 - i));
 *           ct_cluster_arrive_relaxed(); // has only read since the last barrier
 *           ct_cluster_wait(); // all have read: the tile may change
 *           ct_store_shared(tile + 4 * i, v, 128);
 *           ct_cluster_arrive(); // work that needs no other block may follow here
 *           ct_cluster_wait();
 * Source:   NVIDIA, PTX ISA 9.0, barrier.cluster, mapa, ld.shared::cluster and special registers.
 */
#ifndef CUTLET_DEVICE_ARCH_CLUSTER_H
#define CUTLET_DEVICE_ARCH_CLUSTER_H

#include <cutlet/device/arch/mbarrier.h>

#if !defined(__CUDACC__)

#define ct_cluster_rank() (ct_grid_self->launch->rank)
#define ct_cluster_sync() ct_grid_cluster_barrier(CT_GRID_SITE)
#define ct_cluster_arrive() ct_grid_cluster_arrive(CT_GRID_SITE, CT_ORDER_CLUSTER)
#define ct_cluster_arrive_relaxed() ct_grid_cluster_arrive(CT_GRID_SITE, CT_ORDER_RELAXED)
#define ct_cluster_wait() ct_grid_cluster_wait(CT_GRID_SITE)
#define ct_load_cluster(reg, src, rank) ct_grid_load_cluster(CT_GRID_SITE, reg, src, rank)

#elif CT_HAS_BULK

CT_DEVICE int32_t ct_cluster_rank(void)
{
    int32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

CT_DEVICE void ct_cluster_sync(void)
{
    asm volatile(
        "barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::
            : "memory");
}

CT_DEVICE void ct_cluster_arrive(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

CT_DEVICE void ct_cluster_arrive_relaxed(void)
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

CT_DEVICE void ct_cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

CT_DEVICE void ct_load_cluster(void *reg, const void *src, int rank)
{
    uint32_t *const v = (uint32_t *)reg;
    asm volatile("{\n .reg .b32 there;\n mapa.shared::cluster.u32 there, %4, %5;\n"
                 " ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [there];\n }"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"((uint32_t)__cvta_generic_to_shared(src)), "r"(rank)
                 : "memory");
}

#endif

#endif
