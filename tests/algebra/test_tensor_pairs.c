/* Two swizzled operands: every pair of small swizzles, layouts and offsets. */
#include "all_cases.h"
#include "sweep.h"

/* Swizzle number i of those of up to 2 bits, base 0 to 2, shift -3 to 3; failed ones among them. */
static ct_swizzle swizzle_number(int i) { return ct_make_swizzle(i % 3, i / 3 % 3, i / 9 % 7 - 3); }

enum { SWIZZLES = 63 };

/* Without all cases only the first of them. */
static const char *const outer[] = {"(4,8):(8,1)", "(2,4,4):(16,1,4)", "(3,8):(8,1)",
                                    "32:1",        "(8,4):(1,8)",      "(4,2,4):(4,1,0)"};
static const char *const inner[] = {"(8,4)",       "4:2",         "(2,2,2):(4,1,2)",
                                    "(2,4):(0,1)", "(4,4):(4,1)", "6:1"};
enum { LAYOUTS = 6, OUTER_FEW = 2, INNER_FEW = 3 };

static ct_tensor tensor_of(int swizzle, int64_t offset, const char *layout)
{
    return ct_make_swizzled(swizzle_number(swizzle), offset, L_(layout));
}

TEST(swizzles)
{
    int one = 0;
    sweep_count = 0;
    for (int i = 0; i < SWIZZLES; ++i) {
        for (int j = 0; j < SWIZZLES; ++j) {
            const ct_swizzle a = swizzle_number(i), b = swizzle_number(j);
            if (a.err.status || b.err.status) continue;
            one += a.bits && b.bits && ct_swizzle_composition(a, b).err.status == CT_OK;
            LAW(law_swizzle_composition(a, b), "two swizzles");
        }
    }
    assert_true(sweep_count > 1000);
    assert_in_range(one, 30, sweep_count / 2);
}

TEST(pairs)
{
    const int outers = all_cases() ? LAYOUTS : OUTER_FEW,
              inners = all_cases() ? LAYOUTS : INNER_FEW;
    const int part = LAYOUTS * LAYOUTS / (outers * inners);
    int both = 0, zipped = 0;
    sweep_count = 0;
    for (int k = 0; k < outers * inners * SWIZZLES * SWIZZLES; ++k) {
        const int i = k % SWIZZLES, j = k / SWIZZLES % SWIZZLES, l = k / (SWIZZLES * SWIZZLES);
        const ct_tensor T = tensor_of(i, k % 5 == 0 ? 8 : 0, outer[l % outers]);
        const ct_tensor U = tensor_of(j, k % 7 == 0 ? 3 : 0, inner[l / outers]);
        if (T.layout.err.status || U.layout.err.status) continue;
        LAW(law_tensor_of_tensor(T, U), outer[l % outers], inner[l / outers]);
        LAW(law_tensor_by_tensor(T, U), outer[l % outers], inner[l / outers]);
        LAW(law_zipped_by_tensor(T, U), outer[l % outers], inner[l / outers]);
        zipped += ct_tensor_blocked_product_by_tensor(T, U).layout.err.status == CT_OK;
        both += T.swizzle.bits && U.swizzle.bits &&
                ct_tensor_of_tensor(T, U).layout.err.status == CT_OK;
    }
    assert_true(sweep_count > 50000 / part);
    assert_true(both > 500 / part);
    assert_true(zipped > 500 / part);
}

TEST(complements)
{
    sweep_count = 0;
    for (int k = 0; k < SWIZZLES * LAYOUTS * 3; ++k) {
        const ct_tensor t = tensor_of(k % SWIZZLES, k % 4, inner[k / SWIZZLES % LAYOUTS]);
        if (t.layout.err.status) continue;
        LAW(law_tensor_complement(t, 5 + 20 * (k / SWIZZLES / LAYOUTS)), show(t.layout));
    }
    assert_true(sweep_count > 500);
}

TEST(failures)
{
    const ct_layout L = L_("(8,4)");
    const ct_tensor one = ct_make_swizzled(ct_make_swizzle(1, 0, 3), 0, L);
    const ct_tensor other = ct_make_swizzled(ct_make_swizzle(1, 0, 2), 0, L);
    const ct_tensor moved = ct_make_swizzled(ct_make_swizzle(1, 0, 3), 1, L);
    ct_tensor seven = ct_make_tensor(L_("32:1"));
    seven.offset = ct_int(7);
    const struct {
        const char *name;
        ct_error got;
        int32_t status, why;
    } rows[] = {
        {"two swizzles", ct_tensor_of_tensor(one, other).layout.err, CT_E_NO_LAYOUT,
         CT_WHY_TWO_SWIZZLES},
        {"a swizzle of a swizzled tensor", ct_swizzle_tensor(other.swizzle, one).layout.err,
         CT_E_NO_LAYOUT, CT_WHY_TWO_SWIZZLES},
        {"an offset that carries", ct_tensor_of_tensor(seven, one).layout.err, CT_E_NO_LAYOUT,
         CT_WHY_SWIZZLE_SUM},
        {"a tile that begins elsewhere", ct_tensor_divide_by_tensor(seven, moved).layout.err,
         CT_E_ARGUMENT, CT_WHY_OFFSET},
        {"a pattern that begins elsewhere", ct_tensor_product_by_tensor(seven, moved).layout.err,
         CT_E_ARGUMENT, CT_WHY_OFFSET},
        {"a negative offset under a swizzle",
         ct_swizzle_tensor(one.swizzle, ct_make_tensor(L_("4:-1"))).layout.err, CT_E_ARGUMENT,
         CT_WHY_NEGATIVE},
        {"coordinates under a swizzle",
         ct_swizzle_tensor(one.swizzle, ct_make_tensor(L_("4:1@0"))).layout.err, CT_E_ARGUMENT,
         CT_WHY_NOT_INTEGER},
        {"a tile that leaves gaps",
         ct_tensor_divide_by_tensor(seven, ct_make_swizzled(one.swizzle, 0, L_("(2,2):(1,3)")))
             .layout.err,
         CT_E_NO_LAYOUT, CT_WHY_GAP},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        if (rows[k].got.status != rows[k].status || rows[k].got.why != rows[k].why)
            fail_msg("%s: status %d, why %d", rows[k].name, rows[k].got.status, rows[k].got.why);
    }
}

GROUP("pairs of tensors", NULL, NULL)
