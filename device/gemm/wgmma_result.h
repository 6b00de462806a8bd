/* The results of a warpgroup: elements of D, stored through shared memory, or the sums of a part of k if k is
 * split. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_RESULT_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_RESULT_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/arch/mbarrier.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/warpgroup.h>
#include <cutlet/mma/mma_partition.h>

#include "wgmma_args.h"

enum { PART_ROWS = GEMM_COLUMNS > 64 ? 64 : 16 /* gemm_wgmma_part_rows */ };
enum {
    PARTS = GEMM_COLUMNS > 64 ? 2 : 1 /* gemm_wgmma_parts */,
    PART_BYTES = GEMM_WGMMA_PART_BYTES
};

/* A block without a cluster need not wait until the resources of a cluster are free. */
#if GEMM_CLUSTER > 1
#define GEMM_KERNEL(name)                                                                          \
    CT_KERNEL_CLUSTER(name, GEMM_CLUSTER, GEMM_WGMMA_THREADS, gemm_wgmma_args, args)
#else
#define GEMM_KERNEL(name) CT_KERNEL_THREADS(name, GEMM_WGMMA_THREADS, gemm_wgmma_args, args)
#endif

/* Rows of 64 elements of 16 bits, swizzled; rows of 128 elements of 8 bits have the same layout in bytes. */
CT_FN ct_tensor rows_of(int rows)
{
    return ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(rows, 64, 64, 1));
}

CT_FN ct_memory in_rows(void) { return ct_in_shared(rows_of(64)); }

/* The instruction for a type of A and B and `columns` columns. */
CT_FN ct_mma_atom atom_of(int32_t type, int32_t columns)
{
    ct_mma_op op = ct_mma_op_named(type == CT_MMA_F16    ? "SM90_64x256x16_F32F16F16_SS"
                                   : type == CT_MMA_BF16 ? "SM90_64x256x16_F32BF16BF16_SS"
                                                         : "SM90_64x256x32_F32E4M3E4M3_SS_TN");
    op.n = columns;
    return ct_mma_atom_of(op);
}

/* The TMA copy of tiles of `rows` rows of A, B, C or D between global and shared memory. */
CT_FN ct_partition by_map(int32_t kind, int rows)
{
    const ct_memory memory = ct_in_global(1), shared = ct_in_shared(rows_of(rows));
    const int is_load = kind == CT_ATOM_TMA_LOAD;
    return ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(kind, 16)), ct_tuple3(rows, 64, 1),
                             is_load ? memory : shared, is_load ? shared : memory);
}

/* A thread's part of 64 columns of C and D, elements of 16 bits, and of the sums, floats. */
CT_FN ct_partition part_of(ct_copy_atom atom, ct_memory from, ct_memory to)
{
    const ct_tiler tile = ct_tiler_of_shape(ct_tuple2(64, 64));
    const ct_tiled_mma mma = ct_make_tiled_mma(atom_of(CT_MMA_F16, 64), ct_layout1(1, 0), tile);
    return ct_make_partition(ct_make_tiled_copy_c(atom, mma), ct_tuple2(64, 64), from, to);
}

/* A tile (64,COLUMNS) of D that a warpgroup has computed and not yet stored. */
typedef struct gemm_held {
    uint32_t *words;       /* a thread's elements, GEMM_COLUMNS / 4 */
    unsigned char *memory; /* PARTS parts of (64,64) */
    uint64_t *bar;         /* for loads of parts of C to memory */
    int32_t parity, is_there;
    ct_index at; /* of its first part of (64,64) */
} gemm_held;

/* Initialises an mbarrier for each warpgroup before the pipeline begins; one warp calls it. (By an elected lane:
 * a branch of thread 0 delays the block by 600 ns.) */
CT_DEVICE void prepare_bars(uint64_t *bars)
{
    if (!ct_elect_one()) return;
    CT_UNROLL for (int i = 0; i < 2; ++i) ct_mbarrier_init(bars + i, 1);
    ct_fence_mbarrier_init();
}

/* Prefetches the maps; another warp calls it. */
CT_DEVICE void prefetch_maps(const gemm_wgmma_args *args)
{
    if (!ct_elect_one()) return;
    ct_tma_prefetch_map(&args->a);
    ct_tma_prefetch_map(&args->b);
    if (GEMM_ROWS == 128 && args->splits == 1) ct_tma_prefetch_map(&args->to);
    if (GEMM_ROWS == 128 && args->splits == 1 && args->beta != 0) ct_tma_prefetch_map(&args->from);
}

/* Stores the tile (64,COLUMNS) at `first` of the sums of a part of k; gemm_sum_splits adds those of all parts. */
CT_DEVICE void put_sums(const gemm_wgmma_args *args, ct_index first, const uint32_t *sum)
{
    CT_STATIC(
        ct_partition, out,
        ct_partition_unchecked(part_of(ct_copy_atom_auto(32), ct_in_registers(), ct_in_global(1))));
    CT_FRAGMENT(uint32_t, part, 32);
    CT_ROLL for (int j = 0; j < GEMM_COLUMNS / 64; ++j)
    {
        const ct_index x = ct_index3(first.at[0], first.at[1] + j, first.at[2]);
        CT_UNROLL for (int k = 0; k < GEMM_COLUMNS / 2; ++k) /* registers need constant indices */
            part[k % 32] = k < 32 || k / 32 == j ? sum[k] : part[k % 32];
        const ct_view to = ct_view_dst(&out, ct_view_tile(&args->sums, &out, x), threadIdx.x % 128);
        ct_copy(&out, ct_view_registers(part), to);
    }
}

/* sum += beta C for 64 columns, part j of the sums. TMA loads C to shared memory, ldmatrix to registers. */
CT_DEVICE void add_part(const gemm_wgmma_args *args, gemm_held *h, uint32_t group, uint32_t *sum,
                        int j)
{
    CT_STATIC(ct_partition, load, by_map(CT_ATOM_TMA_LOAD, 64));
    CT_STATIC(ct_copy_atom, atom, ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16));
    CT_STATIC(ct_partition, to_sums, part_of(atom, in_rows(), ct_in_registers()));
    CT_FRAGMENT(uint32_t, c, 16);
    CT_FRAGMENT(float, own, 32);
    const uint32_t thread = threadIdx.x % 128;
    const ct_view part = ct_view_shared(h->memory);
    const ct_index x = ct_index3(h->at.at[0], h->at.at[1] + j, h->at.at[2]);
    if (thread == 0) {
        ct_mbarrier_arrive_expect(h->bar, PART_BYTES);
        ct_copy(&load, ct_view_map(&args->from, &load, x), ct_view_arriving(part, h->bar, 0));
    }
    ct_mbarrier_wait(h->bar, h->parity);
    h->parity ^= 1;
    ct_copy(&to_sums, ct_view_src(&to_sums, part, thread), ct_view_registers(c));
    ct_named_barrier_sync(1 + group, 128);
    CT_UNROLL for (int i = 0; i < 32; ++i) own[i] =
        args->beta * (args->is_half ? ct_get_half(c, i) : ct_get_bfloat16(c, i));
    CT_UNROLL for (int k = 0; k < GEMM_COLUMNS / 2; ++k)
    { /* registers need constant indices */
        const float old = ct_get_float(sum, k), all = old + own[k % 32];
        ct_put_float(sum, k, k / 32 == j ? all : old);
    }
}

CT_DEVICE void scale_sums(const gemm_wgmma_args *args, uint32_t *sum)
{
    CT_UNROLL for (int k = 0; k < GEMM_COLUMNS / 2; ++k)
        ct_put_float(sum, k, args->alpha * ct_get_float(sum, k));
}

/* sum = alpha sum + beta C. */
CT_DEVICE void add_c(const gemm_wgmma_args *args, gemm_held *h, uint32_t group, uint32_t *sum)
{
    scale_sums(args, sum);
    if (ct_elect_one()) ct_bulk_wait_group_read(0); /* earlier stores have read h->memory */
    ct_named_barrier_sync(1 + group, 128);
    CT_ROLL for (int j = 0; j < GEMM_COLUMNS / 64; ++j) add_part(args, h, group, sum, j);
}

/* Keeps the tile alpha sum + beta C as elements of D in registers. No wgmma executes meanwhile, so the loops are
 * as short as possible. */
CT_DEVICE void hold_tile(const gemm_wgmma_args *args, gemm_held *h, uint32_t group, uint32_t *sum)
{
    if (args->beta != 0) add_c(args, h, group, sum);
    else if (args->alpha != 1) scale_sums(args, sum);
    if (args->is_half)
        CT_UNROLL for (int i = 0; i < GEMM_COLUMNS / 4; ++i) h->words[i] =
            ct_half_pair_of_floats(ct_get_float(sum, 2 * i), ct_get_float(sum, 2 * i + 1));
    else
        CT_UNROLL for (int i = 0; i < GEMM_COLUMNS / 4; ++i) h->words[i] =
            ct_bfloat16_pair_of_floats(ct_get_float(sum, 2 * i), ct_get_float(sum, 2 * i + 1));
    h->is_there = 1;
}

/* Synchronises the threads that store a part together: a warpgroup, or a warp if COLUMNS is at most 64. */
CT_DEVICE void wait_for_part(uint32_t group)
{
    if (PART_ROWS == 64) ct_named_barrier_sync(1 + group, 128);
    else __syncwarp();
}

/* Stores 64 columns of the held tile, if there is one: by stmatrix to shared memory, then by TMA. */
CT_DEVICE void put_part(const gemm_wgmma_args *args, const gemm_held *h, uint32_t group,
                        const int j)
{
    CT_STATIC(ct_copy_atom, atom, ct_copy_atom_matrix(CT_ATOM_STMATRIX, 4, 16));
    CT_STATIC(ct_partition, out, part_of(atom, ct_in_registers(), in_rows()));
    CT_STATIC(ct_partition, store, by_map(CT_ATOM_TMA_STORE, PART_ROWS));
    const uint32_t thread = threadIdx.x % 128, place = PART_ROWS == 64 ? 0 : thread / 32;
    unsigned char *const part = h->memory + j % PARTS * PART_BYTES;
    const ct_index x =
        ct_index3(64 / PART_ROWS * h->at.at[0] + place, h->at.at[1] + j, h->at.at[2]);
    const int one = (PART_ROWS != 64 || thread < 32) && ct_elect_one();
    if (!h->is_there) return;
    if (one) ct_bulk_wait_group_read(PARTS - 1); /* the earlier store of this part has read it */
    wait_for_part(group);
    ct_copy(&out, ct_view_registers(h->words + 16 * j),
            ct_view_dst(&out, ct_view_shared(part), thread));
    ct_fence_async_shared();
    wait_for_part(group);
    if (one)
        ct_copy(&store, ct_view_shared(part + place * PART_ROWS * 128),
                ct_view_map(&args->to, &store, x));
    ct_bulk_commit();
}

/* Stores the last tile of a block, and waits until TMA has read it. */
CT_DEVICE void put_rest(const gemm_wgmma_args *args, const gemm_held *h, uint32_t group)
{
    CT_UNROLL for (int j = 0; j < GEMM_COLUMNS / 64; ++j) put_part(args, h, group, j);
    ct_bulk_wait_group_read(0);
}

#endif
