/* What the GEMM kernels are told. */
#ifndef CUTLET_EXAMPLES_GEMM_MMA_SYNC_H
#define CUTLET_EXAMPLES_GEMM_MMA_SYNC_H

#include <cutlet/device/tensor.h>

/* D = alpha A B + beta C. A is (m,k), B (n,k), C and D are (m,n). C is read unless beta is 0. */
typedef struct gemm_args {
    ct_global a, b, c, d;
    float alpha, beta;
} gemm_args;

/* The shared memory of a block of mma_sync.cu: four stages of 128 rows of A and 256 of B, of 64 bytes. */
enum { GEMM_SHARED_BYTES = 4 * (128 + 256) * 64 };

#endif
