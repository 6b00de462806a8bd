/**
 * Building a layout from left to right, out of leaves, modes and whole layouts.
 *
 * The functions that push work in place: building by value would copy the structure for each leaf.
 */
#ifndef CUTLET_BUILD_H
#define CUTLET_BUILD_H

#include "layout.h"

/** Adds the leaves of X to L, with `opens` parentheses before and `closes` behind them. The first error
 *  of either stays in L. The result is not checked. */
CT_FN void ct_layout_push(ct_layout *L, const ct_layout *X, int opens, int closes)
{
    if (L->err.status) return;
    L->err = X->err;
    const int n = L->profile.leaves, m = X->profile.leaves;
    if (n + m > CT_MAX_LEAVES)
        L->err = ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, n + m,
                               CT_MAX_LEAVES);
    if (L->err.status || m == 0) return;
    CT_FOR(i, m) {
        L->shape[n + i] = X->shape[i];
        L->stride[n + i] = X->stride[i];
        L->basis[n + i] = X->basis[i];
        L->profile.open[n + i] = X->profile.open[i];
        L->profile.close[n + i] = X->profile.close[i];
    }
    L->profile.open[n] = (uint8_t)(L->profile.open[n] + opens);
    L->profile.close[n + m - 1] = (uint8_t)(L->profile.close[n + m - 1] + closes);
    L->profile.leaves = n + m;
}

/** Adds the leaf s:d of the given basis to L; shape and stride as they are. */
CT_FN void ct_layout_push_leaf(ct_layout *L, int64_t s, int64_t d, uint32_t basis)
{
    const int n = L->profile.leaves;
    if (L->err.status) return;
    if (n >= CT_MAX_LEAVES) {
        L->err = ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, n + 1,
                               CT_MAX_LEAVES);
        return;
    }
    L->shape[n] = s;
    L->stride[n] = d;
    L->basis[n] = basis;
    L->profile.open[n] = 0;
    L->profile.close[n] = 0;
    L->profile.leaves = n + 1;
}

/** Nests the leaves of L from `first` on, pushed without parentheses, as one mode: a tuple where they
 *  are several; with further parentheses around it. */
CT_FN void ct_layout_close_mode(ct_layout *L, int first, int opens, int closes)
{
    const int last = L->profile.leaves - 1;
    if (L->err.status || last < first) return;
    const int tuple = last > first;
    L->profile.open[first] = (uint8_t)(L->profile.open[first] + opens + tuple);
    L->profile.close[last] = (uint8_t)(L->profile.close[last] + closes + tuple);
}

/** The modes of A followed by those of B, without a check of the result. */
CT_FN ct_layout ct_layout_concat(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    const int n = A.profile.leaves, total = n + B.profile.leaves;
    if (total > CT_MAX_LEAVES)
        return ct_layout_fail(ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
                                            total, CT_MAX_LEAVES));
    A.profile = ct_profile_join(A.profile, B.profile);
    CT_FOR(i, B.profile.leaves) {
        A.shape[n + i] = B.shape[i];
        A.stride[n + i] = B.stride[i];
        A.basis[n + i] = B.basis[i];
    }
    return A;
}

/**
 * (A,B): the layout whose two modes are A and B. An empty one is no mode, as when it is appended.
 * Fails:   CT_E_CAPACITY, CT_E_OVERFLOW.
 * Example: make_layout((2,4):(1,2), 3:8) == ((2,4),3):((1,2),8)
 */
CT_FN ct_layout ct_make_layout2(ct_layout A, ct_layout B)
{
    if (A.profile.leaves > 0 && B.profile.leaves == 0 && B.err.status == CT_OK)
        return ct_layout_wrap(A);
    ct_layout_push(&A, &B, 0, 1);
    if (A.err.status || A.profile.leaves == 0) return A;
    A.profile.open[0] = (uint8_t)(A.profile.open[0] + 1);
    A.err = ct_layout_check(&A, CT_OP_MAKE_LAYOUT);
    return A;
}

#endif
