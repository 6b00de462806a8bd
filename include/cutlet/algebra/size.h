/**
 * The extent of a layout's offsets.
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_SIZE_H
#define CUTLET_ALGEBRA_SIZE_H

#include <cutlet/algebra/build.h>

/** @internal The cosize of a part; see ct_cosize. */
CT_FN int64_t ct_part_cosize(ct_part p)
{
    if (p.of->err.status) return CT_INVALID;
    int64_t top = 1;
    int ok = 1;
    CT_FOR(i, p.s.count)
    {
        const int leaf = p.s.first + i;
        if (p.of->basis[leaf] != CT_INTEGER) ok = 0;
        top = ct_add(top, ct_mul(p.of->shape[leaf] - 1, ct_abs(p.of->stride[leaf]), &ok), &ok);
    }
    return ok ? top : CT_INVALID;
}

/**
 * The number of offsets from the lowest to the highest that L reaches, both counted: for
 * strides >= 0, one more than the highest.
 *
 * Fails:   CT_INVALID when L is failed or its strides are not integers.
 * Example: cosize((4,8):(1,5)) == 39
 * Example: cosize(4:-2) == 7
 * Source:  CUTLASS docs, 01_layout.
 */
CT_FN int64_t ct_cosize(ct_layout L)
{
    CT_CHECK_MADE(L.err);
    return ct_part_cosize(ct_whole(&L));
}

/**
 * The lowest offset that L reaches: 0, or below where a stride is negative. CT_INVALID when L is
 * failed.
 *
 * In C:     assert(ct_lowest(ct_layout1(4, -2)) == -6 && ct_lowest(ct_layout1(4, 2)) == 0);
 */
CT_FN int64_t ct_lowest(ct_layout L)
{
    CT_CHECK_MADE(L.err);
    if (L.err.status) return CT_INVALID;
    int64_t low = 0;
    CT_FOR(i, L.profile.leaves)
    {
        const ct_sum s = ct_sum_of(L.stride[i], L.basis[i]);
        for (int k = 0; k < s.count; ++k) {
            if (s.steps[k] < 0) low += (L.shape[i] - 1) * s.steps[k];
        }
    }
    return low;
}

#endif
