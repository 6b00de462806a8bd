/**
 * Laws of linear layouts. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_LINEAR_H
#define CUTLET_TESTS_LAWS_LINEAR_H

/** Whether the offsets of t are XORs: T(i) = T(0) ^ .. T(2^k) ^ T(0) .. for the bits of i. */
LAW_FN int law_is_linear(ct_tensor t)
{
    const int64_t n = oracle_size(t.layout), origin = oracle_tensor(&t, 0);
    for (int64_t i = 0; i < n; ++i) {
        int64_t x = origin;
        for (int64_t bit = 1; bit < n; bit *= 2) x ^= i & bit ? oracle_tensor(&t, bit) ^ origin : 0;
        if (oracle_tensor(&t, i) != x) return 0;
    }
    return 1;
}

/** Whether some swizzle of the bits below 2^top makes the sums of F's offsets plain ones, a layout
 *  after an offset. */
LAW_FN int law_has_swizzle(const ct_linear_layout *f, int top)
{
    for (int bits = 0; bits <= top; ++bits) {
        for (int base = 0; base <= top; ++base) {
            for (int shift = -top; shift <= top; ++shift) {
                const ct_swizzle s = ct_make_swizzle(bits, base, shift);
                if (s.err.status || bits + base + ct_abs(shift) > top) continue;
                int plain = 1;
                const int64_t origin = oracle_swizzle(s, ct_linear_eval(f, 0));
                for (int64_t i = 0; i < (int64_t)1 << f->bits && plain; ++i) {
                    int64_t sum = origin;
                    for (int k = 0; k < f->bits; ++k)
                        if (i >> k & 1)
                            sum += oracle_swizzle(s, ct_linear_eval(f, (int64_t)1 << k)) - origin;
                    plain = sum == oracle_swizzle(s, ct_linear_eval(f, i));
                }
                if (plain) return 1;
            }
        }
    }
    return 0;
}

/** A tensor of powers of two is a linear layout exactly where its offsets are XORs, and comes back
 *  as a tensor of the same function. */
LAW_FN const char *law_linear_layout(ct_tensor t)
{
    const ct_linear_layout f = ct_make_linear(t);
    const int linear = law_is_linear(t);
    if (f.err.status)
        return linear ? law_broken("refused, and it is linear", 0, f.err.why, 0) : law_error(f.err);
    if (!linear) return law_broken("it is not linear", 0, 0, 1);
    const ct_tensor back = ct_linear_tensor(f);
    const char *bad = law_result(back.layout);
    if (bad || back.layout.err.status)
        return bad ? bad : law_broken("it comes back", 0, back.layout.err.why, 0);
    if (back.swizzle.bits > t.swizzle.bits)
        return law_broken("a swizzle of the fewest bits", 0, back.swizzle.bits, t.swizzle.bits);
    if (!ct_compatible(ct_shape(t.layout), ct_shape(back.layout)))
        return law_broken("the shape is refined", 0, 0, 1);
    for (int64_t i = 0; i < oracle_size(t.layout); ++i) {
        const int64_t want = oracle_tensor(&t, i);
        if (ct_linear_eval(&f, i) != want)
            return law_broken("F(i) = T(i)", i, ct_linear_eval(&f, i), want);
        if (oracle_tensor(&back, i) != want)
            return law_broken("back", i, oracle_tensor(&back, i), want);
    }
    return NULL;
}

/** A tensor exactly where a swizzle of at most `top` bits does it. */
LAW_FN const char *law_linear_tensor(ct_linear_layout f, int top)
{
    const ct_tensor t = ct_linear_tensor(f);
    const char *const bad = law_result(t.layout);
    if (bad || t.layout.err.status)
        return bad || !law_has_swizzle(&f, top) ? bad
                                                : law_broken("refused, and there is one", 0, 0, 1);
    for (int64_t i = 0; i < (int64_t)1 << f.bits; ++i) {
        if (oracle_tensor(&t, i) != ct_linear_eval(&f, i))
            return law_broken("T(i) = F(i)", i, oracle_tensor(&t, i), ct_linear_eval(&f, i));
    }
    return NULL;
}

/** R(i) = F(G(i)), refused exactly where G has an offset, or bits of one, past F. */
LAW_FN const char *law_linear_composition(ct_linear_layout f, ct_linear_layout g)
{
    const ct_linear_layout r = ct_linear_composition(f, g);
    int64_t all = g.origin;
    for (int64_t i = 0; i < (int64_t)1 << g.bits; ++i) all |= ct_linear_eval(&g, i);
    const int past = all >> f.bits != 0;
    if (past != (r.err.status == CT_E_DOMAIN))
        return law_broken("refused past F", 0, r.err.status, past);
    for (int64_t i = 0; !past && i < (int64_t)1 << g.bits; ++i) {
        const int64_t want = ct_linear_eval(&f, ct_linear_eval(&g, i));
        if (ct_linear_eval(&r, i) != want)
            return law_broken("R(i) = F(G(i))", i, ct_linear_eval(&r, i), want);
    }
    return NULL;
}

/** F(R(F(i))) = F(i); R(F(i)) = i where F is injective; F(R(y)) = y where it reaches every y. */
LAW_FN const char *law_linear_inverse(ct_linear_layout f)
{
    int64_t at[ORACLE_MAX];
    const ct_linear_layout r = ct_linear_inverse(f);
    const int64_t n = (int64_t)1 << f.bits, capacity = (int64_t)1 << r.bits;
    for (int64_t i = 0; i < n; ++i) at[i] = ct_linear_eval(&f, i);
    for (int64_t i = 0; i < n; ++i) {
        if (at[i] >= capacity) return law_broken("R takes each offset", i, at[i], capacity);
        const int64_t back = ct_linear_eval(&r, at[i]);
        if (back < 0 || back >= n || ct_linear_eval(&f, back) != at[i])
            return law_broken("F(R(F(i))) = F(i)", i, back, i);
    }
    const int64_t reached = oracle_distinct(at, n);
    for (int64_t i = 0; i < n && reached == n; ++i) {
        if (ct_linear_eval(&r, ct_linear_eval(&f, i)) != i)
            return law_broken("R(F(i)) = i", i, 0, i);
    }
    for (int64_t y = 0; y < capacity && reached == capacity; ++y) {
        if (ct_linear_eval(&f, ct_linear_eval(&r, y)) != y)
            return law_broken("F(R(y)) = y", y, 0, y);
    }
    return NULL;
}

#endif
