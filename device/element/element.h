/**
 * Elements of a fragment: how a value is read from the words of a fragment, and written to them.
 *
 * Kernels read and write values of register tensors (register/values.h). For each type TYPE of half, bfloat16, float,
 * double, int8, uint8, int16, uint16, int32, uint32, int64 and uint64: CT_BYTES_TYPE is its size, CT_VALUE_TYPE the C
 * type that a kernel computes in. Internal are ct_get_TYPE(words, i) and ct_put_TYPE(words, i, value), in any order and
 * in place, with constant indices. A C compiler has all of it on the host too. No function fails.
 *
 * Cost:     No memory traffic. The bits of a number take no instruction. A conversion of a half or
 *           to a half or bfloat16 is one cvt; one of a bfloat16 is a shift. A part of a word takes
 *           a shift and a mask, or one byte permutation.
 * In a kernel:
 *           assert(ct_bits_of_float(1.0f) == 0x3f800000u && ct_float_of_bits(0x40000000u) == 2);
 *           assert(ct_bits_of_double(1.0) >> 52 == 1023 && ct_double_of_bits(1023ull << 52) == 1);
 *           assert(ct_half_of_float(65520.0f) == 0x7c00 && ct_float_of_half(1) == 0x1p-24f);
 *           assert(ct_bfloat16_of_float(1.0f) == 0x3f80 && ct_float_of_bfloat16(0xc000) == -2);
 *           assert(ct_half_pair_of_floats(1, 2) == 0x40003c00u);
 *           assert(ct_bfloat16_pair_of_floats(1, 2) == 0x40003f80u);
 * Source:   IEEE 754-2019, binary16; bfloat16 is the upper half of a binary32. NVIDIA, PTX ISA 9.0,
 *           cvt.
 */
#ifndef CUTLET_DEVICE_ELEMENT_ELEMENT_H
#define CUTLET_DEVICE_ELEMENT_ELEMENT_H

#include <string.h>

#include <cutlet/device/kernel/kernel.h>

/* ---- bits of a number ------------------------------------------------------------------------ */

/** The 32 bits of a float. */
CT_DEVICE uint32_t ct_bits_of_float(float x)
{
#if defined(__CUDACC__)
    return __float_as_uint(x);
#else
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}

/** The float of 32 bits. */
CT_DEVICE float ct_float_of_bits(uint32_t bits)
{
#if defined(__CUDACC__)
    return __uint_as_float(bits);
#else
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

/** The 64 bits of a double. */
CT_DEVICE uint64_t ct_bits_of_double(double x)
{
#if defined(__CUDACC__)
    return (uint64_t)__double_as_longlong(x);
#else
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}

/** The double of 64 bits. */
CT_DEVICE double ct_double_of_bits(uint64_t bits)
{
#if defined(__CUDACC__)
    return __longlong_as_double((long long)bits);
#else
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

/* ---- the short floating-point types ---------------------------------------------------------- */

/** The value of a half. A NaN stays a NaN, with unspecified bits. */
CT_DEVICE float ct_float_of_half(uint32_t bits)
{
#if defined(__CUDACC__)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((uint16_t)bits));
    return x;
#else
    const uint32_t sign = (bits & 0x8000) << 16, rest = bits & 0x7fff;
    if (rest >= 0x7c00) return ct_float_of_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest >= 0x400) return ct_float_of_bits(sign | ((rest << 13) + 0x38000000));
    const float tiny = (float)rest * 0x1p-24f; /* subnormal: a multiple of 2^-24 */
    return sign ? -tiny : tiny;
#endif
}

/** The half nearest to x, ties to even, in the low 16 bits; infinity from 65520 on, 0x7fff for a
 *  NaN. */
CT_DEVICE uint32_t ct_half_of_float(float x)
{
#if defined(__CUDACC__)
    uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    const uint32_t all = ct_bits_of_float(x), sign = all >> 16 & 0x8000;
    uint32_t rest = all & 0x7fffffff;
    if (rest > 0x7f800000) return 0x7fff;
    if (rest >= 0x47800000) return sign | 0x7c00; /* from 65536 on */
    if (rest < 0x38800000) { /* below 2^-14: steps of 2^-24, rounded by an add */
        const float sum = ct_float_of_bits(rest) + 0.5f;
        return sign | (ct_bits_of_float(sum) - 0x3f000000);
    }
    rest += 0xfff + (rest >> 13 & 1); /* a carry into the exponent is correct, up to infinity */
    return sign | (rest - 0x38000000) >> 13;
#endif
}

/** The value of a bfloat16, exactly. */
CT_DEVICE float ct_float_of_bfloat16(uint32_t bits) { return ct_float_of_bits(bits << 16); }

/** The bfloat16 nearest to x, ties to even, in the low 16 bits; a NaN becomes 0x7fff. */
CT_DEVICE uint32_t ct_bfloat16_of_float(float x)
{
#if defined(__CUDACC__)
    uint16_t bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    const uint32_t all = ct_bits_of_float(x);
    if ((all & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return (all + 0x7fff + (all >> 16 & 1)) >> 16;
#endif
}

/** Two bfloat16s in a word, `low` in its low 16 bits. */
CT_DEVICE uint32_t ct_bfloat16_pair_of_floats(float low, float high)
{
#if defined(__CUDACC__)
    uint32_t pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#else
    return ct_bfloat16_of_float(low) | ct_bfloat16_of_float(high) << 16;
#endif
}

/** Two halves in a word, `low` in its low 16 bits. */
CT_DEVICE uint32_t ct_half_pair_of_floats(float low, float high)
{
#if defined(__CUDACC__)
    uint32_t pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#else
    return ct_half_of_float(low) | ct_half_of_float(high) << 16;
#endif
}

/* ---- places in a fragment -------------------------------------------------------------------- */

/** @internal The bits of element i, zero-extended. bytes: of an element, 1 or 2. */
CT_DEVICE uint32_t ct_get_bits(const uint32_t *w, int i, const int bytes)
{
    const int each = 4 / bytes;
    return w[i / each] >> 8 * bytes * (i % each) & (bytes == 1 ? 0xff : 0xffff);
}

/* The types by which a part of a word is written; they may alias any type. */
typedef uint8_t __attribute__((__may_alias__)) ct_part8;
typedef uint16_t __attribute__((__may_alias__)) ct_part16;

/** @internal Writes them; the other elements of the word stay. (A mask would read the word, which
 *  may have no value yet, and nvcc would keep its other half through a loop.) */
CT_DEVICE void ct_put_bits(uint32_t *w, int i, uint32_t bits, const int bytes)
{
    if (bytes == 1) ((ct_part8 *)w)[i] = (uint8_t)bits;
    else ((ct_part16 *)w)[i] = (uint16_t)bits;
}

/** @internal The same for words that are filled in the order of their elements: element 0 of a word
 *  clears the others. (In a GEMM with halves, ct_put_bits takes one per cent more instructions.) */
CT_DEVICE void ct_fill_bits(uint32_t *w, int i, uint32_t bits, const int bytes)
{
    const int each = 4 / bytes, at = i % each;
    w[i / each] = at ? w[i / each] | bits << 8 * bytes * at : bits;
}

/** @internal The 64 bits of element i. */
CT_DEVICE uint64_t ct_get_long(const uint32_t *w, int i)
{
    return w[2 * i] | (uint64_t)w[2 * i + 1] << 32;
}

/** @internal Writes the 64 bits of element i. */
CT_DEVICE void ct_put_long(uint32_t *w, int i, uint64_t bits)
{
    w[2 * i] = (uint32_t)bits;
    w[2 * i + 1] = (uint32_t)(bits >> 32);
}

/* ---- the types ------------------------------------------------------------------------------- */

/* ct_fill_TYPE, internal, is ct_put_TYPE for the elements of a word in their order. */
#define CT_ELEMENT(name, value, get, put)                                                          \
    CT_DEVICE value ct_get_##name(const uint32_t *w, int i) { return (value)(get); }               \
    CT_DEVICE void ct_put_##name(uint32_t *w, int i, value x) { put; }
#define CT_SHORT_ELEMENT(name, value, get, bits, bytes)                                            \
    CT_ELEMENT(name, value, get, ct_put_bits(w, i, bits, bytes))                                   \
    CT_DEVICE void ct_fill_##name(uint32_t *w, int i, value x) { ct_fill_bits(w, i, bits, bytes); }
#define CT_LONG_ELEMENT(name, value, get, put)                                                     \
    CT_ELEMENT(name, value, get, put)                                                              \
    CT_DEVICE void ct_fill_##name(uint32_t *w, int i, value x) { put; }

CT_SHORT_ELEMENT(half, float, ct_float_of_half(ct_get_bits(w, i, 2)), ct_half_of_float(x), 2)
CT_SHORT_ELEMENT(bfloat16, float, ct_float_of_bfloat16(ct_get_bits(w, i, 2)),
                 ct_bfloat16_of_float(x), 2)
CT_SHORT_ELEMENT(int8, int8_t, ct_get_bits(w, i, 1), (uint8_t)x, 1)
CT_SHORT_ELEMENT(uint8, uint8_t, ct_get_bits(w, i, 1), x, 1)
CT_SHORT_ELEMENT(int16, int16_t, ct_get_bits(w, i, 2), (uint16_t)x, 2)
CT_SHORT_ELEMENT(uint16, uint16_t, ct_get_bits(w, i, 2), x, 2)
CT_LONG_ELEMENT(float, float, ct_float_of_bits(w[i]), w[i] = ct_bits_of_float(x))
CT_LONG_ELEMENT(double, double, ct_double_of_bits(ct_get_long(w, i)),
                ct_put_long(w, i, ct_bits_of_double(x)))
CT_LONG_ELEMENT(int32, int32_t, w[i], w[i] = (uint32_t)x)
CT_LONG_ELEMENT(uint32, uint32_t, w[i], w[i] = x)
CT_LONG_ELEMENT(int64, int64_t, ct_get_long(w, i), ct_put_long(w, i, (uint64_t)x))
CT_LONG_ELEMENT(uint64, uint64_t, ct_get_long(w, i), ct_put_long(w, i, x))

/** A function that reads element i as a float: ct_get_float, ct_get_half, ct_get_bfloat16. */
typedef float (*ct_get_function)(const uint32_t *w, int i);

#define CT_VALUE_half float
#define CT_VALUE_bfloat16 float
#define CT_VALUE_float float
#define CT_VALUE_double double
#define CT_VALUE_int8 int8_t
#define CT_VALUE_uint8 uint8_t
#define CT_VALUE_int16 int16_t
#define CT_VALUE_uint16 uint16_t
#define CT_VALUE_int32 int32_t
#define CT_VALUE_uint32 uint32_t
#define CT_VALUE_int64 int64_t
#define CT_VALUE_uint64 uint64_t

#define CT_BYTES_half 2
#define CT_BYTES_bfloat16 2
#define CT_BYTES_float 4
#define CT_BYTES_double 8
#define CT_BYTES_int8 1
#define CT_BYTES_uint8 1
#define CT_BYTES_int16 2
#define CT_BYTES_uint16 2
#define CT_BYTES_int32 4
#define CT_BYTES_uint32 4
#define CT_BYTES_int64 8
#define CT_BYTES_uint64 8

#endif
