/**
 * The arguments of the pipelined copies in pipelines.cu, for those that launch them.
 */
#ifndef CUTLET_DEVICE_KERNELS_PIPELINES_H
#define CUTLET_DEVICE_KERNELS_PIPELINES_H

#include <cutlet/copy/tma.h>

#include "../tensor.h"

/** The stages of both pipelines: dynamic shared memory has room for so many tiles. */
#define CT_PIPELINE_STAGES 4

/** What ct_pipeline_cp_async is told: row-major matrices of 2-byte elements. */
typedef struct ct_pipeline_args {
    ct_global src, dst;
} ct_pipeline_args;

/** What the pipelines of tile copies are told: row-major matrices of 2-byte elements, as maps and, of
 *  dst, as a tensor. Both maps have the box of the kernel's swizzle; that of dst has the inner extent
 *  ct_pipeline_whole(inner); where that is 0, any. */
typedef struct ct_pipeline_tma_args {
    ct_tma_map src, dst;
    ct_global out;
} ct_pipeline_tma_args;

/** The box of a kernel: 32 rows, each as long as the span of its swizzle; without one 64 elements. */
CT_FN ct_tuple ct_pipeline_box(int32_t swizzle)
{
    const int64_t span = ct_tma_span(swizzle);
    return ct_tuple2(32, span > 0 ? span / 2 : 64);
}

/** The elements of a row of `inner` that fill pieces of 16 bytes: what tile copies store. */
CT_FN int32_t ct_pipeline_whole(int32_t inner) { return inner - inner % 8; }

#endif
