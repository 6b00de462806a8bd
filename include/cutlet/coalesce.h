/**
 * Coalescing: the same function of the index with the fewest leaves.
 */
#ifndef CUTLET_COALESCE_H
#define CUTLET_COALESCE_H

#include "by_mode.h"

/** Adds the leaves of L, coalesced, to r, without parentheses. Works from the last leaf to the first.
 *  Where `keep_last` is set, a last leaf of size 1 stays unless it continues the one before it, so that
 *  the function goes on past the size as L does. */
CT_FN void ct_push_coalesced(ct_layout *r, const ct_layout *L, int keep_last)
{
    if (r->err.status) return;
    r->err = L->err;
    if (r->err.status) return;
    const int n = L->profile.leaves, first = r->profile.leaves;
    if (n == 0) {
        ct_layout_push_leaf(r, 1, 0, CT_INTEGER);
        return;
    }
    ct_layout_push_leaf(r, L->shape[n - 1], L->stride[n - 1], L->basis[n - 1]);
    for (int i = n - 2; i >= 0; --i) { /* last leaf first; turned round below */
        if (L->shape[i] == 1 || r->err.status) continue;
        const int top = r->profile.leaves - 1;
        int ok = 1;
        const int runs_on = L->basis[i] == r->basis[top] &&
                            ct_mul(L->shape[i], L->stride[i], &ok) == r->stride[top] && ok;
        if (runs_on || (r->shape[top] == 1 && !keep_last)) {
            r->shape[top] *= L->shape[i];
            r->stride[top] = L->stride[i];
            r->basis[top] = L->basis[i];
        } else {
            ct_layout_push_leaf(r, L->shape[i], L->stride[i], L->basis[i]);
        }
    }
    if (r->err.status) return;
    const int last = r->profile.leaves - 1;
    if (last == first && r->shape[last] == 1 && !keep_last) {
        r->stride[last] = 0;
        r->basis[last] = CT_INTEGER;
    }
    for (int i = first, k = last; i < k; ++i, --k) {
        const int64_t shape = r->shape[i], stride = r->stride[i];
        const uint32_t basis = r->basis[i];
        r->shape[i] = r->shape[k];
        r->stride[i] = r->stride[k];
        r->basis[i] = r->basis[k];
        r->shape[k] = shape;
        r->stride[k] = stride;
        r->basis[k] = basis;
    }
}

/** L coalesced; see ct_push_coalesced. */
CT_FN ct_layout ct_coalesce_flat(const ct_layout *L, int keep_last)
{
    ct_layout r = CT_ZERO;
    ct_push_coalesced(&r, L, keep_last);
    ct_layout_close_mode(&r, 0, 0, 0);
    return r;
}

/**
 * The flat layout with the fewest leaves that is the same function of the index.
 *
 * Ensures:  depth <= 1; R(i) = L(i) for 0 <= i < size(L).   [law_coalesce]
 * Cost:     O(leaves).
 * Example:  coalesce((2,(1,6)):(1,(6,2))) == 12:1
 * Example:  coalesce((1,1):(5,7)) == 1:0
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_coalesce(ct_layout L) { return ct_coalesce_flat(&L, 0); }

/**
 * Coalesces mode by mode: the mode that stands opposite each integer of profile; further modes stay
 * as they are.
 *
 * Ensures:  R(i) = L(i); the modes that profile names keep their sizes.   [law_coalesce]
 * Fails:    CT_E_ARGUMENT when profile has modes that L lacks.
 * Example:  coalesce((2,(1,6)):(1,(6,2)), (1,1)) == (2,6):(1,2)
 */
CT_FN ct_layout ct_coalesce_by(ct_layout L, ct_tuple profile)
{
    if (L.err.status) return L;
    if (profile.err.status) return ct_layout_fail(profile.err);
    L = ct_as_guided(L, profile.profile);
    const ct_by_mode m = ct_match_modes(L, profile.profile, CT_OP_COALESCE);
    if (m.err.status) return ct_layout_fail(m.err);
    ct_layout r = CT_ZERO;
    CT_FOR(i, m.count) {
        const ct_layout part = ct_by_mode_part(L, m, i);
        const ct_layout done = m.guide[i] < 0 ? part : ct_coalesce(part);
        ct_layout_push(&r, &done, m.open[i], m.close[i]);
    }
    return r;
}

/**
 * Coalesces like ct_coalesce but keeps the function for every index, also past the size: a last leaf
 * of size 1 stays unless it continues the one before it.
 *
 * Ensures:  R(i) = L(i) for all i >= 0; size(R) = size(L).   [law_coalesce_z]
 * Example:  coalesce_z((2,1,6,1):(1,7,8,0)) == (2,6,1):(1,8,0)
 * Example:  coalesce_z((2,1,6,1):(1,7,8,48)) == (2,6):(1,8)
 */
CT_FN ct_layout ct_coalesce_z(ct_layout L) { return ct_coalesce_flat(&L, 1); }

/**
 * L with the size of every mode of stride 0 set to 1: each offset is reached once where L reaches it
 * by repetition only.
 * Example:  filter_zeros((2,3,4):(1,0,2)) == (2,1,4):(1,0,2)
 */
CT_FN ct_layout ct_filter_zeros(ct_layout L)
{
    CT_FOR(i, L.profile.leaves) {
        if (L.stride[i] == 0) L.shape[i] = 1;
    }
    return L;
}

/**
 * L without its modes of stride 0 and of size 1, coalesced.
 * Ensures:  the same offsets as L.   [law_filter]
 * Example:  filter((2,3,4):(1,0,2)) == 8:1
 */
CT_FN ct_layout ct_filter(ct_layout L)
{
    const ct_layout once = ct_filter_zeros(L);
    return ct_coalesce_flat(&once, 0);
}

#endif
