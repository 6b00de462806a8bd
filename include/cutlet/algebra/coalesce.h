/**
 * Coalescing: the same function of the index with the fewest leaves.
 * Fails:    a failed operand is the result; coalescing itself never fails.
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_COALESCE_H
#define CUTLET_ALGEBRA_COALESCE_H

#include <cutlet/algebra/by_mode.h>

/** How leaves are coalesced. CT_KEEP_LAST: a last leaf of size 1 stays unless it continues the one
 *  before it; so the function past the size does not change. CT_NO_ZEROS: leaves of stride 0 count
 *  as leaves of size 1. */
enum { CT_KEEP_LAST = 1, CT_NO_ZEROS = 2 };

/** @internal Adds the leaves of a part, coalesced, to r, without parentheses. Works from the last
 *  leaf to the first. */
CT_FN void ct_push_coalesced(ct_layout *r, ct_part p, int how)
{
    const ct_layout *const L = p.of;
    const int n = p.s.count, first = r->profile.leaves, keep_last = how & CT_KEEP_LAST;
    if (r->err.status) return;
    r->err = L->err;
    if (r->err.status) return;
    if (n == 0) {
        ct_layout_push_leaf(r, 1, 0, CT_INTEGER);
        return;
    }
    for (int k = n - 1; k >= 0; --k) { /* last leaf first; reversed below */
        const int i = p.s.first + k;
        const int64_t shape = (how & CT_NO_ZEROS) && L->stride[i] == 0 ? 1 : L->shape[i];
        if (k + 1 == n) {
            ct_layout_push_leaf(r, shape, L->stride[i], L->basis[i]);
            continue;
        }
        if (shape == 1 || r->err.status) continue;
        const int top = r->profile.leaves - 1;
        int ok = 1;
        const int runs_on = L->basis[i] == r->basis[top] &&
                            ct_step_mul(shape, L->stride[i], L->basis[i], &ok) == r->stride[top] &&
                            ok;
        if (runs_on || (r->shape[top] == 1 && !keep_last)) {
            r->shape[top] *= shape;
            r->stride[top] = L->stride[i];
            r->basis[top] = L->basis[i];
        } else {
            ct_layout_push_leaf(r, shape, L->stride[i], L->basis[i]);
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

/** @internal L coalesced; see ct_push_coalesced. */
CT_FN ct_layout ct_coalesce_flat(const ct_layout *L, int how)
{
    ct_layout r = CT_ZERO;
    ct_push_coalesced(&r, ct_whole(L), how);
    ct_layout_close_mode(&r, 0, 0, 0);
    return r;
}

/** @internal Completes a flat layout of pushed leaves, none of which continues in the next; 1:0
 * when no leaf was pushed. */
CT_FN void ct_close_flat(ct_layout *r)
{
    if (r->profile.leaves == 0) ct_layout_push_leaf(r, 1, 0, CT_INTEGER);
    ct_layout_close_mode(r, 0, 0, 0);
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

/** @internal Adds the modes of L to r, those that the guide names coalesced. */
CT_FN void ct_push_coalesced_by(ct_layout *r, const ct_layout *L, ct_profile guide, int how,
                                int32_t op)
{
    const ct_by_mode m = ct_match_modes(L->profile, guide, op);
    if (r->err.status == CT_OK) r->err = m.err;
    if (r->err.status) return;
    CT_FOR(i, m.count)
    {
        const ct_part part = ct_by_mode_part(L, &m, i);
        const int first = r->profile.leaves;
        if (m.guide[i] < 0) {
            ct_push_part(r, part, m.open[i], m.close[i]);
        } else {
            ct_push_coalesced(r, part, how);
            ct_layout_close_mode(r, first, m.open[i], m.close[i]);
        }
    }
}

/**
 * Coalesces mode by mode: the mode opposite each integer of profile; further modes are unchanged.
 *
 * Ensures:  R(i) = L(i); the modes that profile names keep their sizes.   [law_coalesce]
 * Fails:    CT_E_ARGUMENT when profile has modes that L lacks.
 * Example:  coalesce((2,(1,6)):(1,(6,2)), (1,1)) == (2,6):(1,2)
 */
CT_FN ct_layout ct_coalesce_by(ct_layout L, ct_tuple profile)
{
    if (L.err.status) return L;
    if (profile.err.status) return ct_layout_fail(profile.err);
    ct_layout r = CT_ZERO;
    ct_push_coalesced_by(&r, &L, profile.profile, 0, CT_OP_COALESCE);
    return r;
}

/**
 * Coalesces like ct_coalesce but keeps the function for every index, also past the size. A last
 * leaf of size 1 stays unless it continues the previous one.
 *
 * Ensures:  R(i) = L(i) for all i >= 0; size(R) = size(L).   [law_coalesce_z]
 * Example:  coalesce_z((2,1,6,1):(1,7,8,0)) == (2,6,1):(1,8,0)
 * Example:  coalesce_z((2,1,6,1):(1,7,8,48)) == (2,6):(1,8)
 */
CT_FN ct_layout ct_coalesce_z(ct_layout L) { return ct_coalesce_flat(&L, CT_KEEP_LAST); }

/**
 * L with the size of every mode of stride 0 set to 1. Each offset is reached once if only stride 0
 * repeats it in L.
 * Example:  filter_zeros((2,3,4):(1,0,2)) == (2,1,4):(1,0,2)
 */
CT_FN ct_layout ct_filter_zeros(ct_layout L)
{
    CT_FOR(i, L.profile.leaves)
    {
        if (L.stride[i] == 0) L.shape[i] = 1;
    }
    return L;
}

/**
 * L without its modes of stride 0 and of size 1, coalesced.
 * Ensures:  the same offsets as L.   [law_filter]
 * Example:  filter((2,3,4):(1,0,2)) == 8:1
 */
CT_FN ct_layout ct_filter(ct_layout L) { return ct_coalesce_flat(&L, CT_NO_ZEROS); }

/**
 * Filters mode by mode: the mode opposite each integer of profile; further modes are unchanged.
 * Ensures:  the same offsets as L; mode k is filter(mode k of L) where profile names it.
 *           [law_filter_by]
 * Fails:    CT_E_ARGUMENT when profile has modes that L lacks.
 * Example:  filter(((2,3),(4,5)):((1,0),(2,8)), (1,1)) == (2,20):(1,2)
 * Example:  filter(((2,3),4):((1,0),0), (1)) == (2,4):(1,0)
 * Source:   CuTe, layout.hpp.
 */
CT_FN ct_layout ct_filter_by(ct_layout L, ct_tuple profile)
{
    if (L.err.status) return L;
    if (profile.err.status) return ct_layout_fail(profile.err);
    ct_layout r = CT_ZERO;
    ct_push_coalesced_by(&r, &L, profile.profile, CT_NO_ZEROS, CT_OP_FILTER);
    return r;
}

#endif
