/* The work of a block: its tiles, one after the other. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_WORK_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_WORK_H

#include <cutlet/device/arch/cluster.h>

#include "tile_order.h"
#include "wgmma_args.h"

/* The form: constants for nvcc, of the form that it is told, or the first. Kernels of the CPU grid share one text: each
 * says first which form it is. A launch on the grid has one thread of the host. */
#if defined(__CUDACC__)
#if !defined(GEMM_COLUMNS)
#define GEMM_ROWS 128
#define GEMM_COLUMNS 256
#define GEMM_CLUSTER 2
#endif
enum { ROWS = GEMM_ROWS, COLUMNS = GEMM_COLUMNS, CLUSTER = GEMM_CLUSTER };
#else
static __thread gemm_wgmma_shape form;
#define ROWS form.rows
#define COLUMNS form.columns
#define CLUSTER form.cluster
#endif

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
    if (ROWS == 64) {
        w.first = args->steps * rank / CLUSTER;
        w.end = args->steps * (rank + 1) / CLUSTER;
        return w;
    }
    w.row = row * CLUSTER + rank;
    if (args->splits > 1) {
        const uint32_t split = place % args->splits;
        w.batch = place / args->splits;
        w.first = args->steps * split / args->splits;
        w.end = args->steps * (split + 1) / args->splits;
    }
    return w;
}

#endif
