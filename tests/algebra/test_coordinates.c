/* Layouts of coordinates, and complements up to a shape: over all small ones, with their failures. */
#include "sweep.h"

/* Calls `law` for each layout of up to 3 leaves whose strides have one of `bases` bases. */
static void over_bases(void (*law)(ct_layout L), sweep_range range, const uint32_t *bases,
                       int count)
{
    for (int n = 1; n <= 3; ++n) {
        const int64_t all = sweep_power(sweep_leaves(range), n), ways = sweep_power(count, n);
        for (int64_t i = 0; i < all; ++i) {
            for (int64_t way = 0; way < ways; ++way) {
                ct_layout L = sweep_layout(range, n, i);
                for (int64_t k = 0, rest = way; k < n; ++k, rest /= count)
                    L.basis[k] = bases[rest % count];
                law(L);
            }
        }
    }
}

static const uint32_t TWO[] = {1, 2}, MIXED[] = {0, 1, 2}, INNER[] = {0x0101, 0x0201, 2};

static void reach_(ct_layout L) { LAW(law_coshape(L), show(L)); }
static void inverse_(ct_layout L) { LAW(law_inverse_along(L), show(L)); }

static void complement_(ct_layout L)
{
    const ct_tuple shapes[] = {ct_tuple2(4, 6), ct_tuple2(1, 9), ct_tuple3(5, 8, 2)};
    for (int k = 0; k < 3; ++k)
        LAW(law_complement_shape(L, shapes[k]), show(L), show_tuple(shapes[k]));
}

static void inner_(ct_layout L)
{
    const ct_tuple shape = ct_shape(L_("((4,3),6)"));
    LAW(law_complement_shape(L, shape), show(L), show_tuple(shape));
    LAW(law_coshape(L), show(L));
}

static void divide_(ct_layout B)
{
    static const char *const of[] = {"(4,6):(6,1)", "((2,2),4):((1,8),2)", "(8,3):(1,9)"};
    for (int k = 0; k < 3; ++k) LAW(law_divide_along(L_(of[k]), B), of[k], show(B));
}

TEST(reaches)
{
    sweep_count = 0;
    over_bases(reach_, (sweep_range){3, -2, 2}, MIXED, 3);
    assert_true(sweep_count > 10000);
}

TEST(complements)
{
    sweep_count = 0;
    over_bases(complement_, (sweep_range){3, 0, 4}, TWO, 2);
    over_bases(inner_, (sweep_range){2, 0, 3}, INNER, 3);
    over_bases(complement_, (sweep_range){4, 0, 6}, (const uint32_t[]){0}, 1);
    assert_true(sweep_count > 10000);
}

TEST(inverses)
{
    sweep_count = 0;
    over_bases(inverse_, (sweep_range){3, -1, 4}, TWO, 2);
    over_bases(inverse_, (sweep_range){2, 0, 2}, MIXED, 3);
    over_bases(inverse_, (sweep_range){3, 0, 3}, INNER, 3);
    assert_true(sweep_count > 10000);
}

TEST(divides)
{
    sweep_count = 0;
    over_bases(divide_, (sweep_range){3, 0, 3}, TWO, 2);
    assert_true(sweep_count > 5000);
}

TEST(failures)
{
    const struct {
        const char *name;
        ct_error got;
        int32_t status, why, mode;
    } rows[] = {
        {"a gap along mode 1", ct_complement_shape(L_("(2,2):(2@1,6@1)"), ct_tuple2(4, 24)).err,
         CT_E_NO_LAYOUT, CT_WHY_GAP_ALONG, 1},
        {"overlap along mode 1", ct_complement_shape(L_("(4,2):(1@1,2@1)"), ct_tuple2(4, 24)).err,
         CT_E_NO_LAYOUT, CT_WHY_OVERLAP_ALONG, 1},
        {"a mode that the shape lacks",
         ct_complement_shape(L_("(4,2):(1@0,2@3)"), ct_tuple2(4, 24)).err, CT_E_ARGUMENT,
         CT_WHY_BASIS_SHAPE, 1},
        {"an integer is no shape of coordinates", ct_complement_shape(L_("4:1@0"), ct_int(8)).err,
         CT_E_ARGUMENT, CT_WHY_BASIS_SHAPE, 0},
        {"integers beside bases", ct_complement_shape(L_("(4,2):(1@0,2)"), ct_tuple2(4, 24)).err,
         CT_E_ARGUMENT, CT_WHY_BASIS_MIXED, 1},
        {"two levels", ct_complement_shape(L_("(4,2):(1@0,2@0@0)"), ct_shape(L_("((8,2),3)"))).err,
         CT_E_ARGUMENT, CT_WHY_BASIS_MIXED, 0},
        {"a shape of 0", ct_complement_shape(L_("4:1"), ct_tuple2(4, 0)).err, CT_E_ARGUMENT,
         CT_WHY_SHAPE, 1},
        {"a shape past 64 bits",
         ct_complement_shape(L_("4:1"), ct_tuple2(INT64_MAX, INT64_MAX)).err, CT_E_OVERFLOW,
         CT_WHY_OVERFLOW, 1},
        {"no left inverse along mode 1", ct_left_inverse(L_("(2,3,3):(1@0,3@1,5@1)")).err,
         CT_E_NO_LAYOUT, CT_WHY_OVERLAP_ALONG, 1},
        {"a coordinate reached twice", ct_left_inverse(L_("(2,4,2):(1@0,2@1,4@1)")).err,
         CT_E_NO_LAYOUT, CT_WHY_OVERLAP_ALONG, 1},
        {"a negative stride along mode 1", ct_left_inverse(L_("(2,2):(1@0,-1@1)")).err,
         CT_E_ARGUMENT, CT_WHY_NEGATIVE_STRIDE, 1},
        {"inverses of a mixed layout", ct_right_inverse(L_("(2,2):(1@0,2)")).err, CT_E_ARGUMENT,
         CT_WHY_BASIS_MIXED, 1},
        {"a divide whose tiles leave gaps",
         ct_logical_divide(L_("(8,8)"), L_("(2,2):(1@0,3@0)")).err, CT_E_NO_LAYOUT,
         CT_WHY_GAP_ALONG, 0},
        {"a divide along a mode that is not there", ct_logical_divide(L_("32:1"), L_("4:1@0")).err,
         CT_E_ARGUMENT, CT_WHY_BASIS_SHAPE, 0},
        {"an overflow", ct_coshape(L_("(2,2):(9223372036854775807@0,1@0)")).err, CT_E_OVERFLOW,
         CT_WHY_OVERFLOW, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const ct_error e = rows[k].got;
        if (e.status != rows[k].status || e.why != rows[k].why || e.mode != rows[k].mode)
            fail_msg("%s: status %d, why %d, mode %d", rows[k].name, e.status, e.why, e.mode);
    }
}

GROUP("coordinates", NULL, NULL)
