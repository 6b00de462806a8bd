/**
 * Products of the integers of a shape: of each mode, and of those before or after each integer.
 * Fails:    CT_E_ARGUMENT where a leaf is not an integer; CT_E_OVERFLOW; a failed operand is the
 *           result.
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_SHAPE_PRODUCT_H
#define CUTLET_ALGEBRA_SHAPE_PRODUCT_H

#include <cutlet/algebra/shape_ops.h>

/** @internal Why a product of leaves of t is not a number: a leaf is not an integer, or mode k
 *  overflows. */
CT_FN ct_error ct_product_error(ct_tuple t, int k)
{
    int leaf = -1;
    CT_FOR(i, t.profile.leaves)
    {
        if (t.basis[i] != CT_INTEGER && leaf < 0) leaf = i;
    }
    return leaf < 0 ? ct_make_error(CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_OVERFLOW, k, 0, 0)
                    : ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_NOT_INTEGER, leaf, 0, 0);
}

/**
 * Each mode of t as its product; an integer becomes a tuple of one.
 * Example: product_each(((2,3),4)) == (6,4)
 */
CT_FN ct_tuple ct_product_each(ct_tuple t)
{
    if (t.err.status) return t;
    ct_tuple r = ct_tuple0();
    CT_FOR(k, ct_tuple_rank(t))
    {
        const int64_t p = ct_product(ct_get(t, k));
        if (p == CT_INVALID) return ct_tuple_fail(ct_product_error(t, k));
        r = ct_append(r, ct_int(p));
    }
    return r;
}

/**
 * The product of the mode opposite each integer of guide.
 * Fails:   CT_E_ARGUMENT when guide is not weakly congruent to t; CT_E_OVERFLOW.
 * Example: product_like(((2,3),4), (0,0)) == (6,4)
 */
CT_FN ct_tuple ct_product_like(ct_tuple t, ct_tuple guide)
{
    if (t.err.status) return t;
    if (guide.err.status) return guide;
    if (!ct_weakly_congruent(guide, t)) return ct_tuple_fail_profile(CT_OP_TUPLE, 0);
    const ct_pairs p = ct_profile_pairs(guide.profile, t.profile);
    CT_FOR(i, p.count)
    {
        guide.value[i] = ct_product(ct_tuple_pair_b(t, p, i));
        guide.basis[i] = CT_INTEGER;
        if (guide.value[i] == CT_INVALID) return ct_tuple_fail(ct_product_error(t, i));
    }
    return guide;
}

/** @internal Each leaf of t as the product of an integer of init and the leaves before it, or after
 * it, within the mode opposite that integer; see ct_prefix_product. */
CT_FN ct_tuple ct_running_product(ct_tuple t, ct_tuple init, int from_last, int32_t op)
{
    if (t.err.status) return t;
    if (init.err.status) return init;
    if (t.profile.leaves == 0 && ct_is_integer(init)) return t;
    const ct_pairs p = ct_profile_pairs(init.profile, t.profile);
    if (!p.ok || !p.a_integers) return ct_tuple_fail_profile(op, p.nested_at);
    int past = -1, other = -1;
    CT_FOR(i, p.count)
    {
        const int first = p.b[i], count = p.b[i + 1] - first;
        int64_t run = init.value[i];
        int ok = 1;
        if (init.basis[i] != CT_INTEGER && other < 0) other = i;
        CT_FOR(k, count)
        {
            const int at = from_last ? first + count - 1 - k : first + k;
            const int64_t factor = t.value[at];
            if (t.basis[at] != CT_INTEGER && other < 0) other = at;
            if (!ok && past < 0) past = at;
            t.value[at] = run;
            run = ct_mul(run, factor, &ok);
        }
    }
    if (other >= 0)
        return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_INTEGER, other, 0, 0));
    if (past >= 0)
        return ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, op, CT_WHY_OVERFLOW, past, 0, 0));
    return t;
}

/**
 * Each integer of t as the product of those before it, times init: with init 1 the strides of the
 * column-major index. A tuple init has one integer for each mode of t, or of a mode of it, within
 * which the product then runs.
 *
 * Ensures: the inner product of a coordinate and prefix_product(shape, 1) is its index.
 *          [law_running_product]
 * Fails:   CT_E_ARGUMENT when init is not weakly congruent to t, or a leaf is not an integer;
 *          CT_E_OVERFLOW.
 * Cost:    O(leaves).
 * Example: prefix_product((2,(3,4),5)) == (1,(2,6),24)
 * Example: prefix_product((2,(3,4),5), 7) == (7,(14,42),168)
 * Example: prefix_product(((2,3),(4,5)), (1,10)) == ((1,2),(10,40))
 * Source:  PyCuTe, int_tuple.
 */
CT_FN ct_tuple ct_prefix_product(ct_tuple t, ct_tuple init)
{
    return ct_running_product(t, init, 0, CT_OP_PREFIX_PRODUCT);
}

/**
 * Each integer of t as the product of those after it, times init: with init 1 the strides of the
 * row-major index. A tuple init as for ct_prefix_product.
 *
 * Ensures: the inner product of a coordinate and suffix_product(shape, 1) is its row-major index.
 *          [law_running_product]
 * Fails:   as ct_prefix_product.
 * Cost:    O(leaves).
 * Example: suffix_product((2,(3,4),5)) == (60,(20,5),1)
 * Example: suffix_product(((2,3),(4,5)), (1,10)) == ((3,1),(50,10))
 * Source:  PyTorch's copy of PyCuTe, int_tuple.
 */
CT_FN ct_tuple ct_suffix_product(ct_tuple t, ct_tuple init)
{
    return ct_running_product(t, init, 1, CT_OP_SUFFIX_PRODUCT);
}

#endif
