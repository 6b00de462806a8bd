/* Sparse matrix instructions: the metadata of A. */
#ifndef CUTLET_SRC_GRID_RUN_SPARSE_H
#define CUTLET_SRC_GRID_RUN_SPARSE_H

#include <cutlet/mma/mma_op.h>

#include "run.h"

/* A thread's metadata, and what the instruction says of it. */
typedef struct ct_metadata {
    uint32_t word;
    int32_t selector;
    int32_t is_ordered; /* the numbers of a chunk ascend */
} ct_metadata;

/* mma.sync, of a sparse instruction with its metadata; otherwise NULL. */
void ct_grid_mma_with(ct_grid_site *site, const ct_mma_op *mma, void *d, const void *a,
                      const void *b, const void *c, const ct_metadata *metadata);

/* Fails without metadata, or if it has another selector than there are. */
void ct_grid_check_metadata(ct_thread *t, const ct_operation *op, const ct_mma_op *mma,
                            const ct_metadata *metadata);

/* Spreads the stored elements of A over its rows of k, with zeros between: element (i,j) is at
 * a[i * row + j * column]. words: of each thread of the instruction. */
void ct_grid_spread(ct_thread *t, const ct_operation *op, const ct_mma_op *mma,
                    const ct_metadata *metadata, const uint32_t *words, double *a, int row,
                    int column);

#endif
