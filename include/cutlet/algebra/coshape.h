/**
 * The extent of the coordinates that a layout reaches, and its steps along one of their modes.
 */
#ifndef CUTLET_ALGEBRA_COSHAPE_H
#define CUTLET_ALGEBRA_COSHAPE_H

#include <cutlet/algebra/coord.h>

/** @internal L along one basis element: its strides of that basis as integers, the others 0. */
CT_FN ct_layout ct_along(const ct_layout *L, uint32_t basis)
{
    ct_layout r = *L;
    CT_FOR(i, L->profile.leaves)
    {
        if (L->basis[i] != basis) r.stride[i] = 0;
        r.basis[i] = CT_INTEGER;
    }
    return r;
}

/** @internal Whether L moves along one of its modes. */
CT_FN int ct_moves(const ct_layout *L)
{
    int yes = 0;
    CT_FOR(i, L->profile.leaves) yes |= L->shape[i] > 1 && L->stride[i] != 0;
    return yes;
}

/** @internal The error e of an operation along mode m of the coordinates; if it names no leaf, it
 * names that mode. */
CT_FN ct_error ct_error_along(ct_error e, int m)
{
    if (e.why != CT_WHY_GAP && e.why != CT_WHY_OVERLAP) return e;
    e.why = e.why == CT_WHY_GAP ? CT_WHY_GAP_ALONG : CT_WHY_OVERLAP_ALONG;
    e.mode = m;
    return e;
}

/**
 * The smallest shape that contains every value of L: with integer strides its cosize, with basis
 * strides the extent of the coordinates, mode by mode. Strides count by their absolute values.
 *
 * Ensures:  each coordinate of L lies within, for strides >= 0, and in each mode one is the
 *           last.   [law_coshape]
 * Fails:    CT_E_ARGUMENT when integer and basis strides, or bases of different levels, meet;
 *           CT_E_CAPACITY when the bases name more than CT_MAX_LEAVES modes; CT_E_OVERFLOW.
 * Cost:     O(leaves^2).
 * Example:  coshape((4,8):(2@1,1@0)) == (8,7)
 * Example:  coshape((4,8):(1@0@1,1@1@1)) == (1,(4,8))
 * Example:  coshape((4,8):(1@0,1@0+2@1)) == (11,15)
 * Example:  coshape((4,8):(1,5)) == 39
 * Source:   CuTe, layout.hpp.
 */
CT_FN ct_tuple ct_coshape(ct_layout L)
{
    if (L.err.status) return ct_tuple_fail(L.err);
    ct_terms terms = CT_ZERO;
    int64_t reach = 0;
    int ok = 1, mixed = -1;
    CT_FOR(i, L.profile.leaves)
    {
        const int integer = L.basis[i] == CT_INTEGER;
        const ct_sum s = ct_sum_of(L.stride[i], L.basis[i]);
        for (int k = 0; k < s.count; ++k) {
            const int64_t steps = ct_mul(L.shape[i] - 1, ct_abs(s.steps[k]), &ok);
            if (!integer) terms = ct_terms_add(terms, s.path[k], steps, &ok);
            else if (steps != 0) mixed = i;
            if (integer) reach = ct_add(reach, steps, &ok);
        }
    }
    ct_tuple t = terms.count == 0 ? ct_int(reach) : ct_terms_coordinate(terms);
    if (terms.count > 0 && mixed >= 0)
        t = ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_COSHAPE, CT_WHY_BASIS_MIXED, mixed, 0, 0));
    CT_FOR(i, t.profile.leaves) t.value[i] = ct_add(t.value[i], 1, &ok);
    if (t.err.status) t.err.op = CT_OP_COSHAPE;
    else if (!ok || ct_product(t) == CT_INVALID)
        t = ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_COSHAPE, CT_WHY_OVERFLOW, 0, 0, 0));
    return t;
}

#endif
