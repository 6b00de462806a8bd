/* Instructions on integers, bits and predicates. */
#include "handlers.h"

typedef __int128 int128;
typedef unsigned __int128 uint128;

/* One function for a type: operands a, b, c, the result in so many bits. */
#define OPERATION(name, suffix, type, bits, expression)                                            \
    static CT_PTX_RUN(name##_##suffix)                                                             \
    {                                                                                              \
        const type a = (type)A, b = (type)B, c = (type)C;                                          \
        (void)a, (void)b, (void)c;                                                                 \
        D = (uint64_t)(expression)&ct_ptx_mask(bits);                                              \
        return in + 1;                                                                             \
    }
/* clang-format off */
#define SIGNED(n, e) OPERATION(n, s16, int16_t, 16, e) OPERATION(n, s32, int32_t, 32, e) OPERATION(n, s64, int64_t, 64, e)
#define UNSIGNED(n, e) OPERATION(n, u16, uint16_t, 16, e) OPERATION(n, u32, uint32_t, 32, e) OPERATION(n, u64, uint64_t, 64, e)
#define OF_SIGNED(n) [PTX_S16] = n##_s16, [PTX_S32] = n##_s32, [PTX_S64] = n##_s64
#define OF_UNSIGNED(n) [PTX_U16] = n##_u16, [PTX_U32] = n##_u32, [PTX_U64] = n##_u64
#define OF_BITS(n) [PTX_B16] = n##_u16, [PTX_B32] = n##_u32, [PTX_B64] = n##_u64
#define OF_WORDS(n) [PTX_B32] = n##_u32, [PTX_B64] = n##_u64
/* The sign does not matter; it does. */
#define ANY(n, e) UNSIGNED(n, e) \
    CT_PTX_TABLE(n, OF_UNSIGNED(n), [PTX_S16] = n##_u16, [PTX_S32] = n##_u32, [PTX_S64] = n##_u64)
#define BOTH(n, e) SIGNED(n, e) UNSIGNED(n, e) CT_PTX_TABLE(n, OF_SIGNED(n), OF_UNSIGNED(n))

ANY(add, (uint64_t)a + b)
ANY(sub, (uint64_t)a - b)
ANY(mul_lo, (uint64_t)a * b)
ANY(mad_lo, (uint64_t)a * b + c)
BOTH(min, a < b ? a : b)
BOTH(max, a > b ? a : b)
SIGNED(neg, -(uint64_t)a)
CT_PTX_TABLE(neg, OF_SIGNED(neg))
SIGNED(abs, a < 0 ? -(uint64_t)a : (uint64_t)a)
CT_PTX_TABLE(abs, OF_SIGNED(abs))
/* What is undefined by the PTX ISA: a quotient by 0 has all bits set, and its remainder is the dividend. */
SIGNED(div, b == 0 ? ~0ull : b == -1 ? -(uint64_t)a : (uint64_t)(a / b))
UNSIGNED(div, b == 0 ? ~0ull : (uint64_t)(a / b))
CT_PTX_TABLE(div, OF_SIGNED(div), OF_UNSIGNED(div))
SIGNED(rem, b == 0 ? (uint64_t)a : b == -1 ? 0 : (uint64_t)(a % b))
UNSIGNED(rem, b == 0 ? a : (uint64_t)(a % b))
CT_PTX_TABLE(rem, OF_SIGNED(rem), OF_UNSIGNED(rem))

OPERATION(mul_hi, s16, int16_t, 16, ((int32_t)a * b) >> 16)
OPERATION(mul_hi, u16, uint16_t, 16, ((uint32_t)a * b) >> 16)
OPERATION(mul_hi, s32, int32_t, 32, ((int64_t)a * b) >> 32)
OPERATION(mul_hi, u32, uint32_t, 32, ((uint64_t)a * b) >> 32)
OPERATION(mul_hi, s64, int64_t, 64, ((int128)a * b) >> 64)
OPERATION(mul_hi, u64, uint64_t, 64, ((uint128)a * b) >> 64)
CT_PTX_TABLE(mul_hi, OF_SIGNED(mul_hi), OF_UNSIGNED(mul_hi))
OPERATION(mad_hi, s32, int32_t, 32, (uint64_t)(((int64_t)a * b) >> 32) + (uint64_t)c)
OPERATION(mad_hi, u32, uint32_t, 32, (((uint64_t)a * b) >> 32) + c)
OPERATION(mad_hi, s64, int64_t, 64, (uint64_t)(((int128)a * b) >> 64) + (uint64_t)c)
OPERATION(mad_hi, u64, uint64_t, 64, (uint64_t)(((uint128)a * b) >> 64) + c)
CT_PTX_TABLE(mad_hi, [PTX_S32] = mad_hi_s32, [PTX_U32] = mad_hi_u32, [PTX_S64] = mad_hi_s64, [PTX_U64] = mad_hi_u64)
#define WIDE(n, e) OPERATION(n, s16, int16_t, 32, (uint64_t)((int64_t)a * b) e) OPERATION(n, u16, uint16_t, 32, (uint64_t)a * b e) \
    OPERATION(n, s32, int32_t, 64, (uint64_t)((int64_t)a * b) e) OPERATION(n, u32, uint32_t, 64, (uint64_t)a * b e) \
    CT_PTX_TABLE(n, [PTX_S16] = n##_s16, [PTX_U16] = n##_u16, [PTX_S32] = n##_s32, [PTX_U32] = n##_u32)
WIDE(mul_wide, )
WIDE(mad_wide, + C)

/* The carry, and of a difference the borrow, between the words of long numbers. */
static const ct_ptx_ins *carried(ct_ptx_thread *x, const ct_ptx_ins *in, uint128 a, uint128 b, int is_sub)
{
    const int bits = ct_ptx_bits(in->type);
    const uint128 low = ct_ptx_mask(bits), by = (b & low) + (in->flags & FLAG_CARRY_IN ? (uint128)x->carry : 0);
    const uint128 sum = is_sub ? (a & low) - by : (a & low) + by;
    if (in->flags & FLAG_CARRY_OUT) x->carry = (int)(sum >> bits & 1);
    D = (uint64_t)(sum & low);
    return in + 1;
}
static uint128 upper_half(const ct_ptx_thread *x, const ct_ptx_ins *in)
{
    const int bits = ct_ptx_bits(in->type), above = 64 - bits;
    if (!ct_ptx_is_signed(in->type)) return (uint128)(A & ct_ptx_mask(bits)) * (B & ct_ptx_mask(bits)) >> bits;
    return (uint128)((int128)((int64_t)(A << above) >> above) * ((int64_t)(B << above) >> above) >> bits);
}
static CT_PTX_RUN(add_cc) { return carried(x, in, A, B, 0); }
static CT_PTX_RUN(sub_cc) { return carried(x, in, A, B, 1); }
static CT_PTX_RUN(mad_lo_cc) { return carried(x, in, (uint128)A * B, C, 0); }
static CT_PTX_RUN(mad_hi_cc) { return carried(x, in, upper_half(x, in), C, 0); }
#define OF_LONG(n) [PTX_U32] = n, [PTX_S32] = n, [PTX_U64] = n, [PTX_S64] = n
CT_PTX_TABLE(add_cc, OF_LONG(add_cc))
CT_PTX_TABLE(sub_cc, OF_LONG(sub_cc))
CT_PTX_TABLE(mad_lo_cc, OF_LONG(mad_lo_cc))
CT_PTX_TABLE(mad_hi_cc, OF_LONG(mad_hi_cc))

#define LOGIC(n, e, p) UNSIGNED(n, e) static CT_PTX_RUN(n##_pred) { D = (uint64_t)((p) & 1); return in + 1; } \
    CT_PTX_TABLE(n, OF_BITS(n), [PTX_PRED] = n##_pred)
LOGIC(and, a & b, A & B)
LOGIC(or, a | b, A | B)
LOGIC(xor, a ^ b, A ^ B)
LOGIC(not, ~a, ~A)

/* The distance is a number of 32 bits; from the width on everything is shifted out. */
#define SHIFTED(bits, in_range, beyond) ((uint32_t)B < bits ? (uint64_t)(in_range) : (uint64_t)(beyond))
#define SHIFT(n, suffix, type, bits, e, beyond) OPERATION(n, suffix, type, bits, SHIFTED(bits, e, beyond))
SHIFT(shl, u16, uint16_t, 16, (uint64_t)a << B, 0) SHIFT(shl, u32, uint32_t, 32, (uint64_t)a << B, 0) SHIFT(shl, u64, uint64_t, 64, a << B, 0)
CT_PTX_TABLE(shl, OF_BITS(shl))
SHIFT(shr, u16, uint16_t, 16, a >> B, 0) SHIFT(shr, u32, uint32_t, 32, a >> B, 0) SHIFT(shr, u64, uint64_t, 64, a >> B, 0)
SHIFT(shr, s16, int16_t, 16, a >> B, a >> 15) SHIFT(shr, s32, int32_t, 32, a >> B, a >> 31) SHIFT(shr, s64, int64_t, 64, a >> B, a >> 63)
CT_PTX_TABLE(shr, OF_BITS(shr), OF_UNSIGNED(shr), OF_SIGNED(shr))

/* The distance of a funnel shift: wrapped in mode 1, otherwise clamped. */
#define DISTANCE(c) (in->mode ? (c) & 31 : (c) > 32 ? 32 : (c))
OPERATION(shf_l, u32, uint32_t, 32, (((uint64_t)b << 32 | a) << DISTANCE(c)) >> 32)
CT_PTX_TABLE(shf_l, [PTX_B32] = shf_l_u32)
OPERATION(shf_r, u32, uint32_t, 32, ((uint64_t)b << 32 | a) >> DISTANCE(c))
CT_PTX_TABLE(shf_r, [PTX_B32] = shf_r_u32)

OPERATION(popc, u32, uint32_t, 32, __builtin_popcount(a))
OPERATION(popc, u64, uint64_t, 64, __builtin_popcountll(a))
CT_PTX_TABLE(popc, OF_WORDS(popc))
OPERATION(clz, u32, uint32_t, 32, a ? __builtin_clz(a) : 32)
OPERATION(clz, u64, uint64_t, 64, a ? __builtin_clzll(a) : 64)
CT_PTX_TABLE(clz, OF_WORDS(clz))
    /* clang-format on */

    /* The highest bit that is not a sign; all bits set: there is none. mode: its distance from the top. */
    static CT_PTX_RUN(bfind_any)
{
    const int bits = ct_ptx_bits(in->type),
              is_negative = ct_ptx_is_signed(in->type) && A >> (bits - 1) & 1;
    const uint64_t a = (is_negative ? ~A : A) & ct_ptx_mask(bits);
    const int at = a ? 63 - __builtin_clzll(a) : -1;
    D = (uint32_t)(a && in->mode ? bits - 1 - at : at);
    return in + 1;
}
CT_PTX_TABLE(bfind, [PTX_U32] = bfind_any, [PTX_U64] = bfind_any, [PTX_S32] = bfind_any,
             [PTX_S64] = bfind_any)

static CT_PTX_RUN(brev_any)
{
    const int bits = ct_ptx_bits(in->type);
    uint64_t d = 0;
    for (int i = 0; i < bits; ++i) d |= (A >> i & 1) << (bits - 1 - i);
    D = d;
    return in + 1;
}
CT_PTX_TABLE(brev, [PTX_B32] = brev_any, [PTX_B64] = brev_any)

/* c bits of a from bit b on; bits beyond the top are the sign, or 0. */
static CT_PTX_RUN(bfe_any)
{
    const int bits = ct_ptx_bits(in->type), pos = (int)(B & 255), length = (int)(C & 255);
    const int last = pos + length - 1 < bits - 1 ? pos + length - 1 : bits - 1;
    const uint64_t sign =
        ct_ptx_is_signed(in->type) && length && A >> (last < 0 ? 0 : last) & 1 ? ~0ull : 0;
    const uint64_t field =
        pos < bits ? A >> pos & ct_ptx_mask(length < bits - pos ? length : bits - pos) : 0;
    const int taken = pos >= bits ? 0 : length < bits - pos ? length : bits - pos;
    D = (field | (taken < 64 ? sign << taken : 0)) & ct_ptx_mask(bits);
    return in + 1;
}
CT_PTX_TABLE(
    bfe, [PTX_U32] = bfe_any, [PTX_S32] = bfe_any, [PTX_U64] = bfe_any, [PTX_S64] = bfe_any)

/* b with e bits of a in place of those from bit c on. */
static CT_PTX_RUN(bfi_any)
{
    const int pos = (int)(C & 255), length = (int)(E & 255);
    const uint64_t mask = pos < 64 ? ct_ptx_mask(length) << pos : 0;
    D = ((B & ~mask) | (pos < 64 ? A << pos & mask : 0)) & ct_ptx_mask(ct_ptx_bits(in->type));
    return in + 1;
}
CT_PTX_TABLE(bfi, [PTX_B32] = bfi_any, [PTX_B64] = bfi_any)

/* Bit i of the table is the result for bits a, b, c of i, a the highest. */
static CT_PTX_RUN(lop3_any)
{
    uint64_t d = 0;
    for (int i = 0; i < 8; ++i)
        if (E >> i & 1) d |= (i & 4 ? A : ~A) & (i & 2 ? B : ~B) & (i & 1 ? C : ~C);
    D = (uint32_t)d;
    return in + 1;
}
CT_PTX_TABLE(lop3, [PTX_B32] = lop3_any)

/* Four bytes of b:a, each by four bits of c: its number, and whether only its sign counts. */
static CT_PTX_RUN(prmt_any)
{
    const uint64_t ba = B << 32 | (uint32_t)A;
    uint64_t d = 0;
    for (int i = 0; i < 4; ++i) {
        const uint64_t select = C >> 4 * i & 15, byte = ba >> 8 * (select & 7) & 255;
        d |= (select & 8 ? byte & 128 ? 255 : 0 : byte) << 8 * i;
    }
    D = d;
    return in + 1;
}
CT_PTX_TABLE(prmt, [PTX_B32] = prmt_any)

/* The result of setp, and its complement, each combined with a third predicate: 2 and, 3 or, 4 xor. */
const ct_ptx_ins *ct_ptx_combine(ct_ptx_thread *x, const ct_ptx_ins *in, int p)
{
    const ct_ptx_operand *const second = OPERAND(0)->second;
    const int c = in->count > 1 ? ct_ptx_predicate(x, in, 3) : 0, q = !p;
    D = (uint64_t)(in->count == 2 ? p & c : in->count == 3 ? p | c : p ^ c);
    if (second)
        x->r[second->reg] = (uint64_t)(in->count == 2 ? q & c : in->count == 3 ? q | c : q ^ c);
    return in + 1;
}

#define COMPARISON(suffix, type, name, operator)                                                   \
    static CT_PTX_RUN(name##_##suffix)                                                             \
    {                                                                                              \
        const int p = (type)A operator(type) B;                                                    \
        if (in->flags & FLAG_COMBINED) return ct_ptx_combine(x, in, p);                            \
        D = (uint64_t)p;                                                                           \
        return in + 1;                                                                             \
    }
/* clang-format off */
#define COMPARISONS(s, t) \
    COMPARISON(s, t, eq, ==) COMPARISON(s, t, ne, !=) COMPARISON(s, t, lt, <) \
    COMPARISON(s, t, le, <=) COMPARISON(s, t, gt, >) COMPARISON(s, t, ge, >=) \
    static ct_ptx_run *const of_##s[] = {eq_##s, ne_##s, lt_##s, le_##s, gt_##s, ge_##s, lt_##s, le_##s, gt_##s, ge_##s};
COMPARISONS(s16, int16_t) COMPARISONS(u16, uint16_t) COMPARISONS(s32, int32_t)
COMPARISONS(u32, uint32_t) COMPARISONS(s64, int64_t) COMPARISONS(u64, uint64_t)

ct_ptx_run *ct_ptx_comparison(const ct_ptx_ins *in)
{
    static ct_ptx_run *const *const all[PTX_TYPES] = {
        [PTX_S16] = of_s16, [PTX_U16] = of_u16, [PTX_B16] = of_u16, [PTX_S32] = of_s32, [PTX_U32] = of_u32,
        [PTX_B32] = of_u32, [PTX_S64] = of_s64, [PTX_U64] = of_u64, [PTX_B64] = of_u64};
    return all[in->type][in->mode];
}
static CT_PTX_RUN(setp_any) { return ct_ptx_comparison(in)(x, in); }
#define OF_INTEGERS(f16, f32, f64) [PTX_B16] = f16, [PTX_U16] = f16, [PTX_S16] = f16, [PTX_B32] = f32, \
    [PTX_U32] = f32, [PTX_S32] = f32, [PTX_B64] = f64, [PTX_U64] = f64, [PTX_S64] = f64
#define OF_WIDTHS(n) OF_INTEGERS(n##_u16, n##_u32, n##_u64), [PTX_F16] = n##_u16, [PTX_BF16] = n##_u16, \
    [PTX_F32] = n##_u32, [PTX_F16X2] = n##_u32, [PTX_BF16X2] = n##_u32, [PTX_F64] = n##_u64
CT_PTX_TABLE(setp, OF_INTEGERS(setp_any, setp_any, setp_any))
UNSIGNED(selp, ct_ptx_predicate(x, in, 3) ? a : b)
CT_PTX_TABLE(selp, OF_WIDTHS(selp))
static CT_PTX_RUN(mov_u16) { D = (uint16_t)A; return in + 1; }
static CT_PTX_RUN(mov_u32) { D = (uint32_t)A; return in + 1; }
static CT_PTX_RUN(mov_u64) { D = A; return in + 1; }
static CT_PTX_RUN(mov_pred) { D = A != 0; return in + 1; }
CT_PTX_TABLE(mov, OF_WIDTHS(mov), [PTX_PRED] = mov_pred)
/* clang-format on */
