/* Normal forms of several layouts: a table, a random sweep, and what is refused. */
#include "sweep.h"

#include <cutlet/host/text.h>
#include "error_said.h"
#include "laws_sides.h"
#include "layouts.h"

static ct_normal_form pair(const char *a, const char *b)
{
    const ct_normal_side side[2] = {{L_(a), 4}, {L_(b), 2}};
    return ct_normalize(side, 2);
}

/* The modes as text: extent(step,step) ... @ first,first. */
static void form_is(const ct_normal_form f, const char *want)
{
    char text[512];
    int n = 0;
    assert_int_equal(f.err.status, CT_OK);
    for (int m = 0; m < f.modes; ++m)
        n += snprintf(text + n, sizeof text - (size_t)n, "%lld(%lld,%lld) ",
                      (long long)f.mode[m].extent, (long long)f.mode[m].step[0],
                      (long long)f.mode[m].step[1]);
    snprintf(text + n, sizeof text - (size_t)n, "@ %lld,%lld", (long long)f.first[0],
             (long long)f.first[1]);
    assert_string_equal(text, want);
}

TEST(forms)
{
    form_is(pair("100:1", "100:1"), "100(4,2) @ 0,0");
    form_is(pair("(4,1,1,3):(5,7,9,1)", "(4,1,3):(5,5,1)"), "3(4,2) 4(20,10) @ 0,0");
    form_is(pair("1:7", "1:5"), "@ 0,0");
    form_is(pair("(8,6):(6,1)", "(8,6):(6,1)"), "48(4,2) @ 0,0");
    form_is(pair("((2,4),6):((6,12),1)", "(8,6):(6,1)"), "48(4,2) @ 0,0");
    form_is(pair("(8,6):(6,1)", "(8,6):(8,1)"), "6(4,2) 8(24,16) @ 0,0");
    form_is(pair("(8,6):(1,8)", "(8,6):(6,1)"), "8(4,12) 6(32,2) @ 0,0");
    form_is(pair("(8,6):(1,8)", "(8,6):(0,1)"), "8(4,0) 6(32,2) @ 0,0"); /* broadcast */
    form_is(pair("100:-1", "100:-1"), "100(4,2) @ -396,-198");
    form_is(pair("100:-1", "100:1"), "100(4,-2) @ -396,198");
    form_is(pair("100:1", "100:-1"), "100(4,-2) @ 0,0");
    form_is(pair("(2,15):(1,2)", "(6,5):(1,6)"), "30(4,2) @ 0,0"); /* both are 30:1 */
    form_is(pair("(4,3):(1,4)", "(6,2):(1,6)"), "12(4,2) @ 0,0");
}

TEST(random_sides)
{
    static const int64_t sizes[] = {1, 2, 2, 3, 4, 5, 5};
    int done = 0, refused = 0;
    sweep_seed(11);
    for (int round = 0; round < 20000; ++round) {
        int64_t factor[5];
        const int factors = (int)sweep_int(1, 5), sides = (int)sweep_int(1, CT_SIDES);
        ct_normal_side side[CT_SIDES];
        char text[CT_SIDES][128];
        const char *operand[CT_SIDES + 1] = {NULL};
        for (int i = 0; i < factors; ++i) factor[i] = sizes[sweep_int(0, 6)];
        for (int k = 0; k < sides; ++k) {
            if (sweep_int(0, 9 * sides) == 0 && factors > 1) { /* cut elsewhere */
                const int64_t f = factor[0];
                factor[0] = factor[1];
                factor[1] = f;
            }
            side[k].layout = layout_of(factor, factors);
            side[k].elem_bytes = sweep_int(1, 16);
            ct_format_layout(text[k], sizeof text[k], side[k].layout);
            operand[k] = text[k];
        }
        sweep_holds(law_normalize(side, sides), "law_normalize", operand);
        const int fine = ct_normalize(side, sides).err.status == CT_OK;
        done += fine;
        refused += !fine;
    }
    assert_true(done > 10000 && refused > 50);
}

static void refused(const ct_normal_form f, int status, int side, const char *message)
{
    char text[256];
    assert_int_equal(f.err.status, status);
    assert_int_equal(f.err.mode, side);
    assert_int_equal(f.modes, 0);
    ct_error_message(f.err, text, sizeof text);
    assert_string_equal(text, message);
    assert_null(error_unsaid(f.err));
}

TEST(refusals)
{
    ct_normal_side many[CT_SIDES + 1];
    refused(pair("8:1", "9:1"), CT_E_ARGUMENT, 1,
            "normalize: side 1 has 9 elements, and side 0 has 8");
    refused(
        pair("(4,3):(1,5)", "(6,2):(1,7)"), CT_E_ARGUMENT, 1,
        "normalize: the shapes of sides 1 and 0 have no common refinement: of 6 and 4 elements, "
        "neither divides the other");
    refused(pair("8:1@0", "8:1"), CT_E_ARGUMENT, 0,
            "normalize: side 0 has `_` or a basis stride where integers are needed");
    refused(pair("3:1", "3:4611686018427387903"), CT_E_OVERFLOW, 1,
            "normalize: side 1: an offset in bytes does not fit in 64 bits");
    refused(pair("(2,3):(1152921504606846975,1152921504606846975)", "6:1"), CT_E_OVERFLOW, 0,
            "normalize: side 0: an offset in bytes does not fit in 64 bits");
    refused(pair("2:-2305843009213693952", "2:1"), CT_E_OVERFLOW, 0,
            "normalize: side 0: an offset in bytes does not fit in 64 bits");
    for (int k = 0; k <= CT_SIDES; ++k) many[k] = (ct_normal_side){L_("8:1"), 1};
    refused(ct_normalize(many, CT_SIDES + 1), CT_E_CAPACITY, 0,
            "normalize: there are 10 sides, and 1 to 9 are possible");
    refused(ct_normalize(many, 0), CT_E_CAPACITY, 0,
            "normalize: there are 0 sides, and 1 to 9 are possible");
    many[1].elem_bytes = 0;
    refused(ct_normalize(many, 2), CT_E_ARGUMENT, 1,
            "normalize: side 1 has elements of 0 bytes; they have at least 1");
    many[1] = (ct_normal_side){ct_composition(L_("(4,2):(1,8)"), L_("3:3")), 4};
    assert_int_equal(ct_normalize(many, 2).err.op, CT_OP_COMPOSITION);
}

/* Sixteen leaves on one side, and other sides that cut each of them: more modes than there is room
 * for. */
TEST(capacity)
{
    ct_normal_side side[3];
    for (int k = 0; k < 3; ++k) {
        ct_layout L = CT_ZERO; /* ends at 2^(3i+k+1): 48 different places on three sides */
        L.profile = ct_profile_flat(16);
        int64_t step = 1;
        for (int i = 0; i < 16; ++i) {
            L.shape[i] = i == 0 ? (int64_t)2 << k : i < 15 ? 8 : 4 >> k;
            L.stride[i] = step;
            step = step * L.shape[i] + 1;
        }
        side[k] = (ct_normal_side){L, 1};
    }
    assert_int_equal(ct_normalize(side, 1).modes, 16);
    assert_int_equal(ct_normalize(side, 2).err.status, CT_OK);
    refused(ct_normalize(side, 3), CT_E_CAPACITY, 0,
            "normalize: 33 modes are needed, and at most 32 are possible");
}

GROUP("normalize", NULL, NULL)
