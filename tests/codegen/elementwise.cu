// Element-wise kernels between types of different sizes.
// arch sm_90
#include "../../examples/bias_gelu.cu"
#include "../elementwise/elementwise_kernels.cu"

// gate ek_float_half, division
// gate ek_float_half, count ^ld\.global\.v4\.u32 >= 1
// gate ek_float_half, count ^st\.global\.v2\.u32 >= 1
// gate ek_half_float, division
// gate ek_half_float, count ^ld\.global\.v2\.u32 >= 1
// gate ek_half_float, count ^st\.global\.v4\.u32 >= 1
// gate ek_uint8_float, division
// gate ek_uint8_float, count ^ld\.global\.u32 >= 1
// gate ek_double_int8, division
// gate ek_double_int8, count ^st\.global\.u16 >= 1
// gate ek_int32_int64, division
// gate ek_float_half_8, division
// gate ek_int8_int16_2, division
// gate ek_double_8, division
// gate ek_double_8, count ^ld\.global\.v4 == 0
// gate ek_eight, division
// gate ek_eight, count ^ld\.global\.v4\.u32 >= 8
// gate ek_halves, division
// gate ek_halves, count ^ld\.global\.v4\.u32 >= 2
// gate bias_gelu, division
// gate bias_gelu, count ^ld\.global\.v4\.u32 >= 2
// gate bias_gelu, registers <= 32
