/* Tiles of small products: every warpgroup of a cluster has summed a part of k of the same tile.
 * Each block adds these sums for some of its rows. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_SMALL_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_SMALL_H

#include "wgmma_result.h"
#include "wgmma_work.h"

/* Stores the sums of a warpgroup to shared memory, where the cluster reads them. */
CT_DEVICE void hand_sums(unsigned char *handed, uint32_t group, uint32_t *sum)
{
    CT_STATIC(ct_partition, out,
              part_of(ct_copy_atom_auto(32), ct_in_registers(),
                      ct_in_shared_plain(ct_layout2(64, 64, GEMM_WGMMA_HANDED_STEP, 1))));
    const ct_view to = ct_view_shared(handed + group * GEMM_WGMMA_HANDED_BYTES);
    ct_copy(&out, ct_view_registers(sum), ct_view_dst(&out, to, threadIdx.x % 128));
}

/* The rows of D that a block computes: a thread has OWN_ROWS rows of four adjacent columns. */
enum { BLOCK_ROWS = 64 / GEMM_CLUSTER, OWN_ROWS = BLOCK_ROWS / 16 };
CT_FN ct_partition rows_of_block(ct_memory from, ct_memory to)
{
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_auto(16), ct_layout2(16, 16, 16, 1),
                                                  ct_layout2(OWN_ROWS, 4, 4, 1));
    return ct_make_partition(copy, ct_tuple2(BLOCK_ROWS, 64), from, to);
}

/* Adds the sums of both warpgroups of all blocks of the cluster, for a thread's elements. */
CT_DEVICE void add_sums(const unsigned char *handed, uint32_t thread, float *sum)
{
    const uint32_t row = BLOCK_ROWS * ct_cluster_rank() + thread / 16 * OWN_ROWS;
    const unsigned char *const at = handed + (row * GEMM_WGMMA_HANDED_STEP + thread % 16 * 4) * 4;
    CT_UNROLL for (int i = 0; i < 2 * GEMM_CLUSTER * OWN_ROWS; ++i)
    {
        const int r = i / (2 * GEMM_CLUSTER), block = i / 2 % GEMM_CLUSTER;
        CT_FRAGMENT(uint32_t, part, 4);
        const unsigned char *const src =
            at + i % 2 * GEMM_WGMMA_HANDED_BYTES + r * GEMM_WGMMA_HANDED_STEP * 4;
        if (GEMM_CLUSTER == 1) ct_load_shared(part, src, 128);
        else ct_load_cluster(part, src, block);
        CT_UNROLL for (int j = 0; j < 4; ++j) sum[4 * r + j] += ct_get_float(part, j);
    }
}

/* Stores this block's rows of the tile alpha sum + beta C. All warps call it; those of the consumers add. */
CT_DEVICE void add_handed(const gemm_wgmma_args *args, const unsigned char *handed, gemm_work w,
                          uint32_t warp)
{
    CT_STATIC(ct_partition, load, rows_of_block(ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_partition, store, rows_of_block(ct_in_registers(), ct_in_global(1)));
    const uint32_t thread = threadIdx.x - 128;
    const ct_index at = ct_index3(w.row * GEMM_CLUSTER + ct_cluster_rank(), w.column, w.batch);
    CT_FRAGMENT(float, sum, 4 * OWN_ROWS) = {0};
    CT_FRAGMENT(uint32_t, c, 2 * OWN_ROWS) = {0};
    if (GEMM_CLUSTER > 1) ct_cluster_sync();
    else __syncthreads();
    if (warp < 4) return;
    add_sums(handed, thread, sum);
    if (args->beta != 0)
        ct_copy(&load, ct_view_src(&load, ct_view_tile(&args->c, &load, at), thread),
                ct_view_registers(c));
    CT_UNROLL for (int i = 0; i < 2 * OWN_ROWS; ++i)
    {
        float own[2];
        CT_UNROLL for (int j = 0; j < 2; ++j)
        {
            const int k = 2 * i + j;
            own[j] = args->alpha * sum[k];
            if (args->beta != 0)
                own[j] += args->beta * (args->is_half ? ct_get_half(c, k) : ct_get_bfloat16(c, k));
        }
        c[i] = args->is_half ? ct_half_pair_of_floats(own[0], own[1])
                             : ct_bfloat16_pair_of_floats(own[0], own[1]);
    }
    ct_copy(&store, ct_view_registers(c),
            ct_view_dst(&store, ct_view_tile(&args->d, &store, at), thread));
}

#endif
