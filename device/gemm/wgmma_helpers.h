/* The arguments of the kernels before and after the GEMM by wgmma. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_HELPERS_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_HELPERS_H

#include <cutlet/device/staged/staged_job.h>

/* A repack copies an operand (rows,k,batch) of any strides to one whose rows are aligned to 16 bytes, or back. Its
 * arguments are ct_staged_args. If both sides are contiguous along k they are tensors of bytes, (bytes,rows,batch).
 *
 * A block copies a tile of (64,64): the grid is (tiles along k, tiles along the rows, batch). Or it
 * copies 2048 bytes of each of its rows: the grid is (parts of a row, rows, batch). */
enum {
    GEMM_REPACK_TILE = 64,
    GEMM_REPACK_THREADS = 128,
    GEMM_REPACK_SHARED_BYTES = 8320,
    GEMM_SUM_THREADS = 256
};
enum {
    GEMM_REPACK_ROW = 16 * GEMM_REPACK_THREADS,
    GEMM_REPACK_MOST = 65535 /* blocks along the rows */
};

#endif
