/* What the kernels of mma_sparse_kernels.cu are told. */
#ifndef CUTLET_TESTS_MMA_SPARSE_KERNELS_H
#define CUTLET_TESTS_MMA_SPARSE_KERNELS_H

#include "mma_kernels.h"

/* As mma_args, and a word of metadata of each thread. */
typedef struct mma_sparse_args {
    const uint32_t *a, *b, *c, *e;
    uint32_t *d;
    int32_t selector;
} mma_sparse_args;

#endif
