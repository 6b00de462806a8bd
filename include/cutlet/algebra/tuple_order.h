/**
 * Orders of tuples: element by element, lexicographic and colexicographic.
 *
 * An integer is compared with an integer, a tuple with a tuple. Values that cannot be compared,
 * such as `_` and basis elements, are neither less nor equal nor greater: all of these functions
 * are then false.
 *
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_TUPLE_ORDER_H
#define CUTLET_ALGEBRA_TUPLE_ORDER_H

#include <cutlet/algebra/tuple_parts.h>

/** The order of the first of two to the second; 0 where the two cannot be compared. */
enum { CT_LESS = 1, CT_EQUAL = 2, CT_GREATER = 4 };

/** @internal The order of leaf i of a to leaf j of b. */
CT_FN int ct_compare_leaves(const ct_tuple *a, int i, const ct_tuple *b, int j)
{
    if (a->basis[i] != CT_INTEGER || b->basis[j] != CT_INTEGER) return 0;
    return a->value[i] < b->value[j] ? CT_LESS : a->value[i] > b->value[j] ? CT_GREATER : CT_EQUAL;
}

/** @internal Whether the order of every integer of a to that of b is in `allowed`. */
CT_FN int ct_elem_order(ct_tuple a, ct_tuple b, int allowed)
{
    if (a.err.status || b.err.status || !ct_congruent(a, b)) return 0;
    int yes = 1;
    CT_FOR(i, a.profile.leaves)
    {
        if (!(ct_compare_leaves(&a, i, &b, i) & allowed)) yes = 0;
    }
    return yes;
}

/**
 * Whether every integer of a is less than the corresponding one of b: "is this coordinate inside?".
 * False where the two are not congruent.
 * Ensures: the order of integers, at every leaf.   [law_order]
 * Example: elem_less((1,(2,3)), (2,(3,4))) == 1
 * Example: elem_less((1,(2,4)), (2,(3,4))) == 0
 */
CT_FN int ct_elem_less(ct_tuple a, ct_tuple b) { return ct_elem_order(a, b, CT_LESS); }

/**
 * Whether every integer of a is at most the corresponding one of b.
 * Ensures: as ct_elem_less.   [law_order]
 * Example: elem_leq((1,(2,4)), (2,(3,4))) == 1
 * Example: elem_leq((1,5), (2,3)) == 0
 */
CT_FN int ct_elem_leq(ct_tuple a, ct_tuple b) { return ct_elem_order(a, b, CT_LESS | CT_EQUAL); }

/**
 * Whether every integer of a is greater than the corresponding one of b.
 * Ensures: as ct_elem_less.   [law_order]
 * Example: elem_gtr((2,3), (1,2)) == 1
 */
CT_FN int ct_elem_gtr(ct_tuple a, ct_tuple b) { return ct_elem_order(a, b, CT_GREATER); }

/**
 * Whether every integer of a is at least the corresponding one of b.
 * Ensures: as ct_elem_less.   [law_order]
 * Example: elem_geq((2,3), (1,3)) == 1
 */
CT_FN int ct_elem_geq(ct_tuple a, ct_tuple b) { return ct_elem_order(a, b, CT_GREATER | CT_EQUAL); }

/** @internal The order of two tuples by their first difference, from the first mode on, or from the
 * last. A tuple that ends before the other one is less. */
CT_FN int ct_tuple_order(ct_tuple a, ct_tuple b, int from_last)
{
    const int m = a.profile.leaves, n = b.profile.leaves;
    if (a.err.status || b.err.status || ct_is_integer(a) != ct_is_integer(b)) return 0;
    if (m == 0 || n == 0) return m == n ? CT_EQUAL : m == 0 ? CT_LESS : CT_GREATER;
    const ct_profile *const p = &a.profile, *const q = &b.profile;
    int order = CT_EQUAL;
    CT_FOR(k, CT_CAST(int, ct_min(m, n)))
    {
        const int i = from_last ? m - 1 - k : k, j = from_last ? n - 1 - k : k;
        if (order == CT_EQUAL) {
            const int begin_a = from_last ? p->close[i] : p->open[i];
            const int begin_b = from_last ? q->close[j] : q->open[j];
            const int end_a = from_last ? p->open[i] : p->close[i];
            const int end_b = from_last ? q->open[j] : q->close[j];
            order = begin_a == begin_b ? ct_compare_leaves(&a, i, &b, j) : 0;
            if (order == CT_EQUAL && end_a != end_b) order = end_a > end_b ? CT_LESS : CT_GREATER;
        }
    }
    return order;
}

/**
 * Whether a comes before b in lexicographic order: that of the row-major index, where both are
 * coordinates of one shape. A tuple comes after its own first modes.
 * Ensures: a total order of the tuples of one profile; row_major(a) < row_major(b) for coordinates
 *          of a shape.   [law_order]
 * Cost:    O(leaves).
 * Example: lex_less((1,5), (2,3)) == 1
 * Example: lex_less((1,(2,3)), (1,(2,3))) == 0
 * Example: lex_less((1,2), (1,2,0)) == 1
 * Example: lex_less(1, (2)) == 0
 * Source:  CuTe, int_tuple.hpp.
 */
CT_FN int ct_lex_less(ct_tuple a, ct_tuple b) { return ct_tuple_order(a, b, 0) == CT_LESS; }

/**
 * Whether a comes before b in lexicographic order, or is b.
 * Ensures: as ct_lex_less.   [law_order]
 * Example: lex_leq((1,5), (1,5)) == 1
 */
CT_FN int ct_lex_leq(ct_tuple a, ct_tuple b)
{
    return (ct_tuple_order(a, b, 0) & (CT_LESS | CT_EQUAL)) != 0;
}

/**
 * Whether a comes after b in lexicographic order.
 * Ensures: as ct_lex_less.   [law_order]
 * Example: lex_gtr((2,3), (1,5)) == 1
 */
CT_FN int ct_lex_gtr(ct_tuple a, ct_tuple b) { return ct_tuple_order(a, b, 0) == CT_GREATER; }

/**
 * Whether a comes after b in lexicographic order, or is b.
 * Ensures: as ct_lex_less.   [law_order]
 * Example: lex_geq((1,5), (2,3)) == 0
 */
CT_FN int ct_lex_geq(ct_tuple a, ct_tuple b)
{
    return (ct_tuple_order(a, b, 0) & (CT_GREATER | CT_EQUAL)) != 0;
}

/**
 * Whether a comes before b in colexicographic order, in which the last mode decides first. For
 * coordinates of one shape it is the order of the index. A tuple comes after its own last modes.
 * Ensures: a total order of the tuples of one profile; crd2idx(a, s) < crd2idx(b, s) for
 *          coordinates of a shape s.   [law_order]
 * Cost:    O(leaves).
 * Example: colex_less((2,3), (1,5)) == 1
 * Example: colex_less((1,5), (2,3)) == 0
 * Example: colex_less((1,2), (0,1,2)) == 1
 * Source:  CuTe, int_tuple.hpp.
 */
CT_FN int ct_colex_less(ct_tuple a, ct_tuple b) { return ct_tuple_order(a, b, 1) == CT_LESS; }

/**
 * Whether a comes before b in colexicographic order, or is b.
 * Ensures: as ct_colex_less.   [law_order]
 * Example: colex_leq((1,5), (1,5)) == 1
 */
CT_FN int ct_colex_leq(ct_tuple a, ct_tuple b)
{
    return (ct_tuple_order(a, b, 1) & (CT_LESS | CT_EQUAL)) != 0;
}

/**
 * Whether a comes after b in colexicographic order.
 * Ensures: as ct_colex_less.   [law_order]
 * Example: colex_gtr((1,5), (2,3)) == 1
 */
CT_FN int ct_colex_gtr(ct_tuple a, ct_tuple b) { return ct_tuple_order(a, b, 1) == CT_GREATER; }

/**
 * Whether a comes after b in colexicographic order, or is b.
 * Ensures: as ct_colex_less.   [law_order]
 * Example: colex_geq((2,3), (1,5)) == 0
 */
CT_FN int ct_colex_geq(ct_tuple a, ct_tuple b)
{
    return (ct_tuple_order(a, b, 1) & (CT_GREATER | CT_EQUAL)) != 0;
}

#endif
