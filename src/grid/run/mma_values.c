/* Elements of matrix instructions as numbers, and back. */
#include "mma_values.h"

/* Small floating-point numbers: a sign, the bits of exponent and mantissa, and the meaning of the
 * largest exponent. */
enum { INFINITIES, ONE_NAN, FINITE };
typedef struct small_float {
    int exponent, mantissa, top;
} small_float;

static int small_float_of(int32_t type, small_float *f)
{
    switch (type) {
        case CT_MMA_F16: *f = (small_float){5, 10, INFINITIES}; return 1;
        case CT_MMA_BF16: *f = (small_float){8, 7, INFINITIES}; return 1;
        case CT_MMA_TF32: *f = (small_float){8, 10, INFINITIES}; return 1;
        case CT_MMA_F32: *f = (small_float){8, 23, INFINITIES}; return 1;
        case CT_MMA_E5M2: *f = (small_float){5, 2, INFINITIES}; return 1;
        case CT_MMA_E4M3: *f = (small_float){4, 3, ONE_NAN}; return 1;
        case CT_MMA_E3M2: *f = (small_float){3, 2, FINITE}; return 1;
        case CT_MMA_E2M3: *f = (small_float){2, 3, FINITE}; return 1;
        case CT_MMA_E2M1: *f = (small_float){2, 1, FINITE}; return 1;
        default: return 0;
    }
}

static int is_signed(int32_t type)
{
    return type == CT_MMA_S4 || type == CT_MMA_S8 || type == CT_MMA_S16 || type == CT_MMA_S32;
}

int ct_mma_is_number(int32_t type)
{
    small_float f;
    return small_float_of(type, &f) || is_signed(type) || type == CT_MMA_F64 || type == CT_MMA_U1 ||
           type == CT_MMA_U4 || type == CT_MMA_U8;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The value of a small number: its exponent and mantissa as those of a double. Subnormal numbers
 * are multiples of one power of two. */
static inline double decode(small_float f, uint32_t bits)
{
    const uint32_t ones = (1u << f.exponent) - 1, mantissa = bits & ((1u << f.mantissa) - 1);
    const uint32_t exponent = bits >> f.mantissa & ones;
    const double sign = bits >> (f.exponent + f.mantissa) & 1 ? -1 : 1;
    const int least = 2 - (1 << (f.exponent - 1));
    if (exponent == ones && f.top == INFINITIES) return mantissa ? NAN : sign * INFINITY;
    if (exponent == ones && f.top == ONE_NAN && mantissa == (1u << f.mantissa) - 1) return NAN;
    if (exponent == 0)
        return sign * mantissa * double_of((uint64_t)(1023 + least - f.mantissa) << 52);
    const uint64_t size = bits & ((1u << (f.exponent + f.mantissa)) - 1);
    return double_of((uint64_t)(sign < 0) << 63 |
                     ((size << (52 - f.mantissa)) + ((uint64_t)(least - 1 + 1023) << 52)));
}

/* A number without its lowest bits, rounded. */
static uint64_t round_by(uint64_t x, int bits, int rounding)
{
    const uint64_t rest = x & ((UINT64_C(1) << bits) - 1), half = UINT64_C(1) << (bits - 1),
                   kept = x >> bits;
    if (rounding == CT_MMA_NEAREST) return kept + (rest > half || (rest == half && kept % 2));
    return kept +
           (rounding == CT_MMA_FROM_ZERO ? rest > 0 : rounding == CT_MMA_AWAY && rest >= half);
}

/* The bits of x, rounded. What is too large becomes an infinity, or with `finite`, and rounded to zero,
 * the largest number. */
static inline uint32_t encode(small_float f, double x, int rounding, int finite)
{
    enum { FRACTION = 52 };
    uint64_t size;
    memcpy(&size, &x, sizeof size);
    const uint32_t sign = (uint32_t)(size >> 63) << (f.exponent + f.mantissa);
    const uint32_t infinity = f.top == ONE_NAN ? (1u << (f.exponent + f.mantissa)) - 1
                                               : ((1u << f.exponent) - 1) << f.mantissa;
    if (rounding == CT_MMA_DOWN || rounding == CT_MMA_UP)
        rounding = (rounding == CT_MMA_DOWN) == (sign != 0) ? CT_MMA_FROM_ZERO : CT_MMA_TO_ZERO;
    const uint32_t most = finite || rounding == CT_MMA_TO_ZERO ? infinity - 1 : infinity;
    const int least = 2 - (1 << (f.exponent - 1));
    if (isnan(x)) return infinity | ((1u << f.mantissa) - 1);
    if (isinf(x)) return sign | (finite ? infinity - 1 : infinity);
    const int own = (int)(size >> FRACTION & 2047) - 1023, exponent = own < least ? least : own;
    if (exponent > -least + 1 + (f.top == ONE_NAN)) return sign | most;
    /* the leading one of a normal number adds to the exponent, as does the carry of rounding; a subnormal
     * double is below half of all numbers but 0 */
    const uint64_t fraction = (size & ((UINT64_C(1) << FRACTION) - 1)) | UINT64_C(1) << FRACTION;
    const int dropped = FRACTION - f.mantissa + exponent - own;
    const uint64_t mantissa = dropped <= FRACTION + 2 ? round_by(fraction, dropped, rounding)
                                                      : rounding == CT_MMA_FROM_ZERO && x != 0;
    const uint32_t bits = ((uint32_t)(exponent - least) << f.mantissa) + (uint32_t)mantissa;
    return sign | (bits < infinity ? bits : most);
}

double ct_mma_number(int32_t type, uint32_t bits)
{
    small_float f;
    if (type == CT_MMA_F16) return decode((small_float){5, 10, INFINITIES}, bits);
    return small_float_of(type, &f) ? decode(f, bits) : NAN;
}

uint32_t ct_mma_number_bits(int32_t type, double x, int rounding, int finite)
{
    small_float f;
    if (type == CT_MMA_F16) return encode((small_float){5, 10, INFINITIES}, x, rounding, finite);
    return small_float_of(type, &f) ? encode(f, x, rounding, finite) : 0;
}

/* The bits of element i, at most 32, within one word. */
static uint32_t bits_of(int32_t type, const void *words, int i)
{
    const int n = ct_mma_bits(type), each = 32 / n;
    uint32_t word;
    memcpy(&word, (const unsigned char *)words + 4 * (i / each), 4);
    return n == 32 ? word : word >> (n * (i % each)) & ((1u << n) - 1);
}

double ct_mma_value(int32_t type, const void *words, int i)
{
    small_float f;
    double x;
    if (type == CT_MMA_F64) {
        memcpy(&x, (const unsigned char *)words + 8 * i, 8);
        return x;
    }
    const uint32_t bits = bits_of(type, words, i);
    if (type == CT_MMA_TF32 && small_float_of(type, &f)) return decode(f, bits >> 13);
    if (small_float_of(type, &f)) return decode(f, bits);
    const int n = ct_mma_bits(type);
    const int64_t whole = (int64_t)bits;
    return (double)(is_signed(type) && bits >> (n - 1) ? whole - ((int64_t)1 << n) : whole);
}

void ct_mma_values(int32_t type, const void *words, int count, double *to)
{
    const unsigned char *const at = words;
    uint16_t half;
    float single;
    for (int i = 0; i < count; ++i)
        if (type == CT_MMA_F16)
            to[i] = decode((small_float){5, 10, INFINITIES}, (memcpy(&half, at + 2 * i, 2), half));
        else if (type == CT_MMA_F32) to[i] = (memcpy(&single, at + 4 * i, 4), single);
        else to[i] = ct_mma_value(type, words, i);
}

void ct_mma_set_value(int32_t type, int saturate, void *words, int i, double x)
{
    small_float f;
    unsigned char *const at = (unsigned char *)words + (type == CT_MMA_F64   ? 8 * i
                                                        : type == CT_MMA_F16 ? 2 * i
                                                                             : 4 * i);
    if (type == CT_MMA_F64) {
        memcpy(at, &x, 8);
    } else if (type == CT_MMA_F32 && !isnan(x)) {
        const float rounded = (float)x;
        memcpy(at, &rounded, 4);
    } else if (small_float_of(type, &f)) {
        const uint32_t bits = encode(f, x, CT_MMA_NEAREST, 0);
        const uint16_t half = (uint16_t)bits;
        memcpy(at, type == CT_MMA_F16 ? (const void *)&half : &bits, type == CT_MMA_F16 ? 2 : 4);
    } else {
        if (saturate && x > INT32_MAX) x = INT32_MAX;
        if (saturate && x < INT32_MIN) x = INT32_MIN;
        const uint32_t bits = (uint32_t)(int64_t)x;
        memcpy(at, &bits, 4);
    }
}

double ct_mma_rounded(int32_t type, int saturate, double x)
{
    uint32_t word = 0;
    if (type == CT_MMA_F32) return (double)(float)x;
    ct_mma_set_value(type, saturate, &word, 0, x);
    return ct_mma_value(type, &word, 0);
}
