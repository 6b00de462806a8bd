// The pipelined copies as in pipelines.cu, for sm_80.

#include "../../tools/bench/kernels/pipelines.cu"

// arch sm_80
// gate ct_pipeline_cp_async
// gate ct_pipeline_cp_async, count cp.async.cg.shared.global >= 8
// gate ct_pipeline_cp_async, registers <= 40
