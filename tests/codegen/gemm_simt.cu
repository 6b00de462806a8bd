// The GEMM of single threads: every offset folded, all fragments in registers.
// arch sm_90

#include "../../device/gemm/simt.cu"

// gate gemm_simt, division
// gate gemm_simt, registers <= 255
// gate gemm_simt, count ^fma\.rn\.f32 >= 1024
// gate gemm_simt, count ^ld\.shared\.v4 == 80
