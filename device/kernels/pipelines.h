/**
 * The arguments of the pipelined copies in pipelines.cu, for those that launch them.
 */
#ifndef CUTLET_DEVICE_KERNELS_PIPELINES_H
#define CUTLET_DEVICE_KERNELS_PIPELINES_H

#include <cutlet/tma.h>

/** The stages of both pipelines: dynamic shared memory has room for so many tiles. */
#define CT_PIPELINE_STAGES 4

/** What ct_pipeline_tma is told. Both maps have the same box, two-dimensional. */
typedef struct ct_pipeline_tma_args {
    ct_tma_map src, dst;
    int32_t tile_inner, tile_outer; /* the box, in elements */
    int32_t tiles_outer;            /* tiles along the outer dimension */
    int32_t bytes;                  /* of a tile: a multiple of the alignment that its swizzle needs */
} ct_pipeline_tma_args;

#endif
