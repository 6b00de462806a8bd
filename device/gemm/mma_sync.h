/* The blocks of the GEMM kernels by mma.sync. */
#ifndef CUTLET_EXAMPLES_GEMM_MMA_SYNC_H
#define CUTLET_EXAMPLES_GEMM_MMA_SYNC_H

#include "gemm_args.h"

/* Tile, threads, and shared memory: three stages of 128 rows of A and of B, of 128 bytes each. */
enum { GEMM_TILE = 128, GEMM_THREADS = 128, GEMM_SHARED_BYTES = 3 * (128 + 128) * 128 };

#endif
