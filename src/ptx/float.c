/* Instructions on floating-point numbers, and conversions. */
#include "handlers.h"

#include <fenv.h>
#include <math.h>

#include "grid/run/mma_values.h"

const ct_ptx_ins *ct_ptx_combine(ct_ptx_thread *x, const ct_ptx_ins *in, int p); /* integer.c */

static int is_float(int type)
{
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_BF16;
}
static int is_half(int type) { return type == PTX_F16 || type == PTX_F16X2; }

/* A number of 16 bits, and back. */
static double widen(uint64_t bits, int type)
{
    return ct_mma_number(is_half(type) ? CT_MMA_F16 : CT_MMA_BF16, (uint32_t)(bits & 0xffff));
}
static uint64_t narrow(double d, int type)
{
    return ct_mma_number_bits(is_half(type) ? CT_MMA_F16 : CT_MMA_BF16, d, CT_MMA_NEAREST, 0);
}

/* The sum rounded to odd: another rounding of it to fewer bits is right. */
static double odd_sum(double a, double b)
{
    const double sum = a + b, from_b = sum - a, error = (a - (sum - from_b)) + (b - from_b);
    const uint64_t bits = ct_ptx_of_f64(sum);
    if (!isfinite(sum) || error == 0 || (bits & 1)) return sum;
    return ct_ptx_f64((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}
static double bounded(const ct_ptx_ins *in, double d)
{
    if (in->flags & FLAG_SAT) return d > 0 ? d < 1 ? d : 1 : 0;
    return (in->flags & FLAG_RELU) && d <= 0 ? 0 : d;
}

/* f32 with the NaN of PTX, and without subnormal numbers where `ftz` says so. */
static inline float flushed(const ct_ptx_ins *in, float f)
{
    return (in->flags & FLAG_FTZ) && fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}
static inline uint64_t result_f32(const ct_ptx_ins *in, float f)
{
    if (in->flags & (FLAG_SAT | FLAG_RELU)) f = (float)bounded(in, f);
    return f != f ? 0x7fffffff : ct_ptx_of_f32(flushed(in, f));
}

/* Of 16 bits: once, or in both halves of a word. */
static const ct_ptx_ins *run_halves(ct_ptx_thread *x, const ct_ptx_ins *in,
                                    double (*f)(const ct_ptx_ins *in, double a, double b, double c))
{
    uint64_t d = 0;
    for (int i = 0; i < ct_ptx_bits(in->type); i += 16)
        d |= narrow(bounded(in, f(in, widen(A >> i, in->type), widen(B >> i, in->type),
                                  widen(C >> i, in->type))),
                    in->type)
             << i;
    D = d;
    return in + 1;
}

/* clang-format off */
#define F32(n, e) static CT_PTX_RUN(n##_f32) \
    { const float a = flushed(in, ct_ptx_f32(A)), b = flushed(in, ct_ptx_f32(B)), c = flushed(in, ct_ptx_f32(C)); \
      (void)a, (void)b, (void)c; D = result_f32(in, (float)(e)); return in + 1; }
#define F64(n, e) static CT_PTX_RUN(n##_f64) \
    { const double a = ct_ptx_f64(A), b = ct_ptx_f64(B), c = ct_ptx_f64(C); \
      (void)a, (void)b, (void)c; D = ct_ptx_of_f64(e); return in + 1; }
#define HALF(n, e) static double n##_of_half(const ct_ptx_ins *in, double a, double b, double c) \
    { (void)in, (void)a, (void)b, (void)c; return e; } \
    static CT_PTX_RUN(n##_half) { return run_halves(x, in, n##_of_half); }
#define OF_HALF(n) [PTX_F16] = n##_half, [PTX_BF16] = n##_half, [PTX_F16X2] = n##_half, [PTX_BF16X2] = n##_half
#define OF_FLOAT(n) [PTX_F32] = n##_f32, [PTX_F64] = n##_f64
/* Of all types; of f32 and f64; of f32 and 16 bits; of f32. */
#define ALL(table, n, e, half) F32(n, e) F64(n, e) HALF(n, half) CT_PTX_TABLE(table, OF_FLOAT(n), OF_HALF(n))
#define BOTH(table, n, e) F32(n, e) F64(n, e) CT_PTX_TABLE(table, OF_FLOAT(n))
#define SMALL(n, e) F32(n, e) HALF(n, e) CT_PTX_TABLE(n, [PTX_F32] = n##_f32, OF_HALF(n))
#define ONE(n, e) F32(n, e) CT_PTX_TABLE(n, [PTX_F32] = n##_f32)

ALL(add_f, add, a + b, odd_sum(a, b))
ALL(sub_f, sub, a - b, odd_sum(a, -b))
ALL(mul_f, mul, a * b, a * b)
F32(fma, fmaf(a, b, c)) F64(fma, fma(a, b, c)) HALF(fma, odd_sum(a * b, c))
CT_PTX_TABLE(fma, OF_FLOAT(fma), OF_HALF(fma))
BOTH(div_f, div, a / b)
SMALL(ex2, exp2(a))
ONE(lg2, log2(a))
BOTH(rcp, rcp, 1 / a)
BOTH(rsqrt, rsqrt, 1 / sqrt((double)a))
ONE(sin, sin(a))
ONE(cos, cos(a))
SMALL(tanh, tanh(a))
F32(sqrt, sqrtf(a)) F64(sqrt, sqrt(a))
CT_PTX_TABLE(sqrt, OF_FLOAT(sqrt))

/* A NaN and a number give the number, or with .NaN the NaN; -0 is less than +0. */
static double extreme(const ct_ptx_ins *in, double a, double b, int is_max)
{
    if (a != a || b != b) return in->flags & FLAG_NAN ? NAN : a != a ? b : a;
    if (a == b) return (signbit(a) != 0) == is_max ? b : a;
    return (a > b) == is_max ? a : b;
}
ALL(min_f, min, extreme(in, a, b, 0), extreme(in, a, b, 0))
ALL(max_f, max, extreme(in, a, b, 1), extreme(in, a, b, 1))

/* finite infinite number notanumber normal subnormal */
#define TESTP(suffix, type, a) static CT_PTX_RUN(testp_##suffix) { \
    const type f = a; const int kind = fpclassify(f); \
    const int all[] = {isfinite(f), isinf(f), !isnan(f), isnan(f), kind == FP_NORMAL, kind == FP_SUBNORMAL}; \
    D = all[in->mode] != 0; return in + 1; }
TESTP(f32, float, ct_ptx_f32(A))
TESTP(f64, double, ct_ptx_f64(A))
CT_PTX_TABLE(testp, OF_FLOAT(testp))

/* Signs are bits, which a NaN has too. */
#define SIGN(n, suffix, s, e) static CT_PTX_RUN(n##_##suffix) { const uint64_t sign = s; D = e; return in + 1; }
#define SIGNS(n, table, e) SIGN(n, 16, 0x8000, e) SIGN(n, 16x2, 0x80008000, e) SIGN(n, 32, 0x80000000, e) SIGN(n, 64, 1ull << 63, e) \
    static CT_PTX_RUN(n##_f) { n##_32(x, in); D = ct_ptx_of_f32(flushed(in, ct_ptx_f32(D))); return in + 1; } \
    CT_PTX_TABLE(table, [PTX_F32] = n##_f, [PTX_F64] = n##_64, [PTX_F16] = n##_16, [PTX_BF16] = n##_16, \
                 [PTX_F16X2] = n##_16x2, [PTX_BF16X2] = n##_16x2)
SIGNS(abs, abs_f, A & ~sign)
SIGNS(neg, neg_f, A ^ sign)
SIGNS(copysign, copysign, (B & ~sign) | (A & sign)) /* the size of b with the sign of a */
/* clang-format on */

static void round_to(int rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    fesetround(modes[rounding & 3]);
}

/* The same in another rounding mode than to nearest. */
CT_PTX_RUN(ct_ptx_rounded)
{
    round_to(in->rounding);
    const ct_ptx_ins *const next = in->more->plain(x, in);
    round_to(ROUND_NEAREST);
    return next;
}
static double float_of(uint64_t r, int type)
{
    return type == PTX_F32 ? ct_ptx_f32(r) : type == PTX_F64 ? ct_ptx_f64(r) : widen(r, type);
}

/* eq ne lt le gt ge, the same where a NaN is true, num nan */
static CT_PTX_RUN(setp_any)
{
    double a = float_of(A, in->type), b = float_of(B, in->type);
    if (in->type == PTX_F32) a = flushed(in, (float)a), b = flushed(in, (float)b);
    const int is_nan = a != a || b != b, how = in->mode < 12 ? in->mode % 6 : in->mode;
    const int is[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    const int p = in->mode == 12   ? !is_nan
                  : in->mode == 13 ? is_nan
                  : is_nan         ? in->mode >= 6
                                   : is[how];
    if (in->flags & FLAG_COMBINED) return ct_ptx_combine(x, in, p);
    D = (uint64_t)p;
    return in + 1;
}
CT_PTX_TABLE(
    setp_f, [PTX_F32] = setp_any, [PTX_F64] = setp_any, [PTX_F16] = setp_any, [PTX_BF16] = setp_any)

static double whole(double d, int rounding)
{
    const double all[] = {rint(d), trunc(d), floor(d), ceil(d)}; /* by ROUND_... */
    return all[rounding & 3];
}

/* The integer of a type nearest to a number; a NaN gives 0. */
static uint64_t integer_of(double d, int type, int rounding)
{
    const int is_signed = ct_ptx_is_signed(type), bits = ct_ptx_bits(type) - is_signed;
    d = whole(d, rounding);
    if (d != d || (d <= 0 && !is_signed)) return 0;
    if (d >= ldexp(1, bits)) return ct_ptx_mask(bits);
    if (d < -ldexp(1, bits)) d = -ldexp(1, bits);
    return is_signed ? (uint64_t)(int64_t)d : (uint64_t)d;
}
static uint64_t extended(uint64_t r, int type)
{
    const int above = 64 - ct_ptx_bits(type);
    return ct_ptx_is_signed(type) ? (uint64_t)((int64_t)(r << above) >> above)
                                  : r << above >> above;
}

/* An integer within the bounds of another type. */
static uint64_t saturated(uint64_t v, int from, int to)
{
    const int is_signed = ct_ptx_is_signed(to),
              is_negative = ct_ptx_is_signed(from) && (int64_t)v < 0;
    const uint64_t most = ct_ptx_mask(ct_ptx_bits(to) - is_signed);
    if (is_negative) return !is_signed ? 0 : (int64_t)v < -(int64_t)most - 1 ? ~most : v;
    return v > most ? most : v;
}

/* Functions of their own, so that the compiler leaves them in the rounding mode. */
static __attribute__((noinline)) float float_from(uint64_t v, int is_signed)
{
    return is_signed ? (float)(int64_t)v : (float)v;
}
static __attribute__((noinline)) double double_from(uint64_t v, int is_signed)
{
    return is_signed ? (double)(int64_t)v : (double)v;
}
static __attribute__((noinline)) float shortened(double d) { return (float)d; }

static uint64_t to_float(const ct_ptx_ins *in, uint64_t r)
{
    const int from_integer = !is_float(in->from), is_signed = ct_ptx_is_signed(in->from);
    const uint64_t v = from_integer ? extended(r, in->from) : 0;
    if (from_integer && in->type == PTX_F32) return ct_ptx_of_f32(float_from(v, is_signed));
    double d = from_integer ? double_from(v, is_signed) : float_of(r, in->from);
    if (in->from == PTX_F32) d = flushed(in, (float)d);
    d = bounded(in, in->rounding & ROUND_INTEGER ? whole(d, in->rounding) : d);
    if (in->type == PTX_F64) return ct_ptx_of_f64(d);
    if (in->type == PTX_F32) return result_f32(in, shortened(d));
    return ct_mma_number_bits(in->type == PTX_F16 ? CT_MMA_F16 : CT_MMA_BF16, d, in->rounding & 3,
                              0);
}
static uint64_t converted(const ct_ptx_ins *in, uint64_t r)
{
    if (is_float(in->type)) return to_float(in, r);
    if (!is_float(in->from)) {
        const uint64_t v = extended(r, in->from);
        return in->flags & FLAG_SAT ? saturated(v, in->from, in->type) : extended(v, in->type);
    }
    double d = float_of(r, in->from);
    if (in->from == PTX_F32) d = flushed(in, (float)d);
    return integer_of(d, in->type, in->rounding);
}

/* The result fills a register that may be wider than the type, with its sign. */
static CT_PTX_RUN(cvt_any)
{
    const int is_rounded = (in->rounding & 3) && !(in->rounding & ROUND_INTEGER);
    if (is_rounded) round_to(in->rounding);
    D = converted(in, A) & ct_ptx_mask(OPERAND(0)->bits ? OPERAND(0)->bits : 64);
    if (is_rounded) round_to(ROUND_NEAREST);
    return in + 1;
}

/* The same where it does not round, or to nearest, and bounds nothing. */
static CT_PTX_RUN(cvt_integer)
{
    D = extended(extended(A, in->from), in->type) &
        ct_ptx_mask(OPERAND(0)->bits ? OPERAND(0)->bits : 64);
    return in + 1;
}
static CT_PTX_RUN(cvt_widened)
{
    D = result_f32(in, (float)widen(A, in->from));
    return in + 1;
}
static CT_PTX_RUN(cvt_narrowed)
{
    D = narrow(flushed(in, ct_ptx_f32(A)), in->type);
    return in + 1;
}
ct_ptx_run *ct_ptx_conversion(const ct_ptx_ins *in)
{
    const int to_16 = in->type == PTX_F16 || in->type == PTX_BF16,
              from_16 = in->from == PTX_F16 || in->from == PTX_BF16;
    if (in->rounding || in->flags & (FLAG_SAT | FLAG_RELU)) return in->run;
    if (in->type == PTX_F32 && from_16) return cvt_widened;
    if (to_16 && in->from == PTX_F32) return cvt_narrowed;
    return in->run == cvt_any && !is_float(in->type) && !is_float(in->from) ? cvt_integer : in->run;
}

/* The small types, and a number in one. */
/* clang-format off */
static const int small[PTX_TYPES] = {[PTX_F16X2] = CT_MMA_F16, [PTX_BF16X2] = CT_MMA_BF16, [PTX_E4M3X2] = CT_MMA_E4M3,
                                     [PTX_E5M2X2] = CT_MMA_E5M2, [PTX_TF32] = CT_MMA_TF32};
/* clang-format on */
static uint64_t in_small(const ct_ptx_ins *in, double v)
{
    const int rounding = in->rounding & ROUND_AWAY ? CT_MMA_AWAY : in->rounding & 3;
    if ((in->flags & FLAG_RELU) && v <= 0) v = 0;
    return ct_mma_number_bits(small[in->type], v, rounding, in->flags & FLAG_SAT);
}

/* To two numbers in one register, the first operand in the upper; from two of f32, or a pair. */
static CT_PTX_RUN(cvt_pair)
{
    const int from = small[in->from], bits = from ? ct_mma_bits(from) : 0;
    const double low =
        from ? ct_mma_number(from, (uint32_t)(A & ct_ptx_mask(bits))) : ct_ptx_f32(B);
    const double high =
        from ? ct_mma_number(from, (uint32_t)(A >> bits & ct_ptx_mask(bits))) : ct_ptx_f32(A);
    D = in_small(in, high) << ct_mma_bits(small[in->type]) | in_small(in, low);
    return in + 1;
}
static CT_PTX_RUN(cvt_tf32)
{
    const float v = ct_ptx_f32(A);
    D = v != v ? 0x7fffffff : in_small(in, v) << 13;
    return in + 1;
}

/* clang-format off */
CT_PTX_TABLE(cvt, [PTX_U8] = cvt_any, [PTX_S8] = cvt_any, [PTX_U16] = cvt_any, [PTX_S16] = cvt_any, [PTX_U32] = cvt_any,
    [PTX_S32] = cvt_any, [PTX_U64] = cvt_any, [PTX_S64] = cvt_any, [PTX_F16] = cvt_any, [PTX_BF16] = cvt_any, [PTX_F32] = cvt_any,
    [PTX_F64] = cvt_any, [PTX_F16X2] = cvt_pair, [PTX_BF16X2] = cvt_pair, [PTX_E4M3X2] = cvt_pair, [PTX_E5M2X2] = cvt_pair, [PTX_TF32] = cvt_tf32)
/* clang-format on */
