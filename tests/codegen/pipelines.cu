// The pipelined copies: pointer increments and their atoms, no stack frame, no division.

#include "../../tools/bench/kernels/pipelines.cu"

// arch sm_90
// gate ct_pipeline_cp_async
// gate ct_pipeline_cp_async, count cp.async.cg.shared.global >= 8
// gate ct_pipeline_cp_async, registers <= 40
// gate ct_pipeline_tma
// gate ct_pipeline_tma, count cp.async.bulk.tensor.2d == 2
// gate ct_pipeline_tma, registers <= 32
// gate ct_pipeline_tma_64b
// gate ct_pipeline_tma_64b, count cp.async.bulk.tensor.2d == 2
// gate ct_pipeline_tma_64b, registers <= 32
// gate ct_pipeline_tma_32b
// gate ct_pipeline_tma_32b, count cp.async.bulk.tensor.2d == 2
// gate ct_pipeline_tma_32b, registers <= 32
// gate ct_pipeline_tma_plain
// gate ct_pipeline_tma_plain, count cp.async.bulk.tensor.2d == 2
// gate ct_pipeline_tma_plain, registers <= 32
