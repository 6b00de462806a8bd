/* The blocks of the GEMM kernel of single threads. */
#ifndef CUTLET_EXAMPLES_GEMM_SIMT_H
#define CUTLET_EXAMPLES_GEMM_SIMT_H

#include "gemm_args.h"

/* Tile, threads, and shared memory: four stages of 128 rows of A and of B, of 64 bytes each. */
enum {
    GEMM_SIMT_TILE = 128,
    GEMM_SIMT_THREADS = 256,
    GEMM_SIMT_SHARED_BYTES = 4 * (128 + 128) * 64
};

#endif
