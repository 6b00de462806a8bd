// The transposes, by hand-counted accesses: 16 bytes on both global sides, blocks of 16 bytes (bytes:
// of 4) in shared memory.
// arch sm_90

#include "kernels/transpose.cu"

// gate ct_transpose_1_256x256_256_reg16_swizzled_out0_plain
// gate ct_transpose_1_256x256_256_reg16_swizzled_out0_plain, registers <= 104
// gate ct_transpose_1_256x256_256_reg16_swizzled_out0_plain, count ^ld\.global\.v4 == 16
// gate ct_transpose_1_256x256_256_reg16_swizzled_out0_plain, count ^st\.global\.v4 == 16
// gate ct_transpose_2_128x128_1024_reg2_swizzled_out0_plain
// gate ct_transpose_2_128x128_1024_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_2_128x128_1024_reg2_swizzled_out0_plain, count ^ld\.global\.v4 == 2
// gate ct_transpose_2_128x128_1024_reg2_swizzled_out0_plain, count ^st\.global\.v4 == 2
// gate ct_transpose_4_64x64_256_reg4_swizzled_out0_plain
// gate ct_transpose_4_64x64_256_reg4_swizzled_out0_plain, registers <= 42
// gate ct_transpose_4_64x64_256_reg4_swizzled_out0_plain, count ^ld\.global\.v4 == 4
// gate ct_transpose_4_64x64_256_reg4_swizzled_out0_plain, count ^st\.global\.v4 == 4
// gate ct_transpose_4_64x64_256_reg4_padded_out0_plain
// gate ct_transpose_4_64x64_256_reg4_padded_out0_plain, registers <= 42
// gate ct_transpose_8_32x32_256_reg2_swizzled_out0_plain
// gate ct_transpose_8_32x32_256_reg2_swizzled_out0_plain, registers <= 32
// gate ct_transpose_8_32x32_256_reg2_swizzled_out0_plain, count ^ld\.global\.v4 == 2
// gate ct_transpose_16_32x32_256_reg1_swizzled_out0_plain
// gate ct_transpose_16_32x32_256_reg1_swizzled_out0_plain, registers <= 42
