/* What the GEMM kernels by wgmma are told, and what the host works out for them. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_ARGS_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_ARGS_H

#include <cutlet/device/tensor.h>
#include <cutlet/copy/tma.h>

/* D = alpha A B + beta C, for each of a batch. A is (m,k,batch), B (n,k,batch), C and D are (m,n,batch).
 * C is read unless beta is 0. */
typedef struct gemm_wgmma_args {
    ct_tma_map a, b;     /* boxes of a tile's rows, and of columns / cluster; of 128 bytes along k, so swizzled */
    ct_tma_map from, to; /* of C, where beta is not 0, boxes of (64,64), and of D, of (part_rows,64); swizzled alike */
    ct_global c, d;      /* where splits is not 1, or a tile has 64 rows */
    ct_global sums;      /* floats (m,n,batch * splits), m and n in whole tiles, where splits is not 1 */
    int32_t rows, columns, tiles; /* tiles of a cluster along m, along n, and in all */
    int32_t steps, splits;        /* of 128 bytes along k, and in how many parts these are summed */
    int32_t is_half;              /* C and D are halves, else bfloat16 */
    float alpha, beta;
} gemm_wgmma_args;

/* The shape of a tile that wgmma.cu is compiled for. */
#if !defined(GEMM_COLUMNS)
#define GEMM_ROWS 128
#define GEMM_COLUMNS 256
#define GEMM_CLUSTER 2
#endif

/* A tile of a block has so many rows and columns. The blocks of a cluster lie one below the other and share B; of
 * 64 rows they share k of one tile. */
typedef struct gemm_wgmma_shape {
    int32_t rows, columns, cluster;
} gemm_wgmma_shape;

/* The shapes that wgmma.cu is compiled for, the first one by default. */
static const gemm_wgmma_shape gemm_wgmma_shapes[] = {{128, 256, 2}, {128, 128, 1}, {128, 64, 1}, {64, 64, 1}, {64, 64, 4}};

enum { GEMM_WGMMA_THREADS = 384, GEMM_WGMMA_SHAPES = 5, GEMM_WGMMA_PART_BYTES = 64 * 128 };

/* Stages of A and B, of 128 bytes along k: as many as fit beside the parts of D or the sums, 192 or 160 KiB. A
 * macro, for C has no constants made by functions. */
#define GEMM_WGMMA_STAGES(rows, columns) (((rows) == 64 ? 160 : 192) * 1024 / (((rows) + (columns)) * 128))

/* Parts of D, of (64,64), that a warpgroup holds in shared memory. */
CT_FN int32_t gemm_wgmma_parts(int32_t columns) { return columns > 64 ? 2 : 1; }

/* Rows of D that are stored at once: of a warp, or of a warpgroup. */
CT_FN int32_t gemm_wgmma_part_rows(int32_t columns) { return columns > 64 ? 64 : 16; }

/* Rows of sums that a warpgroup hands over, in floats: those of 8 threads lie in different banks. */
enum { GEMM_WGMMA_HANDED_STEP = 64 + 8, GEMM_WGMMA_HANDED_BYTES = 64 * GEMM_WGMMA_HANDED_STEP * 4 };

/* The dynamic shared memory of a block. */
CT_FN int32_t gemm_wgmma_shared_bytes(gemm_wgmma_shape s)
{
    const int32_t parts = gemm_wgmma_parts(s.columns) * GEMM_WGMMA_PART_BYTES;
    return GEMM_WGMMA_STAGES(s.rows, s.columns) * (s.rows + s.columns) * 128 +
           2 * (s.rows == 64 ? GEMM_WGMMA_HANDED_BYTES : parts);
}

#endif
