/**
 * Tuples: shapes, strides, coordinates and orders, nested to any depth.
 *
 * A tuple is its flat leaves and a profile. A leaf is an integer, an integer scaled by a basis
 * element (`3@0`, `1@1@0`: CuTe's E<>), or `_`, which means a whole mode.
 *
 * Fails:    CT_E_CAPACITY for more than CT_MAX_LEAVES leaves; a failed operand is the result.
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_TUPLE_H
#define CUTLET_ALGEBRA_TUPLE_H

#include <cutlet/algebra/profile.h>

/** The basis of a leaf: 0 for an integer, CT_ANY for `_`, otherwise the path of modes, outermost
 *  first, one byte each holding mode + 1, least significant byte first. `1@1@0` is mode 1 of mode
 *  0: its path is 0, 1 and its code 0x0201. */
#define CT_INTEGER 0u
#define CT_ANY 0xffffffffu

typedef struct ct_tuple {
    ct_error err;
    ct_profile profile;
    int64_t value[CT_MAX_LEAVES];
    uint32_t basis[CT_MAX_LEAVES];
} ct_tuple;

/** @internal The failed tuple that carries e. */
CT_FN ct_tuple ct_tuple_fail(ct_error e)
{
    ct_tuple t = CT_ZERO;
    t.err = e;
    return t;
}

/**
 * The integer v.
 * Fails:    never.
 * In C:     assert(ct_is_integer(ct_int(5)) && ct_product(ct_int(5)) == 5);
 */
CT_FN ct_tuple ct_int(int64_t v)
{
    ct_tuple t = CT_ZERO;
    t.profile.leaves = 1;
    t.value[0] = v;
    return t;
}

/**
 * `_`, which leaves a mode alone.
 * Fails:    never.
 * In C:     const ct_tuple column = ct_make_tuple2(ct_any(), ct_int(2)); // (_,2)
 *           assert(ct_layout_rank(ct_layout_slice(ct_layout2(4, 8, 8, 1), column)) == 1);
 */
CT_FN ct_tuple ct_any(void)
{
    ct_tuple t = CT_ZERO;
    t.profile.leaves = 1;
    t.basis[0] = CT_ANY;
    return t;
}

/** The modes that a basis element can name: one byte of a path holds mode + 1. */
#define CT_MAX_BASIS 254

/**
 * The basis element v@m: v steps along mode m.
 * Fails:   CT_E_DOMAIN where m is not within 0 .. CT_MAX_BASIS - 1.
 * In C:    const ct_tuple t = ct_make_tuple2(ct_basis(1, 0), ct_basis(1, 1)); // (1@0,1@1)
 *          assert(ct_tuple_equal(t, ct_basis_like(ct_tuple2(4, 8))));
 */
CT_FN ct_tuple ct_basis(int64_t v, int m)
{
    if (m < 0 || m >= CT_MAX_BASIS)
        return ct_tuple_fail(
            ct_make_error(CT_E_DOMAIN, CT_OP_TUPLE, CT_WHY_INDEX, 0, m, CT_MAX_BASIS));
    ct_tuple t = ct_int(v);
    t.basis[0] = CT_CAST(uint32_t, m + 1);
    return t;
}

/**
 * The empty tuple ().
 * Fails:    never.
 * In C:     assert(ct_rank(ct_tuple0()) == 0 && ct_product(ct_tuple0()) == 1);
 */
CT_FN ct_tuple ct_tuple0(void)
{
    ct_tuple t = CT_ZERO;
    return t;
}

/** @internal Why another `more` parentheses around a tuple of this profile nest too deep, if they
 *  do. */
CT_FN ct_error ct_nesting_check(const ct_profile *p, int more)
{
    ct_error e = CT_ZERO;
    if (p->leaves == 0) return e;
    const int deep = CT_CAST(int, ct_max(p->open[0], p->close[p->leaves - 1])) + more;
    if (deep > CT_MAX_NESTING)
        e = ct_make_error(CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_DEPTH, 0, deep, CT_MAX_NESTING);
    return e;
}

/**
 * (t): a tuple whose only mode is t.
 * Fails:   CT_E_CAPACITY past CT_MAX_NESTING parentheses.
 * In C:    assert(ct_rank(ct_wrap(ct_tuple2(2, 3))) == 1);
 */
CT_FN ct_tuple ct_wrap(ct_tuple t)
{
    const ct_error deep = ct_nesting_check(&t.profile, 1);
    if (t.err.status == CT_OK && deep.status) return ct_tuple_fail(deep);
    t.profile = ct_profile_wrap(t.profile);
    return t;
}

/**
 * Whether t is a single leaf rather than a tuple.
 * In C:     assert(ct_is_integer(ct_int(2)) && !ct_is_integer(ct_tuple1(2)));
 */
CT_FN int ct_is_integer(ct_tuple t) { return ct_profile_is_integer(t.profile); }

/**
 * The number of modes.
 * Example: rank(((2,3),4)) == 2
 * Example: rank(7) == 1
 */
CT_FN int ct_tuple_rank(ct_tuple t) { return ct_profile_rank(t.profile); }
#if defined(__cplusplus)
/** @internal In C++, an overload; layout.h has it of layouts, too. */
CT_FN int ct_rank(const ct_tuple &v) { return ct_tuple_rank(v); }
#endif

/**
 * How deep the nesting goes: 0 for an integer.
 * Example: depth(((2,3),4)) == 2
 * Example: depth(7) == 0
 */
CT_FN int ct_depth(ct_tuple t) { return ct_profile_depth(t.profile); }

/** @internal Adds x to the tuple t as one more, last mode; an empty x adds none. t keeps its first
 *  error. */
CT_FN void ct_tuple_push_next(ct_tuple *t, const ct_tuple *x)
{
    const int n = t->profile.leaves, m = x->profile.leaves;
    if (t->err.status == CT_OK) t->err = x->err;
    if (t->err.status == CT_OK && n + m > CT_MAX_LEAVES)
        t->err = ct_make_error(CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, 0, n + m, CT_MAX_LEAVES);
    if (t->err.status == CT_OK) t->err = ct_nesting_check(&x->profile, 1);
    if (t->err.status || m == 0) return;
    CT_FOR(i, m)
    {
        t->value[n + i] = x->value[i];
        t->basis[n + i] = x->basis[i];
        t->profile.open[n + i] = x->profile.open[i];
        t->profile.close[n + i] = x->profile.close[i];
    }
    if (n > 0) t->profile.close[n - 1] = CT_CAST(uint8_t, t->profile.close[n - 1] - 1);
    else t->profile.open[0] = CT_CAST(uint8_t, t->profile.open[0] + 1);
    t->profile.close[n + m - 1] = CT_CAST(uint8_t, t->profile.close[n + m - 1] + 1);
    t->profile.leaves = n + m;
}

/**
 * The modes of a followed by those of b, in one tuple.
 * Fails:   CT_E_CAPACITY.
 * Example: concat((2,3), (4,(5,6))) == (2,3,4,(5,6))
 */
CT_FN ct_tuple ct_concat(ct_tuple a, ct_tuple b)
{
    if (a.err.status) return a;
    if (b.err.status) return b;
    const int n = a.profile.leaves, total = n + b.profile.leaves;
    if (total > CT_MAX_LEAVES)
        return ct_tuple_fail(
            ct_make_error(CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, 0, total, CT_MAX_LEAVES));
    a.profile = ct_profile_join(a.profile, b.profile);
    CT_FOR(i, b.profile.leaves)
    {
        a.value[n + i] = b.value[i];
        a.basis[n + i] = b.basis[i];
    }
    return a;
}

/**
 * t with x as one more, last mode.
 * Fails:   CT_E_CAPACITY.
 * Example: append((2,3), (4,5)) == (2,3,(4,5))
 * Example: append(2, 3) == (2,3)
 */
CT_FN ct_tuple ct_append(ct_tuple t, ct_tuple x)
{
    if (t.err.status) return t;
    if (x.err.status) return x;
    return ct_concat(t, ct_wrap(x));
}

/**
 * t with x as one more, first mode.
 * Fails:   CT_E_CAPACITY.
 * Example: prepend((2,3), (4,5)) == ((4,5),2,3)
 */
CT_FN ct_tuple ct_prepend(ct_tuple t, ct_tuple x)
{
    if (t.err.status) return t;
    if (x.err.status) return x;
    return ct_concat(ct_wrap(x), t);
}

/**
 * (a,b) and (a,b,c): tuples of tuples, in one expression.
 *
 *     ct_make_tuple2(ct_tuple2(2, 4), ct_int(8))    ((2,4),8)
 *
 * Fails:   CT_E_CAPACITY.
 * In C:    const ct_tuple t = ct_make_tuple2(ct_tuple2(2, 4), ct_int(8)); // ((2,4),8)
 *          const ct_tuple u = ct_make_tuple3(ct_int(2), ct_int(4), ct_int(8));
 *          assert(ct_rank(t) == 2 && ct_tuple_equal(u, ct_tuple3(2, 4, 8)));
 * Source:  CuTe, make_tuple.
 */
CT_FN ct_tuple ct_make_tuple2(ct_tuple a, ct_tuple b) { return ct_append(ct_wrap(a), b); }
CT_FN ct_tuple ct_make_tuple3(ct_tuple a, ct_tuple b, ct_tuple c)
{
    return ct_append(ct_make_tuple2(a, b), c);
}

/** @internal (a,b,c,d), cut to its first n integers. */
CT_FN ct_tuple ct_tuple_of(int n, int64_t a, int64_t b, int64_t c, int64_t d)
{
    ct_tuple t = CT_ZERO;
    t.profile = ct_profile_flat(n);
    t.value[0] = a;
    t.value[1] = n > 1 ? b : 0;
    t.value[2] = n > 2 ? c : 0;
    t.value[3] = n > 3 ? d : 0;
    return t;
}

/**
 * (a), (a,b), (a,b,c), (a,b,c,d): tuples of integers.
 * Fails:    never.
 * In C:     assert(ct_rank(ct_tuple1(8)) == 1 && ct_rank(ct_tuple2(8, 4)) == 2);
 *           assert(ct_product(ct_tuple3(2, 3, 4)) == 24);
 *           assert(ct_product(ct_tuple4(1, 2, 3, 4)) == 24);
 */
CT_FN ct_tuple ct_tuple1(int64_t a) { return ct_tuple_of(1, a, 0, 0, 0); }
CT_FN ct_tuple ct_tuple2(int64_t a, int64_t b) { return ct_tuple_of(2, a, b, 0, 0); }
CT_FN ct_tuple ct_tuple3(int64_t a, int64_t b, int64_t c) { return ct_tuple_of(3, a, b, c, 0); }
CT_FN ct_tuple ct_tuple4(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return ct_tuple_of(4, a, b, c, d);
}

#endif
