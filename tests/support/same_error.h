/**
 * Errors compared as a whole: status, operation, reason, mode and numbers, of which those that the
 * sentence does not say are 0.
 */
#ifndef CUTLET_TESTS_SAME_ERROR_H
#define CUTLET_TESTS_SAME_ERROR_H

#include "test.h"

#include "error_said.h"

/** A failed operand's error, number n of some. */
static inline ct_error mark(int n)
{
    return ct_make_error(CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, n, 11 * n, 22 * n);
}

/** Fails where an error is another than the one wanted. */
static inline void same(const char *what, ct_error got, ct_error want)
{
    if (got.status == want.status && got.op == want.op && got.why == want.why &&
        got.mode == want.mode && got.n[0] == want.n[0] && got.n[1] == want.n[1] &&
        (got.n[0] == 11 || !error_unsaid(got))) /* 11: of mark() */
        return;
    fail_msg("%s: status %d op %d why %d mode %d numbers %lld %lld", what, got.status, got.op,
             got.why, got.mode, (long long)got.n[0], (long long)got.n[1]);
}

/* The error of operand 1 stays; the error is this one. */
#define KEPT(value) same(#value, ct_err(value), mark(1))
#define FAILS(value, ...) same(#value, ct_err(value), ct_make_error(__VA_ARGS__))

#endif
