// The transposes, by hand-counted accesses. Three ways stand in each kernel: the short one, with an
// unconditional access for every 16 bytes of a thread; inside a matrix at any address, with as many and
// one block more for what a skewed tile needs of the next one; at an edge, where all are conditional.
// arch sm_90

#include "kernels/transpose.cu"

// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0_plain
// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0_plain, registers <= 128
// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0_plain, count ^ld\.global\.v4 == 36
// gate ct_transpose_1_256x256_256x2_reg16_swizzled_out0_plain, count ^st\.global\.v4 == 16
// gate ct_transpose_1_256x128_256x4_reg8_swizzled_out0_plain
// gate ct_transpose_1_256x128_256x4_reg8_swizzled_out0_plain, registers <= 64
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0_plain
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0_plain, count ^ld\.global\.v4 == 6
// gate ct_transpose_2_128x128_1024x2_reg2_swizzled_out0_plain, count ^st\.global\.v4 == 2
// gate ct_transpose_2_128x128_512x4_reg2_swizzled_out0_plain
// gate ct_transpose_2_128x128_512x4_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0_plain
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0_plain, count ^ld\.global\.v4 == 6
// gate ct_transpose_4_64x64_512x4_reg2_swizzled_out0_plain, count ^st\.global\.v4 == 2
// gate ct_transpose_4_64x64_512x4_reg2_padded_out0_plain
// gate ct_transpose_4_64x64_512x4_reg2_padded_out0_plain, registers <= 40
// gate ct_transpose_4_64x64_256x8_reg2_swizzled_out0_plain
// gate ct_transpose_4_64x64_256x8_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_8_32x32_256x8_reg2_swizzled_out0_plain
// gate ct_transpose_8_32x32_256x8_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_8_32x32_256x8_reg2_swizzled_out0_plain, count ^ld\.global\.v4 == 6
// gate ct_transpose_16_32x32_256x5_reg1_swizzled_out0_plain
// gate ct_transpose_16_32x32_256x5_reg1_swizzled_out0_plain, registers <= 48
