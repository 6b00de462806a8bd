/* What the GEMM kernels by wgmma are told. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_ARGS_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_ARGS_H

#include <cutlet/device/tensor.h>
#include <cutlet/tma.h>

/* D = alpha A B + beta C. A is (m,k), B (n,k), C and D are (m,n). C is read unless beta is 0. The maps
 * of A and B have boxes of 128 rows and 64 along k, and the swizzle of 128 bytes. */
typedef struct gemm_wgmma_args {
    ct_tma_map a, b;
    ct_global c, d;
    int32_t k;
    float alpha, beta;
} gemm_wgmma_args;

/* The shared memory of a block: four stages of 128 rows of A and 256 of B, of 128 bytes. A block has
 * GEMM_WGMMA_THREADS; the grid is an even number of blocks, as many as there are multiprocessors. */
enum { GEMM_WGMMA_SHARED_BYTES = 4 * (128 + 256) * 128, GEMM_WGMMA_THREADS = 384 };

#endif
