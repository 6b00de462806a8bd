/**
 * The left inverse by trial: shapes are tried for a layout that maps the offsets back.
 *
 * A flat layout R of the sizes n0, n1, .. maps the offset x to the sum of (digit k of x) * e[k].
 * The last digit is unbounded. So R(L(i)) = i is one linear equation in the strides e for each
 * index i. The equations are taken one by one. Their solutions so far are kept as sums of `base`
 * columns, of which the first `known` have fixed factors. Euclid's steps between columns leave one
 * column that the next equation depends on. A further size in R changes nothing if e makes it
 * continue the adjacent one, so the shortest shapes are tried first.
 */
#ifndef CUTLET_ALGEBRA_INVERSE_TRIAL_H
#define CUTLET_ALGEBRA_INVERSE_TRIAL_H

#include <cutlet/algebra/build.h>

/** The offsets sum c[j] * stride[j] of leaves, and their indices sum c[j] * unit[j], for all
 *  coordinates c. */
typedef struct ct_points {
    int leaves;
    int64_t shape[CT_MAX_LEAVES], stride[CT_MAX_LEAVES], unit[CT_MAX_LEAVES];
    int64_t size, most; /* their number, and the highest offset */
} ct_points;

/** The integers e with the equations so far: e[k] is the sum of base[k][c] * factor[c], c < n. */
typedef struct ct_unknowns {
    int n, known;
    int64_t base[CT_MAX_LEAVES][CT_MAX_LEAVES], factor[CT_MAX_LEAVES];
} ct_unknowns;

/** @internal The leaves of L that move, each with the index of its unit step. */
CT_FN ct_points ct_points_of(const ct_layout *L, const int64_t *unit)
{
    ct_points p = CT_ZERO;
    p.size = 1;
    CT_FOR(i, L->profile.leaves)
    {
        if (L->stride[i] == 0) continue;
        p.shape[p.leaves] = L->shape[i];
        p.stride[p.leaves] = L->stride[i];
        p.unit[p.leaves++] = unit[i];
        p.size *= L->shape[i];
        p.most += (L->shape[i] - 1) * L->stride[i];
    }
    return p;
}

/** @internal Whether two leaves of p reach an offset twice: one by b / gcd(a, b) of its steps a, the
 *  other by a / gcd(a, b) of its steps b. */
CT_FN int ct_points_meet(const ct_points *p)
{
    int meet = 0;
    CT_FOR(i, p->leaves) CT_FOR(k, p->leaves)
    {
        const int64_t a = p->stride[i], b = p->stride[k], g = ct_gcd(a, b);
        if (i < k && b / g < p->shape[i] && a / g < p->shape[k]) meet = 1;
    }
    return meet;
}

/** @internal a + b * c; *ok becomes 0 where it is not above INT64_MIN or does not fit. */
CT_FN int64_t ct_add_product(int64_t a, int64_t b, int64_t c, int *ok)
{
    const int64_t sum = ct_add(a, ct_mul(b, c, ok), ok);
    if (sum == INT64_MIN) *ok = 0;
    return *ok ? sum : 0;
}

/** @internal Subtracts q times column b from column a of the base and of row, then swaps them. */
CT_FN void ct_unknowns_step(ct_unknowns *u, int64_t *row, int a, int b, int *ok)
{
    const int64_t q = row[a] / row[b];
    const int64_t rest = row[a] % row[b];
    row[a] = row[b];
    row[b] = rest;
    CT_FOR(k, u->n)
    {
        const int64_t less = ct_add_product(u->base[k][a], -q, u->base[k][b], ok);
        u->base[k][a] = u->base[k][b];
        u->base[k][b] = less;
    }
}

/** @internal Takes one more equation, sum of digit[k] * e[k] = value. 0 when no integers fulfil it
 *  with those before; *ok becomes 0 on overflow. */
CT_FN int ct_unknowns_take(ct_unknowns *u, const int64_t *digit, int64_t value, int *ok)
{
    int64_t row[CT_MAX_LEAVES] = CT_ZERO;
    const int next = u->known;
    CT_FOR(c, u->n) CT_FOR(k, u->n) row[c] = ct_add_product(row[c], digit[k], u->base[k][c], ok);
    CT_FOR(c, u->n)
    {
        if (c > next) {
            while (row[c] != 0) ct_unknowns_step(u, row, next, c, ok);
        }
    }
    CT_FOR(c, next) value = ct_add_product(value, -row[c], u->factor[c], ok);
    if (!*ok) return 0;
    if (next == u->n || row[next] == 0) return value == 0;
    if (value % row[next] != 0) return 0;
    u->factor[u->known++] = value / row[next];
    return 1;
}

/** @internal The next shape of n sizes of at least 2 whose product is at most `most`; 0 after the
 *  last. The shape before the first has the last size 1. */
CT_FN int ct_next_sizes(int64_t *size, int n, int64_t most)
{
    for (int k = n - 1; k >= 0; --k) {
        ++size[k];
        int64_t capacity = most;
        CT_FOR(i, n) capacity /= size[i];
        if (capacity > 0) return 1;
        size[k] = 2;
    }
    return 0;
}

/** @internal Whether strides of n sizes, and of an unbounded last leaf, map every offset of p to
 * its index; they are then in u. Each comparison decrements *left; *ok becomes 0 when it is
 * exhausted, and on overflow. */
CT_FN int ct_sizes_invert(ct_unknowns *u, const int64_t *size, int n, const ct_points *p,
                          int64_t *left, int *ok)
{
    u->n = n + 1;
    u->known = 0;
    CT_FOR(k, n + 1) CT_FOR(c, n + 1) u->base[k][c] = k == c;
    CT_FOR(c, n + 1) u->factor[c] = 0;
    int fits = 1;
    for (int64_t i = 1; i < p->size && fits; ++i) {
        int64_t digit[CT_MAX_LEAVES] = CT_ZERO;
        int64_t rest = i, offset = 0, index = 0;
        if (--*left < 0) *ok = 0;
        CT_FOR(j, p->leaves)
        {
            offset += rest % p->shape[j] * p->stride[j];
            index += rest % p->shape[j] * p->unit[j];
            rest /= p->shape[j];
        }
        CT_FOR(k, n)
        {
            digit[k] = offset % size[k];
            offset /= size[k];
        }
        digit[n] = offset;
        fits = *ok && ct_unknowns_take(u, digit, index, ok);
    }
    return fits;
}

/** @internal Adds to the empty layout r the leaves of the sizes and the strides u. */
CT_FN void ct_push_inverse(ct_layout *r, const ct_unknowns *u, const int64_t *size, int64_t most,
                           int *ok)
{
    CT_FOR(k, u->n)
    {
        int64_t stride = 0;
        CT_FOR(c, u->n) stride = ct_add_product(stride, u->base[k][c], u->factor[c], ok);
        ct_layout_push_leaf(r, k + 1 < u->n ? size[k] : most + 1, stride, CT_INTEGER);
        if (k + 1 < u->n) most /= size[k];
    }
}

/** @internal Adds to the empty layout r the fewest leaves of a flat layout that maps every offset
 * of p to its index, without parentheses. 1 when that is done; 0 when no layout of CT_MAX_LEAVES
 * leaves does; -1 when only more than CT_MAX_PROOF comparisons would decide it; -2 on overflow. */
CT_FN int ct_find_inverse(ct_layout *r, const ct_points *p)
{
    ct_unknowns u = CT_ZERO;
    int64_t left = CT_MAX_PROOF;
    int ok = 1;
    for (int n = 0; n < CT_MAX_LEAVES; ++n) {
        int64_t size[CT_MAX_LEAVES] = CT_ZERO;
        for (int i = 0; i < n; ++i) size[i] = i + 1 < n ? 2 : 1;
        int more = n == 0 || ct_next_sizes(size, n, p->most);
        if (!more) break; /* nor are there longer ones */
        for (; more; more = ct_next_sizes(size, n, p->most)) {
            const int found = ct_sizes_invert(&u, size, n, p, &left, &ok);
            if (found) ct_push_inverse(r, &u, size, p->most, &ok);
            if (!ok) return left < 0 ? -1 : -2;
            if (found) return 1;
        }
    }
    return 0;
}

#endif
