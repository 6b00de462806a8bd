/**
 * Linear layouts: functions of powers of two. For each set bit of an index they XOR a pattern of
 * bits into the offset. Every swizzled layout whose sums never carry is one, and among themselves
 * they compose and invert without exception.
 *
 * Fails:    a failed operand is the result.
 */
#ifndef CUTLET_ALGEBRA_LINEAR_LAYOUT_H
#define CUTLET_ALGEBRA_LINEAR_LAYOUT_H

#include <cutlet/algebra/tensor.h>

/** The bits that an index or an offset can have. */
#define CT_LINEAR_BITS 62

/** The function i -> origin ^ image[k] ^ .. for the bits k of i that are set: linear over F2, the
 *  field of two elements. The index is that of a shape of powers of two. */
typedef struct ct_linear_layout {
    ct_error err;
    ct_profile profile;         /* of the shape */
    int32_t log[CT_MAX_LEAVES]; /* leaf k has 2^log[k] coordinates */
    int32_t bits;               /* of the index: the sum of them */
    int64_t origin;             /* the offset of index 0 */
    int64_t image[CT_LINEAR_BITS];
} ct_linear_layout;

/** @internal The failed linear layout that carries e. */
CT_FN ct_linear_layout ct_linear_fail(ct_error e)
{
    ct_linear_layout f = CT_ZERO;
    f.err = e;
    return f;
}

/** @internal What the bits of i move. */
CT_FN int64_t ct_linear_moves(const ct_linear_layout *f, int64_t i)
{
    int64_t x = 0;
    for (int k = 0; k < f->bits; ++k) x ^= i >> k & 1 ? f->image[k] : 0;
    return x;
}

/**
 * The offset of index i, for 0 <= i < 2^bits of an f that is not failed.
 * Cost:     O(bits).
 * In C:     const ct_swizzle s = ct_make_swizzle(1, 0, 1);
 *           const ct_linear_layout f = ct_make_linear(ct_make_swizzled(s, 0, ct_layout1(4, 1)));
 *           assert(ct_linear_eval(&f, 2) == 3 && ct_linear_eval(&f, 3) == 2);
 */
CT_FN int64_t ct_linear_eval(const ct_linear_layout *f, int64_t i)
{
    return f->origin ^ ct_linear_moves(f, i);
}

/** @internal All bits that an offset of f can have. */
CT_FN int64_t ct_linear_reach(const ct_linear_layout *f)
{
    int64_t x = f->origin;
    for (int k = 0; k < f->bits; ++k) x |= f->image[k];
    return x;
}

/** @internal Adds the bits of leaf m of L to f, whose offsets begin at `offset`. */
CT_FN void ct_linear_push(ct_linear_layout *f, const ct_layout *L, int m, int64_t offset,
                          int64_t *seen)
{
    f->log[m] = ct_log2(L->shape[m]);
    if (f->log[m] < 0)
        f->err = ct_make_error(CT_E_ARGUMENT, CT_OP_LINEAR, CT_WHY_NOT_POWER, m, L->shape[m], 0);
    for (int k = 0; k < f->log[m] && f->err.status == CT_OK; ++k) {
        const int64_t step = L->stride[m] * (CT_CAST(int64_t, 1) << k),
                      x = (offset + step) ^ offset;
        if (x & *seen)
            f->err =
                ct_make_error(CT_E_NO_LAYOUT, CT_OP_LINEAR, CT_WHY_NOT_LINEAR, m, x & *seen, 0);
        *seen |= x;
        f->image[f->bits++] = x;
    }
}

/**
 * The linear layout that a tensor is.
 *
 * Ensures:  F(i) = T(i) for 0 <= i < size(T).   [law_linear_layout]
 * Fails:    CT_E_ARGUMENT when a leaf is not a power of two, or an offset is negative or a
 * coordinate;
 *           CT_E_NO_LAYOUT when the sum of two modes carries, exactly where T is not linear.
 * Cost:     O(bits).
 * In C:     const ct_swizzle s = ct_make_swizzle(1, 0, 1);
 *           const ct_linear_layout f = ct_make_linear(ct_make_swizzled(s, 0, ct_layout1(4, 1)));
 *           assert(f.bits == 2 && f.image[0] == 1 && f.image[1] == 3);
 * Source:   Zhou et al., Linear Layouts, arXiv:2505.23819.
 */
CT_FN ct_linear_layout ct_make_linear(ct_tensor t)
{
    ct_linear_layout f = CT_ZERO;
    f.err = ct_tensor_check(&t);
    if (f.err.status == CT_OK && !ct_offset_is_integer(&t.offset))
        f.err = ct_make_error(CT_E_ARGUMENT, CT_OP_LINEAR, CT_WHY_NOT_INTEGER, 0, 0, 0);
    if (f.err.status) return f;
    const int64_t offset = t.offset.value[0];
    f.err = ct_make_swizzled(t.swizzle, offset, t.layout).layout.err; /* integers below 2^62 */
    f.profile = t.layout.profile;
    int64_t seen = 0;
    CT_FOR(m, t.layout.profile.leaves)
    {
        if (f.err.status == CT_OK) ct_linear_push(&f, &t.layout, m, offset, &seen);
    }
    if (f.err.status) return ct_linear_fail(f.err);
    for (int k = 0; k < f.bits; ++k) f.image[k] = ct_swizzle_apply(t.swizzle, f.image[k]);
    f.origin = ct_swizzle_apply(t.swizzle, offset);
    return f;
}

/** @internal Whether no two bits of the index move the same bit once s is undone. */
CT_FN int ct_linear_unswizzles(const ct_linear_layout *f, ct_swizzle s)
{
    int64_t seen = 0;
    for (int k = 0; k < f->bits; ++k) {
        const int64_t x = ct_swizzle_apply(s, f->image[k]);
        if (x & seen) return 0;
        seen |= x;
    }
    return 1;
}

/** @internal The swizzle of the fewest bits, then of the shortest shift, such that f is a layout
 * followed by it. */
CT_FN ct_swizzle ct_linear_swizzle(const ct_linear_layout *f)
{
    const int64_t reach = ct_linear_reach(f);
    int top = 0;
    while (reach >> top) ++top;
    ct_swizzle none = ct_swizzle_none();
    if (ct_linear_unswizzles(f, none)) return none;
    for (int bits = 1; 2 * bits <= top; ++bits) {
        for (int by = bits; by + bits <= top; ++by) {
            for (int base = 0; base + by + bits <= top; ++base) {
                const ct_swizzle down = ct_make_swizzle(bits, base, by);
                const ct_swizzle up = ct_make_swizzle(bits, base, -by);
                if (ct_linear_unswizzles(f, down)) return down;
                if (ct_linear_unswizzles(f, up)) return up;
            }
        }
    }
    none.err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_LINEAR, CT_WHY_NO_SWIZZLE, 0, 0, 0);
    return none;
}

/**
 * A linear layout as a tensor: a swizzle, an offset and a layout of the shape of F. Its leaves are
 * split where they do not have one stride.
 *
 * Ensures:  T(i) = F(i) for 0 <= i < 2^bits.   [law_linear_layout]
 * Fails:    CT_E_NO_LAYOUT exactly where there is no such swizzle; CT_E_CAPACITY.
 * Cost:     O(bits^4) at most.
 * In C:     const ct_swizzle s = ct_make_swizzle(1, 0, 1);
 *           const ct_linear_layout f = ct_make_linear(ct_make_swizzled(s, 0, ct_layout1(4, 1)));
 *           const ct_tensor t = ct_linear_tensor(f);
 *           for (int i = 0; i < 4; ++i) assert(ct_tensor_eval(t, i) == ct_linear_eval(&f, i));
 */
CT_FN ct_tensor ct_linear_tensor(ct_linear_layout f)
{
    if (f.err.status) return ct_tensor_fail(f.err);
    const ct_swizzle s = ct_linear_swizzle(&f);
    if (s.err.status) return ct_tensor_fail(s.err);
    const int64_t offset = ct_swizzle_apply(s, f.origin);
    ct_layout L = CT_ZERO;
    int bit = 0;
    CT_FOR(m, f.profile.leaves)
    {
        const int first = L.profile.leaves;
        if (f.log[m] == 0) ct_layout_push_leaf(&L, 1, 0, CT_INTEGER);
        for (int k = 0; k < f.log[m]; ++k, ++bit) {
            const int64_t x = ct_swizzle_apply(s, f.image[bit]), step = x - 2 * (offset & x);
            const int last = L.profile.leaves - 1;
            if (k > 0 && L.err.status == CT_OK && L.shape[last] * L.stride[last] == step)
                L.shape[last] *= 2;
            else ct_layout_push_leaf(&L, 2, step, CT_INTEGER);
        }
        ct_layout_close_mode(&L, first, f.profile.open[m], f.profile.close[m]);
    }
    ct_tensor t = ct_make_tensor(ct_checked(L, CT_OP_LINEAR));
    t.offset.value[0] = offset;
    t.swizzle = s.bits > 0 ? s : ct_swizzle_none();
    const ct_error e = ct_tensor_check(&t);
    return e.status ? ct_tensor_fail(e) : t;
}

/**
 * F o G: the offsets of G are indices of F.
 * Ensures:  R(i) = F(G(i)), in the shape of G.   [law_linear_composition]
 * Fails:    CT_E_DOMAIN where G has bits past the size of F.
 * Cost:     O(bits^2).
 * In C:     const ct_swizzle s = ct_make_swizzle(1, 0, 1);
 *           const ct_linear_layout f = ct_make_linear(ct_make_swizzled(s, 0, ct_layout1(4, 1)));
 *           const ct_linear_layout g = ct_linear_composition(f, f); // a swizzle undoes itself
 *           assert(ct_linear_eval(&g, 2) == 2);
 */
CT_FN ct_linear_layout ct_linear_composition(ct_linear_layout f, ct_linear_layout g)
{
    if (f.err.status) return f;
    if (g.err.status) return g;
    const int64_t reach = ct_linear_reach(&g), size = CT_CAST(int64_t, 1) << f.bits;
    if (reach >= size)
        return ct_linear_fail(
            ct_make_error(CT_E_DOMAIN, CT_OP_LINEAR, CT_WHY_INDEX, 0, reach, size));
    for (int k = 0; k < g.bits; ++k) g.image[k] = ct_linear_moves(&f, g.image[k]);
    g.origin = ct_linear_eval(&f, g.origin);
    return g;
}

/**
 * An inverse of F, for all offsets of its bits. It is the left inverse if F reaches no offset
 * twice, the right inverse if F reaches every offset, and both if F is a permutation.
 *
 * Ensures:  F(R(F(i))) = F(i); R(F(i)) = i where F(i) != F(j) for all i != j.
 *           [law_linear_inverse]
 * Cost:     O(bits^2).
 * In C:     const ct_swizzle s = ct_make_swizzle(1, 0, 1);
 *           const ct_linear_layout f = ct_make_linear(ct_make_swizzled(s, 0, ct_layout1(4, 1)));
 *           const ct_linear_layout r = ct_linear_inverse(f);
 *           assert(ct_linear_eval(&r, ct_linear_eval(&f, 3)) == 3);
 */
CT_FN ct_linear_layout ct_linear_inverse(ct_linear_layout f)
{
    if (f.err.status) return f;
    ct_linear_layout r = CT_ZERO;
    int64_t index[CT_LINEAR_BITS] = CT_ZERO; /* image[k] is what these bits of the index move */
    int rank = 0, from[CT_LINEAR_BITS] = CT_ZERO;
    for (int k = 0; k < f.bits; ++k) index[k] = CT_CAST(int64_t, 1) << k;
    while (ct_linear_reach(&f) >> r.bits) ++r.bits;
    for (int b = 0; b < r.bits; ++b) { /* elimination: bit b in image[rank] alone */
        int k = rank;
        while (k < f.bits && !(f.image[k] >> b & 1)) ++k;
        if (k == f.bits) continue;
        const int64_t x = f.image[k], i = index[k];
        f.image[k] = f.image[rank];
        index[k] = index[rank];
        f.image[rank] = x;
        index[rank] = i;
        for (int j = 0; j < f.bits; ++j) {
            const int has = j != rank && (f.image[j] >> b & 1);
            f.image[j] ^= has ? x : 0;
            index[j] ^= has ? i : 0;
        }
        from[rank++] = b;
    }
    for (int k = 0; k < rank; ++k) r.image[from[k]] = index[k];
    r.profile.leaves = 1;
    r.log[0] = r.bits;
    r.origin = ct_linear_moves(&r, f.origin);
    return r;
}

#endif
