/* What the GEMM kernels are told. */
#ifndef CUTLET_EXAMPLES_GEMM_MMA_SYNC_H
#define CUTLET_EXAMPLES_GEMM_MMA_SYNC_H

#include <cutlet/device/tensor.h>

/* D = alpha A B + beta C. A is (m,k), B (n,k), C and D are (m,n). C is read unless beta is 0. */
typedef struct gemm_args {
    ct_global a, b, c, d;
    float alpha, beta;
} gemm_args;

/* A block of mma_sync.cu: its tile, threads, and shared memory: three stages of 128 rows of A and of B,
 * of 128 bytes. */
enum { GEMM_TILE = 128, GEMM_THREADS = 128, GEMM_SHARED_BYTES = 3 * (128 + 128) * 128 };

#endif
