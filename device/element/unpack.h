/**
 * Elements of four and eight bits as halves or bfloat16s, a word at once and exactly, and floats of eight bits one by one.
 *
 * A nibble becomes the low mantissa bits of 1024 or 128, by byte permutations, and a subtraction leaves its value. An
 * e5m2 is the high byte of a half. An e4m3 is converted by the instruction of sm_89, two at once.
 *
 * Cost:     for eight nibbles 11 instructions to four pairs, and 4 additions; for four e5m2s 2 permutations to
 *           halves, for four e4m3s 2 conversions. bfloat16s of them take 3 more instructions for each pair.
 * In a kernel:
 *           CT_FRAGMENT(uint32_t, pair, 4);
 *           ct_unpack(pair, 0x7fe9d1b0, CT_TYPE_INT4, CT_TYPE_HALF); // 0, -5, 1, -3, -7, -2, -1, 7
 *           assert(ct_float_of_half(pair[0]) == 0 && ct_float_of_half(pair[0] >> 16) == -5);
 *           assert(ct_float_of_half(pair[3]) == -1 && ct_float_of_half(pair[3] >> 16) == 7);
 *           pair[0] = ct_unpack_by_fours(0x7fe9d1b0, 1, CT_TYPE_INT4, CT_TYPE_HALF); // elements 1 and 5: -5 and -2
 *           assert(ct_float_of_half(pair[0]) == -5 && ct_float_of_half(pair[0] >> 16) == -2);
 *           ct_unpack(pair, 0x7b3cbc00, CT_TYPE_E5M2, CT_TYPE_BFLOAT16);
 *           assert(ct_float_of_bfloat16(pair[0] >> 16) == -1 && ct_float_of_bfloat16(pair[1]) == 1);
 *           assert(ct_is_unpacked(CT_TYPE_E4M3, CT_TYPE_HALF) && !ct_is_unpacked(CT_TYPE_INT8, CT_TYPE_HALF));
 * Source:   NVIDIA, PTX ISA 9.0, prmt, fma and cvt. OCP 8-bit Floating Point Specification 1.0: e4m3 and e5m2.
 */
#ifndef CUTLET_DEVICE_ELEMENT_UNPACK_H
#define CUTLET_DEVICE_ELEMENT_UNPACK_H

#include <cutlet/algebra/element_type.h>

#include <cutlet/device/element/element.h>
#include <cutlet/device/element/permute.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define CT_HAS_FP8 1
#else
#define CT_HAS_FP8 0
#endif

/** @internal The value of an e4m3 (mantissa 3) or e5m2 (mantissa 2). */
CT_DEVICE float ct_float_of_fp8(uint32_t bits, const int mantissa)
{
#if CT_HAS_FP8
    uint32_t pair;
    if (mantissa == 3) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((uint16_t)bits));
    else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(pair) : "h"((uint16_t)bits));
    return ct_float_of_half(pair & 0xffff);
#else
    if (mantissa == 2) return ct_float_of_half(bits << 8);
    if ((bits & 0x7f) == 0x7f) return ct_float_of_bits(0x7fffffff);
    const float x = ct_float_of_half((bits & 0x7f) << 7) * 256; /* the bias is 7, not 15 */
    return bits & 0x80 ? -x : x;
#endif
}

/** @internal The e4m3 or e5m2 nearest to x, ties to even; the largest one beyond it. */
CT_DEVICE uint32_t ct_fp8_of_float(float x, const int mantissa)
{
#if CT_HAS_FP8
    uint16_t pair;
    if (mantissa == 3)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
    else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
    return pair & 0xff;
#else
    const float most = mantissa == 3 ? 448.0f : 57344.0f;
    const uint32_t sign = ct_bits_of_float(x) >> 24 & 0x80;
    float y = x < 0 ? -x : x;
    if (y != y) return 0x7f;
    if (y > most) y = most;
    /* scaled so that the least float is the least of the type: then its bits are rounded */
    uint32_t rest = ct_bits_of_float(y * (mantissa == 3 ? 0x1p-120f : 0x1p-112f));
    const int cut = 23 - mantissa;
    rest += (1u << (cut - 1)) - 1 + (rest >> cut & 1);
    return sign | rest >> cut;
#endif
}

/* ---- words ----------------------------------------------------------------------------------- */

/** Whether ct_unpack is of these types. */
CT_FN int ct_is_unpacked(int32_t from, int32_t to)
{
    const int narrow = from == CT_TYPE_INT4 || from == CT_TYPE_UINT4 || from == CT_TYPE_E4M3 ||
                       from == CT_TYPE_E5M2;
    return narrow && (to == CT_TYPE_HALF || to == CT_TYPE_BFLOAT16);
}

/** @internal by x - n for both elements of a pair, exact: x is in a power of two to twice it, and n is near. */
CT_DEVICE uint32_t ct_pair_minus(uint32_t x, float by, float n, const int to)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const int half = to == CT_TYPE_HALF;
    const uint32_t a = half ? ct_half_pair_of_floats(by, by) : ct_bfloat16_pair_of_floats(by, by);
    const uint32_t b = half ? ct_half_pair_of_floats(-n, -n) : ct_bfloat16_pair_of_floats(-n, -n);
    uint32_t r;
    if (half) asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(a), "r"(b));
    else asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(a), "r"(b));
    return r;
#else
    if (to == CT_TYPE_HALF)
        return ct_half_pair_of_floats(by * ct_float_of_half(x & 0xffff) - n,
                                      by * ct_float_of_half(x >> 16) - n);
    return ct_bfloat16_pair_of_floats(by * ct_float_of_bfloat16(x & 0xffff) - n,
                                      by * ct_float_of_bfloat16(x >> 16) - n);
#endif
}

/** @internal (x & mask) ^ with, by one instruction: nvcc 13.0 makes two of it. */
CT_DEVICE uint32_t ct_and_xor(uint32_t x, uint32_t mask, uint32_t with)
{
#if defined(__CUDACC__)
    uint32_t r;
    asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(r) : "r"(x), "r"(mask), "r"(with));
    return r;
#else
    return (x & mask) ^ with;
#endif
}

/** The nibbles j and j + 4 of a word of int4 or uint4, j a constant from 0 to 3, as a pair: they lie as far apart as the
 *  elements of a pair. So the four pairs of a word take 9 instructions for halves, 11 for bfloat16s. */
CT_DEVICE uint32_t ct_unpack_by_fours(const uint32_t v, const int j, const int from, const int to)
{
    const int half = to == CT_TYPE_HALF, high = half && j % 2; /* 16 n is in a half, too */
    const uint32_t own = (from == CT_TYPE_INT4 ? 0x00080008u : 0) << (high ? 4 : 0);
    const uint32_t at = v >> (half ? j / 2 * 8 : 4 * j),
                   with = own | (half ? 0x64006400u : 0x43004300u);
    const float base = half ? 1024 : 128, by = high ? 0.0625f : 1;
    const uint32_t two = ct_and_xor(at, high ? 0x00f000f0u : 0x000f000fu, with);
    return ct_pair_minus(two, by, by * base + (from == CT_TYPE_INT4 ? 8 : 0), to);
}

/** @internal The eight nibbles of a word as four pairs. */
CT_DEVICE void ct_unpack_nibbles(uint32_t *out, uint32_t v, const int is_signed, const int to)
{
    const uint32_t sign = is_signed ? 0x08080808 : 0; /* of n + 8 */
    const uint32_t even = (v & 0x0f0f0f0f) ^ sign, odd = (v >> 4 & 0x0f0f0f0f) ^ sign;
    const uint32_t high = to == CT_TYPE_HALF ? 0x64646464 : 0x43434343;
    const float base = (to == CT_TYPE_HALF ? 1024.0f : 128.0f) + (is_signed ? 8 : 0);
    CT_UNROLL for (int k = 0; k < 4; ++k)
    {
        const uint32_t four = ct_permute(even, odd, k < 2 ? 0x5140 : 0x7362);
        out[k] = ct_pair_minus(ct_permute(four, high, k % 2 ? 0x4342 : 0x4140), 1, base, to);
    }
}

/** @internal Bytes 2 k and 2 k + 1 of a word, floats of eight bits, as a pair of halves. */
CT_DEVICE uint32_t ct_unpack_bytes(uint32_t v, const int k, const int mantissa)
{
    if (mantissa == 2) return ct_permute(v, 0, k ? 0x3424 : 0x1404);
#if CT_HAS_FP8
    uint32_t pair;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((uint16_t)(v >> 16 * k)));
    return pair;
#else
    return ct_half_pair_of_floats(ct_float_of_fp8(v >> 16 * k & 0xff, 3),
                                  ct_float_of_fp8(v >> (16 * k + 8) & 0xff, 3));
#endif
}

/** The elements of a word, int4, uint4, e4m3 or e5m2 in order, as words of halves or bfloat16s: four, or two. from and
 *  to are constants CT_TYPE_... that ct_is_unpacked names. */
CT_DEVICE void ct_unpack(uint32_t *out, const uint32_t v, const int from, const int to)
{
    if (from == CT_TYPE_INT4 || from == CT_TYPE_UINT4) {
        ct_unpack_nibbles(out, v, from == CT_TYPE_INT4, to);
        return;
    }
    CT_UNROLL for (int k = 0; k < 2; ++k)
    {
        out[k] = ct_unpack_bytes(v, k, from == CT_TYPE_E4M3 ? 3 : 2);
        if (to == CT_TYPE_BFLOAT16)
            out[k] = ct_bfloat16_pair_of_floats(ct_float_of_half(out[k] & 0xffff),
                                                ct_float_of_half(out[k] >> 16));
    }
}

#endif
