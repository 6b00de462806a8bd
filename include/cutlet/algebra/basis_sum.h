/**
 * Sums of basis elements as one leaf: `1@0+2@1`, a stride that steps along two modes at once. CuTe's
 * is an ArithmeticTuple.
 *
 * A layout holds one integer and one 32-bit code for each stride. A sum is stored in these too, so
 * that layouts get no larger and loops no longer. The code names up to three modes. Its lowest byte
 * is 255, which begins no path. Each other byte names a mode, (m + 1) + 16 * (n + 1) for mode n of
 * mode m, or is 0. The integer holds the numbers as its digits, of 32 bits each for two terms and
 * of 21 bits for three. A negative digit borrows from the next. Such integers add and multiply as
 * the sums do, as long as every number fits its digit. ct_sum_value checks this.
 *
 * A leaf with such a code has at least two nonzero terms, in the order of their modes: equal sums
 * have equal leaves.
 *
 * Cost:     a few instructions; for a leaf that is no sum those of ct_mul and ct_add, and a
 *           comparison.
 */
#ifndef CUTLET_ALGEBRA_BASIS_SUM_H
#define CUTLET_ALGEBRA_BASIS_SUM_H

#include <cutlet/algebra/tuple.h>

/** The most terms of a stride that is a sum, and the modes that each can name: 0 to 14, in at most
 *  two levels. */
#define CT_MAX_TERMS 3
#define CT_MAX_TERM_MODES 15

/** A sum of scaled basis elements, steps[k] along the mode at path[k], in the order of the modes.
 *  `more` counts those that had no room. */
typedef struct ct_sum {
    int32_t count, more;
    uint32_t path[CT_MAX_TERMS];
    int64_t steps[CT_MAX_TERMS];
} ct_sum;

/** @internal Whether the code is that of a sum. */
CT_FN int ct_is_sum(uint32_t basis)
{
    return CT_SELDOM((basis & 0xffu) == 0xffu) && basis != CT_ANY;
}

/** @internal The path with the outermost mode in the highest byte: paths then sort in the order of
 *  leaves. */
CT_FN uint32_t ct_path_key(uint32_t path)
{
    return ((path & 0xffu) << 24) | ((path & 0xff00u) << 8) | ((path >> 8) & 0xff00u) |
           (path >> 24);
}

/** @internal The ratio of digit k + 1 to digit k in a sum of this number of terms. */
CT_FN int64_t ct_sum_radix(int terms) { return CT_CAST(int64_t, 1) << (terms == 2 ? 32 : 21); }

/** @internal The highest number in a sum of this number of terms; the lowest is its negative. */
CT_FN int64_t ct_sum_most(int terms) { return ct_sum_radix(terms) / 2 - 1; }

/** @internal The terms of a leaf: one, unless it is a sum. The path of an integer is 0. */
CT_FN ct_sum ct_sum_of(int64_t value, uint32_t basis)
{
    ct_sum s = CT_ZERO;
    s.count = 1;
    s.path[0] = basis;
    s.steps[0] = value;
    if (!ct_is_sum(basis)) return s;
    s.count = basis >> 24 ? 3 : 2;
    const int64_t radix = ct_sum_radix(s.count), most = ct_sum_most(s.count);
    for (int k = 0; k < CT_MAX_TERMS; ++k) {
        if (k < s.count) {
            const uint32_t modes = (basis >> (8 * (k + 1))) & 0xffu;
            const int64_t digit = value % radix; /* as near to 0 as possible: from -most on */
            const int borrows = digit > most ? 1 : digit < -most ? -1 : 0;
            s.path[k] = (modes & 15u) | (modes >> 4) << 8;
            s.steps[k] = digit - borrows * radix;
            value = value / radix + borrows;
        }
    }
    return s;
}

/** @internal Adds steps along a path to the sum; *ok becomes 0 on overflow. */
CT_FN void ct_sum_add(ct_sum *s, uint32_t path, int64_t steps, int *ok)
{
    int at = 0;
    while (at < s->count && ct_path_key(s->path[at]) < ct_path_key(path)) ++at;
    if (at < s->count && s->path[at] == path) {
        s->steps[at] = ct_add(s->steps[at], steps, ok);
        return;
    }
    if (s->count == CT_MAX_TERMS) {
        ++s->more;
        return;
    }
    for (int k = s->count; k > at; --k) {
        s->path[k] = s->path[k - 1];
        s->steps[k] = s->steps[k - 1];
    }
    s->path[at] = path;
    s->steps[at] = steps;
    ++s->count;
}

/** @internal The code of the terms of a sum of two or more; 0 where a term names a mode that a sum
 *  cannot. */
CT_FN uint32_t ct_sum_code(const ct_sum *s)
{
    uint32_t code = 0xffu;
    for (int k = 0; k < s->count; ++k) {
        const uint32_t outer = s->path[k] & 0xffu, inner = (s->path[k] >> 8) & 0xffu;
        if (s->path[k] >> 16 || outer > CT_MAX_TERM_MODES || inner > CT_MAX_TERM_MODES || !outer)
            return 0;
        code |= (outer | inner << 4) << (8 * (k + 1));
    }
    return code;
}

/** @internal The integer that holds the numbers of a sum of two or more terms. If one does not fit,
 * *ok becomes 0, and the integer is 0, which is no sum. */
CT_FN int64_t ct_sum_value(const ct_sum *s, int *ok)
{
    int64_t value = 0;
    for (int k = s->count - 1; k >= 0; --k) {
        if (s->steps[k] > ct_sum_most(s->count) || s->steps[k] < -ct_sum_most(s->count)) *ok = 0;
        value = *ok ? value * ct_sum_radix(s->count) + s->steps[k] : 0;
    }
    return value;
}

/** @internal The steps along a path of a stride of the given basis; 0 where it has none there. */
CT_FN int64_t ct_steps_along(int64_t value, uint32_t basis, uint32_t path)
{
    if (basis == path) return value;
    const ct_sum s = ct_sum_of(value, basis);
    int64_t steps = 0;
    for (int k = 0; k < s.count; ++k) {
        if (s.path[k] == path) steps = s.steps[k];
    }
    return steps;
}

/** @internal Whether a leaf whose code is that of a sum is as ct_sum_leaf makes it. */
CT_FN int ct_sum_is_leaf(int64_t value, uint32_t basis)
{
    const ct_sum s = ct_sum_of(value, basis);
    int ok = 1;
    return ct_sum_code(&s) == basis && ct_sum_value(&s, &ok) == value; /* 0 has room */
}

/** @internal What keeps a sum from being leaf number `leaf`. Otherwise that leaf is *value and
 *  *basis: an integer or one basis element where the other terms are 0. */
CT_FN ct_error ct_sum_leaf(ct_sum s, int leaf, int32_t op, int64_t *value, uint32_t *basis)
{
    ct_error e = CT_ZERO;
    ct_sum r = CT_ZERO;
    for (int k = 0; k < s.count; ++k) {
        if (s.steps[k] == 0) continue;
        r.path[r.count] = s.path[k];
        r.steps[r.count++] = s.steps[k];
    }
    *value = r.steps[0];
    *basis = r.count ? r.path[0] : s.path[0];
    if (s.more)
        return ct_make_error(CT_E_CAPACITY, op, CT_WHY_TERMS, leaf, s.count + s.more, CT_MAX_TERMS);
    if (r.count < 2) return e;
    if (r.path[0] == CT_INTEGER)
        return ct_make_error(CT_E_ARGUMENT, op, CT_WHY_BASIS_MIXED, leaf, 0, 0);
    *basis = ct_sum_code(&r);
    if (*basis == 0)
        return ct_make_error(CT_E_CAPACITY, op, CT_WHY_TERM_MODE, leaf, CT_MAX_TERM_MODES - 1, 2);
    int ok = 1;
    *value = ct_sum_value(&r, &ok);
    for (int k = 0; k < r.count && !ok && e.status == CT_OK; ++k) {
        if (r.steps[k] > ct_sum_most(r.count) || r.steps[k] < -ct_sum_most(r.count))
            e = ct_make_error(CT_E_OVERFLOW, op, CT_WHY_TERM, leaf, r.steps[k],
                              ct_sum_most(r.count));
    }
    for (int k = 1; k < r.count && e.status == CT_OK; ++k) { /* 1@0 beside 1@1@0 */
        if ((r.path[k] & 0xffu) == r.path[k - 1])
            e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_BASIS_MIXED, leaf, 0, 0);
    }
    return e;
}

/** @internal k * d for the stride d that is a sum; *ok becomes 0 on overflow. */
CT_FN int64_t ct_sum_mul(int64_t k, int64_t d, uint32_t basis, int *ok)
{
    ct_sum s = ct_sum_of(d, basis);
    for (int i = 0; i < s.count; ++i) s.steps[i] = ct_mul(k, s.steps[i], ok);
    return ct_sum_value(&s, ok);
}

/** @internal k * d for the stride d of the given basis; *ok becomes 0 on overflow. */
CT_FN int64_t ct_step_mul(int64_t k, int64_t d, uint32_t basis, int *ok)
{
    return ct_is_sum(basis) ? ct_sum_mul(k, d, basis, ok) : ct_mul(k, d, ok);
}

/**
 * a + b for two basis elements, or sums of them: a stride that steps along several modes at once.
 *
 * Fails:   CT_E_ARGUMENT for integers, `_` and tuples, and where a mode holds another; CT_E_CAPACITY
 *          for more than CT_MAX_TERMS terms, and for modes that a sum cannot name; CT_E_OVERFLOW for
 *          numbers past 2^31 - 1 of two terms, past 2^20 - 1 of three.
 * In C:    const ct_tuple d = ct_basis_add(ct_basis(1, 0), ct_basis(1, 1)); // 1@0+1@1
 *          const ct_layout L = ct_make_layout(ct_int(8), d);
 *          assert(ct_tuple_equal(ct_at(L, ct_int(3)), ct_tuple2(3, 3)));
 *          assert(ct_basis_add(ct_int(1), ct_basis(1, 1)).err.status == CT_E_ARGUMENT);
 * Example: at(8:1@0+1@1, 3) == (3,3)
 * Example: at((4,8):(1@0,1@0+2@1), (1,3)) == (4,6)
 * Source:  CuTe, arithmetic_tuple.hpp.
 */
CT_FN ct_tuple ct_basis_add(ct_tuple a, ct_tuple b)
{
    if (a.err.status) return a;
    if (b.err.status) return b;
    int ok = ct_is_integer(a) && ct_is_integer(b) && a.basis[0] != CT_ANY && b.basis[0] != CT_ANY;
    if (!ok || a.basis[0] == CT_INTEGER || b.basis[0] == CT_INTEGER)
        return ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0));
    ct_sum s = ct_sum_of(a.value[0], a.basis[0]);
    const ct_sum more = ct_sum_of(b.value[0], b.basis[0]);
    for (int k = 0; k < more.count; ++k) ct_sum_add(&s, more.path[k], more.steps[k], &ok);
    a.err = ct_sum_leaf(s, 0, CT_OP_TUPLE, &a.value[0], &a.basis[0]);
    if (!ok) a.err = ct_make_error(CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_OVERFLOW, 0, 0, 0);
    return a.err.status ? ct_tuple_fail(a.err) : a;
}

#endif
