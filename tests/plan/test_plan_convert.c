/* Conversions on the way: all values of the 8- and 16-bit types, and of the others those at which the
 * result changes, against references that are written another way. */
#include "test.h"

#include <math.h>

#include <cutlet/host/plan.h>
#include "dice.h"
#include "plan/cpu/kernels.h"
#include "plan_reference.h"

static const ct_kernels *kernels(int which)
{
    if (which == 0) return &ct_kernels_any;
    return ct_kernels_chosen() == &ct_kernels_any ? NULL : ct_kernels_chosen();
}

enum { FEW_SCALES = 3 };

static const double scales[] = {0.3,       -2.5e10,          1e-40,       0,      1, -0x1p60,
                                0x1p-1074, (double)INFINITY, (double)NAN, 1 / 3.0};
enum { SCALES = sizeof scales / sizeof *scales };

/* n values of one type, to another, by every set of loops; how: the conversion. */
static void check_one(const unsigned char *from, int64_t n, ct_conversion how)
{
    const int from_bytes = reference_bytes[how.from], to_bytes = reference_bytes[how.to];
    const int sets = kernels(1) ? 2 : 1;
    unsigned char *const to = malloc((size_t)(sets * n * to_bytes)), right[8];
    for (int which = 0; which < sets; ++which)
        kernels(which)->convert(to + which * n * to_bytes, from, n, &how);
    for (int64_t i = 0; i < n; ++i) {
        const double x = value_of(from + i * from_bytes, how.from);
        reference(right, how.has_scale ? product_of(x, how.scale) : x, how.to);
        for (int which = 0; which < sets; ++which) {
            const unsigned char *const got = to + (which * n + i) * to_bytes;
            if (!same_value(right, got, how.to))
                fail_msg("%s: type %d to %d, scale %g: %a gives %a, not %a", kernels(which)->name,
                         how.from, how.to, how.scale, x, value_of(got, how.to),
                         value_of(right, how.to));
        }
    }
    free(to);
}

/* To every type, without a scale and with some of those above. */
static void check(const unsigned char *from, int64_t n, int type, int some)
{
    for (int other = CT_TYPE_HALF; other < CT_TYPE_COUNT; ++other) {
        if (other != type) check_one(from, n, (ct_conversion){type, other, 0, 0});
        for (int s = 0; s < some; ++s)
            check_one(from, n, (ct_conversion){type, other, 1, scales[s]});
    }
}

TEST(test_all_bytes)
{
    unsigned char all[256];
    for (int i = 0; i < 256; ++i) all[i] = (unsigned char)i;
    check(all, 256, CT_TYPE_INT8, SCALES);
}

TEST(test_all_halves)
{
    static uint16_t all[65536];
    for (int i = 0; i < 65536; ++i) all[i] = (uint16_t)i;
    check((const unsigned char *)all, 65536, CT_TYPE_HALF, SCALES);
    check((const unsigned char *)all, 65536, CT_TYPE_BFLOAT16, SCALES);
}

/* Around every value of a short type, and between every two: a step up and down. */
TEST(test_between)
{
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
        check((const unsigned char *)floats, n, CT_TYPE_FLOAT, FEW_SCALES);
        check((const unsigned char *)doubles, n, CT_TYPE_DOUBLE, FEW_SCALES);
    }
    free(floats);
    free(doubles);
}

/* Bits at random, of any exponent; and values at the ends of what there is. */
TEST(test_random_bits)
{
    enum { COUNT = 20000 };
    /* clang-format off */
    static const double ends[] = {0x1p-1074, 0x1p-1022,   0x1p-149,    0x1.8p-150,  0x1p-150, 0x1p-126,
                                  0x1.fffffep127, 0x1.ffffffp127, 0x1p128, 0x1.fffffffffffffp1023,
                                  65504,     65519.999,   65520,       0x1p-25,     0x1.8p-25, 127.5,
                                  128.5,     0.5,         1.5,         2.5,         -128.5,   -129};
    /* clang-format on */
    enum { ENDS = sizeof ends / sizeof *ends };
    uint32_t *const floats = malloc(COUNT * sizeof *floats);
    uint64_t *const doubles = malloc(COUNT * sizeof *doubles);
    dice d = dice_of(8);
    for (int i = 0; i < COUNT; ++i) {
        floats[i] = (uint32_t)(dice_next(&d) >> 20);
        doubles[i] = dice_next(&d) ^ dice_next(&d) << 32;
        /* exponents that a float has, too */
        if (i % 2)
            doubles[i] = (doubles[i] & ~(UINT64_C(0x7ff) << 52)) |
                         (uint64_t)dice_int(&d, 1023 - 152, 1023 + 130) << 52;
    }
    for (int i = 0; i < 2 * ENDS; ++i) {
        const double x = i < ENDS ? ends[i] : -ends[i - ENDS];
        const float f = (float)x;
        memcpy(&doubles[i], &x, sizeof x);
        memcpy(&floats[i], &f, sizeof f);
    }
    check((const unsigned char *)floats, COUNT, CT_TYPE_FLOAT, SCALES);
    check((const unsigned char *)doubles, COUNT, CT_TYPE_DOUBLE, SCALES);
    free(floats);
    free(doubles);
}

/* On the way of every kind of copy, and of no more than is asked for. */
TEST(test_on_the_way)
{
    enum { M = 70, N = 90, ALL = M * N };
    static const struct {
        int64_t src[2], dst[2];
        int form;
    } rows[] = {
        {{N, 1}, {N, 1}, CT_FORM_CONTIGUOUS},      {{N, 1}, {N + 5, 1}, CT_FORM_ROWS},
        {{N, 1}, {1, M}, CT_FORM_TILES},           {{2 * N, 2}, {2, 2 * M}, CT_FORM_TILES},
        {{N, 1}, {2 * N + 1, 2}, CT_FORM_STRIDED},
    };
    static int8_t from[2 * ALL];
    static uint16_t to[4 * ALL];
    char message[CT_MESSAGE_BYTES];
    for (int i = 0; i < 2 * ALL; ++i) from[i] = (int8_t)(i * 37 >> 2);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        for (int swizzled = 0; swizzled < 2; ++swizzled) {
            ct_plan_desc desc = {.has_scale = 1, .scale = 0.5};
            ct_plan *plan;
            ct_plan_info info;
            desc.src =
                ct_plan_side_of(ct_layout2(M, N, rows[r].src[0], rows[r].src[1]), CT_TYPE_INT8);
            desc.dst =
                ct_plan_side_of(ct_layout2(M, N, rows[r].dst[0], rows[r].dst[1]), CT_TYPE_HALF);
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

GROUP("plan convert", NULL, NULL)
