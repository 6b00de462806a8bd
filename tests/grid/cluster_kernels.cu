/* Kernels of clusters: what one block sees of another, the halves of the cluster's barrier, and
 * blocks that end. gcc compiles this file as a part of test_clusters.c, nvcc for the GPU. */
#include <cutlet/device/kernel/kernel.h>

#include <cutlet/device/arch/atoms.h>
#include <cutlet/device/arch/cluster.h>

enum { ORDER_CTA, ORDER_CLUSTER, ORDER_RELAXED, ORDERS };

/* How a block comes to the cluster's barrier; LATE: it stores between its arrival and its wait. */
enum { COMES_SYNC, COMES_SEPARATELY, COMES_RELAXED, COMES_LATE, COMES };

/* What keeps a block while its peer accesses it; ARRIVES: it waits for no barrier, LEAVES: its peer
 * does not wait, and HANDED, HANDED_RELAXED: it waits for an mbarrier, at which its peer arrives. */
enum {
    KEPT_NOT,
    KEPT_ARRIVES,
    KEPT_SYNC,
    KEPT_SEPARATE,
    KEPT_RELAXED,
    KEPT_LEAVES,
    KEPT_HANDED,
    KEPT_HANDED_RELAXED,
    KEPTS
};

enum { PEER_LOAD, PEER_ARRIVE, PEER_ARRIVE_RELAXED, PEER_ACCESSES };

typedef struct cluster_args {
    uint32_t *dst;
    int32_t arrive[3], wait[3]; /* of gk_scopes, ORDER_... */
    int32_t on_global, reads_first;
    int32_t comes[2];
    int32_t access, kept;
    int32_t ends_early, wrong; /* of gk_halves_wrong */
} cluster_args;

#if CT_HAS_BULK

CT_DEVICE void arrive_by(uint64_t *bar, int order)
{
    if (order == ORDER_CTA) ct_mbarrier_arrive(bar);
    else if (order == ORDER_CLUSTER) ct_mbarrier_arrive_cluster(bar);
    else ct_mbarrier_arrive_relaxed(bar);
}

CT_DEVICE void wait_by(uint64_t *bar, int order)
{
    if (order == ORDER_CTA) ct_mbarrier_wait(bar, 0);
    else if (order == ORDER_CLUSTER) ct_mbarrier_wait_cluster(bar, 0);
    else ct_mbarrier_wait_relaxed(bar, 0);
}

/* A thread of block 1 stores, or loads. It tells another of its block, which tells one of block 0,
 * which tells another, which loads what the first stored, or stores. */
CT_KERNEL_CLUSTER(gk_scopes, 2, 64, cluster_args, args)
{
    CT_SHARED(uint32_t, tile, 4);
    CT_SHARED(uint64_t, bars, 3);
    CT_FRAGMENT(uint32_t, x, 4) = {1, 2, 3, 4};
    const int rank = ct_cluster_rank(), t = (int)threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 3; ++i) ct_mbarrier_init(bars + i, 1);
        ct_fence_mbarrier_init();
    }
    ct_cluster_sync();
    if (rank == 1 && t == 0) {
        if (args.reads_first) ct_load_global(x, args.dst, 128);
        else if (args.on_global) ct_store_global(args.dst, x, 128);
        else ct_store_shared(tile, x, 128);
        arrive_by(bars, args.arrive[0]);
    }
    if (rank == 1 && t == 32) {
        wait_by(bars, args.wait[0]);
        if (args.arrive[1] == ORDER_RELAXED) ct_mbarrier_arrive_remote_relaxed(bars + 1, 0);
        else ct_mbarrier_arrive_remote(bars + 1, 0);
    }
    if (rank == 0 && t == 0) {
        wait_by(bars + 1, args.wait[1]);
        arrive_by(bars + 2, args.arrive[2]);
    }
    if (rank == 0 && t == 32) {
        wait_by(bars + 2, args.wait[2]);
        if (args.reads_first) ct_store_global(args.dst, x, 128);
        else if (args.on_global) ct_load_global(x, args.dst, 128);
        else ct_load_cluster(x, tile, 1);
    }
    ct_cluster_sync();
}

CT_DEVICE void come(int how)
{
    if (how == COMES_SYNC) ct_cluster_sync();
    if (how == COMES_SEPARATELY || how == COMES_LATE) ct_cluster_arrive();
    if (how == COMES_RELAXED) ct_cluster_arrive_relaxed();
}

/* Each block stores, comes to the barrier in its way, and loads what the other stored. */
CT_KERNEL_CLUSTER(gk_halves, 2, 64, cluster_args, args)
{
    CT_SHARED(uint32_t, tile, 4 * 64);
    CT_FRAGMENT(uint32_t, x, 4) = {1, 2, 3, 4};
    const int rank = ct_cluster_rank(), t = (int)threadIdx.x;
    const int how = args.comes[rank];
    if (how == COMES_LATE) come(how);
    if (args.on_global) ct_store_global(args.dst + 4 * (64 * rank + t), x, 128);
    else ct_store_shared(tile + 4 * t, x, 128);
    if (how != COMES_LATE) come(how);
    if (how != COMES_SYNC) ct_cluster_wait();
    if (args.on_global) ct_load_global(x, args.dst + 4 * (64 * (1 - rank) + 63 - t), 128);
    else ct_load_cluster(x, tile + 4 * (63 - t), 1 - rank);
    ct_cluster_sync();
}

/* A warp that has arrived waits for another, which waits for the cluster first; a warp may end before.
 * wrong: 1 a wait without an arrival, 2 two arrivals, 3 both forms, 4 a block does not come. */
CT_KERNEL_CLUSTER(gk_halves_wrong, 2, 64, cluster_args, args)
{
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x;
    if (t == 0) {
        ct_mbarrier_init(bar, 32);
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    if (args.ends_early && t >= 32 && ct_cluster_rank() == 1) {
        ct_mbarrier_arrive(bar);
        return;
    }
    if (args.wrong == 4 && ct_cluster_rank() == 1) return;
    if (args.wrong != 1) ct_cluster_arrive();
    if (args.wrong == 2) ct_cluster_arrive();
    if (args.wrong == 3) ct_cluster_sync();
    if (t < 32 && args.wrong != 4) ct_mbarrier_wait(bar, 0);
    ct_cluster_wait();
    if (t >= 32) ct_mbarrier_arrive(bar);
}

/* Block 1 accesses block 0, which is kept, or not. */
CT_KERNEL_CLUSTER(gk_block_ends, 2, 64, cluster_args, args)
{
    CT_SHARED(uint32_t, tile, 4 * 64);
    CT_SHARED(uint64_t, bars, 2);
    CT_FRAGMENT(uint32_t, x, 4) = {1, 2, 3, 4};
    const int rank = ct_cluster_rank(), t = (int)threadIdx.x, kept = args.kept;
    if (t == 0) {
        for (int i = 0; i < 2; ++i) ct_mbarrier_init(bars + i, 64);
        ct_fence_mbarrier_init();
    }
    ct_store_shared(tile + 4 * t, x, 128);
    ct_cluster_sync();
    if (rank == 1) {
        if (args.access == PEER_LOAD) ct_load_cluster(x, tile + 4 * t, 0);
        else if (args.access == PEER_ARRIVE) ct_mbarrier_arrive_remote(bars, 0);
        else ct_mbarrier_arrive_remote_relaxed(bars, 0);
        if (kept == KEPT_HANDED) ct_mbarrier_arrive_remote(bars + 1, 0);
        if (kept == KEPT_HANDED_RELAXED) ct_mbarrier_arrive_remote_relaxed(bars + 1, 0);
    }
    if (kept == KEPT_SYNC) ct_cluster_sync();
    if (kept == KEPT_SEPARATE || kept == KEPT_LEAVES || kept == KEPT_ARRIVES) ct_cluster_arrive();
    if (kept == KEPT_RELAXED) ct_cluster_arrive_relaxed();
    const int waits = kept == KEPT_ARRIVES  ? rank == 1
                      : kept == KEPT_LEAVES ? rank == 0
                                            : kept == KEPT_SEPARATE || kept == KEPT_RELAXED;
    if (waits) ct_cluster_wait();
    if (kept == KEPT_HANDED && rank == 0) ct_mbarrier_wait(bars + 1, 0);
    if (kept == KEPT_HANDED_RELAXED && rank == 0) ct_mbarrier_wait_relaxed(bars + 1, 0);
}

#endif
