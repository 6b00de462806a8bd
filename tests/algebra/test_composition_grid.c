/* The composition grid: A = (a,b):(1,100), B = s:d with a, b, s in 2..8 and d in 1..16, inside
 * A. Of its 2,327 cases 1,438 have an exact layout. Each result is compared with enumeration,
 * each refusal with a search for a layout. */
#include "sweep.h"

TEST(every_case_is_exact_or_refused)
{
    int cases = 0, exact = 0, refused = 0;
    for (int64_t a = 2; a <= 8; ++a) {
        for (int64_t b = 2; b <= 8; ++b) {
            for (int64_t s = 2; s <= 8; ++s) {
                for (int64_t d = 1; d <= 16; ++d) {
                    if ((s - 1) * d >= a * b) continue;
                    ++cases;
                    const ct_layout A = ct_layout2(a, b, 1, 100), B = ct_layout1(s, d);
                    const ct_layout R = ct_composition(A, B);
                    LAW(law_composition(A, B), show(A), show(B), show(R));
                    if (R.err.status == CT_OK) {
                        ++exact;
                        for (int64_t i = 0; i < s; ++i) /* once more, spelled out */
                            assert_int_equal(oracle_eval(R, i), i * d % a + 100 * (i * d / a));
                    } else {
                        ++refused;
                        assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
                        assert_int_equal(R.err.op, CT_OP_COMPOSITION);
                        assert_int_equal(R.err.mode, 0);
                    }
                }
            }
        }
    }
    assert_int_equal(cases, 2327);
    assert_int_equal(exact, 1438);
    assert_int_equal(refused, 889);
}

/* The same grid with A's modes the other way round and A nested: as many, for the digits are the
 * same. */
TEST(nesting_and_strides_of_a_change_nothing)
{
    int exact = 0;
    for (int64_t a = 2; a <= 8; ++a) {
        for (int64_t b = 2; b <= 8; ++b) {
            for (int64_t s = 2; s <= 8; ++s) {
                for (int64_t d = 1; d <= 16; ++d) {
                    if ((s - 1) * d >= a * b) continue;
                    const ct_layout flat = ct_layout2(a, b, 100, 1);
                    const ct_layout A = ct_make_layout2(flat, ct_layout1(1, 0)),
                                    B = ct_layout1(s, d);
                    LAW(law_composition(A, B), show(A), show(B));
                    exact += ct_composition(A, B).err.status == CT_OK;
                }
            }
        }
    }
    assert_int_equal(exact, 1438);
}

GROUP("composition grid", NULL, NULL)
