// The GEMM by wgmma: four instructions a step, all sums in registers, no fence of memory in the loop; four
// stmatrix and one TMA store for each 64 columns, after a step and after the last tile. C is added in two places:
// with an epilogue and without one.
// arch sm_90a

#include "../../device/gemm/wgmma.cu"

// gate gemm_wgmma_128x256_2_half, division
// gate gemm_wgmma_128x256_2_half, registers <= 168
// gate gemm_wgmma_128x256_2_half, count ^ldmatrix\.sync\.aligned\.m8n8\.x4 == 8
// gate gemm_wgmma_128x256_2_half, count wgmma\.mma_async\.sync\.aligned\.m64n256k16\.f32\.f16\.f16 == 4
// gate gemm_wgmma_128x256_2_half, count ^cp\.async\.bulk\.tensor\.3d\.shared == 4
// gate gemm_wgmma_128x256_2_half, count cp\.async\.bulk\.tensor\.3d\.global == 8
// gate gemm_wgmma_128x256_2_half, count ^stmatrix\.sync\.aligned\.m8n8\.x4 == 32
// gate gemm_wgmma_128x256_2_half, count ^mbarrier\.arrive\.release\.cluster == 0
// gate gemm_wgmma_128x256_2_half, count mbarrier\.arrive\.relaxed\.cluster >= 1
// gate gemm_wgmma_128x256_2_bfloat16, division
// gate gemm_wgmma_128x256_2_bfloat16, count wgmma\.mma_async\.sync\.aligned\.m64n256k16\.f32\.bf16\.bf16 == 4
// gate gemm_wgmma_128x256_2_e4m3, division
// gate gemm_wgmma_128x256_2_e4m3, count wgmma\.mma_async\.sync\.aligned\.m64n256k32\.f32\.e4m3\.e4m3 == 4
