// The GEMM by mma.sync: every offset folded, no stack frame, and as many instructions as the tile has.
// arch sm_90

#include "../../examples/gemm/mma_sync.cu"

// gate gemm_mma_sync, division
// gate gemm_mma_sync, registers <= 255
// gate gemm_mma_sync, count ^mma\.sync\.aligned\.m16n8k16\.row\.col\.f32 == 64
// gate gemm_mma_sync, count ^ldmatrix\.sync\.aligned\.m8n8\.x4 == 16
