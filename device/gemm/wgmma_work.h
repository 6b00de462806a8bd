/* The work of a block: its tiles, one after the other. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_WORK_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_WORK_H

#include <cutlet/device/arch/cluster.h>

#include "tile_order.h"
#include "wgmma_args.h"

/* A tile of this block, its batch index in D or the sums (place), and its steps along k. */
typedef struct gemm_work {
    int32_t row, column, batch, place, first, end;
} gemm_work;

/* Tile i of the cluster; after the last tile the result is not used. */
CT_DEVICE gemm_work work_of(const gemm_wgmma_args *args, uint32_t i)
{
    const uint32_t tiles = args->rows * args->columns;
    const uint32_t place = i < tiles ? 0 : i / tiles; /* the branch is faster than a division */
    const ct_index at = tile_of(args->rows, args->columns, i - place * tiles);
    const int32_t rank = ct_cluster_rank(), row = (int32_t)at.at[0];
    gemm_work w = {row, (int32_t)at.at[1], (int32_t)place, (int32_t)place, 0, args->steps};
    if (GEMM_ROWS == 64) {
        w.first = args->steps * rank / GEMM_CLUSTER;
        w.end = args->steps * (rank + 1) / GEMM_CLUSTER;
        return w;
    }
    w.row = row * GEMM_CLUSTER + rank;
    if (args->splits > 1) {
        const uint32_t split = place % args->splits;
        w.batch = place / args->splits;
        w.first = args->steps * split / args->splits;
        w.end = args->steps * (split + 1) / args->splits;
    }
    return w;
}

#endif
