/**
 * Converts one element of a fragment to another type, as copy plans do: rounded once, to nearest,
 * ties to even. Conversion to int8 saturates to -128 and 127, and makes a NaN 0.
 *
 *     ct_convert(out, 3, in, 3, CT_TYPE_DOUBLE, CT_TYPE_HALF, 0, 1)
 *
 * With a scale, the value is multiplied as a double, rounded, and then converted.
 * Elements are stored in the order of their indices: the first one of a word clears the others. The
 * types are constants: one case of each switch remains.
 */
#ifndef CUTLET_DEVICE_ELEMENT_CONVERT_H
#define CUTLET_DEVICE_ELEMENT_CONVERT_H

#include <cutlet/algebra/element_type.h>

#include <cutlet/device/element/element.h>

/** @internal Element i as a float: of a half, bfloat16, int8 or float. */
CT_DEVICE float ct_convert_get_float(const uint32_t *in, int i, const int from)
{
    switch (from) {
        case CT_TYPE_HALF: return ct_get_half(in, i);
        case CT_TYPE_BFLOAT16: return ct_get_bfloat16(in, i);
        case CT_TYPE_INT8: return (float)ct_get_int8(in, i);
        default: return ct_get_float(in, i);
    }
}

/** @internal x clamped, and rounded to nearest even by adding 1.5 * 2^23, where floats have steps
 *  of 1. */
CT_DEVICE int8_t ct_convert_int8(float x)
{
    x = x == x ? x : 0.0f;
    x = x < -128.0f ? -128.0f : x;
    x = x > 127.0f ? 127.0f : x;
    return (int8_t)(uint8_t)ct_bits_of_float(x + 12582912.0f);
}

/** @internal x rounded to type `to`, as element i. */
CT_DEVICE void ct_convert_put_float(uint32_t *out, int i, float x, const int to)
{
    switch (to) {
        case CT_TYPE_HALF: ct_fill_half(out, i, x); break;
        case CT_TYPE_BFLOAT16: ct_fill_bfloat16(out, i, x); break;
        case CT_TYPE_INT8: ct_fill_int8(out, i, ct_convert_int8(x)); break;
        case CT_TYPE_DOUBLE: ct_put_double(out, i, (double)x); break;
        default: ct_put_float(out, i, x);
    }
}

/** @internal x rounded to odd: towards zero, with the last bit set if the result is not exact.
 *  Rounding it again to a shorter type gives what x itself would give. (Boldo and Melquiond,
 *  "Emulation of FMA and correctly rounded sums", 2008.) */
CT_DEVICE float ct_convert_odd_float(double x)
{
    const float near = (float)x;
    const double back = (double)near;
    uint32_t bits = ct_bits_of_float(near);
    if ((back < 0 ? -back : back) > (x < 0 ? -x : x)) --bits; /* the next one towards zero */
    if (back != x) bits |= 1;
    return ct_float_of_bits(bits);
}

/** @internal x rounded once to type `to`, as element i. */
CT_DEVICE void ct_convert_put_double(uint32_t *out, int i, double x, const int to)
{
    if (to == CT_TYPE_DOUBLE) ct_put_double(out, i, x);
    else if (to == CT_TYPE_FLOAT) ct_put_float(out, i, (float)x);
    else ct_convert_put_float(out, i, ct_convert_odd_float(x), to);
}

/**
 * Converts element i of `in`, of type `from`, to element k of `out`, of type `to`: CT_TYPE_HALF,
 * BFLOAT16, FLOAT, DOUBLE or INT8. has_scale: whether the value is multiplied by scale first.
 *
 * Fails:    never. Values out of range become infinities, or saturate in an int8.
 * Cost:     one or two cvt between floating-point types up to float. From double to a type shorter
 *           than float about ten instructions, because it rounds once. A scale adds a
 *           multiplication of doubles. No memory traffic.
 * In a kernel:
 *           CT_FRAGMENT(uint32_t, from, 2);
 *           CT_FRAGMENT(uint32_t, to, 2);
 *           ct_put_float(from, 0, -200.0f), ct_put_float(from, 1, 2.5f);
 *           ct_convert(to, 0, from, 0, CT_TYPE_FLOAT, CT_TYPE_INT8, 0, 1);
 *           ct_convert(to, 1, from, 1, CT_TYPE_FLOAT, CT_TYPE_INT8, 0, 1);
 *           assert(ct_get_int8(to, 0) == -128 && ct_get_int8(to, 1) == 2); // ties to even
 *           ct_convert(to, 0, from, 1, CT_TYPE_FLOAT, CT_TYPE_DOUBLE, 1, 0.5);
 *           assert(ct_get_double(to, 0) == 1.25);
 * Source:   NVIDIA, PTX ISA 9.0, cvt.
 */
CT_DEVICE void ct_convert(uint32_t *out, int k, const uint32_t *in, int i, const int from,
                          const int to, const int has_scale, const double scale)
{
    if (from != CT_TYPE_DOUBLE && !has_scale) {
        ct_convert_put_float(out, k, ct_convert_get_float(in, i, from), to);
        return;
    }
    const double x =
        from == CT_TYPE_DOUBLE ? ct_get_double(in, i) : (double)ct_convert_get_float(in, i, from);
    ct_convert_put_double(out, k, has_scale ? x * scale : x, to);
}

#endif
