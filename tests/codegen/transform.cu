// Transforms between types of different sizes.
// arch sm_90
#include "../transform_kernels.cu"

// gate tk_float_half, division
// gate tk_float_half, count ^ld\.global\.v4\.u32 >= 1
// gate tk_float_half, count ^st\.global\.v2\.u32 >= 1
// gate tk_half_float, division
// gate tk_half_float, count ^ld\.global\.v2\.u32 >= 1
// gate tk_half_float, count ^st\.global\.v4\.u32 >= 1
// gate tk_uint8_float, division
// gate tk_uint8_float, count ^ld\.global\.u32 >= 1
// gate tk_double_int8, division
// gate tk_double_int8, count ^st\.global\.u16 >= 1
// gate tk_int32_int64, division
// gate tk_float_half_8, division
// gate tk_int8_int16_2, division
// gate tk_double_8, division
// gate tk_double_8, count ^ld\.global\.v4 == 0
