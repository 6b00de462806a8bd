/* The harnesses as CBMC takes them; proof.py makes harnesses.c. */
#include "any.h"

#define CT_RESULT(x) __CPROVER_assert(x, "the result is a value of its type")

ct_reach nondet_reach_bytes(void);

#define CT_HARNESS
#include "harnesses.c"

static int ct_no_any(const ct_layout *L)
{
    int yes = 1;
    for (int i = 0; i < L->profile.leaves; ++i) yes = yes && L->basis[i] != CT_ANY;
    return yes;
}

static int ct_shapes_positive(const ct_layout *L)
{
    int yes = 1;
    for (int i = 0; i < L->profile.leaves; ++i) yes = yes && L->shape[i] >= 1;
    return yes;
}

/* Of leaves without parentheses, as they stand in a layout that is being made. */
static int ct_is_leaves(const ct_layout *L)
{
    if (!ct_holds(&L->profile) || L->err.status) return ct_holds(&L->profile);
    for (int i = 0; i < L->profile.leaves; ++i)
        if (L->profile.open[i] || L->profile.close[i]) return 0;
    return ct_sizes_fit(L);
}

/* Whether the digits of f are leaves of a layout, and its V is one. */
static int ct_is_digits(const ct_steps *f)
{
    const int first = f->digits.first, count = f->digits.count;
    if (!ct_holds(&f->A->profile) || f->V->err.status || !ct_holds(&f->V->profile)) return 0;
    if (first < 0 || count < 0 || first > CT_MAX_LEAVES || count > f->A->profile.leaves - first)
        return 0;
    return ct_shapes_positive(f->A) && ct_shapes_positive(f->V);
}

/* The same of leaves whose size may be any. */
static int ct_is_raw(const ct_layout *L)
{
    if (!ct_holds(&L->profile) || L->err.status) return ct_holds(&L->profile);
    for (int i = 0; i < L->profile.leaves; ++i)
        if (L->profile.open[i] || L->profile.close[i]) return 0;
    return ct_shapes_positive(L);
}

static ct_layout ct_any_leaves(void)
{
    const ct_layout L = nondet_layout_bytes();
    CT_ASSUME(ct_is_leaves(&L));
    return L;
}

/* Any place within the digits of a composition. */
static ct_span ct_any_span(void)
{
    ct_span s = {0, 0};
    s.first = (int)nondet_number();
    s.count = (int)nondet_number();
    return s;
}

static int ct_are_digits(const ct_layout *A, ct_span s)
{
    int yes = ct_holds(&A->profile) && s.first >= 0 && s.first <= CT_MAX_LEAVES && s.count >= -1 &&
              s.count <= A->profile.leaves - s.first;
    for (int i = 0; i < CT_MAX_LEAVES; ++i)
        yes = yes && (i < s.first || i >= s.first + s.count || A->shape[i] >= 1);
    return yes;
}

int64_t assumed_ct_digits_eval(const ct_layout *A, ct_span s, int64_t i, uint32_t basis, int *ok)
{
    (void)i, (void)basis;
    __CPROVER_assert(ct_are_digits(A, s), "ct_digits_eval gets what it asks for");
    if (nondet_number()) *ok = 0;
    return nondet_number();
}

void harness_step_digits_eval(void)
{
    const ct_layout A = nondet_layout_bytes();
    const ct_span s = ct_any_span();
    int ok = (int)nondet_number();
    CT_ASSUME(ct_are_digits(&A, s));
    (void)ct_digits_eval(&A, s, nondet_number(), nondet_basis(), &ok);
}

/* Steps of other functions whose arguments are not values: their harnesses, and their promises. */
void assumed_ct_push_coalesced(ct_layout *r, ct_part p, int how)
{
    (void)how;
    __CPROVER_assert(r->err.status == CT_OK && r->profile.leaves == 0 && ct_is_part(&p),
                     "ct_push_coalesced gets what it asks for");
    *r = ct_any_leaves();
    __CPROVER_assume(r->err.status == p.of->err.status);
    __CPROVER_assume(r->err.status || (r->profile.leaves >= 1 && ct_no_any(r)));
}

void harness_step_push_coalesced(void)
{
    ct_layout r = ct_any_empty();
    const ct_layout of = ct_any_of();
    const ct_part p = ct_any_part(&of);
    ct_push_coalesced(&r, p, (int)nondet_number());
    CT_RESULT(ct_is_leaves(&r) && r.err.status == of.err.status);
    CT_RESULT(r.err.status || (r.profile.leaves >= 1 && ct_no_any(&r)));
}

int assumed_ct_find_steps(ct_layout *R, const ct_steps *f, int64_t size)
{
    __CPROVER_assert(R->err.status == CT_OK && R->profile.leaves == 0 && ct_is_raw(f->V) &&
                         size >= 1 && ct_is_digits(f),
                     "ct_find_steps gets what it asks for");
    const int known = (int)nondet_number();
    __CPROVER_assume(known >= -1 && known <= 1);
    *R = nondet_layout_bytes();
    __CPROVER_assume(ct_is_raw(R));
    __CPROVER_assume(known < 1 || R->err.status == CT_OK);
    __CPROVER_assume(known < 1 || size == 1 || R->profile.leaves >= 1);
    __CPROVER_assume(f->basis == CT_ANY || ct_no_any(R));
    return known;
}

void harness_step_find_steps(void)
{
    const ct_layout A = nondet_layout_bytes(), V = nondet_layout_bytes();
    ct_layout R = ct_any_empty();
    ct_steps f = {&A, &V, {0, 0}, nondet_basis(), nondet_number()};
    f.digits.first = (int)nondet_number();
    f.digits.count = (int)nondet_number();
    const int64_t size = nondet_number();
    CT_ASSUME(ct_is_raw(&V) && ct_is_digits(&f) && size >= 1);
    const int known = ct_find_steps(&R, &f, size);
    CT_RESULT(known >= -1 && known <= 1 && ct_is_raw(&R));
    CT_RESULT(known < 1 || R.err.status == CT_OK);
    CT_RESULT(known < 1 || size == 1 || R.profile.leaves >= 1);
    CT_RESULT(f.basis == CT_ANY || ct_no_any(&R));
}

static int ct_is_span(ct_span s, const ct_layout *L)
{
    return ct_holds(&L->profile) && s.first >= 0 && s.first < L->profile.leaves && s.count >= 1 &&
           s.count <= L->profile.leaves - s.first;
}

static int ct_is_reach(const ct_reach *r)
{
    int yes = 1;
    for (int i = 0; i < CT_MAX_LEAVES; ++i) yes = yes && r->top[i] >= 0;
    return yes;
}

static ct_reach ct_any_reach(void)
{
    const ct_reach r = nondet_reach_bytes();
    CT_ASSUME(ct_is_reach(&r));
    return r;
}

static int ct_same_start(const ct_layout *L, const ct_layout *was)
{
    for (int i = 0; i < CT_MAX_LEAVES; ++i) {
        const int old = i < was->profile.leaves, now = i < L->profile.leaves;
        if (old && (L->profile.open[i] != was->profile.open[i] ||
                    L->profile.close[i] != was->profile.close[i]))
            return 0;
        if (!old && now && (L->profile.open[i] || L->profile.close[i])) return 0;
    }
    return L->profile.leaves >= was->profile.leaves;
}

/* Of digits whose modes are not asked for the parentheses do not count. */
static int ct_has_modes(const ct_layout *A, uint32_t basis)
{
    return ct_holds(&A->profile) && (basis == CT_INTEGER || ct_is_profile(&A->profile));
}

static int ct_is_basis_span(ct_span s, const ct_layout *A, uint32_t basis)
{
    if (basis == CT_INTEGER) return s.first == 0 && s.count == A->profile.leaves;
    return s.first >= 0 && s.first <= A->profile.leaves &&
           (s.count == -1 || (s.count >= 1 && s.count <= A->profile.leaves - s.first));
}

ct_span assumed_ct_basis_span(const ct_layout *A, uint32_t basis)
{
    __CPROVER_assert(ct_has_modes(A, basis), "ct_basis_span gets what it asks for");
    const ct_span s = ct_any_span();
    __CPROVER_assume(ct_is_basis_span(s, A, basis));
    return s;
}

void harness_step_basis_span(void)
{
    const ct_layout A = nondet_layout_bytes();
    const uint32_t basis = nondet_basis();
    CT_ASSUME(ct_has_modes(&A, basis));
    CT_RESULT(ct_is_basis_span(ct_basis_span(&A, basis), &A, basis));
}

void assumed_ct_compose_leaf(ct_layout *R, const ct_layout *A, ct_span span, int64_t s, int64_t d,
                             int mode, ct_reach *reach)
{
    __CPROVER_assert(R->err.status == CT_OK && ct_holds(&R->profile) && ct_is_span(span, A) &&
                         ct_shapes_positive(A) && s >= 1 && d > INT64_MIN && mode >= 0 &&
                         mode < CT_MAX_LEAVES && ct_is_reach(reach) && ct_no_any(A) && ct_no_any(R),
                     "ct_compose_leaf gets what it asks for");
    const ct_layout was = *R;
    *R = nondet_layout_bytes();
    *reach = ct_any_reach();
    __CPROVER_assume(ct_holds(&R->profile) && ct_same_start(R, &was) && ct_no_any(R));
    __CPROVER_assume(R->err.status || R->profile.leaves > was.profile.leaves);
}

void harness_step_compose_leaf(void)
{
    const ct_layout A = nondet_layout_bytes();
    ct_layout R = nondet_layout_bytes();
    const ct_span span = ct_any_span();
    const int64_t s = nondet_number(), d = nondet_number();
    const int mode = (int)nondet_number();
    ct_reach reach = ct_any_reach();
    CT_ASSUME(R.err.status == CT_OK && ct_holds(&R.profile) && ct_is_span(span, &A));
    CT_ASSUME(ct_shapes_positive(&A) && s >= 1 && d > INT64_MIN && mode >= 0 &&
              mode < CT_MAX_LEAVES && ct_no_any(&A) && ct_no_any(&R));
    const ct_layout was = R;
    ct_compose_leaf(&R, &A, span, s, d, mode, &reach);
    CT_RESULT(ct_holds(&R.profile) && ct_same_start(&R, &was) && ct_is_reach(&reach));
    CT_RESULT(ct_no_any(&R));
    CT_RESULT(R.err.status || R.profile.leaves > was.profile.leaves);
}

int assumed_ct_composition_holds(const ct_layout *A, ct_part B, const ct_layout *R)
{
    __CPROVER_assert(ct_holds(&A->profile) && ct_shapes_positive(A) && ct_is_part(&B) &&
                         ct_holds(&R->profile) && ct_shapes_positive(R),
                     "ct_composition_holds gets what it asks for");
    for (int i = 0; i < B.s.count; ++i)
        __CPROVER_assert(ct_has_modes(A, B.of->basis[B.s.first + i]), "A has modes");
    const int holds = (int)nondet_number();
    __CPROVER_assume(holds >= -1 && holds <= 1);
    return holds;
}

void harness_step_composition_holds(void)
{
    const ct_layout A = nondet_layout_bytes(), R = nondet_layout_bytes(), of = ct_any_of();
    const ct_part B = ct_any_part(&of);
    CT_ASSUME(ct_holds(&A.profile) && ct_shapes_positive(&A) && of.err.status == CT_OK);
    CT_ASSUME(ct_holds(&R.profile) && ct_shapes_positive(&R));
    for (int i = 0; i < B.s.count; ++i) CT_ASSUME(ct_has_modes(&A, of.basis[B.s.first + i]));
    const int holds = ct_composition_holds(&A, B, &R);
    CT_RESULT(holds >= -1 && holds <= 1);
}

/* assumed.h of the functions themselves. */
void harness_own_ceil_div(void)
{
    const int64_t a = nondet_number(), b = nondet_number();
    CT_ASSUME(a >= 0 && b >= 1);
    const int64_t r = ct_ceil_div_own(a, b);
    CT_RESULT(r >= 0 && r <= a && (r == 0) == (a == 0));
}

/* The product of two numbers is a product, of either order. */
void harness_own_mul(void)
{
    const int64_t a = nondet_number(), b = nondet_number();
    int ok = 1;
    const int64_t r = ct_mul_own(a, b, &ok);
    CT_RESULT(ct_is_product(a, b, r, ok));
    CT_RESULT(ok || r == 0);
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
    CT_RESULT(ct_is_tuple(&t));
}
