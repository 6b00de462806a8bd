/**
 * Clusters: blocks that run at the same time, sm_90. CT_KERNEL_CLUSTER of kernel.h makes a kernel
 * of clusters.
 *
 *     ct_cluster_rank()     which block of its cluster this is, from 0
 *     ct_cluster_sync()     a barrier of all threads of the cluster
 *
 * Before a block copies into another one's shared memory, or arrives at its mbarriers, a barrier of
 * the cluster must have shown that they are there; and no block ends while others may still do so.
 *
 * Source: NVIDIA, PTX ISA 9.0, barrier.cluster and special registers.
 */
#ifndef CUTLET_DEVICE_CLUSTER_H
#define CUTLET_DEVICE_CLUSTER_H

#include "mbarrier.h"

#if !defined(__CUDACC__)

#define ct_cluster_rank() (ct_grid_self->launch->rank)
#define ct_cluster_sync() ct_grid_cluster_barrier(CT_GRID_SITE)

#elif CT_HAS_BULK

CT_DEVICE int32_t ct_cluster_rank(void)
{
    int32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

CT_DEVICE void ct_cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;"
                 ::: "memory");
}

#endif

#endif
