/* Linear layouts: every map of up to 3 bits to 3, and tensors of small powers of two. */
#include "sweep.h"

/* Map number i of n bits to `out` bits: its origin and images are the digits of i. */
static ct_linear_layout map_number(int n, int out, int64_t i)
{
    ct_linear_layout f;
    memset(&f, 0, sizeof f);
    f.profile.leaves = 1;
    f.bits = f.log[0] = n;
    f.origin = i % ((int64_t)1 << out);
    for (int k = 0; k < n; ++k) f.image[k] = i >> (out * (k + 1)) & (((int64_t)1 << out) - 1);
    return f;
}

static void over_maps(void (*law)(ct_linear_layout f))
{
    sweep_count = 0;
    for (int n = 0; n <= 3; ++n) {
        for (int64_t i = 0; i < (int64_t)1 << (3 * (n + 1)); ++i) law(map_number(n, 3, i));
    }
    for (int64_t i = 0; i < (int64_t)1 << 20; i += 37)
        law(map_number(4, 4, i)); /* some of 4 bits */
    assert_true(sweep_count > 20000);
}

static void inverse_(ct_linear_layout f) { LAW(law_linear_inverse(f), "a map"); }
static void tensor_(ct_linear_layout f) { LAW(law_linear_tensor(f, 4), "a map"); }

/* clang-format off */
TEST(inverses) { over_maps(inverse_); }
TEST(maps) { over_maps(tensor_); }
/* clang-format on */

TEST(compositions)
{
    sweep_count = 0;
    for (int64_t i = 0; i < 4096; i += 3) {
        for (int64_t j = 0; j < 512; j += 5) {
            LAW(law_linear_composition(map_number(3, 3, i), map_number(2, 3, j)), "two maps");
            LAW(law_linear_composition(map_number(2, 3, j), map_number(3, 3, i)), "two maps");
        }
    }
    assert_true(sweep_count > 100000);
}

/* Layouts whose leaves have 1, 2 or 4 coordinates, at several offsets, under every small swizzle. */
TEST(tensors)
{
    int linear = 0;
    sweep_count = 0;
    for (int n = 1; n <= 3; ++n) {
        const int64_t step = n == 3 ? 11 : 1;
        for (int64_t i = 0; i < sweep_power(3 * 10, n); i += step) {
            ct_layout L = sweep_layout((sweep_range){3, -1, 8}, n, i);
            for (int k = 0; k < n; ++k) L.shape[k] = (int64_t)1 << (L.shape[k] - 1);
            for (int w = 0; w < 63 * 4; w += n == 3 ? 5 : 1) {
                const ct_swizzle z = ct_make_swizzle(w % 3, w / 3 % 3, w / 9 % 7 - 3);
                const ct_tensor t = ct_make_swizzled(z, w / 63 * 3, L);
                if (t.layout.err.status) continue;
                linear += ct_make_linear(t).err.status == CT_OK;
                LAW(law_linear_layout(t), show(L));
            }
        }
    }
    assert_true(linear > 10000 && sweep_count - linear > 10000);
}

TEST(failures)
{
    ct_tensor below = ct_make_tensor(L_("4:-1"));
    const ct_linear_layout three = map_number(3, 3, 0);
    const ct_linear_layout wide = ct_make_linear(ct_make_tensor(L_("(2,2):(1,16)")));
    const struct {
        const char *name;
        ct_error got;
        int32_t status, why, mode;
    } rows[] = {
        {"a shape of 3", ct_make_linear(ct_make_tensor(L_("(2,3):(1,2)"))).err, CT_E_ARGUMENT,
         CT_WHY_NOT_POWER, 1},
        {"a carry within a mode", ct_make_linear(ct_make_tensor(L_("4:3"))).err, CT_E_NO_LAYOUT,
         CT_WHY_NOT_LINEAR, 0},
        {"a carry between modes", ct_make_linear(ct_make_tensor(L_("(2,2):(1,1)"))).err,
         CT_E_NO_LAYOUT, CT_WHY_NOT_LINEAR, 1},
        {"a negative offset", ct_make_linear(below).err, CT_E_ARGUMENT, CT_WHY_NEGATIVE, 0},
        {"coordinates", ct_make_linear(ct_make_tensor(L_("4:1@0"))).err, CT_E_ARGUMENT,
         CT_WHY_NOT_INTEGER, 0},
        {"bits that meet twice",
         ct_linear_tensor(map_number(3, 2, 1 << 2 | 1 << 4 | 3 << 6)).layout.err, CT_E_NO_LAYOUT,
         CT_WHY_NO_SWIZZLE, 0},
        {"an offset past F", ct_linear_composition(three, wide).err, CT_E_DOMAIN, CT_WHY_INDEX, 0},
        {"a failed operand", ct_linear_inverse(ct_make_linear(below)).err, CT_E_ARGUMENT,
         CT_WHY_NEGATIVE, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const ct_error e = rows[k].got;
        if (e.status != rows[k].status || e.why != rows[k].why || e.mode != rows[k].mode)
            fail_msg("%s: status %d, why %d, mode %d", rows[k].name, e.status, e.why, e.mode);
    }
}

/* The widest: 62 bits of index and offset. */
TEST(wide)
{
    const ct_tensor all =
        ct_make_tensor(ct_layout2((int64_t)1 << 31, (int64_t)1 << 30, (int64_t)1 << 30, 1));
    const ct_linear_layout f = ct_make_linear(all), back = ct_linear_inverse(f);
    assert_int_equal(f.err.status, CT_OK);
    assert_int_equal(f.bits, 61);
    const ct_layout inverse = ct_linear_tensor(back).layout;
    assert_true(ct_layout_equal(
        inverse, ct_layout2((int64_t)1 << 30, (int64_t)1 << 31, (int64_t)1 << 31, 1)));
}

GROUP("linear layouts", NULL, NULL)
