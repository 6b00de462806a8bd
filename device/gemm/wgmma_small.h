/* Tiles of small products: every warpgroup of a cluster has summed a part of k of the same tile.
 * Each block adds these sums for some of its rows. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_SMALL_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_SMALL_H

#include "wgmma_result.h"

/* Stores the sums of a warpgroup to shared memory, where the cluster reads them. They overwrite the stages, which both
 * warpgroups have read. */
CT_DEVICE_OF(gemm_plan)
void hand_sums(const gemm_plan *p, void *memory, int32_t group, const ct_registers sum)
{
    const ct_view to = ct_stage_of(&p->sums, memory, group);
    ct_named_barrier_sync(1, 128 * GROUPS);
    ct_copy(CT_OF(p, hand), ct_view_registers(sum.words),
            ct_view_dst(&p->hand, to, ct_warpgroup_thread()));
}

/* Adds the sums of both warpgroups of all blocks of the cluster, for a thread's elements. */
CT_DEVICE_OF(gemm_plan)
void add_sums(const gemm_plan *p, const void *memory, uint32_t thread, const ct_registers sum)
{
    CT_REGISTERS_OF(float, part, p, own);
    ct_clear(sum);
    CT_UNROLL for (int i = 0; i < GROUPS * CLUSTER; ++i)
    {
        const ct_view of_group = ct_stage_of(&p->sums, memory, i % GROUPS);
        const ct_view tile = ct_view_inside(&p->take, of_group, ct_index2(ct_cluster_rank(), 0));
        const ct_view from = ct_view_src(&p->take, tile, thread);
        if (CLUSTER == 1) ct_copy(CT_OF(p, take), from, part);
        else ct_copy_from_block(&p->take, part, from, i / GROUPS);
        CT_EACH(k, part) ct_put(sum, k, ct_val(sum, k) + ct_val(part, k));
    }
}

/* Stores this block's rows of the tile, finished. All warps call it; those of the consumers add. */
CT_DEVICE_OF(gemm_plan)
void add_handed(const gemm_plan *p, const gemm_wgmma_args *args, const void *memory, gemm_work w,
                int32_t warp, uint32_t thread)
{
    const ct_index at = ct_index3(w.row * CLUSTER + ct_cluster_rank(), w.column, w.batch);
    CT_REGISTERS_OF(float, sum, p, own);
    CT_REGISTERS_OF(half, c, p, own);
    if (CLUSTER > 1) ct_cluster_sync();
    else __syncthreads();
    if (warp < 4 || thread >= ADD_THREADS) return;
    /* columns that D does not have */
    if (EXCHANGED &&
        thread / ADD_ROWS * (COLUMNS / ADD_COLUMNS) + w.column * COLUMNS >= args->d.extent[1])
        return;
    add_sums(p, memory, thread, sum);
    ct_clear(c);
    if (args->beta != 0)
        ct_copy(CT_OF(p, c_in), ct_view_src(&p->c_in, ct_view_tile(&args->c, &p->c_in, at), thread),
                c);
    const ct_registers x = ct_make_registers(sum.as, sum.type, sum.words, thread);
    const ct_index first = ct_index2(BLOCK_ROWS * at.at[0], COLUMNS * at.at[1]);
    if (args->own.is_on) scale_sums(p, &args->own, x, first);
    CT_EACH(i, sum)
    {
        const float own = args->beta != 0 ? args->beta * value_of(args, c, i) : 0;
        ct_put(sum, i, args->alpha * ct_val(sum, i) + own);
    }
    gemm_epilogue own = args->own;
    CT_IF (EXCHANGED) {
        if (own.bias) add_bias_of_rows(p, &own, x, first);
        own.bias = NULL;
    }
    if (own.is_on) activate_sums(p, &own, x, first, 1);
    round_sums(args, c, sum);
    ct_copy(CT_OF(p, d_out), c,
            ct_view_dst(&p->d_out, ct_view_tile(&args->d, &p->d_out, at), thread));
}

#endif
