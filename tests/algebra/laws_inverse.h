/**
 * Laws of the complement, the inverses and the nullspace. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_INVERSE_H
#define CUTLET_TESTS_LAWS_INVERSE_H

/** Whether the offsets of L are distinct. */
LAW_FN int law_injective(ct_layout L)
{
    int64_t set[ORACLE_MAX];
    const int64_t n = oracle_offsets(L, set);
    return n > 0 && oracle_distinct(set, n) == n;
}

/** L without the modes that repeat offsets. */
LAW_FN ct_layout law_moving(ct_layout L)
{
    for (int k = 0; k < L.profile.leaves; ++k) {
        if (L.stride[k] == 0) L.shape[k] = 1;
    }
    return L;
}

/** oracle_tile for the offsets of L. */
LAW_FN int64_t law_tile(ct_layout L, int64_t n, int64_t *begin)
{
    int64_t set[ORACLE_MAX];
    const int64_t size = oracle_offsets(law_moving(L), set);
    if (size == 0) return -1;
    const int64_t count = oracle_distinct(set, size), low = set[0];
    const int64_t limit = n + 8 * (set[count - 1] - low + 1);
    for (int64_t i = 0; i < count; ++i) set[i] -= low;
    if (count < size) return 0;
    return oracle_tile(set, count, n, limit < ORACLE_MAX ? limit : ORACLE_MAX, begin);
}

/** Whether copies of L fill an interval of n or more without a gap: 1, 0, or -1 where it is too
 *  large to say. */
LAW_FN int law_fills_interval(ct_layout L, int64_t n)
{
    int64_t begin[ORACLE_MAX];
    const int64_t copies = law_tile(L, n, begin);
    return copies > 0 ? 1 : (int)copies;
}

/** Whether the copies of L at the offsets of R are distinct, R ascends, and at least n are
 *  reached. */
LAW_FN const char *law_copies_do_not_meet(ct_layout moving, ct_layout R, int64_t n)
{
    int64_t all[ORACLE_MAX], at[ORACLE_MAX];
    const int64_t size = oracle_size(moving), copies = oracle_size(R);
    if (size * copies > ORACLE_MAX) return NULL;
    oracle_offsets(moving, at);
    for (int64_t j = 0; j < copies; ++j) {
        if (j > 0 && oracle_eval(R, j) <= oracle_eval(R, j - 1))
            return law_broken("R(j) < R(j + 1)", j, oracle_eval(R, j), oracle_eval(R, j - 1));
        for (int64_t i = 0; i < size; ++i) all[j * size + i] = at[i] + oracle_eval(R, j);
    }
    if (size * copies < n) return law_broken("at least n offsets are reached", 0, size * copies, n);
    const int64_t distinct = oracle_distinct(all, size * copies);
    return distinct == size * copies
               ? NULL
               : law_broken("the copies do not meet", 0, distinct, size * copies);
}

/** complement: the copies of L at the offsets of R do not meet and are at least n offsets. Where
 *  copies of L can tile an interval, R is the only ordered layout that does so and first reaches
 *  n. */
LAW_FN const char *law_complement(ct_layout L, int64_t n)
{
    int64_t begin[ORACLE_MAX];
    const ct_layout R = ct_complement(L, n);
    const char *bad = law_result(R);
    if (bad || L.err.status || n < 1 || !ct_is_integral(L))
        return bad ? bad : R.err.status ? NULL : law_broken("bad operands are refused", 0, 0, 1);
    const ct_layout moving = law_moving(L);
    const int64_t size = oracle_size(moving);
    if (size * n > ORACLE_MAX) return NULL;
    if (!law_injective(moving))
        return R.err.status == CT_E_NO_LAYOUT
                   ? NULL
                   : law_broken("a layout that reaches an offset twice has none", 0, R.err.status,
                                1);
    const int64_t copies = law_tile(L, n, begin);
    ct_layout best = CT_ZERO;
    if (R.err.status == CT_E_NO_LAYOUT)
        return copies > 0 ? law_broken("refused, but copies tile the interval", 0, 0, copies)
                          : NULL;
    if (R.err.status) return law_broken("refused for another reason", 0, R.err.status, 0);
    if (copies <= 0) return law_copies_do_not_meet(moving, R, n);
    if (oracle_layout_of(begin, copies, &best) == 0)
        return law_broken("what tiles an interval is a layout", 0, 0, 1);
    bad = law_is("R places the copies in order", R, begin, copies);
    return bad ? bad : law_same("R has the fewest leaves", R, best);
}

/** The largest product of a chain of leaves of S: one of stride `next`, one of stride next times
 *  its size, and so on, each leaf once. */
LAW_FN int64_t law_longest_chain(ct_layout S)
{
    int64_t best = 1;
    int64_t reach[CT_MAX_LEAVES + 1];
    uint32_t used[CT_MAX_LEAVES + 1];
    int32_t at[CT_MAX_LEAVES + 1];
    int depth = 0;
    reach[0] = 1;
    used[0] = 0;
    at[0] = 0;
    while (depth >= 0) { /* depth first through every choice */
        const int k = at[depth]++;
        if (k >= S.profile.leaves) {
            --depth;
            continue;
        }
        if (S.stride[k] == reach[depth] && S.shape[k] > 1 && !(used[depth] >> k & 1u)) {
            reach[depth + 1] = reach[depth] * S.shape[k];
            used[depth + 1] = used[depth] | 1u << k;
            at[depth + 1] = 0;
            ++depth;
            if (reach[depth] > best) best = reach[depth];
        }
    }
    return best;
}

/** right_inverse: L(R(i)) = i, and of whole modes none is longer where L is injective. */
LAW_FN const char *law_right_inverse(ct_layout L)
{
    const ct_layout R = ct_right_inverse(L);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t n = oracle_size(R);
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        const int64_t index = oracle_eval(R, i);
        if (index < 0 || index >= oracle_size(L))
            return law_broken("R(i) is an index of L", i, index, oracle_size(L));
        if (oracle_eval(L, index) != i)
            return law_broken("L(R(i)) = i", i, oracle_eval(L, index), i);
    }
    const int64_t longest = law_longest_chain(ct_coalesce(L));
    if (n != longest && law_injective(ct_filter(L)))
        return law_broken("R is the largest of whole modes", 0, n, longest);
    if (ct_layout_depth(R) > 1) return law_broken("R is flat", 0, ct_layout_depth(R), 1);
    return NULL;
}

/** Whether the strides of L are such that left_inverse decides without a trial: in ascending order each
 *  a multiple of the one before, and no less than the extent of its mode. */
LAW_FN int law_strides_nest(ct_layout L)
{
    const ct_layout C = ct_coalesce(L);
    for (int i = 0; i < C.profile.leaves; ++i) {
        if (C.stride[i] < 0) return 0;
        int64_t below = 0, extent = 1;
        for (int k = 0; k < C.profile.leaves; ++k) {
            const int lower = C.stride[k] < C.stride[i] || (C.stride[k] == C.stride[i] && k < i);
            if (C.stride[k] != 0 && lower && C.stride[k] >= below) {
                below = C.stride[k];
                extent = below * C.shape[k];
            }
        }
        if (C.stride[i] != 0 && below != 0 && (C.stride[i] % below != 0 || C.stride[i] < extent))
            return 0;
    }
    return 1;
}

/** left_inverse: R(L(i)) = i without modes of stride 0, otherwise the first index of that
 *  offset. */
LAW_FN const char *law_left_inverse(ct_layout L)
{
    int64_t offset[ORACLE_MAX];
    const ct_layout R = ct_left_inverse(L);
    const char *bad = law_result(R);
    if (bad || L.err.status || !ct_is_integral(L)) return bad;
    if (R.err.status == CT_E_NO_LAYOUT || R.err.status == CT_E_ARGUMENT ||
        R.err.status == CT_E_UNDECIDED)
        return law_strides_nest(L)
                   ? law_broken("refused though the strides nest", 0, R.err.status, 0)
                   : NULL;
    if (R.err.status) return law_broken("refused for another reason", 0, R.err.status, 0);
    const int64_t n = oracle_offsets(L, offset);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t back = oracle_eval(R, offset[i]);
        int64_t first = i; /* the first index of that offset */
        for (int64_t k = 0, place = 1; k < L.profile.leaves; place *= L.shape[k], ++k) {
            if (L.stride[k] == 0) first -= i / place % L.shape[k] * place;
        }
        if (back != first) return law_broken("R(L(i)) is the first index of L(i)", i, back, first);
    }
    return ct_layout_depth(R) > 1 ? law_broken("R is flat", 0, ct_layout_depth(R), 1) : NULL;
}

/** nullspace: exactly the indices that the modes of stride 0 reach. */
LAW_FN const char *law_nullspace(ct_layout L)
{
    int64_t got[ORACLE_MAX];
    const ct_layout R = ct_nullspace(L);
    const char *bad = law_result(R);
    if (bad || L.err.status || R.err.status) return bad ? bad : law_same("the failure stays", R, L);
    int64_t size = 1;
    for (int k = 0; k < L.profile.leaves; ++k) size *= L.stride[k] == 0 ? L.shape[k] : 1;
    if (oracle_size(R) != size)
        return law_broken("size(R) is the product of the modes of stride 0", 0, oracle_size(R),
                          size);
    const int64_t n = oracle_offsets(R, got);
    for (int64_t i = 0; i < n; ++i) {
        if (got[i] < 0 || got[i] >= oracle_size(L))
            return law_broken("R(i) is an index of L", i, got[i], oracle_size(L));
        if (oracle_eval(L, got[i]) != 0)
            return law_broken("L(R(i)) = 0", i, oracle_eval(L, got[i]), 0);
    }
    return n == oracle_distinct(got, n) ? NULL : law_broken("R reaches each index once", 0, 0, n);
}

#endif
