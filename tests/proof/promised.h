/**
 * What two functions of base.h ask and promise, in their place: 64-bit divisions are long to prove,
 * and the loop of ct_gcd is as long as its arguments make it. The harnesses own_gcd_step and
 * own_ceil_div of prove.c prove it of the functions themselves.
 */
#ifndef CUTLET_TESTS_PROOF_PROMISED_H
#define CUTLET_TESTS_PROOF_PROMISED_H

static inline int64_t ct_gcd_promised(int64_t a, int64_t b)
{
    __CPROVER_assert(a > INT64_MIN && b > INT64_MIN, "ct_gcd takes what has an absolute value");
    const int64_t r = nondet_number();
    __CPROVER_assume(r >= 0 && (r == 0) == (a == 0 && b == 0));
    __CPROVER_assume((a == 0 || r <= ct_abs(a)) && (b == 0 || r <= ct_abs(b)));
    return r;
}

static inline int64_t ct_ceil_div_own(int64_t a, int64_t b) { return ct_ceil_div_int(a, b); }

static inline int64_t ct_ceil_div_promised(int64_t a, int64_t b)
{
    __CPROVER_assert(a >= 0 && b >= 1, "ct_ceil_div_int takes a >= 0 and b >= 1");
    const int64_t r = nondet_number();
    __CPROVER_assume(r >= 0 && r <= a && (r == 0) == (a == 0));
    return r;
}

#define ct_gcd ct_gcd_promised
#define ct_ceil_div_int ct_ceil_div_promised

#endif
