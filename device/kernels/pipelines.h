/**
 * The arguments of the pipelined copies in pipelines.cu, for those that launch them.
 */
#ifndef CUTLET_DEVICE_KERNELS_PIPELINES_H
#define CUTLET_DEVICE_KERNELS_PIPELINES_H

#include <cutlet/tma.h>

#include "../tensor.h"

/** The stages of both pipelines: dynamic shared memory has room for so many tiles. */
#define CT_PIPELINE_STAGES 4

/** What ct_pipeline_cp_async is told: row-major matrices of 2-byte elements. */
typedef struct ct_pipeline_args {
    ct_global src, dst;
} ct_pipeline_args;

/** What ct_pipeline_tma is told. Both maps have the same box, two-dimensional, its rows as long as
 *  the swizzle's span. That of dst has the inner extent ct_pipeline_whole(inner); where that is 0,
 *  any. */
typedef struct ct_pipeline_tma_args {
    ct_tma_map src, dst;
    uint16_t *out;                  /* dst's first element */
    int64_t out_ld;                 /* from one row of dst to the next, in elements */
    int32_t inner, outer;           /* the matrix, in elements */
    int32_t tile_inner, tile_outer; /* the box, in elements */
    int32_t bytes;                  /* of a tile: a multiple of the alignment that its swizzle needs */
    ct_swizzle swizzle;             /* of byte offsets in a tile: ct_tma_swizzle */
} ct_pipeline_tma_args;

/** The elements of a row of `inner` that fill pieces of 16 bytes: what tile copies store. */
CT_FN int32_t ct_pipeline_whole(int32_t inner) { return inner - inner % 8; }

#endif
