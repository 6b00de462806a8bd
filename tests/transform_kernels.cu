/* Transforms between types of different sizes, of wider ones, and by other accesses than 16 bytes. */
#include "transform.h"

CT_TRANSFORM(tk_float_half, float, half, x, p, p[0] * x + p[1])
CT_TRANSFORM(tk_half_float, half, float, x, p, 2 * x)
CT_TRANSFORM(tk_uint8_float, uint8, float, x, p, p[0] * x)
CT_TRANSFORM(tk_double_int8, double, int8, x, p, x / 2)
CT_TRANSFORM(tk_int32_int64, int32, int64, x, p, (int64_t)x * 1000000007)
CT_TRANSFORM_BY(8, tk_float_half_8, float, half, x, p, x + p[2])
CT_TRANSFORM_BY(2, tk_int8_int16_2, int8, int16, x, p, -x)
CT_TRANSFORM_BY(8, tk_double_8, double, double, x, p, x * p[3])
