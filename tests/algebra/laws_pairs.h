/**
 * Laws of two swizzled operands: compositions, divides and products of tensors by tensors, and
 * their complements. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_PAIRS_H
#define CUTLET_TESTS_LAWS_PAIRS_H

/** Whether a and then b are the same as s, on as many bits as they have. */
LAW_FN int law_does_both(ct_swizzle s, ct_swizzle a, ct_swizzle b)
{
    for (int64_t x = 0; x < 256; ++x)
        if (oracle_swizzle(s, x) != oracle_swizzle(b, oracle_swizzle(a, x))) return 0;
    return 1;
}

/** composition of swizzles of at most 8 bits: b, then a; refused only where no swizzle does it. */
LAW_FN const char *law_swizzle_composition(ct_swizzle a, ct_swizzle b)
{
    const ct_swizzle r = ct_swizzle_composition(a, b);
    if (r.err.status == CT_OK)
        return law_does_both(r, b, a) ? NULL : law_broken("R(x) = a(b(x))", 0, r.bits, r.shift);
    const char *const bad = law_error(r.err);
    for (int bits = 0; bits <= 4 && !bad; ++bits) {
        for (int base = 0; base <= 8; ++base) {
            for (int shift = -8; shift <= 8; ++shift) {
                const ct_swizzle s = ct_make_swizzle(bits, base, shift);
                if (s.err.status == CT_OK && bits + base + ct_abs(shift) <= 8 &&
                    law_does_both(s, b, a))
                    return law_broken("refused, and there is one", bits, base, shift);
            }
        }
    }
    return bad;
}

/** composition of tensors: R(i) = T(U(i)); and a swizzle of a tensor. */
LAW_FN const char *law_tensor_of_tensor(ct_tensor T, ct_tensor U)
{
    const ct_tensor R = ct_tensor_of_tensor(T, U), S = ct_swizzle_tensor(T.swizzle, U);
    const char *bad = law_result(R.layout);
    if (!bad) bad = law_result(S.layout);
    if (bad) return bad;
    for (int64_t i = 0; R.layout.err.status == CT_OK && i < oracle_size(U.layout); ++i) {
        const int64_t want = oracle_tensor(&T, oracle_tensor(&U, i));
        if (oracle_tensor(&R, i) != want)
            return law_broken("R(i) = T(U(i))", i, oracle_tensor(&R, i), want);
    }
    for (int64_t i = 0; S.layout.err.status == CT_OK && i < oracle_size(U.layout); ++i) {
        const int64_t want = oracle_swizzle(T.swizzle, oracle_tensor(&U, i));
        if (oracle_tensor(&S, i) != want)
            return law_broken("R(i) = s(U(i))", i, oracle_tensor(&S, i), want);
    }
    const int plain = T.swizzle.bits == 0 || U.swizzle.bits == 0;
    if (plain && R.layout.err.why == CT_WHY_TWO_SWIZZLES)
        return law_broken("one swizzle alone is no obstacle", 0, 0, 1);
    return R.layout.err.status == CT_OK && oracle_size(R.layout) != oracle_size(U.layout)
               ? law_broken("as many elements", 0, oracle_size(R.layout), oracle_size(U.layout))
               : NULL;
}

/** The complement of a tensor: copies do not meet under its swizzle, and reach n offsets. */
LAW_FN const char *law_tensor_complement(ct_tensor t, int64_t n)
{
    int64_t at[ORACLE_MAX];
    const ct_layout R = ct_tensor_complement(t, ct_int(n)), moving = law_moving(t.layout);
    const char *const bad = law_result(R);
    const int64_t size = oracle_size(moving), copies = R.err.status ? 0 : oracle_size(R);
    if (bad || R.err.status || size * copies > ORACLE_MAX) return bad;
    for (int64_t i = 0; i < size * copies; ++i)
        at[i] = oracle_swizzle(t.swizzle, t.offset.value[0] + oracle_eval(moving, i % size) +
                                              oracle_eval(R, i / size));
    if (size * copies < n) return law_broken("at least n", 0, size * copies, n);
    return oracle_distinct(at, size * copies) == size * copies
               ? NULL
               : law_broken("the swizzled copies do not meet", 0, 0, size * copies);
}

/** A divided by a swizzled tile, and repeated in a swizzled pattern. */
LAW_FN const char *law_tensor_by_tensor(ct_tensor A, ct_tensor B)
{
    const ct_tensor D = ct_tensor_divide_by_tensor(A, B), P = ct_tensor_product_by_tensor(A, B);
    const char *bad = law_result(D.layout);
    if (!bad) bad = law_result(P.layout);
    const int64_t a = oracle_size(A.layout), b = oracle_size(B.layout);
    const ct_layout rest = ct_complement(B.layout, a);
    for (int64_t i = 0; !bad && D.layout.err.status == CT_OK && i < oracle_size(D.layout); ++i) {
        const int64_t index =
            oracle_swizzle(B.swizzle, oracle_eval(B.layout, i % b) + oracle_eval(rest, i / b));
        if (oracle_tensor(&D, i) != oracle_tensor(&A, index))
            bad = law_broken("tile and rest", i, oracle_tensor(&D, i), oracle_tensor(&A, index));
    }
    if (bad || P.layout.err.status) return bad;
    if (oracle_size(P.layout) != a * b)
        return law_broken("a * b elements", 0, oracle_size(P.layout), a * b);
    const ct_tuple reach = ct_tensor_cosize(B);
    const ct_layout places =
        ct_mode(ct_logical_product(A.layout, ct_layout1(reach.value[0], 1)), 1);
    for (int64_t i = 0; i < a * b; ++i) {
        const int64_t copy = oracle_eval(places, oracle_tensor(&B, i / a));
        const int64_t want =
            oracle_swizzle(A.swizzle, A.offset.value[0] + oracle_eval(A.layout, i % a) + copy);
        if (oracle_tensor(&P, i) != want)
            return law_broken("block and copies", i, oracle_tensor(&P, i), want);
    }
    return NULL;
}

/** Mode k of a layout's elements is (first, second), or (second, first), by modes of two shapes: the index
 *  of an element of the product of two that are not zipped. */
LAW_FN int64_t unzipped(const ct_layout *first, const ct_layout *second, int rank, int tile_first,
                        int64_t i)
{
    int64_t index[2] = {0, 0}, step[2] = {1, 1};
    for (int k = 0; k < rank; ++k)
        for (int side = 0; side < 2; ++side) {
            const int of = tile_first ? side : 1 - side;
            const int64_t extent = oracle_size(ct_mode(of == 0 ? *first : *second, k));
            index[of] += i % extent * step[of];
            step[of] *= extent;
            i /= extent;
        }
    return index[0] + index[1] * oracle_size(*first);
}

/** Blocked and raked products by a swizzled pattern have the elements of the logical product, zipped. */
LAW_FN const char *law_zipped_by_tensor(ct_tensor A, ct_tensor B)
{
    const ct_tensor blocked = ct_tensor_blocked_product_by_tensor(A, B);
    const ct_tensor raked = ct_tensor_raked_product_by_tensor(A, B);
    const char *bad = law_result(blocked.layout);
    if (!bad) bad = law_result(raked.layout);
    if (bad || blocked.layout.err.status || raked.layout.err.status) return bad;
    const int a = ct_layout_rank(A.layout), b = ct_layout_rank(B.layout), rank = a > b ? a : b;
    ct_pad_rank(&A.layout, rank);
    ct_pad_rank(&B.layout, rank);
    const ct_tensor P = ct_tensor_product_by_tensor(A, B);
    if (ct_layout_rank(blocked.layout) != rank || ct_layout_rank(raked.layout) != rank)
        return law_broken("modes", 0, ct_layout_rank(blocked.layout), rank);
    for (int64_t i = 0; i < oracle_size(P.layout); ++i) {
        const int64_t inside = oracle_tensor(&P, unzipped(&A.layout, &B.layout, rank, 1, i));
        const int64_t outside = oracle_tensor(&P, unzipped(&A.layout, &B.layout, rank, 0, i));
        if (oracle_tensor(&blocked, i) != inside)
            return law_broken("the block inside", i, oracle_tensor(&blocked, i), inside);
        if (oracle_tensor(&raked, i) != outside)
            return law_broken("interleaved", i, oracle_tensor(&raked, i), outside);
    }
    return NULL;
}

#endif
