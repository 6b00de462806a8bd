// The GEMM by wgmma: four instructions a step, all sums in registers, no fence of memory in the loop.
// arch sm_90a

#include "../../examples/gemm/wgmma.cu"

// gate gemm_wgmma_half, division
// gate gemm_wgmma_half, registers <= 168
// gate gemm_wgmma_half, count wgmma\.mma_async\.sync\.aligned\.m64n256k16\.f32\.f16\.f16 == 4
// gate gemm_wgmma_half, count ^cp\.async\.bulk\.tensor\.2d == 2
// gate gemm_wgmma_half, count ^mbarrier\.arrive\.release\.cluster == 0
// gate gemm_wgmma_half, count mbarrier\.arrive\.relaxed\.cluster >= 1
// gate gemm_wgmma_bfloat16, division
// gate gemm_wgmma_bfloat16, count wgmma\.mma_async\.sync\.aligned\.m64n256k16\.f32\.bf16\.bf16 == 4
