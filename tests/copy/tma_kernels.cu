/* Kernels with mbarriers, bulk copies and tile copies. args.wrong: 0 for the kernel as it should be,
 * otherwise which mistake it makes. gcc compiles this file as a part of test_tma.c, nvcc for the GPU,
 * from sm_90 on. */
#include "tma_args.h"

#include <cutlet/device/arch/warpgroup.h>

#if CT_HAS_BULK

/* Two warps and two barriers, n rounds: one fills the word of its lane, the other stores what it
 * finds there. wrong: 1 the reader does not wait, 2 the writer does not, 3 it waits for the parity
 * that comes next, 4 one lane does not arrive, 5 the last round waits once more. */
CT_KERNEL(tk_hand_over, tma_args, args)
{
    CT_SHARED(uint64_t, full, 1);
    CT_SHARED(uint64_t, empty, 1);
    CT_SHARED(uint32_t, tile, 32);
    const int lane = (int)threadIdx.x % 32, is_writer = threadIdx.x < 32;
    begin_barrier(full, 32);
    begin_barrier(empty, 32);
    for (int i = 0; i < args.n; ++i) {
        uint32_t x = (uint32_t)(100 * i + lane);
        if (is_writer) {
            if (args.wrong != 2) ct_mbarrier_wait(empty, (i & 1) ^ (args.wrong == 3 ? 0 : 1));
            ct_store_shared(tile + lane, &x, 32);
            if (args.wrong != 4 || lane != 7) ct_mbarrier_arrive(full);
        } else {
            if (args.wrong != 1) ct_mbarrier_wait(full, i & 1);
            ct_load_shared(&x, tile + (lane ^ 1), 32);
            ct_mbarrier_arrive(empty);
            ct_store_global(args.dst + 4 * (32 * i + lane), &x, 32);
        }
    }
    if (args.wrong == 5) ct_mbarrier_wait(full, args.n & 1);
}

/* The reader polls. wrong: 1 for the other parity, 2 the writer does not arrive. */
CT_KERNEL(tk_poll, tma_args, args)
{
    CT_SHARED(uint64_t, full, 1);
    CT_SHARED(uint32_t, tile, 32);
    const int lane = (int)threadIdx.x % 32;
    uint32_t x = (uint32_t)lane;
    begin_barrier(full, 1);
    if (threadIdx.x < 32) {
        while (!ct_mbarrier_try_wait(full, args.wrong == 1)) continue;
        ct_load_shared(&x, tile + lane, 32);
        ct_store_global(args.dst + 4 * lane, &x, 32);
    } else {
        ct_store_shared(tile + lane, &x, 32);
        __syncwarp();
        if (lane == 0 && args.wrong != 2) ct_mbarrier_arrive(full);
    }
}

/* wrong: 1 no init, 2 an init without a fence, 3 arrivals beyond the count, 4 no barrier after the
 * init, 5 parity 2, 6 no arrivals at all, 7 initialised twice, 8 fewer than no bytes, 9 more than
 * a cluster has. */
CT_KERNEL(tk_barrier_use, tma_args, args)
{
    CT_SHARED(uint64_t, bar, 2);
    CT_SHARED(uint64_t, many, 128);
    CT_SHARED(unsigned char, tile, 128);
    if (threadIdx.x == 0) {
        if (args.wrong != 1) ct_mbarrier_init(bar, args.wrong == 6 ? 0 : 1);
        if (args.wrong == 7) ct_mbarrier_init(bar, 1);
        for (int k = 0; args.wrong >= 9 && k < 137 - args.wrong; ++k) ct_mbarrier_init(many + k, 1);
        if (args.wrong != 2) ct_fence_mbarrier_init();
    }
    if (args.wrong != 4) __syncthreads();
    if (args.wrong == 10) ct_named_barrier_sync(1, 64);
    if (threadIdx.x == (args.wrong == 4 ? 1 : 0)) {
        ct_mbarrier_arrive_expect(bar, args.wrong == 8 ? -128 : 128);
        if (args.wrong == 3) ct_mbarrier_arrive(bar);
        ct_bulk_load(tile, args.src, 128, bar);
    }
    ct_mbarrier_wait(bar, args.wrong == 5 ? 2 : 0);
    __syncthreads();
    if (threadIdx.x == 0) { /* another barrier at the same place; the tile stays what it is */
        uint32_t x = 0;
        ct_mbarrier_invalidate(bar);
        ct_mbarrier_init(bar, 1);
        ct_load_shared(&x, tile, 32);
    }
}

/* n bytes in and out again, each thread adding 1 to its 4-byte words in between. wrong: 1 too many
 * bytes are expected, 2 too few, 3 nobody waits before the words are read, 4 only thread 0 waits, 5
 * no fence before the store, 6 the store is not waited for, 7 the words are stored to again before it
 * is, 8 a size that is not a multiple of 16, 9 an address not in shared memory, 10 past the end
 * of src, 11
 * nobody waits and nobody reads. */
CT_KERNEL(tk_bulk, tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bar, 1);
    const int t = (int)threadIdx.x, n = args.n, wrong = args.wrong;
    begin_barrier(bar, 1);
    if (t == 0) {
        ct_mbarrier_arrive_expect(bar, n + (wrong == 1 ? 16 : wrong == 2 ? -16 : 0));
        ct_bulk_load(tile + (wrong == 9 ? 8 : 0), args.src + (wrong == 10 ? 65024 : 0),
                     n - (wrong == 8 ? 4 : 0), bar);
    }
    if (wrong == 11) return;
    if (wrong != 3 && (wrong != 4 || t == 0)) ct_mbarrier_wait(bar, 0);
    for (int i = 4 * t; i < n; i += 4 * (int)blockDim.x) {
        uint32_t x = 0;
        ct_load_shared(&x, tile + i, 32);
        x += 1;
        ct_store_shared(tile + i, &x, 32);
    }
    if (wrong != 5) ct_fence_async_shared();
    __syncthreads();
    if (t == 0) {
        uint32_t x = 0;
        ct_bulk_store(args.dst, tile, n);
        ct_bulk_commit();
        if (wrong == 7) ct_store_shared(tile, &x, 32);
        if (wrong != 6) {
            ct_bulk_wait_group_read(0);
            ct_store_shared(tile, &x, 32);
        }
    }
}

/* The block's words, reduced into dst by every block. wrong: 1 dst is read as well. */
CT_KERNEL(tk_bulk_reduce, tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    uint32_t x = 0;
    ct_load_global(&x, args.src + 4 * threadIdx.x, 32);
    ct_store_shared(tile + 4 * threadIdx.x, &x, 32);
    ct_fence_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (args.op == REDUCE_ADD_U32) ct_bulk_add(args.dst, tile, args.n, CT_ELEM_U32);
        if (args.op == REDUCE_MIN_S32) ct_bulk_min(args.dst, tile, args.n, CT_ELEM_S32);
        if (args.op == REDUCE_MAX_U64) ct_bulk_max(args.dst, tile, args.n, CT_ELEM_U64);
        if (args.op == REDUCE_ADD_F16) ct_bulk_add(args.dst, tile, args.n, CT_ELEM_F16);
        if (args.op == REDUCE_ADD_BF16) ct_bulk_add(args.dst, tile, args.n, CT_ELEM_BF16);
        if (args.op == REDUCE_ADD_F32) ct_bulk_add(args.dst, tile, args.n, CT_ELEM_F32);
        if (args.op == REDUCE_ADD_F64) ct_bulk_add(args.dst, tile, args.n, CT_ELEM_F64);
        if (args.op == REDUCE_MIN_F16) ct_bulk_min(args.dst, tile, args.n, CT_ELEM_F16);
        ct_bulk_commit();
        ct_bulk_wait_group(0);
    }
    if (args.wrong) ct_load_global(&x, args.dst + 4 * threadIdx.x, 32);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* A tile of a matrix of `bytes`, as it lies in n bytes of shared memory. wrong: 1 not waited for,
 * 2 bytes is not what the map says, 3 a shared address that is not a multiple of the swizzle's
 * period,
 * 4 a coordinate too few for the map, 5 the wait is for the next parity. */
CT_KERNEL(tk_tile_raw, tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bar, 1);
    begin_barrier(bar, 1);
    if (threadIdx.x == 0) {
        ct_tma_prefetch_map(&args.src_map);
        ct_tma_prefetch_2d(&args.src_map, args.c[0], args.c[1]);
        ct_mbarrier_arrive_expect(bar, args.bytes + (args.wrong == 2 ? 128 : 0));
        if (args.wrong == 4) ct_tma_load_1d(tile, &args.src_map, bar, args.c[0]);
        ct_tma_load_2d(tile + (args.wrong == 3 ? 128 : 0), &args.src_map, bar, args.c[0],
                       args.c[1]);
    }
    if (args.wrong != 1) ct_mbarrier_wait(bar, args.wrong == 5 ? 1 : 0);
    for (int i = 16 * (int)threadIdx.x; i < args.n; i += 16 * (int)blockDim.x) {
        CT_FRAGMENT(uint32_t, x, 4);
        ct_load_shared(x, tile + i, 128);
        ct_store_global(args.dst + i, x, 128);
    }
}

/* A tile from one tensor into another, of as many dimensions as n says, op elements further on in
 * each, 8 times that in the first. wrong: 1 a thread stores into the tile in between, and no fence
 * follows. */
CT_KERNEL(tk_bulk_copy, tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bar, 1);
    begin_barrier(bar, 1);
    if (threadIdx.x == 0) {
        const ct_tma_map *src = &args.src_map, *dst = &args.dst_map;
        const int c0 = args.c[0], c1 = args.c[1], c2 = args.c[2], c3 = args.c[3], c4 = args.c[4];
        ct_mbarrier_arrive_expect(bar, args.bytes);
        if (args.n == 1) ct_tma_load_1d(tile, src, bar, c0);
        if (args.n == 2) ct_tma_load_2d(tile, src, bar, c0, c1);
        if (args.n == 3) ct_tma_load_3d(tile, src, bar, c0, c1, c2);
        if (args.n == 4) ct_tma_load_4d(tile, src, bar, c0, c1, c2, c3);
        if (args.n == 5) ct_tma_load_5d(tile, src, bar, c0, c1, c2, c3, c4);
        ct_mbarrier_wait(bar, 0);
        if (args.wrong) {
            uint32_t x = 0;
            ct_load_shared(&x, tile, 32);
            ct_store_shared(tile, &x, 32);
        }
        const int op = args.op, d0 = c0 + 8 * op;
        const int d1 = c1 + op, d2 = c2 + op, d3 = c3 + op, d4 = c4 + op;
        if (args.n == 1) ct_tma_store_1d(dst, tile, d0);
        if (args.n == 2) ct_tma_store_2d(dst, tile, d0, d1);
        if (args.n == 3) ct_tma_store_3d(dst, tile, d0, d1, d2);
        if (args.n == 4) ct_tma_store_4d(dst, tile, d0, d1, d2, d3);
        if (args.n == 5) ct_tma_store_5d(dst, tile, d0, d1, d2, d3, d4);
        ct_bulk_commit();
        ct_bulk_wait_group_read(0);
    }
}

/* The tile of block (x,y) of src, reduced into dst at c. */
CT_KERNEL(tk_tile_reduce, tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bar, 1);
    begin_barrier(bar, 1);
    if (threadIdx.x == 0) {
        ct_mbarrier_arrive_expect(bar, args.bytes);
        ct_tma_load_2d(tile, &args.src_map, bar, (int)blockIdx.x * args.n,
                       (int)blockIdx.y * args.n);
        ct_mbarrier_wait(bar, 0);
        if (args.op == REDUCE_ADD_U32) ct_tma_add_2d(&args.dst_map, tile, args.c[0], args.c[1]);
        if (args.op == REDUCE_MIN_S32) ct_tma_min_2d(&args.dst_map, tile, args.c[0], args.c[1]);
        if (args.op == REDUCE_MAX_U64) ct_tma_max_2d(&args.dst_map, tile, args.c[0], args.c[1]);
        ct_bulk_commit();
        ct_bulk_wait_group(0);
    }
}

/* One stage that is filled n times with the rows of src. wrong: 1 it is filled again before the
 * other threads read it, 2 it is filled again when they have, but they do not say so. */
CT_KERNEL(tk_refill, tma_args, args)
{
    CT_SHARED(unsigned char, tile, 256);
    CT_SHARED(uint64_t, full, 1);
    CT_SHARED(uint64_t, empty, 1);
    begin_barrier(full, 1);
    begin_barrier(empty, (int)blockDim.x);
    for (int i = 0; i < args.n; ++i) {
        uint32_t x = 0;
        if (threadIdx.x == 0) {
            if (!args.wrong) ct_mbarrier_wait(empty, (i & 1) ^ 1);
            ct_mbarrier_arrive_expect(full, 256);
            ct_bulk_load(tile, args.src + 256 * i, 256, full);
        }
        ct_mbarrier_wait(full, i & 1);
        ct_load_shared(&x, tile + 4 * threadIdx.x, 32);
        if (args.wrong == 2) x = __shfl_sync(0xffffffffu, x, (int)threadIdx.x % 32);
        ct_mbarrier_arrive(empty);
        ct_store_global(args.dst + 256 * i + 4 * threadIdx.x, &x, 32);
    }
}

/* Clusters of two blocks: each loads one of two tiles of a round into both blocks, and both store
 * both. n rounds; a block's barriers count the arrivals of both. wrong: 1 no barrier of the cluster
 * before the first copy, 2 a mask beyond the cluster, 3 a stage is filled again before the other block
 * has read it, 4 an arrival at a block that is not there, 5 one block leaves out the last barrier. */
CT_KERNEL_CLUSTER(tk_multicast, 2, 64, tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, full, 1);
    CT_SHARED(uint64_t, empty, 1);
    const int t = (int)threadIdx.x, rank = ct_cluster_rank(), wrong = args.wrong;
    unsigned char *out = args.dst + (int)blockIdx.x * args.n * 2 * args.bytes;
    begin_barrier(full, 1);
    begin_barrier(empty, 2);
    if (wrong != 1) ct_cluster_sync();
    for (int i = 0; i < args.n; ++i) {
        if (t == 0) {
            if (wrong != 3) ct_mbarrier_wait(empty, (i & 1) ^ 1);
            ct_mbarrier_arrive_expect(full, 2 * args.bytes);
            ct_tma_load_multicast_2d(tile + rank * args.bytes, &args.src_map, full,
                                     wrong == 2 ? 7 : 3, args.c[0], args.c[1] + 8 * (2 * i + rank));
        }
        ct_mbarrier_wait(full, i & 1);
        for (int at = 16 * t; at < 2 * args.bytes; at += 16 * 64) {
            CT_FRAGMENT(uint32_t, x, 4);
            ct_load_shared(x, tile + at, 128);
            ct_store_global(out + 2 * i * args.bytes + at, x, 128);
        }
        __syncthreads();
        if (t == 0) ct_mbarrier_arrive_remote(empty, 0);
        if (t == 32) ct_mbarrier_arrive_remote(empty, wrong == 4 ? 2 : 1);
    }
    if (wrong != 5 || rank == 0) ct_cluster_sync();
}

/* Clusters of four blocks: each writes 64 x 16 bytes, and reads those of all others, the next block's first.
 * wrong: 1 no barrier before the reads, 2 a block that is not there, 3 no barrier before the bytes change,
 * 4 an address that is not shared memory. */
CT_KERNEL_CLUSTER(tk_read_cluster, 4, 64, tma_args, args)
{
    CT_SHARED(uint32_t, own, 64 * 4);
    const int t = (int)threadIdx.x, rank = ct_cluster_rank(), wrong = args.wrong;
    CT_FRAGMENT(uint32_t, x, 4) = {1000u * (uint32_t)blockIdx.x + (uint32_t)t, 1, 2, 3};
    ct_store_shared(own + 4 * t, x, 128);
    if (wrong != 1) ct_cluster_sync();
    for (int i = 1; i <= 4; ++i) {
        const void *const at = wrong == 4 ? (const void *)args.src : own + 4 * (63 - t);
        CT_FRAGMENT(uint32_t, got, 4);
        ct_load_cluster(got, at, (rank + i) % 4 + (wrong == 2 ? 1 : 0));
        ct_store_global(args.dst + 16 * (64 * (4 * blockIdx.x + i - 1) + t), got, 128);
    }
    if (wrong != 3) ct_cluster_sync();
    ct_store_shared(own + 4 * t, x, 128);
    if (wrong == 3) ct_cluster_sync();
}

#endif
