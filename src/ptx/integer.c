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
#define BOTH(n, e) SIGNED(n, e) UNSIGNED(n, e)

UNSIGNED(add, (uint64_t)a + b)
UNSIGNED(sub, (uint64_t)a - b)
UNSIGNED(mul_lo, (uint64_t)a * b)
UNSIGNED(mad_lo, (uint64_t)a * b + c)
BOTH(min, a < b ? a : b)
BOTH(max, a > b ? a : b)
SIGNED(neg, -(uint64_t)a)
SIGNED(abs, a < 0 ? -(uint64_t)a : (uint64_t)a)
/* What is undefined by the PTX ISA: a quotient by 0 has all bits set, and its remainder is the dividend. */
SIGNED(div, b == 0 ? ~0ull : b == -1 ? -(uint64_t)a : (uint64_t)(a / b))
UNSIGNED(div, b == 0 ? ~0ull : (uint64_t)(a / b))
SIGNED(rem, b == 0 ? (uint64_t)a : b == -1 ? 0 : (uint64_t)(a % b))
UNSIGNED(rem, b == 0 ? a : (uint64_t)(a % b))

/* The upper half of a product, and all of it. */
#define UPPER(wide) (uint64_t)((wide)a * b >> 8 * sizeof a)
SIGNED(mul_hi, UPPER(int128))
UNSIGNED(mul_hi, UPPER(uint128))
SIGNED(mad_hi, UPPER(int128) + (uint64_t)c)
UNSIGNED(mad_hi, UPPER(uint128) + c)
#define WIDE(n, e) OPERATION(n, s16, int16_t, 32, (uint64_t)((int64_t)a * b) e) OPERATION(n, u16, uint16_t, 32, (uint64_t)a * b e) \
    OPERATION(n, s32, int32_t, 64, (uint64_t)((int64_t)a * b) e) OPERATION(n, u32, uint32_t, 64, (uint64_t)a * b e)
WIDE(mul_wide, )
WIDE(mad_wide, + C)
UNSIGNED(and, a & b)
UNSIGNED(or, a | b)
UNSIGNED(xor, a ^ b)
UNSIGNED(not, ~a)

/* The distance is a number of 32 bits; from the width on everything is shifted out. */
#define SHIFTED(in_range, beyond) ((uint32_t)B < 8 * sizeof a ? (uint64_t)(in_range) : (uint64_t)(beyond))
UNSIGNED(shl, SHIFTED((uint64_t)a << B, 0))
UNSIGNED(shr, SHIFTED(a >> B, 0))
SIGNED(shr, SHIFTED(a >> B, a < 0 ? -1 : 0))

/* The distance of a funnel shift: wrapped in mode 1, otherwise clamped. */
#define DISTANCE(c) (in->mode ? (c) & 31 : (c) > 32 ? 32 : (c))
OPERATION(shf_l, u32, uint32_t, 32, (((uint64_t)b << 32 | a) << DISTANCE(c)) >> 32)
OPERATION(shf_r, u32, uint32_t, 32, ((uint64_t)b << 32 | a) >> DISTANCE(c))
UNSIGNED(selp, ct_ptx_predicate(x, in, 3) ? a : b)
UNSIGNED(mov, a)
BOTH(setp, ct_ptx_related(x, in, a < b ? 1 : a == b ? 2 : 4))
/* clang-format on */

CT_PTX_DO(mov_pred) { D = A != 0; }
CT_PTX_DO(and_pred) { D = A & B & 1; }
CT_PTX_DO(or_pred) { D = (A | B) & 1; }
CT_PTX_DO(xor_pred) { D = (A ^ B) & 1; }
CT_PTX_DO(not_pred) { D = ~A & 1; }
CT_PTX_DO(popc) { D = (uint64_t)__builtin_popcountll(A & ct_ptx_mask(ct_ptx_bits(in->type))); }
CT_PTX_DO(clz)
{
    const uint64_t a = A & ct_ptx_mask(ct_ptx_bits(in->type));
    D = (uint64_t)(a ? __builtin_clzll(a) - 64 + ct_ptx_bits(in->type) : ct_ptx_bits(in->type));
}

/* The carry, and of a difference the borrow, between the words of long numbers. */
static void carry(ct_ptx_thread *x, const ct_ptx_ins *in, uint128 a, uint128 b, int is_sub)
{
    const int bits = ct_ptx_bits(in->type);
    const uint128 low = ct_ptx_mask(bits),
                  by = (b & low) + (in->flags & FLAG_CARRY_IN ? (uint128)x->carry : 0);
    const uint128 sum = is_sub ? (a & low) - by : (a & low) + by;
    if (in->flags & FLAG_CARRY_OUT) x->carry = (int)(sum >> bits & 1);
    D = (uint64_t)(sum & low);
}
static uint128 upper_half(const ct_ptx_thread *x, const ct_ptx_ins *in)
{
    const uint64_t a = ct_ptx_extended(A, in->type), b = ct_ptx_extended(B, in->type);
    return (ct_ptx_is_signed(in->type) ? (uint128)((int128)(int64_t)a * (int64_t)b)
                                       : (uint128)a * b) >>
           ct_ptx_bits(in->type);
}
CT_PTX_DO(add_cc) { carry(x, in, A, B, 0); }
CT_PTX_DO(sub_cc) { carry(x, in, A, B, 1); }
CT_PTX_DO(mad_lo_cc) { carry(x, in, (uint128)A * B, C, 0); }
CT_PTX_DO(mad_hi_cc) { carry(x, in, upper_half(x, in), C, 0); }

/* The number of the highest bit that differs from the sign, or all bits set. mode: its distance from the top. */
CT_PTX_DO(bfind)
{
    const int bits = ct_ptx_bits(in->type),
              is_negative = ct_ptx_is_signed(in->type) && A >> (bits - 1) & 1;
    const uint64_t a = (is_negative ? ~A : A) & ct_ptx_mask(bits);
    const int at = a ? 63 - __builtin_clzll(a) : -1;
    D = (uint32_t)(a && in->mode ? bits - 1 - at : at);
}

CT_PTX_DO(brev)
{
    const int bits = ct_ptx_bits(in->type);
    uint64_t d = 0;
    for (int i = 0; i < bits; ++i) d |= (A >> i & 1) << (bits - 1 - i);
    D = d;
}

/* c bits of a from bit b on; bits beyond the top are the sign, or 0. */
CT_PTX_DO(bfe)
{
    const int bits = ct_ptx_bits(in->type), pos = (int)(B & 255), length = (int)(C & 255);
    const int last = pos + length < bits ? pos + length - 1 : bits - 1;
    const int taken = pos >= bits ? 0 : length < bits - pos ? length : bits - pos;
    const uint64_t mask = ct_ptx_mask(taken), field = taken ? A >> pos & mask : 0;
    const int has_sign = ct_ptx_is_signed(in->type) && length && A >> (last < 0 ? 0 : last) & 1;
    D = (has_sign ? field | ~mask : field) & ct_ptx_mask(bits);
}

/* b with e bits of a in place of those from bit c on. */
CT_PTX_DO(bfi)
{
    const int pos = (int)(C & 255), length = (int)(E & 255);
    const uint64_t mask = pos < 64 ? ct_ptx_mask(length) << pos : 0;
    D = ((B & ~mask) | (pos < 64 ? A << pos & mask : 0)) & ct_ptx_mask(ct_ptx_bits(in->type));
}

/* Bit i of the table is the result for bits a, b, c of i, a the highest. */
CT_PTX_DO(lop3)
{
    uint64_t d = 0;
    for (int i = 0; i < 8; ++i)
        if (E >> i & 1) d |= (i & 4 ? A : ~A) & (i & 2 ? B : ~B) & (i & 1 ? C : ~C);
    D = (uint32_t)d;
}

/* Four bytes of b:a, each by four bits of c: its number, and whether only its sign counts. */
CT_PTX_DO(prmt)
{
    const uint64_t ba = B << 32 | (uint32_t)A;
    uint64_t d = 0;
    for (int i = 0; i < 4; ++i) {
        const uint64_t select = C >> 4 * i & 15, byte = ba >> 8 * (select & 7) & 255;
        d |= (select & 8 ? byte & 128 ? 255 : 0 : byte) << 8 * i;
    }
    D = d;
}

/* One predicate with a third one, or its complement with it: 2 and, 3 or, 4 xor. */
static uint64_t combined(int how, int p, int c)
{
    return (uint64_t)(how == 2 ? p & c : how == 3 ? p | c : p ^ c);
}
uint64_t ct_ptx_related(ct_ptx_thread *x, const ct_ptx_ins *in, int relation)
{
    const int p = (in->offset & relation) != 0;
    if (!(in->flags & FLAG_COMBINED)) return (uint64_t)p;
    const ct_ptx_operand *const second = OPERAND(0)->second;
    const int c = in->count > 1 ? ct_ptx_predicate(x, in, 3) : 0;
    if (second) x->r[second->reg] = combined(in->count, !p, c);
    return combined(in->count, p, c);
}

/* setp.lt.and: `count` is what combines it with a third predicate, or 1; `offset` the relations for which it
 * is true, in the order of the modes. */
void ct_ptx_compare(ct_ptx_parser *p, ct_ptx_ins *in)
{
    static const unsigned char all[] = {2, 5, 1, 3, 4, 6, 10, 13, 9, 11, 12, 14, 7, 8};
    if ((in->count > 1) != (in->more->count == 4))
        ct_ptx_refuse_ins(p, in, "a third predicate is combined by and, or, xor");
    if (in->count > 1 || in->more->operands[0].second) in->flags |= FLAG_COMBINED;
    in->offset = all[in->mode];
}

/* add.cc writes the carry, addc reads it, addc.cc does both. */
static void carried(ct_ptx_parser *p, ct_ptx_ins *in)
{
    (void)p;
    if (in->more->text[3] == 'c') in->flags |= FLAG_CARRY_IN;
    if (strstr(in->more->text, ".cc")) in->flags |= FLAG_CARRY_OUT;
}
/* mov.b32 d, {a, b}: the first element is the lowest. */
CT_PTX_DO(pack)
{
    const ct_ptx_operand *const o = OPERAND(1);
    const int bits = ct_ptx_bits(in->type) / o->count;
    uint64_t d = 0;
    for (int i = 0; i < o->count; ++i) d |= (x->r[o->list[i].reg] & ct_ptx_mask(bits)) << i * bits;
    D = d;
}
CT_PTX_DO(unpack)
{
    const ct_ptx_operand *const o = OPERAND(0);
    const int bits = ct_ptx_bits(in->type) / o->count;
    const uint64_t a = A;
    for (int i = 0; i < o->count; ++i) x->r[o->list[i].reg] = a >> i * bits & ct_ptx_mask(bits);
}

/* mov packs a vector into a register, and the other way. */
static void move(ct_ptx_parser *p, ct_ptx_ins *in)
{
    const ct_ptx_operand *const to = &in->more->operands[0], *const from = &in->more->operands[1];
    const int bits = ct_ptx_bits(in->type), to_many = to->kind == OPERAND_VECTOR,
              from_many = from->kind == OPERAND_VECTOR;
    const int count = to_many ? to->count : from->count;
    if (to_many || from_many) in->run = to_many ? unpack_any : pack_any;
    else if (bits == 32) in->flags |= FLAG_MOVE;
    if (to_many || from_many
            ? to_many == from_many || (count != 2 && count != 4) || bits / count < 8
            : (to->kind == OPERAND_REGISTER && to->bits != bits) ||
                  (!from->is_constant && from->bits != bits))
        ct_ptx_refuse_ins(p, in, "the registers do not have the width of the type");
}

/* clang-format off */
#define OF_SIGNED(n) [PTX_S16] = n##_s16, [PTX_S32] = n##_s32, [PTX_S64] = n##_s64
#define OF_UNSIGNED(n) [PTX_U16] = n##_u16, [PTX_U32] = n##_u32, [PTX_U64] = n##_u64
#define OF_BITS(n) [PTX_B16] = n##_u16, [PTX_B32] = n##_u32, [PTX_B64] = n##_u64
#define OF_LOGIC(n) OF_BITS(n), [PTX_PRED] = n##_pred_any
#define OF_EITHER(n) OF_UNSIGNED(n), [PTX_S16] = n##_u16, [PTX_S32] = n##_u32, [PTX_S64] = n##_u64 /* the sign does not matter */
#define OF_BOTH(n) OF_SIGNED(n), OF_UNSIGNED(n)
#define OF_WIDE(n) [PTX_S16] = n##_s16, [PTX_U16] = n##_u16, [PTX_S32] = n##_s32, [PTX_U32] = n##_u32
#define OF_WORDS(n) [PTX_B32] = n, [PTX_B64] = n
#define OF_LONG(n) [PTX_U32] = n, [PTX_S32] = n, [PTX_U64] = n, [PTX_S64] = n
#define OF_WIDTHS(n) OF_BITS(n), OF_EITHER(n), [PTX_F16] = n##_u16, [PTX_BF16] = n##_u16, \
    [PTX_F32] = n##_u32, [PTX_F16X2] = n##_u32, [PTX_BF16X2] = n##_u32, [PTX_F64] = n##_u64
#define ROW(name, operands, ...) {name, "", "", operands, 1, {__VA_ARGS__}, NULL}
#define CARRIED(name, operands, run) {name ".cc", "", "", operands, 1, {OF_LONG(run)}, carried}
#define CARRY(name, operands, run) {name, "", "cc", operands, 1, {OF_LONG(run)}, carried}
const ct_ptx_opcode ct_ptx_integer_rows[] = {
    ROW("add", "dss", OF_EITHER(add)), ROW("sub", "dss", OF_EITHER(sub)),
    ROW("mul.lo", "dss", OF_EITHER(mul_lo)), ROW("mad.lo", "dsss", OF_EITHER(mad_lo)),
    ROW("mul.hi", "dss", OF_BOTH(mul_hi)), ROW("mad.hi", "dsss", OF_BOTH(mad_hi)),
    ROW("mul.wide", "Ess", OF_WIDE(mul_wide)), ROW("mad.wide", "EssF", OF_WIDE(mad_wide)),
    CARRIED("add", "dss", add_cc_any), CARRY("addc", "dss", add_cc_any),
    CARRIED("sub", "dss", sub_cc_any), CARRY("subc", "dss", sub_cc_any),
    CARRIED("mad.lo", "dsss", mad_lo_cc_any), CARRY("madc.lo", "dsss", mad_lo_cc_any),
    CARRIED("mad.hi", "dsss", mad_hi_cc_any), CARRY("madc.hi", "dsss", mad_hi_cc_any),
    ROW("div", "dss", OF_BOTH(div)), ROW("rem", "dss", OF_BOTH(rem)),
    ROW("abs", "ds", OF_SIGNED(abs)), ROW("neg", "ds", OF_SIGNED(neg)),
    ROW("min", "dss", OF_BOTH(min)), ROW("max", "dss", OF_BOTH(max)),
    ROW("popc", "os", OF_WORDS(popc_any)), ROW("clz", "os", OF_WORDS(clz_any)),
    {"bfind", "- shiftamt", "", "os", 1, {OF_LONG(bfind_any)}, NULL}, ROW("brev", "ds", OF_WORDS(brev_any)),
    ROW("bfe", "dsww", OF_LONG(bfe_any)), ROW("bfi", "dssww", OF_WORDS(bfi_any)),
    ROW("and", "dss", OF_LOGIC(and)), ROW("or", "dss", OF_LOGIC(or)),
    ROW("xor", "dss", OF_LOGIC(xor)), ROW("not", "ds", OF_LOGIC(not)),
    ROW("shl", "dsw", OF_BITS(shl)), ROW("shr", "dsw", OF_BITS(shr), OF_BOTH(shr)),
    {"shf.l", "clamp wrap", "", "dssw", 1, {[PTX_B32] = shf_l_u32}, NULL},
    {"shf.r", "clamp wrap", "", "dssw", 1, {[PTX_B32] = shf_r_u32}, NULL},
    ROW("lop3", "dsssw", [PTX_B32] = lop3_any), ROW("prmt", "dssw", [PTX_B32] = prmt_any),
    /* lo ls hi hs stand where numbers have ltu leu gtu geu: integers are no NaN */
    {"setp", "eq ne lt le gt ge eq ne lo ls hi hs", CT_PTX_COMBINED, "Pss?q", 1, {OF_BITS(setp), OF_BOTH(setp)}, ct_ptx_compare},
    ROW("selp", "dssq", OF_WIDTHS(selp)),
    {"mov", "", "", "VU", 1, {OF_WIDTHS(mov), [PTX_PRED] = mov_pred_any}, move},
    {0},
};
/* clang-format on */
