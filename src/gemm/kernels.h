/**
 * The epilogue of a plan for its kernels.
 */
#ifndef CUTLET_SRC_GEMM_KERNELS_H
#define CUTLET_SRC_GEMM_KERNELS_H

#include "gemm/epilogue_args.h"
#include "plan.h"

gemm_epilogue ct_gemm_epilogue(const ct_gemm_plan *p, const ct_gemm_operands *o);

#endif
