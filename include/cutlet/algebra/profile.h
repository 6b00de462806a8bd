/**
 * The profile: how the leaves of a tuple are nested.
 *
 * A tuple is written as its leaves with parentheses between them. The profile holds, for each leaf,
 * the number of parentheses that open before it and close after it.
 *
 *     5            leaves 1   open 0      close 0        an integer
 *     (5)          leaves 1   open 1      close 1        a tuple of one
 *     ((2,3),4)    leaves 3   open 2 0 0  close 0 1 1
 *     ()           leaves 0                              the empty tuple
 *
 * Nothing is a tree, so nothing recurses: a mode is a run of leaves, found by counting.
 *
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_PROFILE_H
#define CUTLET_ALGEBRA_PROFILE_H

#include <cutlet/algebra/base.h>

typedef struct ct_profile {
    int32_t leaves;
    uint8_t open[CT_MAX_LEAVES];
    uint8_t close[CT_MAX_LEAVES];
} ct_profile;

/** The most parentheses that may open before a leaf, or close after one. */
#define CT_MAX_NESTING 128

/** The leaves [first, first + count) of one mode. */
typedef struct ct_span {
    int32_t first;
    int32_t count;
} ct_span;

/**
 * Whether the profile is that of a single integer rather than of a tuple.
 * Example: is_integer(5) == 1
 * Example: is_integer((5)) == 0
 */
CT_FN int ct_profile_is_integer(ct_profile p) { return p.leaves == 1 && p.open[0] == 0; }

/** @internal The number of modes: 1 for an integer, 0 for the empty tuple. */
CT_FN int ct_profile_rank(ct_profile p)
{
    if (ct_profile_is_integer(p)) return 1;
    int rank = 0, level = 0;
    CT_FOR(i, p.leaves)
    {
        level += p.open[i];
        level -= p.close[i];
        if (level <= 1) ++rank;
    }
    return rank;
}

/** @internal How deep the nesting goes: 0 for an integer, 1 for a flat tuple. */
CT_FN int ct_profile_depth(ct_profile p)
{
    if (p.leaves == 0) return 1;
    int depth = 0, level = 0;
    CT_FOR(i, p.leaves)
    {
        level += p.open[i];
        if (level > depth) depth = level;
        level -= p.close[i];
    }
    return depth;
}

/** @internal The leaves of mode k; count is -1 without that mode. The mode of an integer is
 *  itself. */
CT_FN ct_span ct_profile_mode_span(ct_profile p, int k)
{
    ct_span s = CT_ZERO;
    s.count = -1;
    if (ct_profile_is_integer(p)) {
        if (k == 0) s.count = 1;
        return s;
    }
    int mode = 0, level = 0, first = 0;
    CT_FOR(i, p.leaves)
    {
        level += p.open[i];
        level -= p.close[i];
        if (level <= 1) { /* a mode ends with this leaf */
            if (mode == k) {
                s.first = first;
                s.count = i + 1 - first;
            }
            ++mode;
            first = i + 1;
        }
    }
    return s;
}

/** @internal The leaves, a bit each, that continue the mode of the previous leaf: of ((2,3),4) leaf
 * 1, so 2. Of the first 31. */
CT_FN int32_t ct_profile_inner(ct_profile p)
{
    int32_t inner = 0, level = 0;
    CT_FOR(i, p.leaves)
    {
        if (i > 0 && i < 31 && level > 1) inner |= CT_CAST(int32_t, 1) << i;
        level += p.open[i];
        level -= p.close[i];
    }
    return inner;
}

/** @internal The profile of the leaves s of p, less the first opens parentheses and the last closes
 *  ones. */
CT_FN ct_profile ct_profile_part(ct_profile p, ct_span s, int opens, int closes)
{
    ct_profile r = CT_ZERO;
    if (s.count <= 0) return r;
    r.leaves = s.count;
    CT_FOR(i, s.count)
    {
        r.open[i] = p.open[s.first + i];
        r.close[i] = p.close[s.first + i];
    }
    r.open[0] = CT_CAST(uint8_t, r.open[0] - opens);
    r.close[s.count - 1] = CT_CAST(uint8_t, r.close[s.count - 1] - closes);
    return r;
}

/** @internal The profile of the mode that covers the leaves s of p. The tuple's opening parenthesis
 * before the first mode, and its closing one after the last, are left out. */
CT_FN ct_profile ct_profile_cut(ct_profile p, ct_span s)
{
    if (ct_profile_is_integer(p)) return p;
    return ct_profile_part(p, s, s.first == 0, s.first + s.count == p.leaves);
}

/** @internal (p): the profile as the only mode of a tuple. */
CT_FN ct_profile ct_profile_wrap(ct_profile p)
{
    if (p.leaves > 0) {
        p.open[0] = CT_CAST(uint8_t, p.open[0] + 1);
        p.close[p.leaves - 1] = CT_CAST(uint8_t, p.close[p.leaves - 1] + 1);
    }
    return p;
}

/** @internal (a, b, ...) from (a, ...) and b, ...: the modes of both in one tuple; an integer is
 *  one mode. The caller has made sure that the leaves fit. */
CT_FN ct_profile ct_profile_join(ct_profile a, ct_profile b)
{
    if (ct_profile_is_integer(a)) a = ct_profile_wrap(a);
    if (ct_profile_is_integer(b)) b = ct_profile_wrap(b);
    if (a.leaves == 0) return b;
    if (b.leaves == 0) return a;
    const int n = a.leaves;
    a.close[n - 1] = CT_CAST(uint8_t, a.close[n - 1] - 1);
    CT_FOR(i, b.leaves)
    {
        a.open[n + i] = b.open[i];
        a.close[n + i] = b.close[i];
    }
    a.open[n] = CT_CAST(uint8_t, a.open[n] - 1);
    a.leaves = n + b.leaves;
    return a;
}

/** @internal The flat profile of n leaves: (x, x, ..). n = 0 is the empty tuple. */
CT_FN ct_profile ct_profile_flat(int n)
{
    ct_profile p = CT_ZERO;
    p.leaves = n;
    if (n > 0) {
        p.open[0] = 1;
        p.close[n - 1] = 1;
    }
    return p;
}

/** @internal The first leaf at which two profiles nest differently, or -1 where they are the
 *  same. */
CT_FN int ct_profile_difference(ct_profile a, ct_profile b)
{
    int at = a.leaves == b.leaves ? -1 : CT_CAST(int, ct_min(a.leaves, b.leaves));
    CT_FOR(i, a.leaves)
    {
        if (i < b.leaves && (at < 0 || i < at) &&
            (a.open[i] != b.open[i] || a.close[i] != b.close[i]))
            at = i;
    }
    return at;
}

/** Two profiles walked together. Pair i is the leaves from a[i] up to a[i+1] of one, and from b[i]
 * up to b[i+1] of the other. In each pair one side is a single leaf. */
typedef struct ct_pairs {
    int32_t ok;                     /* whether the two fit each other */
    int32_t a_integers, b_integers; /* whether side a, or b, of every pair is an integer */
    int32_t at;                     /* the leaf of a where they do not */
    int32_t nested_at; /* the same where a tuple of a opposite an integer does not match, too */
    int32_t count;
    int32_t a[CT_MAX_LEAVES + 1];
    int32_t b[CT_MAX_LEAVES + 1];
    uint8_t open[CT_MAX_LEAVES];  /* the parentheses that both open before pair i */
    uint8_t close[CT_MAX_LEAVES]; /* and close after it */
} ct_pairs;

/** @internal The number of leaves of the mode of p that starts at leaf i with `level` of its
 * parentheses open before it; *beyond gets the parentheses that close after the mode. */
CT_FN int ct_profile_run(ct_profile p, int i, int level, int *beyond)
{
    int k = i;
    while (k < p.leaves) {
        if (k > i) level += p.open[k];
        level -= p.close[k];
        ++k;
        if (level <= 0) break;
    }
    *beyond = -level;
    return k - i;
}

/**
 * @internal Pairs the modes of a with those of b: descends where both are tuples, stops where one
 * is an integer.
 * Cost: O(CT_MAX_LEAVES^2).
 */
CT_FN ct_pairs ct_profile_pairs(ct_profile a, ct_profile b)
{
    ct_pairs r = CT_ZERO;
    r.ok = (a.leaves == 0) == (b.leaves == 0);
    r.a_integers = 1;
    r.b_integers = 1;
    int i = 0, j = 0;
    while (r.ok && i < a.leaves && j < b.leaves) {
        const int both = CT_CAST(int, ct_min(a.open[i], b.open[j]));
        int close_a = 0, close_b = 0;
        r.a[r.count] = i;
        r.b[r.count] = j;
        r.open[r.count] = CT_CAST(uint8_t, both);
        const int integers = r.a_integers;
        if (a.open[i] > both) r.a_integers = 0;
        if (b.open[j] > both) r.b_integers = 0;
        i += ct_profile_run(a, i, a.open[i] - both, &close_a);
        j += ct_profile_run(b, j, b.open[j] - both, &close_b);
        r.close[r.count] = CT_CAST(uint8_t, close_a);
        r.at = i - 1;
        if (integers) r.nested_at = i - 1;
        if (close_a != close_b) r.ok = 0;
        ++r.count;
        r.a[r.count] = i;
        r.b[r.count] = j;
    }
    if (i != a.leaves || j != b.leaves) r.ok = 0;
    return r;
}

#endif
