/**
 * The modes of a layout in the order of their strides, and without those of one coordinate.
 * Fails:    a failed operand is the result.
 */
#ifndef CUTLET_ALGEBRA_SORT_H
#define CUTLET_ALGEBRA_SORT_H

#include <cutlet/algebra/layout_ops.h>

/** @internal Sorts the leaves of L in place in ascending order of |stride|, equal strides by
 *  size. */
CT_FN void ct_sort_by_stride(ct_layout *L)
{
    for (int i = 1; i < L->profile.leaves; ++i) { /* insertion sort: at most CT_MAX_LEAVES */
        for (int k = i; k > 0; --k) {
            const int64_t a = ct_abs(L->stride[k - 1]), b = ct_abs(L->stride[k]);
            if (a < b || (a == b && L->shape[k - 1] <= L->shape[k])) break;
            const int64_t shape = L->shape[k], stride = L->stride[k];
            L->shape[k] = L->shape[k - 1];
            L->stride[k] = L->stride[k - 1];
            L->shape[k - 1] = shape;
            L->stride[k - 1] = stride;
        }
    }
}

/**
 * The leaves of L, flat, in ascending order of |stride|, equal strides in that of their sizes. The
 * index then runs through the offsets from below, where no two leaves interleave.
 *
 * Ensures:  the leaves of L, and so its offsets; |stride| ascends; R(i) < R(i + 1) where each
 *           stride is at least the extent of those before it.   [law_sort]
 * Fails:    CT_E_ARGUMENT for basis strides, which have no order.
 * Cost:     O(leaves^2).
 * Example:  sort((2,(3,4)):(12,(4,1))) == (4,3,2):(1,4,12)
 * Example:  sort((4,2):(0,-1)) == (4,2):(0,-1)
 */
CT_FN ct_layout ct_sort(ct_layout L)
{
    int other = -1;
    if (L.err.status) return L;
    CT_FOR(i, L.profile.leaves)
    {
        if (L.basis[i] != CT_INTEGER && other < 0) other = i;
    }
    if (other >= 0)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_SORT, CT_WHY_NOT_INTEGER, other, 0, 0));
    L = ct_layout_flatten(L);
    ct_sort_by_stride(&L);
    return L;
}

/**
 * L without its modes of size 1: the same function of the index, up to the size. The other modes
 * stay as they are, and so does a layout that is not a tuple.
 *
 * Ensures:  R(i) = L(i) for 0 <= i < size(L); no mode of size 1 is left.   [law_squeeze]
 * Cost:     O(leaves).
 * Example:  squeeze((2,1,(1,3)):(5,7,(0,1))) == (2,(1,3)):(5,(0,1))
 * Example:  squeeze((1,1):(5,7)) == ():()
 */
CT_FN ct_layout ct_squeeze(ct_layout L)
{
    if (L.err.status || ct_profile_is_integer(L.profile)) return L;
    ct_layout r = CT_ZERO;
    CT_FOR(k, ct_layout_rank(L))
    {
        const ct_part mode = ct_part_mode(ct_whole(&L), k);
        if (ct_part_size(mode) != 1) ct_push_next(&r, mode);
    }
    return r;
}

#endif
