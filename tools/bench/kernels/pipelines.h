/**
 * The arguments of the pipelined copies in pipelines.cu.
 */
#ifndef CUTLET_TOOLS_BENCH_KERNELS_PIPELINES_H
#define CUTLET_TOOLS_BENCH_KERNELS_PIPELINES_H

#include <cutlet/copy/tma.h>

#include <cutlet/device/tensor/global.h>

/** The stages of both pipelines: dynamic shared memory holds this number of tiles. */
#define CT_PIPELINE_STAGES 4

/** The arguments of ct_pipeline_cp_async: row-major matrices of 2-byte elements. */
typedef struct ct_pipeline_args {
    ct_global src, dst;
} ct_pipeline_args;

/** The arguments of the pipelines of tile copies: row-major matrices of 2-byte elements as maps,
 *  and dst as a tensor too. Both maps have the box of the kernel's swizzle. The inner extent of
 *  dst's map is ct_pipeline_whole(inner), or any extent if that is 0. */
typedef struct ct_pipeline_tma_args {
    ct_tma_map src, dst;
    ct_global out;
} ct_pipeline_tma_args;

/** The box of a kernel: 32 rows of the span of its swizzle, or of 64 elements without a swizzle. */
CT_FN ct_tuple ct_pipeline_box(int32_t swizzle)
{
    const int64_t span = ct_tma_span(swizzle);
    return ct_tuple2(32, span > 0 ? span / 2 : 64);
}

/** The elements of a row of `inner` elements that tile copies store: whole units of 16 bytes. */
CT_FN int32_t ct_pipeline_whole(int32_t inner) { return inner - inner % 8; }

#endif
