/**
 * Building a layout from left to right from leaves, modes and layouts.
 *
 * The push functions work in place, and take parts of layouts without a copy. Building by value
 * would copy the structure for each leaf and each mode.
 *
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_BUILD_H
#define CUTLET_ALGEBRA_BUILD_H

#include <cutlet/algebra/layout.h>

/** Part of a layout, by reference: the leaves s of `of`, less `opens` parentheses before the first
 * and `closes` after the last. count is -1 if `of` has no such mode. Valid as long as `of`. */
typedef struct ct_part {
    const ct_layout *of;
    ct_span s;
    int32_t opens, closes;
} ct_part;

/** @internal All of L. */
CT_FN ct_part ct_whole(const ct_layout *L)
{
    ct_part p = CT_ZERO;
    p.of = L;
    p.s.count = L->profile.leaves;
    return p;
}

/** @internal Whether a part is a single leaf rather than a tuple. */
CT_FN int ct_part_is_integer(ct_part p)
{
    return p.s.count == 1 && p.of->profile.open[p.s.first] == p.opens;
}

/** @internal Mode k of a part; the mode of an integer is itself. */
CT_FN ct_part ct_part_mode(ct_part p, int k)
{
    const int end = p.s.first + p.s.count;
    if (ct_part_is_integer(p)) {
        if (k != 0) p.s.count = -1;
        return p;
    }
    ct_part r = p;
    int level = -p.opens, mode = 0, first = p.s.first;
    r.s.count = -1;
    CT_FOR(i, end)
    {
        if (i >= p.s.first) {
            level += p.of->profile.open[i];
            level -= p.of->profile.close[i] - (i + 1 == end ? p.closes : 0);
            if (level <= 1) { /* a mode ends with this leaf */
                if (mode == k) {
                    r.s.first = first;
                    r.s.count = i + 1 - first;
                    r.opens = first == p.s.first ? p.opens + 1 : 0;
                    r.closes = i + 1 == end ? p.closes + 1 : 0;
                }
                ++mode;
                first = i + 1;
            }
        }
    }
    return r;
}

/** @internal The number of modes of a part. */
CT_FN int ct_part_rank(ct_part p)
{
    const int end = p.s.first + p.s.count;
    int level = -p.opens, rank = 0;
    if (ct_part_is_integer(p)) return 1;
    CT_FOR(i, end)
    {
        if (i >= p.s.first) {
            level += p.of->profile.open[i];
            level -= p.of->profile.close[i] - (i + 1 == end ? p.closes : 0);
            if (level <= 1) ++rank;
        }
    }
    return rank;
}

/** @internal The number of coordinates of a part; CT_INVALID for a failed layout or a mode that it
 *  lacks. */
CT_FN int64_t ct_part_size(ct_part p)
{
    int64_t size = 1;
    if (p.of->err.status || p.s.count < 0) return CT_INVALID;
    CT_FOR(i, p.s.count) size *= p.of->shape[p.s.first + i];
    return size;
}

/** @internal The part as a layout. */
CT_FN ct_layout ct_part_layout(ct_part p)
{
    ct_layout r = CT_ZERO;
    r.profile = ct_profile_part(p.of->profile, p.s, p.opens, p.closes);
    CT_FOR(i, p.s.count)
    {
        r.shape[i] = p.of->shape[p.s.first + i];
        r.stride[i] = p.of->stride[p.s.first + i];
        r.basis[i] = p.of->basis[p.s.first + i];
    }
    return r;
}

/** @internal Empties a layout that is used again. */
CT_FN void ct_layout_clear(ct_layout *L)
{
    const ct_error none = CT_ZERO;
    L->err = none;
    L->profile.leaves = 0;
}

/** @internal Adds the leaves of a part to L, with `opens` parentheses before and `closes` after
 * them. The first error of either stays in L. The result is not checked. */
CT_FN void ct_push_part(ct_layout *L, ct_part p, int opens, int closes)
{
    const ct_layout *const X = p.of;
    const int n = L->profile.leaves, m = p.s.count, first = p.s.first;
    if (L->err.status) return;
    L->err = X->err;
    if (L->err.status == CT_OK && n + m > CT_MAX_LEAVES)
        L->err =
            ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, n + m, CT_MAX_LEAVES);
    if (L->err.status || m <= 0) return;
    const int deep = CT_CAST(int, ct_max(X->profile.open[first] - p.opens + opens,
                                         X->profile.close[first + m - 1] - p.closes + closes));
    if (deep > CT_MAX_NESTING) {
        L->err =
            ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_DEPTH, 0, deep, CT_MAX_NESTING);
        return;
    }
    CT_FOR(i, m)
    {
        L->shape[n + i] = X->shape[first + i];
        L->stride[n + i] = X->stride[first + i];
        L->basis[n + i] = X->basis[first + i];
        L->profile.open[n + i] = X->profile.open[first + i];
        L->profile.close[n + i] = X->profile.close[first + i];
    }
    L->profile.open[n] = CT_CAST(uint8_t, L->profile.open[n] - p.opens + opens);
    L->profile.close[n + m - 1] = CT_CAST(uint8_t, L->profile.close[n + m - 1] - p.closes + closes);
    L->profile.leaves = n + m;
}

/** @internal Adds mode k of a part to L; fails as ct_mode does where the part has no mode k. */
CT_FN void ct_push_mode(ct_layout *L, ct_part p, int k, int opens, int closes)
{
    const ct_part mode = ct_part_mode(p, k);
    if (L->err.status == CT_OK && p.of->err.status == CT_OK && mode.s.count < 0)
        L->err = ct_make_error(CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, k, ct_part_rank(p), 0);
    ct_push_part(L, mode, opens, closes);
}

/** @internal Adds a part as one more, last mode of the tuple L; a part without leaves adds no
 *  mode. */
CT_FN void ct_push_next(ct_layout *L, ct_part p)
{
    const int n = L->profile.leaves;
    ct_push_part(L, p, n == 0, 1);
    if (n > 0 && L->profile.leaves > n)
        L->profile.close[n - 1] = CT_CAST(uint8_t, L->profile.close[n - 1] - 1);
}

/** @internal The size of each mode of L: product_each of its shape. */
CT_FN ct_tuple ct_mode_sizes(const ct_layout *L)
{
    ct_tuple t = CT_ZERO;
    int level = 0, mode = 0;
    int64_t size = 1;
    t.err = L->err;
    if (t.err.status) return t;
    CT_FOR(i, L->profile.leaves)
    {
        level += L->profile.open[i];
        level -= L->profile.close[i];
        size *= L->shape[i];
        if (level <= 1) {
            t.value[mode] = size;
            ++mode;
            size = 1;
        }
    }
    t.profile = ct_profile_flat(mode);
    return t;
}

/** @internal Adds all of X to L; see ct_push_part. */
CT_FN void ct_layout_push(ct_layout *L, const ct_layout *X, int opens, int closes)
{
    ct_push_part(L, ct_whole(X), opens, closes);
}

/** @internal Adds the leaf s:d of the given basis to L; shape and stride as they are. */
CT_FN void ct_layout_push_leaf(ct_layout *L, int64_t s, int64_t d, uint32_t basis)
{
    const int n = L->profile.leaves;
    if (L->err.status) return;
    if (n >= CT_MAX_LEAVES) {
        L->err =
            ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, n + 1, CT_MAX_LEAVES);
        return;
    }
    L->shape[n] = s;
    L->stride[n] = d;
    L->basis[n] = basis;
    L->profile.open[n] = 0;
    L->profile.close[n] = 0;
    L->profile.leaves = n + 1;
}

/** @internal Adds the leaf s:d as one more, last mode of the tuple L. */
CT_FN void ct_push_next_leaf(ct_layout *L, int64_t s, int64_t d, uint32_t basis)
{
    const int n = L->profile.leaves;
    ct_layout_push_leaf(L, s, d, basis);
    if (L->err.status) return;
    if (n > 0) L->profile.close[n - 1] = CT_CAST(uint8_t, L->profile.close[n - 1] - 1);
    else L->profile.open[0] = 1;
    L->profile.close[n] = 1;
}

/** @internal Nests the leaves of L from `first` on, pushed without parentheses, as one mode: a
 * tuple if there are several. Further parentheses enclose it. */
CT_FN void ct_layout_close_mode(ct_layout *L, int first, int opens, int closes)
{
    const int last = L->profile.leaves - 1;
    if (L->err.status || last < first) return;
    const int tuple = last > first;
    L->profile.open[first] = CT_CAST(uint8_t, L->profile.open[first] + opens + tuple);
    L->profile.close[last] = CT_CAST(uint8_t, L->profile.close[last] + closes + tuple);
}

/** @internal The modes of A followed by those of B, without a check of the result. */
CT_FN ct_layout ct_layout_concat(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    const int n = A.profile.leaves, total = n + B.profile.leaves;
    if (total > CT_MAX_LEAVES)
        return ct_layout_fail(ct_make_error(CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
                                            total, CT_MAX_LEAVES));
    A.profile = ct_profile_join(A.profile, B.profile);
    CT_FOR(i, B.profile.leaves)
    {
        A.shape[n + i] = B.shape[i];
        A.stride[n + i] = B.stride[i];
        A.basis[n + i] = B.basis[i];
    }
    return A;
}

/** @internal Makes A the layout (A,B), checked; an empty A becomes B, and an empty B leaves A as it
 *  is. */
CT_FN void ct_push_second(ct_layout *A, ct_part B)
{
    ct_push_part(A, B, 0, 1);
    if (A->err.status || A->profile.leaves == 0 || B.s.count == 0) return;
    A->profile.open[0] = CT_CAST(uint8_t, A->profile.open[0] + 1);
    A->err = ct_layout_check(A, CT_OP_MAKE_LAYOUT);
}

/**
 * (A,B): the layout whose two modes are A and B. An empty one is not a mode, as when it is appended.
 * Fails:   CT_E_CAPACITY, CT_E_OVERFLOW.
 * Example: make_layout((2,4):(1,2), 3:8) == ((2,4),3):((1,2),8)
 */
CT_FN ct_layout ct_make_layout2(ct_layout A, ct_layout B)
{
    if (A.profile.leaves > 0 && B.profile.leaves == 0 && B.err.status == CT_OK)
        return ct_layout_wrap(A);
    ct_push_second(&A, ct_whole(&B));
    return A;
}

#endif
