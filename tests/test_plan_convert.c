/* Conversions on the way: all values of the 8- and 16-bit types, and of the others those at which the
 * result changes, against references that are written another way. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cutlet/plan.h"
#include "plan/kernels.h"

static const int bytes_of[] = {0, 2, 2, 4, 8, 1};

/* The value of a short float: sign, exponent bits, fraction bits. */
static double short_value(uint32_t bits, int exponents, int fractions)
{
    const int sign = (int)(bits >> (exponents + fractions) & 1);
    const int e = (int)(bits >> fractions & ((1u << exponents) - 1)), bias = (1 << (exponents - 1)) - 1;
    const uint32_t f = bits & ((1u << fractions) - 1);
    double x;
    if (e == (1 << exponents) - 1) x = f ? (double)NAN : (double)INFINITY;
    else if (e == 0) x = ldexp(f, 1 - bias - fractions);
    else x = ldexp((double)(f | 1u << fractions), e - bias - fractions);
    return sign ? -x : x;
}

/* The short float nearest to x, the even one of two: a search among the positive ones, which are in
 * order. */
static uint32_t short_nearest(double x, int exponents, int fractions)
{
    const uint32_t infinity = ((1u << exponents) - 1) << fractions;
    const uint32_t sign = signbit(x) ? 1u << (exponents + fractions) : 0;
    uint32_t low = 0, high = infinity;
    if (isnan(x)) return infinity + 1;
    x = fabs(x);
    if (isinf(x)) return sign | infinity;
    while (high - low > 1) { /* value(low) <= x < value(high) */
        const uint32_t middle = (low + high) / 2;
        if (short_value(middle, exponents, fractions) <= x) low = middle;
        else high = middle;
    }
    const double a = short_value(low, exponents, fractions);
    /* what infinity would be, were there one more exponent */
    const double b = high == infinity ? ldexp(1, 1 << (exponents - 1))
                                      : short_value(high, exponents, fractions);
    const double below = x - a, above = b - x; /* exact: x lies between neighbours of fewer bits */
    const uint32_t nearest = below < above || (below == above && low % 2 == 0) ? low : high;
    return sign | nearest;
}

static double value_of(const void *at, int type)
{
    uint16_t h;
    float f;
    double d;
    switch (type) {
    case CT_TYPE_HALF: memcpy(&h, at, 2); return short_value(h, 5, 10);
    case CT_TYPE_BFLOAT16: memcpy(&h, at, 2); return short_value(h, 8, 7);
    case CT_TYPE_FLOAT: memcpy(&f, at, 4); return (double)f;
    case CT_TYPE_DOUBLE: memcpy(&d, at, 8); return d;
    default: return *(const int8_t *)at;
    }
}

static void reference(void *at, double x, int type)
{
    uint16_t h;
    float f = (float)x; /* the compiler's, rounded to nearest */
    switch (type) {
    case CT_TYPE_HALF: h = (uint16_t)short_nearest(x, 5, 10); memcpy(at, &h, 2); return;
    case CT_TYPE_BFLOAT16: h = (uint16_t)short_nearest(x, 8, 7); memcpy(at, &h, 2); return;
    case CT_TYPE_FLOAT: memcpy(at, &f, 4); return;
    case CT_TYPE_DOUBLE: memcpy(at, &x, 8); return;
    default: *(int8_t *)at = (int8_t)(isnan(x) ? 0 : nearbyint(fmin(fmax(x, -128), 127)));
    }
}

static const ct_kernels *kernels(int which)
{
    if (which == 0) return &ct_kernels_any;
    return ct_kernels_chosen() == &ct_kernels_any ? NULL : ct_kernels_chosen();
}

/* n values of one type, to every type, with a scale or without, by every set of loops. */
static void check(const unsigned char *from, int64_t n, int type)
{
    static const double scales[] = {1, 0.3, -2.5e10, 1e-40};
    unsigned char *const to = malloc((size_t)n * 8);
    for (int which = 0; which < 2 && kernels(which); ++which) {
        for (int other = CT_TYPE_HALF; other < CT_TYPE_COUNT; ++other) {
            for (int s = -1; s < 4; ++s) {
                const ct_conversion how = {type, other, s >= 0, s >= 0 ? scales[s] : 0};
                if (s < 0 && other == type) continue;
                kernels(which)->convert(to, from, n, &how);
                for (int64_t i = 0; i < n; ++i) {
                    unsigned char right[8], *const got = to + i * bytes_of[other];
                    double x = value_of(from + i * bytes_of[type], type);
                    if (s >= 0) x *= scales[s];
                    reference(right, x, other);
                    if (memcmp(right, got, (size_t)bytes_of[other]) == 0) continue;
                    if (isnan(x) && other != CT_TYPE_INT8 && isnan(value_of(got, other))) continue;
                    fail_msg("%s: type %d to %d, scale %g: %a gives %a, not %a",
                             kernels(which)->name, type, other, s < 0 ? 0.0 : scales[s],
                             value_of(from + i * bytes_of[type], type), value_of(got, other),
                             value_of(right, other));
                }
            }
        }
    }
    free(to);
}

static void test_all_bytes(void **state)
{
    (void)state;
    unsigned char all[256];
    for (int i = 0; i < 256; ++i) all[i] = (unsigned char)i;
    check(all, 256, CT_TYPE_INT8);
}

static void test_all_halves(void **state)
{
    (void)state;
    static uint16_t all[65536];
    for (int i = 0; i < 65536; ++i) all[i] = (uint16_t)i;
    check((const unsigned char *)all, 65536, CT_TYPE_HALF);
    check((const unsigned char *)all, 65536, CT_TYPE_BFLOAT16);
}

/* Around every value of a short type, and between every two: a step up and down. */
static void test_between(void **state)
{
    (void)state;
    enum { EACH = 6 };
    float *const floats = malloc(65536 * EACH * sizeof *floats);
    double *const doubles = malloc(65536 * EACH * sizeof *doubles);
    for (int type = 0; type < 2; ++type) {
        int64_t n = 0;
        for (uint32_t i = 0; i < 65536; ++i) {
            const double a = type ? short_value(i, 5, 10) : short_value(i, 8, 7);
            const double b = type ? short_value(i + 1, 5, 10) : short_value(i + 1, 8, 7);
            const double middle = isfinite(b) ? (a + b) / 2 : a * (1 + 0x1p-9);
            const double at[2] = {a, middle};
            for (int k = 0; k < 2; ++k) {
                floats[n] = (float)at[k];
                doubles[n] = at[k];
                ++n;
                for (int up = 0; up < 2; ++up, ++n) {
                    floats[n] = nextafterf((float)at[k], up ? INFINITY : -INFINITY);
                    doubles[n] = nextafter(at[k], up ? (double)INFINITY : -(double)INFINITY);
                }
            }
        }
        check((const unsigned char *)floats, n, CT_TYPE_FLOAT);
        check((const unsigned char *)doubles, n, CT_TYPE_DOUBLE);
    }
    free(floats);
    free(doubles);
}

/* On the way of every kind of copy, and of no more than is asked for. */
static void test_on_the_way(void **state)
{
    (void)state;
    enum { M = 70, N = 90, ALL = M * N };
    static const struct {
        int64_t src[2], dst[2];
        int form;
    } rows[] = {
        {{N, 1}, {N, 1}, CT_FORM_CONTIGUOUS}, {{N, 1}, {N + 5, 1}, CT_FORM_ROWS},
        {{N, 1}, {1, M}, CT_FORM_TILES},      {{2 * N, 2}, {2, 2 * M}, CT_FORM_TILES},
        {{N, 1}, {2 * N + 1, 2}, CT_FORM_STRIDED},
    };
    static int8_t from[2 * ALL];
    static uint16_t to[4 * ALL];
    char message[CT_PLAN_MESSAGE_BYTES];
    for (int i = 0; i < 2 * ALL; ++i) from[i] = (int8_t)(i * 37 >> 2);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        for (int swizzled = 0; swizzled < 2; ++swizzled) {
            ct_plan_desc desc = {.has_scale = 1, .scale = 0.5};
            ct_plan *plan;
            ct_plan_info info;
            desc.src = ct_plan_side_of(ct_layout2(M, N, rows[r].src[0], rows[r].src[1]), CT_TYPE_INT8);
            desc.dst = ct_plan_side_of(ct_layout2(M, N, rows[r].dst[0], rows[r].dst[1]), CT_TYPE_HALF);
            if (swizzled) desc.dst.memory.swizzle = ct_make_swizzle(2, 1, 3);
            memset(to, 0xee, sizeof to);
            assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
            ct_plan_info_of(plan, &info);
            assert_int_equal(info.form, swizzled ? CT_FORM_INDEXED : rows[r].form);
            assert_int_equal(ct_plan_run(plan, to, from, NULL, message), 0);
            ct_plan_destroy(plan);
            int64_t written = 0;
            for (int i = 0; i < M; ++i) {
                for (int k = 0; k < N; ++k) {
                    uint16_t right;
                    const int64_t at = ct_swizzle_apply(desc.dst.memory.swizzle,
                                                        i * rows[r].dst[0] + k * rows[r].dst[1]);
                    reference(&right, 0.5 * from[i * rows[r].src[0] + k * rows[r].src[1]],
                              CT_TYPE_HALF);
                    assert_int_equal(to[at], right);
                    to[at] = 0xeeee;
                    ++written;
                }
            }
            assert_int_equal(written, ALL);
            for (int i = 0; i < 4 * ALL; ++i) assert_int_equal(to[i], 0xeeee);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_bytes),
        cmocka_unit_test(test_all_halves),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
