// The transposes, by hand-counted accesses. Kernels of staging reg have a way for whole aligned tiles,
// with an unconditional access for every 16 bytes of a thread, and a sector-aligned one in rolled loops; those of
// staging sector have the sector-aligned way twice, once of them with nothing tested.
// arch sm_90

#include "kernels/transpose.cu"
#include "../../tools/bench/kernels/misaligned_transpose.cu"

// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0
// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0, registers <= 128
// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0, count ^ld\.global\.v4 == 16
// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0, count ^st\.global\.v4 == 16
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0, registers <= 32
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0, count ^ld\.global\.v4 == 2
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0, count ^st\.global\.v4 == 2
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0, registers <= 32
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0, count ^ld\.global\.v4 == 2
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0, count ^st\.global\.v4 == 2
// gate ct_transpose_4_64x64_512x4_reg2_padded_out0
// gate ct_transpose_4_64x64_512x4_reg2_padded_out0, registers <= 40
// gate ct_transpose_8_32x32_256x8_reg2_swizzled_out0
// gate ct_transpose_8_32x32_256x8_reg2_swizzled_out0, registers <= 32
// gate ct_transpose_8_32x32_256x8_reg2_swizzled_out0, count ^ld\.global\.v4 == 2
// gate ct_transpose_16_32x32_512x4_reg1_swizzled_out0
// gate ct_transpose_16_32x32_512x4_reg1_swizzled_out0, registers <= 48
// gate ct_transpose_1_256x240_512x2_sector16_padded_out0
// gate ct_transpose_1_256x240_512x2_sector16_padded_out0, registers <= 48
// gate ct_transpose_1_256x240_512x2_sector16_padded_out0, count ^st\.global\.v4 == 2
// gate ct_transpose_2_256x120_512x3_sector8_padded_out0
// gate ct_transpose_2_256x120_512x3_sector8_padded_out0, registers <= 40
// gate ct_transpose_4_128x124_1024x2_sector4_padded_out0
// gate ct_transpose_4_128x124_1024x2_sector4_padded_out0, registers <= 40
// gate ct_transpose_4_128x124_1024x2_sector4_padded_out0, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 5
// gate ct_transpose_8_64x62_512x4_sector2_padded_out0
// gate ct_transpose_8_64x62_512x4_sector2_padded_out0, registers <= 32
