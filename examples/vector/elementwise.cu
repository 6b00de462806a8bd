/* Element-wise kernels: an expression of C, made a kernel that moves 16 bytes an access.
 *
 * CT_ELEMENTWISE(name, to, expression, (from, x)) is all there is to write: x is the value of an
 * element, p the four numbers that come with the arguments. Half and bfloat16 are computed as
 * float. The kernel takes any two layouts with the same coordinates, any number of elements, any
 * address. Further inputs stand after the first one: examples/bias_gelu.cu has two.
 *
 * With CT_ELEMENTWISE_BY(bytes, ...) an access has this many bytes: those called _scalar take one
 * element at a time, relu_half_2 two, as half2 does, to see what width is worth. */
#include <cutlet/device/elementwise/elementwise.h>

CT_ELEMENTWISE(scale_float, float, p[0] * x, (float, x))
CT_ELEMENTWISE(scale_half, half, p[0] * x, (half, x))
CT_ELEMENTWISE(scale_bfloat16, bfloat16, p[0] * x, (bfloat16, x))
CT_ELEMENTWISE_BY(4, scale_float_scalar, float, p[0] * x, (float, x))

/* part: relu */
/* A NaN stays a NaN: it is not less than 0. */
CT_ELEMENTWISE(relu_float, float, x < 0 ? 0 : x, (float, x))
CT_ELEMENTWISE(relu_half, half, x < 0 ? 0 : x, (half, x))
CT_ELEMENTWISE(relu_bfloat16, bfloat16, x < 0 ? 0 : x, (bfloat16, x))
CT_ELEMENTWISE_BY(4, relu_float_scalar, float, x < 0 ? 0 : x, (float, x))
CT_ELEMENTWISE_BY(2, relu_half_scalar, half, x < 0 ? 0 : x, (half, x))
CT_ELEMENTWISE_BY(4, relu_half_2, half, x < 0 ? 0 : x, (half, x))
/* end */

/* part: gelu */
/* GELU in its tanh form, x/2 (1 + tanh u) with u = sqrt(2/pi) (x + 0.044715 x^3). As
 * (1 + tanh u) / 2 = 1 / (1 + e^-2u), one exponential and one division are enough, and nothing
 * cancels where u is large and negative. What is large is the error of the exponential: a float
 * result is off by up to 9 + 9.4 |2u| parts of 2^-24, 1.5e-5 of itself at x = -6. */
CT_DEVICE float gelu(float x)
{
    const float minus_two_u = -1.5957691216f * (x + 0.044715f * x * x * x);
    return ct_divide(x, 1 + ct_exp(minus_two_u));
}

CT_ELEMENTWISE(gelu_float, float, gelu(x), (float, x))
/* end */
CT_ELEMENTWISE(gelu_half, half, gelu(x), (half, x))
CT_ELEMENTWISE(gelu_bfloat16, bfloat16, gelu(x), (bfloat16, x))
CT_ELEMENTWISE_BY(4, gelu_float_scalar, float, gelu(x), (float, x))
