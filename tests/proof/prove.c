/* The harnesses as CBMC takes them; proof.py makes harnesses.c. */
#include "any.h"

/* Of a result, that it nests as a value does: its sizes are what CBMC does not see. */
#define CT_IS_TUPLE(t) ((t)->err.status ? ct_holds(&(t)->profile) : ct_is_profile(&(t)->profile))
#define CT_IS_LAYOUT(L) CT_IS_TUPLE(L)
#define CT_RESULT(x) __CPROVER_assert(x, "the result is a value of its type")

#define CT_HARNESS
#include "harnesses.c"

/* promised.h of the functions themselves. */
void harness_own_ceil_div(void)
{
    const int64_t a = nondet_number(), b = nondet_number();
    CT_ASSUME(a >= 0 && b >= 1);
    const int64_t r = ct_ceil_div_own(a, b);
    CT_RESULT(r >= 0 && r <= a && (r == 0) == (a == 0));
}

/* One round of ct_gcd: b shrinks, so that the loop ends, and neither grows. */
void harness_own_gcd_step(void)
{
    const int64_t a = nondet_number(), b = nondet_number();
    CT_ASSUME(a >= 0 && b > 0);
    const int64_t rest = a % b;
    CT_RESULT(rest >= 0 && rest < b && rest <= a);
}

/* What CBMC must refuse. */
void harness_planted_bounds(void)
{
    ct_layout L = ct_any_layout();
    L.shape[L.profile.leaves] = 1;
}

int64_t harness_planted_overflow(void) { return ct_any_layout().stride[0] + 1; }

int64_t harness_planted_division(void) { return 1 / ct_any_tuple().value[0]; }

int64_t harness_planted_shift(void) { return (int64_t)1 << ct_any_swizzle().bits; }

int harness_planted_loop(void)
{
    int n = 0;
    while (n < nondet_number()) n = n < 1000 ? n + 1 : 1;
    return n;
}

void harness_planted_result(void)
{
    ct_tuple t = ct_any_tuple();
    t.profile.open[0] = (uint8_t)(t.profile.open[0] + 1);
    CT_RESULT(CT_IS_TUPLE(&t));
}
