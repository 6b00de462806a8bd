/* The arguments and constants of the GEMM kernels by wgmma. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_ARGS_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_ARGS_H

#include <cutlet/device/tensor/global.h>
#include <cutlet/copy/tma.h>

#include "epilogue_args.h"

/* D = alpha A B + beta C, for each of a batch. A is (m,k,batch), B (n,k,batch), C and D are (m,n,batch).
 * C is read unless beta is 0. */
typedef struct gemm_wgmma_args {
    ct_tma_map a,
        b; /* boxes of a tile's rows, and of columns / cluster; 128 bytes along k, swizzled by 128B */
    ct_tma_map from,
        to; /* C, if beta is not 0, boxes of (64,part_columns); D, of (part_rows,part_columns); swizzled */
    ct_global c, d; /* used if splits is not 1, or a tile has 64 rows */
    ct_global sums; /* floats (m,n,batch * splits), m and n in whole tiles, if splits is not 1 */
    int32_t rows, columns, tiles; /* tiles of a cluster along m, along n, and in all */
    int32_t steps, splits; /* steps of 128 bytes along k, and the parts in which they are summed */
    int32_t is_half;       /* whether C and D are halves; otherwise bfloat16 */
    float alpha, beta;
    gemm_epilogue own;
} gemm_wgmma_args;

/* The rows and columns of a block's tile, and the blocks of a cluster. These have adjacent tiles along m and share B;
 * with 64 rows they split k of one tile. With 32 columns A and B are exchanged: the rows are those of B, along n. */
typedef struct gemm_wgmma_shape {
    int32_t rows, columns, cluster;
} gemm_wgmma_shape;

/* The forms: the shapes for which wgmma.cu is compiled. The build and the benchmark read this list too. */
// clang-format off
#define GEMM_WGMMA_FORMS(FORM)                                                                     \
    FORM(128, 256, 2) FORM(128, 128, 1) FORM(128, 64, 1) FORM(64, 64, 1) FORM(64, 64, 4)           \
    FORM(128, 192, 2) FORM(128, 160, 2) FORM(128, 96, 1) FORM(64, 32, 1) FORM(64, 32, 4)           \
    FORM(64, 8, 1) FORM(64, 8, 8)
#define GEMM_WGMMA_SHAPE(rows, columns, cluster) {rows, columns, cluster},
// clang-format on
static const gemm_wgmma_shape gemm_wgmma_shapes[] = {GEMM_WGMMA_FORMS(GEMM_WGMMA_SHAPE)};

enum {
    GEMM_WGMMA_THREADS = 384,
    GEMM_WGMMA_SHAPES = sizeof gemm_wgmma_shapes / sizeof *gemm_wgmma_shapes
};

/* The blocks that are resident on a multiprocessor. */
#define GEMM_WGMMA_RESIDENT(rows, cluster) ((rows) == 64 && (cluster) == 1 ? 2 : 1)

/* The stages of A and B, of 128 bytes along k, that fit in 192 KiB; the rest is for parts of D. With 64 rows they fit
 * in what resident blocks have, and the sums take their place; a cluster has up to 56, as its blocks share k. They are
 * even in number, because the warpgroups take them in turn. Macros, because C has no constexpr functions. */
#define GEMM_WGMMA_FIT(rows, columns, bytes) ((bytes) / (((rows) + (columns)) * 128))
#define GEMM_WGMMA_FEWER(a, b) ((a) < (b) ? (a) : (b))
#define GEMM_WGMMA_SMALL(columns, cluster)                                                         \
    GEMM_WGMMA_FIT(64, columns, 224 * 1024 / GEMM_WGMMA_RESIDENT(64, cluster))
#define GEMM_WGMMA_STAGES(rows, columns, cluster)                                                  \
    ((rows) == 128 ? GEMM_WGMMA_FIT(rows, columns, 192 * 1024)                                     \
                   : GEMM_WGMMA_FEWER(GEMM_WGMMA_SMALL(columns, cluster), 56 / (cluster)) / 2 * 2)

/* Whether the rows of a tile are those of B. */
CT_FN int gemm_wgmma_exchanges(int32_t columns) { return columns < 64; }

/* The columns of a part of D in shared memory, and the parts that each warpgroup has there: they divide those of a
 * tile, so that part j always has the same place. */
CT_FN int32_t gemm_wgmma_part_columns(int32_t columns) { return columns % 64 == 0 ? 64 : 32; }
CT_FN int32_t gemm_wgmma_parts(int32_t columns)
{
    const int32_t parts = columns / gemm_wgmma_part_columns(columns);
    return parts % 2 == 0 ? 2 : parts;
}

/* The rows of D that one TMA store has: those of a warpgroup, or of a warp. */
CT_FN int32_t gemm_wgmma_part_rows(int32_t columns) { return columns > 64 ? 64 : 16; }

/* The dynamic shared memory of a block, in bytes. */
CT_FN int32_t gemm_wgmma_shared_bytes(gemm_wgmma_shape s)
{
    const int32_t parts =
        s.rows * gemm_wgmma_parts(s.columns) * gemm_wgmma_part_columns(s.columns) * 2;
    return GEMM_WGMMA_STAGES(s.rows, s.columns, s.cluster) * (s.rows + s.columns) * 128 +
           (s.rows == 64 ? 0 : parts);
}

#endif
