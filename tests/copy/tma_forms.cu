/* One small kernel for each form of bulk copy, tile copy, mbarrier and cluster that the device
 * headers offer, so that each can be tried alone. All have blocks of 64 threads. Those that load
 * expect `bytes`, and leave n bytes of shared memory in dst as they lie, block after block; those
 * that store begin with n bytes of src in shared memory. gcc compiles this file for the CPU grid,
 * nvcc from sm_90 on. */
#include "tma_args.h"

#include <cutlet/device/arch/cache_hints.h>

#if CT_HAS_BULK

#define TF_KERNEL(name) CT_KERNEL_THREADS(name, 64, tma_args, args)

/* n bytes of the tile, to dst. */
CT_DEVICE void put_out(unsigned char *dst, const unsigned char *tile, int n)
{
    for (int i = 4 * (int)threadIdx.x; i < n; i += 4 * 64) {
        uint32_t x = 0;
        ct_load_shared(&x, tile + i, 32);
        ct_store_global(dst + i, &x, 32);
    }
}

/* n bytes of src, to the tile, where a copy of the engine may read them. */
CT_DEVICE void take_in(unsigned char *tile, const unsigned char *src, int n)
{
    for (int i = 4 * (int)threadIdx.x; i < n; i += 4 * 64) {
        uint32_t x = 0;
        ct_load_global(&x, src + i, 32);
        ct_store_shared(tile + i, &x, 32);
    }
    ct_fence_async_shared();
    __syncthreads();
}

/* One thread of one block starts the load. */
#define TF_LOAD(name, load)                                                                        \
    TF_KERNEL(name)                                                                                \
    {                                                                                              \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                    \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        begin_barrier(bar, 1);                                                                     \
        if (threadIdx.x == 0) {                                                                    \
            ct_mbarrier_arrive_expect(bar, args.bytes);                                            \
            load;                                                                                  \
        }                                                                                          \
        ct_mbarrier_wait(bar, 0);                                                                  \
        put_out(args.dst, tile, args.n);                                                           \
    }

/* Block 0 of the cluster loads for those of the mask, whose barriers expect the bytes. */
#define TF_MULTICAST(name, blocks, load)                                                           \
    CT_KERNEL_CLUSTER(name, blocks, 64, tma_args, args)                                            \
    {                                                                                              \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                    \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        const int rank = ct_cluster_rank(), is_told = args.op >> rank & 1;                         \
        begin_barrier(bar, 1);                                                                     \
        ct_cluster_sync();                                                                         \
        if (threadIdx.x == 0 && is_told) ct_mbarrier_arrive_expect(bar, args.bytes);               \
        if (threadIdx.x == 0 && rank == 0) { load; }                                               \
        if (is_told) {                                                                             \
            ct_mbarrier_wait(bar, 0);                                                              \
            put_out(args.dst + (int)blockIdx.x * args.n, tile, args.n);                            \
        }                                                                                          \
        ct_cluster_sync();                                                                         \
    }

/* One thread stores, and waits until all is written. */
#define TF_STORE(name, store)                                                                      \
    TF_KERNEL(name)                                                                                \
    {                                                                                              \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                    \
        take_in(tile, args.src, args.n);                                                           \
        if (threadIdx.x == 0) {                                                                    \
            store;                                                                                 \
            ct_bulk_commit();                                                                      \
            ct_bulk_wait_group(0);                                                                 \
        }                                                                                          \
    }

/* A prefetch shows nothing: the bytes are copied after it by plain accesses. */
#define TF_PREFETCH(name, prefetch)                                                                \
    TF_KERNEL(name)                                                                                \
    {                                                                                              \
        if (threadIdx.x == 0) { prefetch; }                                                        \
        for (int i = 4 * (int)threadIdx.x; i < args.n; i += 4 * 64) {                              \
            uint32_t x = 0;                                                                        \
            ct_load_global(&x, args.src + i, 32);                                                  \
            ct_store_global(args.dst + i, &x, 32);                                                 \
        }                                                                                          \
    }

/* ---- barriers and clusters ------------------------------------------------------------------- */

/* A barrier, its fence, and 64 arrivals. */
TF_KERNEL(tf_mbarrier)
{
    CT_SHARED(uint64_t, bar, 1);
    uint32_t x = threadIdx.x;
    begin_barrier(bar, 64);
    for (int i = 0; i < args.n; ++i) {
        ct_mbarrier_arrive(bar);
        ct_mbarrier_wait(bar, i & 1);
        x += 100;
    }
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

/* Whether a phase of either parity is complete, before and after the first is. */
TF_KERNEL(tf_try_wait)
{
    CT_SHARED(uint64_t, bar, 1);
    begin_barrier(bar, 1);
    if (threadIdx.x == 0) {
        uint32_t x[4] = {0, 0, 0, 0};
        x[0] = 10 + (uint32_t)ct_mbarrier_try_wait(bar, 1);
        ct_mbarrier_arrive(bar);
        x[1] = 20 + (uint32_t)ct_mbarrier_try_wait(bar, 0);
        ct_mbarrier_arrive(bar);
        x[2] = 30 + (uint32_t)ct_mbarrier_try_wait(bar, 1);
        ct_mbarrier_invalidate(bar);
        ct_mbarrier_init(bar, 1);
        x[3] = 40 + (uint32_t)ct_mbarrier_try_wait(bar, 1);
        for (int i = 0; i < 4; ++i) ct_store_global(args.dst + 4 * i, &x[i], 32);
    }
}

/* The bytes are announced apart from the arrival, in two parts. */
TF_KERNEL(tf_expect)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bar, 1);
    begin_barrier(bar, 1);
    if (threadIdx.x == 0) {
        ct_mbarrier_expect(bar, args.n / 2);
        ct_mbarrier_expect(bar, args.n / 2);
        ct_bulk_load(tile, args.src, args.n, bar);
        ct_mbarrier_arrive(bar);
    }
    ct_mbarrier_wait(bar, 0);
    put_out(args.dst, tile, args.n);
}

/* The fence alone, where nothing needs it. */
TF_KERNEL(tf_fence_async)
{
    uint32_t x = threadIdx.x;
    ct_fence_async_shared();
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

/* How far the dynamic shared memory is from a multiple of 1024, with a static array beside it. */
TF_KERNEL(tf_alignment)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bar, 3);
    uint32_t x = (uint32_t)(uintptr_t)tile & 1023;
    begin_barrier(bar, 1);
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

/* Each block's rank; and a barrier of the cluster. */
#define TF_CLUSTER(blocks)                                                                         \
    CT_KERNEL_CLUSTER(tf_cluster_##blocks, blocks, 64, tma_args, args)                             \
    {                                                                                              \
        uint32_t x = 1000 + (uint32_t)ct_cluster_rank();                                           \
        ct_cluster_sync();                                                                         \
        ct_store_global(args.dst + 4 * (64 * blockIdx.x + threadIdx.x), &x, 32);                   \
        ct_cluster_sync();                                                                         \
    }                                                                                              \
    /* Every block arrives at the barriers of all, n times. */                                     \
    CT_KERNEL_CLUSTER(tf_arrive_remote_##blocks, blocks, 64, tma_args, args)                       \
    {                                                                                              \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        uint32_t x = (uint32_t)ct_cluster_rank();                                                  \
        begin_barrier(bar, blocks);                                                                \
        ct_cluster_sync();                                                                         \
        for (int i = 0; i < args.n; ++i) {                                                         \
            if (threadIdx.x < blocks) ct_mbarrier_arrive_remote(bar, (int)threadIdx.x);            \
            ct_mbarrier_wait(bar, i & 1);                                                          \
            __syncthreads(); /* all have seen the phase before the next can end */                 \
            x += 100;                                                                              \
        }                                                                                          \
        ct_store_global(args.dst + 4 * (64 * blockIdx.x + threadIdx.x), &x, 32);                   \
        ct_cluster_sync();                                                                         \
    }
TF_CLUSTER(1)
TF_CLUSTER(2)
TF_CLUSTER(4)
TF_CLUSTER(8)

/* ---- bulk copies ----------------------------------------------------------------------------- */

TF_LOAD(tf_bulk_load, ct_bulk_load(tile, args.src, args.n, bar))
TF_MULTICAST(tf_bulk_multicast_1, 1, ct_bulk_load_multicast(tile, args.src, args.n, bar, args.op))
TF_MULTICAST(tf_bulk_multicast_2, 2, ct_bulk_load_multicast(tile, args.src, args.n, bar, args.op))
TF_MULTICAST(tf_bulk_multicast_4, 4, ct_bulk_load_multicast(tile, args.src, args.n, bar, args.op))
TF_STORE(tf_bulk_store, ct_bulk_store(args.dst, tile, args.n))
TF_PREFETCH(tf_bulk_prefetch, ct_bulk_prefetch_l2(args.src, args.n))

/* Four groups, waited for one after the other. */
TF_KERNEL(tf_bulk_groups)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const int part = args.n / 4;
    take_in(tile, args.src, args.n);
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; ++i) {
            ct_bulk_store(args.dst + i * part, tile + i * part, part);
            ct_bulk_commit();
        }
        ct_bulk_wait_group(3);
        ct_bulk_wait_group_read(2);
        ct_bulk_wait_group_read(1);
        ct_bulk_wait_group_read(0);
    }
}

#define TF_BULK_ADD(name, ELEM)                                                                    \
    TF_STORE(tf_bulk_add_##name, ct_bulk_add(args.dst, tile, args.n, CT_ELEM_##ELEM))
#define TF_BULK_COMPARE(name, ELEM)                                                                \
    TF_STORE(tf_bulk_min_##name, ct_bulk_min(args.dst, tile, args.n, CT_ELEM_##ELEM))              \
    TF_STORE(tf_bulk_max_##name, ct_bulk_max(args.dst, tile, args.n, CT_ELEM_##ELEM))
TF_BULK_ADD(u32, U32)
TF_BULK_ADD(s32, S32)
TF_BULK_ADD(u64, U64)
TF_BULK_ADD(f16, F16)
TF_BULK_ADD(bf16, BF16)
TF_BULK_ADD(f32, F32)
TF_BULK_ADD(f64, F64)
TF_BULK_COMPARE(u32, U32)
TF_BULK_COMPARE(s32, S32)
TF_BULK_COMPARE(u64, U64)
TF_BULK_COMPARE(s64, S64)
TF_BULK_COMPARE(f16, F16)
TF_BULK_COMPARE(bf16, BF16)

/* ---- tile copies ----------------------------------------------------------------------------- */

TF_PREFETCH(tf_prefetch_map, ct_tma_prefetch_map(&args.src_map))

#define TF_TILE_MULTICAST(name, blocks, n, ...)                                                    \
    TF_MULTICAST(name, blocks,                                                                     \
                 ct_tma_load_multicast_##n##d(tile, &args.src_map, bar, args.op, __VA_ARGS__))
#define TF_TILES(n, ...)                                                                           \
    TF_LOAD(tf_load_##n##d, ct_tma_load_##n##d(tile, &args.src_map, bar, __VA_ARGS__))             \
    TF_LOAD(tf_load_first_##n##d, ct_tma_load_policy_##n##d(tile, &args.src_map, bar,              \
                                                            ct_policy_evict_first(), __VA_ARGS__)) \
    TF_LOAD(tf_load_last_##n##d, ct_tma_load_policy_##n##d(tile, &args.src_map, bar,               \
                                                           ct_policy_evict_last(), __VA_ARGS__))   \
    TF_TILE_MULTICAST(tf_multicast_1_##n##d, 1, n, __VA_ARGS__)                                    \
    TF_TILE_MULTICAST(tf_multicast_2_##n##d, 2, n, __VA_ARGS__)                                    \
    TF_TILE_MULTICAST(tf_multicast_4_##n##d, 4, n, __VA_ARGS__)                                    \
    TF_STORE(tf_store_##n##d, ct_tma_store_##n##d(&args.dst_map, tile, __VA_ARGS__))               \
    TF_STORE(                                                                                      \
        tf_store_first_##n##d,                                                                     \
        ct_tma_store_policy_##n##d(&args.dst_map, tile, ct_policy_evict_first(), __VA_ARGS__))     \
    TF_STORE(tf_add_##n##d, ct_tma_add_##n##d(&args.dst_map, tile, __VA_ARGS__))                   \
    TF_STORE(tf_min_##n##d, ct_tma_min_##n##d(&args.dst_map, tile, __VA_ARGS__))                   \
    TF_STORE(tf_max_##n##d, ct_tma_max_##n##d(&args.dst_map, tile, __VA_ARGS__))                   \
    TF_PREFETCH(tf_prefetch_##n##d, ct_tma_prefetch_##n##d(&args.src_map, __VA_ARGS__))
TF_TILES(1, args.c[0])
TF_TILES(2, args.c[0], args.c[1])
TF_TILES(3, args.c[0], args.c[1], args.c[2])
TF_TILES(4, args.c[0], args.c[1], args.c[2], args.c[3])
TF_TILES(5, args.c[0], args.c[1], args.c[2], args.c[3], args.c[4])

#endif
