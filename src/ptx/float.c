/* Instructions on floating-point numbers, and conversions. */
#include "handlers.h"

#include <fenv.h>
#include <math.h>

#include "grid/run/mma_values.h"

/* clang-format off */
/* Numbers in registers. */
#define BITS(name, type, bits) \
    static inline type name(uint64_t r) { const bits b = (bits)r; type f; memcpy(&f, &b, sizeof f); return f; } \
    static inline uint64_t of_##name(type f) { bits b; memcpy(&b, &f, sizeof b); return b; }
BITS(f32, float, uint32_t)
BITS(f64, double, uint64_t)
/* clang-format on */

static int is_float(int type)
{
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_BF16;
}
/* The small types. */
static const int formats[PTX_TYPES] = {
    [PTX_F16] = CT_MMA_F16,     [PTX_F16X2] = CT_MMA_F16,   [PTX_BF16] = CT_MMA_BF16,
    [PTX_BF16X2] = CT_MMA_BF16, [PTX_E4M3X2] = CT_MMA_E4M3, [PTX_E5M2X2] = CT_MMA_E5M2,
    [PTX_TF32] = CT_MMA_TF32};

/* A number of 16 bits, and back. */
static double widen(uint64_t bits, int type)
{
    return ct_mma_number(formats[type], (uint32_t)(bits & 0xffff));
}
static uint64_t narrow(double d, int type)
{
    return ct_mma_number_bits(formats[type], d, CT_MMA_NEAREST, 0);
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
    return f != f ? 0x7fffffff : of_f32(flushed(in, f));
}

/* Of 16 bits: once, or in both halves of a word. */
typedef double of_half(const ct_ptx_ins *in, double a, double b, double c);
static void run_halves(ct_ptx_thread *x, const ct_ptx_ins *in, of_half *f)
{
    const int type = in->type;
    uint64_t d = 0;
    for (int i = 0; i < ct_ptx_bits(type); i += 16) {
        const double e = f(in, widen(A >> i, type), widen(B >> i, type), widen(C >> i, type));
        d |= narrow(bounded(in, e), type) << i;
    }
    D = d;
}

/* clang-format off */
#define F32(n, e) CT_PTX_DO(n##_f32) \
    { const float a = flushed(in, f32(A)), b = flushed(in, f32(B)), c = flushed(in, f32(C)); \
      (void)a, (void)b, (void)c; D = result_f32(in, (float)(e)); }
#define F64(n, e) CT_PTX_DO(n##_f64) \
    { const double a = f64(A), b = f64(B), c = f64(C); (void)a, (void)b, (void)c; D = of_f64(e); }
#define HALF(n, e) static double n##_of_half(const ct_ptx_ins *in, double a, double b, double c) \
    { (void)in, (void)a, (void)b, (void)c; return e; } \
    CT_PTX_DO(n##_half) { run_halves(x, in, n##_of_half); }
#define BOTH(n, e) F32(n, e) F64(n, e)
BOTH(add, a + b) HALF(add, ct_odd_sum(a, b))
BOTH(sub, a - b) HALF(sub, ct_odd_sum(a, -b))
BOTH(mul, a * b) HALF(mul, a * b)
F32(fma, fmaf(a, b, c)) F64(fma, fma(a, b, c)) HALF(fma, ct_odd_sum(a * b, c))
BOTH(div, a / b)
F32(ex2, exp2(a)) HALF(ex2, exp2(a))
F32(lg2, log2(a))
BOTH(rcp, 1 / a)
BOTH(rsqrt, 1 / sqrt((double)a))
F32(sin, sin(a))
F32(cos, cos(a))
F32(tanh, tanh(a)) HALF(tanh, tanh(a))
F32(sqrt, sqrtf(a)) F64(sqrt, sqrt(a))
    /* clang-format on */

    static double extreme(const ct_ptx_ins *in, double a, double b, int is_max)
{
    return (in->flags & FLAG_NAN) && (a != a || b != b) ? NAN : ct_extreme(a, b, is_max);
}
BOTH(min, extreme(in, a, b, 0))
HALF(min, extreme(in, a, b, 0))
BOTH(max, extreme(in, a, b, 1))
HALF(max, extreme(in, a, b, 1))

/* finite infinite number notanumber normal subnormal */
CT_PTX_DO(testp)
{
    const int kind = in->type == PTX_F32 ? fpclassify(f32(A)) : fpclassify(f64(A)),
              is_nan = kind == FP_NAN, is_infinite = kind == FP_INFINITE;
    const int all[] = {!is_nan && !is_infinite, is_infinite,         !is_nan, is_nan,
                       kind == FP_NORMAL,       kind == FP_SUBNORMAL};
    D = (uint64_t)all[in->mode];
}

/* Signs are bits, which a NaN has too. */
static uint64_t signs_of(int type)
{
    return 1ull << (ct_ptx_bits(type) - 1) | (ct_ptx_is_pair(type) ? 0x8000 : 0);
}
static uint64_t with_signs(const ct_ptx_ins *in, uint64_t d)
{
    return in->type == PTX_F32 ? of_f32(flushed(in, f32(d))) : d;
}
CT_PTX_DO(abs) { D = with_signs(in, A & ~signs_of(in->type)); }
CT_PTX_DO(neg) { D = with_signs(in, A ^ signs_of(in->type)); }

/* The size of b with the sign of a. */
CT_PTX_DO(copysign)
{
    const uint64_t signs = signs_of(in->type);
    D = with_signs(in, (B & ~signs) | (A & signs));
}

/* The same in another rounding mode than to nearest. */
static CT_PTX_RUN(rounded)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    fesetround(modes[in->rounding & 3]);
    const ct_ptx_ins *const next = in->more->plain(x, in);
    fesetround(FE_TONEAREST);
    return next;
}
static void round_by_mode(ct_ptx_ins *in)
{
    in->more->plain = in->run;
    in->run = rounded;
}
static double float_of(uint64_t r, int type)
{
    return type == PTX_F32 ? f32(r) : type == PTX_F64 ? f64(r) : widen(r, type);
}

CT_PTX_DO(setp)
{
    double a = float_of(A, in->type), b = float_of(B, in->type);
    if (in->type == PTX_F32) a = flushed(in, (float)a), b = flushed(in, (float)b);
    D = ct_ptx_related(x, in, a < b ? 1 : a == b ? 2 : a > b ? 4 : 8);
}
static double whole(double d, int rounding)
{
    const double all[] = {rint(d), trunc(d), floor(d), ceil(d)}; /* by ROUND_... */
    return all[rounding & 3];
}

/* An integer within the bounds of a type; that nearest to a number, where a NaN gives 0. */
static uint64_t saturated(__int128 v, int type)
{
    const int is_signed = ct_ptx_is_signed(type);
    const __int128 most = ct_ptx_mask(ct_ptx_bits(type) - is_signed),
                   least = is_signed ? -most - 1 : 0;
    return (uint64_t)(v < least ? least : v > most ? most : v);
}

static uint64_t converted(const ct_ptx_ins *in, uint64_t r)
{
    const int type = in->type, from = in->from, is_signed = ct_ptx_is_signed(from);
    const uint64_t v = ct_ptx_extended(r, from);
    double d;
    if (!is_float(from)) {
        if (!is_float(type) && !(in->flags & FLAG_SAT)) return ct_ptx_extended(v, type);
        if (!is_float(type)) return saturated(is_signed ? (__int128)(int64_t)v : (__int128)v, type);
        if (type == PTX_F32) return of_f32(is_signed ? (float)(int64_t)v : (float)v);
        d = is_signed ? (double)(int64_t)v : (double)v;
    } else d = from == PTX_F32 ? flushed(in, f32(r)) : float_of(r, from);
    if (is_float(from) && (in->rounding & ROUND_INTEGER || !is_float(type)))
        d = whole(d, in->rounding);
    if (!is_float(type))
        return d != d ? 0 : saturated((__int128)fmin(fmax(d, -0x1p100), 0x1p100), type);
    d = bounded(in, d);
    if (type == PTX_F64) return of_f64(d);
    if (type == PTX_F32) return result_f32(in, (float)d);
    return ct_mma_number_bits(formats[type], d, in->rounding & 3, 0);
}

/* The result fills a register that may be wider than the type, with its sign. */
static uint64_t filled(const ct_ptx_ins *in, uint64_t d)
{
    return d & ct_ptx_mask(OPERAND(0)->bits ? OPERAND(0)->bits : 64);
}
CT_PTX_DO(cvt) { D = filled(in, converted(in, A)); }

/* The same where it does not round, or to nearest, and bounds nothing. */
CT_PTX_DO(cvt_integer) { D = filled(in, ct_ptx_extended(ct_ptx_extended(A, in->from), in->type)); }
CT_PTX_DO(cvt_widened) { D = result_f32(in, (float)widen(A, in->from)); }
CT_PTX_DO(cvt_narrowed) { D = narrow(flushed(in, f32(A)), in->type); }

static uint64_t in_small(const ct_ptx_ins *in, double v)
{
    const int rounding = in->rounding & ROUND_AWAY ? CT_MMA_AWAY : in->rounding & 3;
    if ((in->flags & FLAG_RELU) && v <= 0) v = 0;
    return ct_mma_number_bits(formats[in->type], v, rounding, in->flags & FLAG_SAT);
}

/* To two numbers in one register, the first operand in the upper; from two of f32, or a pair. */
CT_PTX_DO(cvt_pair)
{
    const int from = formats[in->from], bits = from ? ct_mma_bits(from) : 0;
    const uint32_t mask = (uint32_t)ct_ptx_mask(bits);
    const double low = from ? ct_mma_number(from, (uint32_t)A & mask) : f32(B),
                 high = from ? ct_mma_number(from, (uint32_t)(A >> bits) & mask) : f32(A);
    D = in_small(in, high) << ct_mma_bits(formats[in->type]) | in_small(in, low);
}
CT_PTX_DO(cvt_tf32)
{
    const float v = f32(A);
    D = v != v ? 0x7fffffff : in_small(in, v) << 13;
}
static int is_pair(int type) { return formats[type] && type != PTX_TF32 && !is_float(type); }
static void convert(ct_ptx_parser *p, ct_ptx_ins *in)
{
    const ct_ptx_operand *const to = OPERAND(0);
    const int to_pair = is_pair(in->type), from_pair = is_pair(in->from),
              is_tf32 = in->type == PTX_TF32;
    const int from_number = is_float(in->from) || strchr("us", *ct_ptx_type_names[in->from]);
    const int is_plain = !in->rounding && !(in->flags & (FLAG_SAT | FLAG_RELU));
    if (in->more->count != (to_pair && !from_pair ? 3 : 2))
        ct_ptx_refuse_ins(p, in, "it has another number of operands");
    else if (to->kind == OPERAND_REGISTER && to->bits < ct_ptx_bits(in->type))
        ct_ptx_refuse_ins(p, in, "the register is too narrow");
    else if (to_pair   ? !from_pair && in->from != PTX_F32
             : is_tf32 ? in->from != PTX_F32
                       : !from_number)
        ct_ptx_refuse_ins(p, in, "the types have no conversion");
    else if (in->run == cvt_any && in->rounding && in->rounding < ROUND_INTEGER) round_by_mode(in);
    else if (!is_plain || to_pair || is_tf32) return;
    else if (in->type == PTX_F32 && formats[in->from]) in->run = cvt_widened_any;
    else if (formats[in->type] && in->from == PTX_F32) in->run = cvt_narrowed_any;
    else if (!is_float(in->type) && !is_float(in->from)) in->run = cvt_integer_any;
}
static void rounding(ct_ptx_parser *p, ct_ptx_ins *in)
{
    if (!in->rounding) return;
    if (in->type != PTX_F32 && in->type != PTX_F64)
        ct_ptx_refuse_ins(p, in, "it is rounded to nearest only");
    round_by_mode(in);
}

/* clang-format off */
#define OF_HALF(n) [PTX_F16] = n##_half_any, [PTX_BF16] = n##_half_any, [PTX_F16X2] = n##_half_any, [PTX_BF16X2] = n##_half_any
#define OF_F32(n) [PTX_F32] = n##_f32_any
#define OF_FLOAT(n) OF_F32(n), [PTX_F64] = n##_f64_any
#define OF_ONE(n) [PTX_F32] = n, [PTX_F64] = n, [PTX_F16] = n, [PTX_BF16] = n
#define OF_SIGNS(n) OF_ONE(n), [PTX_F16X2] = n, [PTX_BF16X2] = n
#define ROUNDED(name, modifiers, operands, ...) {name, "", "rn rz rm rp ftz " modifiers, operands, 1, {__VA_ARGS__}, rounding}
#define ROW(name, modifiers, operands, ...) {name, "", modifiers, operands, 1, {__VA_ARGS__}, NULL}
const ct_ptx_opcode ct_ptx_float_rows[] = {
    ROUNDED("add", "sat", "dss", OF_FLOAT(add), OF_HALF(add)), ROUNDED("sub", "sat", "dss", OF_FLOAT(sub), OF_HALF(sub)),
    ROUNDED("mul", "sat", "dss", OF_FLOAT(mul), OF_HALF(mul)), ROUNDED("mad", "sat", "dsss", OF_FLOAT(fma), OF_HALF(fma)),
    ROUNDED("fma", "sat relu", "dsss", OF_FLOAT(fma), OF_HALF(fma)), ROUNDED("div", "full approx", "dss", OF_FLOAT(div)),
    ROUNDED("rcp", "approx", "ds", OF_FLOAT(rcp)), ROUNDED("sqrt", "approx", "ds", OF_FLOAT(sqrt)),
    ROW("abs", "ftz", "ds", OF_SIGNS(abs_any)), ROW("neg", "ftz", "ds", OF_SIGNS(neg_any)), ROW("copysign", "", "dss", OF_SIGNS(copysign_any)),
    ROW("min", "ftz NaN", "dss", OF_FLOAT(min), OF_HALF(min)), ROW("max", "ftz NaN", "dss", OF_FLOAT(max), OF_HALF(max)),
    ROW("ex2", "approx ftz", "ds", OF_F32(ex2), OF_HALF(ex2)), ROW("lg2", "approx ftz", "ds", OF_F32(lg2)),
    ROW("rsqrt", "approx ftz", "ds", OF_FLOAT(rsqrt)), ROW("sin", "approx ftz", "ds", OF_F32(sin)),
    ROW("cos", "approx ftz", "ds", OF_F32(cos)), ROW("tanh", "approx", "ds", OF_F32(tanh), OF_HALF(tanh)),
    {"setp", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan", CT_PTX_COMBINED, "Pss?q", 1, {OF_ONE(setp_any)}, ct_ptx_compare},
    {"testp", "finite infinite number notanumber normal subnormal", "", "ps", 1, {[PTX_F32] = testp_any, [PTX_F64] = testp_any}, NULL},
    {"cvt", "", "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", "Df?f", 2,
     {[PTX_U8] = cvt_any, [PTX_S8] = cvt_any, [PTX_U16] = cvt_any, [PTX_S16] = cvt_any, [PTX_U32] = cvt_any, [PTX_S32] = cvt_any,
      [PTX_U64] = cvt_any, [PTX_S64] = cvt_any, OF_ONE(cvt_any), [PTX_F16X2] = cvt_pair_any, [PTX_BF16X2] = cvt_pair_any,
      [PTX_E4M3X2] = cvt_pair_any, [PTX_E5M2X2] = cvt_pair_any, [PTX_TF32] = cvt_tf32_any}, convert},
    {0},
};
/* clang-format on */
