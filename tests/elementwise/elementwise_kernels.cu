/* Element-wise kernels between types of different sizes, of wider ones, by other accesses than 16
 * bytes, and of no input to eight. */
#include <cutlet/device/elementwise/elementwise.h>

CT_ELEMENTWISE(ek_float_half, half, p[0] * x + p[1], (float, x))
CT_ELEMENTWISE(ek_half_float, float, 2 * x, (half, x))
CT_ELEMENTWISE(ek_uint8_float, float, p[0] * x, (uint8, x))
CT_ELEMENTWISE(ek_double_int8, int8, x / 2, (double, x))
CT_ELEMENTWISE(ek_int32_int64, int64, (int64_t)x * 1000000007, (int32, x))
CT_ELEMENTWISE_BY(8, ek_float_half_8, half, x + p[2], (float, x))
CT_ELEMENTWISE_BY(2, ek_int8_int16_2, int16, -x, (int8, x))
CT_ELEMENTWISE_BY(8, ek_double_8, double, x *p[3], (double, x))

/* Random operands: every element's number comes from its place, so that sums tell them apart. */
CT_ELEMENTWISE(ek_fill, uint32, 7)
CT_ELEMENTWISE(ek_copy, uint32, a, (uint32, a))
CT_ELEMENTWISE_BY(4, ek_copy_4, uint32, a, (uint32, a))
CT_ELEMENTWISE(ek_bytes, uint8, a + b, (uint8, a), (uint8, b))
CT_ELEMENTWISE_BY(1, ek_bytes_1, uint8, a + b, (uint8, a), (uint8, b))
CT_ELEMENTWISE_BY(32, ek_bytes_32, uint8, a + b, (uint8, a), (uint8, b))
CT_ELEMENTWISE(ek_mixed, int64, a + 3 * (int64_t)b + 5 * (int64_t)c, (int64, a), (int8, b),
               (uint16, c))
CT_ELEMENTWISE_BY(8, ek_mixed_8, uint16, a + 3 * b + 5 * c, (int64, a), (uint8, b), (uint16, c))
CT_ELEMENTWISE(ek_halves, half, x *m + b, (half, x), (float, m), (half, b))
CT_ELEMENTWISE(ek_eight, uint32, a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h,
               (uint32, a), (uint32, b), (uint32, c), (uint32, d), (uint32, e), (uint32, f),
               (uint32, g), (uint32, h))
