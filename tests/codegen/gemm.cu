// The GEMM by mma.sync: every offset folded, no stack frame, and as many instructions as the tile has.
// arch sm_90

#include "../../device/gemm/mma_sync.cu"

// gate gemm_half, division
// gate gemm_half, registers <= 255
// gate gemm_half, count ^mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16 == 128
// gate gemm_half, count ^ldmatrix\.sync\.aligned\.m8n8\.x4 == 40
// gate gemm_int8, division
// gate gemm_int8, count ^mma\.sync\.aligned\.m16n8k32\.row\.col\.s32 == 128
