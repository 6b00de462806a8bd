/**
 * What functions of base.h and products of sizes ask and promise, in their place: 64-bit divisions
 * and multiplications are long to prove, and the loop of ct_gcd is as long as its arguments make it.
 * The harnesses own_... of prove.c prove all of it of the functions themselves.
 */
#ifndef CUTLET_TESTS_PROOF_ASSUMED_H
#define CUTLET_TESTS_PROOF_ASSUMED_H

static inline int64_t ct_gcd_assumed(int64_t a, int64_t b)
{
    __CPROVER_assert(a > INT64_MIN && b > INT64_MIN, "ct_gcd takes what has an absolute value");
    const int64_t r = nondet_number();
    __CPROVER_assume(r >= 0 && (r == 0) == (a == 0 && b == 0));
    __CPROVER_assume((a == 0 || r <= ct_abs(a)) && (b == 0 || r <= ct_abs(b)));
    return r;
}

static inline int64_t ct_ceil_div_own(int64_t a, int64_t b) { return ct_ceil_div_int(a, b); }

static inline int64_t ct_ceil_div_assumed(int64_t a, int64_t b)
{
    __CPROVER_assert(a >= 0 && b >= 1, "ct_ceil_div_int takes a >= 0 and b >= 1");
    const int64_t r = nondet_number();
    __CPROVER_assume(r >= 0 && r <= a && (r == 0) == (a == 0));
    return r;
}

/* A product is any function of two numbers, the same for the same two, of which only this is known. */
int64_t __CPROVER_uninterpreted_product(int64_t a, int64_t b);
int __CPROVER_uninterpreted_fits(int64_t a, int64_t b);

/** Whether r, where it fits, is what a * b may be. */
static inline int ct_is_product(int64_t a, int64_t b, int64_t r, int fits)
{
    if (a == 0 || b == 0) return fits && r == 0;
    if (a == 1) return fits && r == b;
    if (b == 1) return fits && r == a;
    if (!fits) return 1;
    if (r == 0 || (r > 0) != ((a > 0) == (b > 0))) return 0;
    return a < 0 || b < 0 || (r > a && r > b);
}

static inline int64_t ct_product_assumed(int64_t a, int64_t b, int *fits)
{
    const int64_t low = a < b ? a : b, high = a < b ? b : a;
    const int64_t r = __CPROVER_uninterpreted_product(low, high);
    *fits = __CPROVER_uninterpreted_fits(low, high) != 0;
    __CPROVER_assume(ct_is_product(low, high, r, *fits));
    return r;
}

static inline int64_t ct_mul_own(int64_t a, int64_t b, int *ok) { return ct_mul(a, b, ok); }

static inline int64_t ct_mul_assumed(int64_t a, int64_t b, int *ok)
{
    int fits = 0;
    const int64_t r = ct_product_assumed(a, b, &fits);
    if (!fits) *ok = 0;
    return fits ? r : 0;
}

/** `*a *= b`, as proof.py writes it in its copy of the headers. */
static inline void ct_times(int64_t *a, int64_t b)
{
    int fits = 0;
    *a = ct_product_assumed(*a, b, &fits);
#ifndef CT_ANY_PRODUCT
    __CPROVER_assert(fits, "overflow of a product");
#endif
}

#define ct_gcd ct_gcd_assumed
#define ct_ceil_div_int ct_ceil_div_assumed
#define ct_mul ct_mul_assumed

#endif
