/**
 * Laws of the operations that keep or combine functions: evaluation, coalesce, filter, composition,
 * sums, and the shapes that two shapes have in common. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_FUNCTION_H
#define CUTLET_TESTS_LAWS_FUNCTION_H

/** hier_coord: a coordinate that has the offset where one has, and otherwise CT_E_DOMAIN, for offsets
 *  around the lowest of L and around 0. */
LAW_FN const char *law_hier_coord(ct_layout L)
{
    enum { NEAR = 48 };
    int64_t want[ORACLE_MAX];
    const int64_t n = oracle_offsets(L, want), lowest = ct_lowest(L);
    if (n == 0 || !ct_is_integral(L)) return NULL;
    for (int round = 0; round < 2; ++round) {
        const int64_t from = round == 0 ? lowest - 1 : -NEAR / 2;
        unsigned char has[NEAR] = {0};
        for (int64_t i = 0; i < n; ++i)
            if (want[i] >= from && want[i] < from + NEAR) has[want[i] - from] = 1;
        for (int64_t x = from; x < from + NEAR; ++x) {
            const ct_tuple at = ct_hier_coord(L, x);
            const int is_undecided = at.err.status == CT_E_UNDECIDED;
            if (!is_undecided && (at.err.status == CT_OK) != has[x - from])
                return law_broken("a coordinate has the offset", x, at.err.status, has[x - from]);
            if (at.err.status == CT_OK && ct_at(L, at).value[0] != x)
                return law_broken("it is the one returned", x, ct_at(L, at).value[0], x);
            if (at.err.status && at.err.status != CT_E_DOMAIN && !is_undecided)
                return law_broken("otherwise it is out of the domain", x, at.err.status,
                                  CT_E_DOMAIN);
        }
    }
    return NULL;
}

/** ct_eval, ct_at with an index and with a coordinate, size and cosize agree with enumeration. */
LAW_FN const char *law_eval(ct_layout L)
{
    int64_t want[ORACLE_MAX], low = 0, high = 0;
    if (L.err.status) return law_error(L.err);
    const int64_t n = oracle_offsets(L, want);
    const int integral = ct_is_integral(L);
    if (n > 0 && ct_size(L) != n) return law_broken("size counts the indices", 0, ct_size(L), n);
    ct_tuple coord = ct_shape(L);
    for (int k = 0; k < coord.profile.leaves; ++k) coord.value[k] = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (oracle_eval(L, i) != want[i])
            return law_broken("the oracle agrees with itself", i, oracle_eval(L, i), want[i]);
        if (integral) {
            const ct_tuple by_index = ct_at(L, ct_int(i)), by_coord = ct_at(L, coord);
            if (ct_eval(L, i) != want[i])
                return law_broken("eval(L, i) is the offset", i, ct_eval(L, i), want[i]);
            if (by_index.err.status || by_index.value[0] != want[i])
                return law_broken("at(L, i) is the offset", i, by_index.value[0], want[i]);
            if (by_coord.err.status || by_coord.value[0] != want[i])
                return law_broken("at(L, coordinate of i) is the offset", i, by_coord.value[0],
                                  want[i]);
        }
        if (want[i] < low) low = want[i];
        if (want[i] > high) high = want[i];
        for (int k = 0; k < coord.profile.leaves; ++k) { /* the next coordinate */
            if (++coord.value[k] < L.shape[k]) break;
            coord.value[k] = 0;
        }
    }
    if (n == 0) return NULL;
    if (integral && ct_cosize(L) != high - low + 1)
        return law_broken("cosize spans the offsets", 0, ct_cosize(L), high - low + 1);
    if (ct_at(L, ct_int(n)).err.status != CT_E_DOMAIN ||
        ct_at(L, ct_int(-1)).err.status != CT_E_DOMAIN)
        return law_broken("an index outside is refused", n, 0, CT_E_DOMAIN);
    for (int64_t i = n; i < n + 7 && integral; ++i) {
        if (ct_eval(L, i) != oracle_eval(L, i))
            return law_broken("eval goes on along the last leaf", i, ct_eval(L, i),
                              oracle_eval(L, i));
    }
    return NULL;
}

/** reverse: mode k is mode rank - 1 - k of L, so that the coordinate (c_n, .., c_0) has the offset of
 *  (c_0, .., c_n); twice is nothing. */
LAW_FN const char *law_reverse(ct_layout L)
{
    const ct_layout R = ct_layout_reverse(L);
    const char *bad = law_result(R);
    if (bad || L.err.status) return bad ? bad : law_same("the failure stays", R, L);
    const int rank = ct_layout_rank(L);
    const int64_t n = oracle_size(L);
    if (!ct_tuple_equal(ct_shape(R), ct_reverse(ct_shape(L))))
        return law_broken("the shape is reversed", 0, 0, 1);
    for (int k = 0; k < rank; ++k) {
        bad = law_same("mode k is mode rank - 1 - k", ct_mode(R, k), ct_mode(L, rank - 1 - k));
        if (bad) return bad;
    }
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        int64_t rest = i, reversed = 0;
        for (int k = 0; k < rank; ++k) {
            const int64_t size = oracle_size(ct_mode(L, k));
            reversed = reversed * size + rest % size;
            rest /= size;
        }
        if (oracle_eval(R, reversed) != oracle_eval(L, i))
            return law_broken("the reversed coordinate has the offset", i, oracle_eval(R, reversed),
                              oracle_eval(L, i));
    }
    return law_same("reversed twice it is L", ct_layout_reverse(R), L);
}

/** How many leaves of L are s:d. */
LAW_FN int law_count_leaf(ct_layout L, int64_t s, int64_t d)
{
    int n = 0;
    for (int k = 0; k < L.profile.leaves; ++k) n += L.shape[k] == s && L.stride[k] == d;
    return n;
}

/** sort: flat; the leaves of L, strides ascending, equal ones by size; the offsets of L, in order where
 *  each leaf steps past those before it. */
LAW_FN const char *law_sort(ct_layout L)
{
    int64_t want[ORACLE_MAX], got[ORACLE_MAX], extent = 1;
    const ct_layout R = ct_sort(L);
    const char *bad = law_result(R);
    if (bad || L.err.status) return bad ? bad : law_same("the failure stays", R, L);
    if (!ct_is_integral(L))
        return R.err.status ? NULL : law_broken("basis strides are refused", 0, 0, 1);
    if (R.err.status || R.profile.leaves != L.profile.leaves || ct_layout_depth(R) > 1)
        return law_broken("flat, with as many leaves", 0, R.profile.leaves, L.profile.leaves);
    int separate = 1;
    for (int k = 0; k < R.profile.leaves; ++k) {
        const int64_t s = R.shape[k], d = R.stride[k];
        if (law_count_leaf(R, s, d) != law_count_leaf(L, s, d))
            return law_broken("the leaves are those of L", k, s, d);
        if (k > 0 && (ct_abs(R.stride[k - 1]) > ct_abs(d) ||
                      (ct_abs(R.stride[k - 1]) == ct_abs(d) && R.shape[k - 1] > s)))
            return law_broken("strides ascend, then sizes", k, d, R.stride[k - 1]);
        separate &= d >= extent;
        extent = d * s;
    }
    const int64_t n = oracle_offsets(L, want);
    if (n == 0) return NULL;
    oracle_offsets(R, got);
    for (int64_t i = 1; i < n && separate; ++i) {
        if (got[i] <= got[i - 1]) return law_broken("R(i) < R(i + 1)", i, got[i], got[i - 1]);
    }
    const int64_t distinct = oracle_distinct(want, n);
    if (oracle_distinct(got, n) != distinct)
        return law_broken("the offsets are those of L", 0, 0, distinct);
    for (int64_t i = 0; i < distinct; ++i) {
        if (got[i] != want[i]) return law_broken("the offsets are those of L", i, got[i], want[i]);
    }
    return NULL;
}

/** squeeze: the modes of L whose size is not 1, in their order; the same function. */
LAW_FN const char *law_squeeze(ct_layout L)
{
    int64_t want[ORACLE_MAX];
    const ct_layout R = ct_squeeze(L);
    const char *bad = law_result(R);
    if (bad || L.err.status) return bad ? bad : law_same("the failure stays", R, L);
    if (ct_profile_is_integer(L.profile)) return law_same("an integer stays", R, L);
    int rank = 0;
    for (int k = 0; k < ct_layout_rank(L); ++k) {
        if (oracle_size(ct_mode(L, k)) == 1) continue;
        bad = law_same("the other modes stay", ct_mode(R, rank++), ct_mode(L, k));
        if (bad) return bad;
    }
    const int left = R.profile.leaves == 0 ? 0 : ct_layout_rank(R);
    if (left != rank) return law_broken("no mode of size 1 is left", 0, left, rank);
    const int64_t n = oracle_offsets(L, want);
    return n > 0 ? law_is("R(i) = L(i)", R, want, n) : NULL;
}

/** The coordinate of index i in a shape, the first leaf running fastest; *row gets its row-major
 *  index. */
LAW_FN ct_tuple law_coordinate_in(ct_tuple shape, int64_t i, int64_t *row)
{
    ct_tuple c = shape;
    *row = 0;
    for (int k = 0; k < shape.profile.leaves; ++k) {
        c.value[k] = i % shape.value[k];
        i /= shape.value[k];
        *row = *row * shape.value[k] + c.value[k];
    }
    return c;
}

/** The sum of c[k] * d[k] over the leaves. */
LAW_FN int64_t law_inner_product(ct_tuple c, ct_tuple d)
{
    int64_t sum = 0;
    for (int k = 0; k < c.profile.leaves; ++k) sum += c.value[k] * d.value[k];
    return sum;
}

/** prefix_product and suffix_product: the strides of the index and of the row-major index, init times
 *  as far apart. */
LAW_FN const char *law_running_product(ct_tuple shape, int64_t init)
{
    const ct_tuple before = ct_prefix_product(shape, ct_int(init));
    const ct_tuple behind = ct_suffix_product(shape, ct_int(init));
    if (before.err.status || behind.err.status)
        return law_broken("a shape has its products", 0, before.err.status, 0);
    if (!ct_congruent(before, shape) || !ct_congruent(behind, shape))
        return law_broken("the result nests as the shape", 0, 0, 1);
    int64_t n = 1, row = 0;
    for (int k = 0; k < shape.profile.leaves; ++k) n *= shape.value[k];
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        const ct_tuple c = law_coordinate_in(shape, i, &row);
        if (law_inner_product(c, before) != init * i)
            return law_broken("prefix_product gives the index", i, law_inner_product(c, before),
                              init * i);
        if (law_inner_product(c, behind) != init * row)
            return law_broken("suffix_product gives the row-major index", i,
                              law_inner_product(c, behind), init * row);
    }
    return NULL;
}

/** The answers of less, leq, gtr and geq as bits, and what they are for the sign of a - b. */
LAW_FN int law_answers(int less, int leq, int gtr, int geq)
{
    return less | leq << 1 | gtr << 2 | geq << 3;
}
LAW_FN int law_answers_of(int64_t sign)
{
    return law_answers(sign<0, sign <= 0, sign> 0, sign >= 0);
}

/** How coordinates a and b, apart by `index` and in row-major order by `row`, are compared. */
LAW_FN const char *law_order_of_two(ct_tuple a, ct_tuple b, int64_t index, int64_t row)
{
    const int colex = law_answers(ct_colex_less(a, b), ct_colex_leq(a, b), ct_colex_gtr(a, b),
                                  ct_colex_geq(a, b));
    const int lex =
        law_answers(ct_lex_less(a, b), ct_lex_leq(a, b), ct_lex_gtr(a, b), ct_lex_geq(a, b));
    const int elem =
        law_answers(ct_elem_less(a, b), ct_elem_leq(a, b), ct_elem_gtr(a, b), ct_elem_geq(a, b));
    int every = 15;
    for (int k = 0; k < a.profile.leaves; ++k) every &= law_answers_of(a.value[k] - b.value[k]);
    if (colex != law_answers_of(index))
        return law_broken("colex is the order of the index", index, colex, law_answers_of(index));
    if (lex != law_answers_of(row))
        return law_broken("lex is the order of the row-major index", row, lex, law_answers_of(row));
    return elem == every ? NULL : law_broken("elem compares every leaf", index, elem, every);
}

/** lex, colex and elem: for coordinates of a shape the order of the row-major index, of the index, and
 *  of every leaf. Looks at the first 512 indices, and at pairs at most `span` apart. */
LAW_FN const char *law_order(ct_tuple shape, int64_t span)
{
    int64_t n = 1, row_a = 0, row_b = 0;
    for (int k = 0; k < shape.profile.leaves; ++k) n *= shape.value[k];
    if (n > 512) n = 512;
    for (int64_t i = 0; i < n; ++i) {
        const ct_tuple a = law_coordinate_in(shape, i, &row_a);
        for (int64_t j = i > span ? i - span : 0; j < n && j <= i + span; ++j) {
            const ct_tuple b = law_coordinate_in(shape, j, &row_b);
            const char *bad = law_order_of_two(a, b, i - j, row_a - row_b);
            if (bad) return bad;
        }
    }
    return NULL;
}

/** Whether R has the fewest leaves that the function L allows. */
LAW_FN const char *law_fewest(ct_layout R, const int64_t *f, int64_t n)
{
    ct_layout best = CT_ZERO;
    const int leaves = oracle_layout_of(f, n, &best);
    if (leaves != R.profile.leaves)
        return law_broken("the result has the fewest leaves", 0, R.profile.leaves, leaves);
    return NULL;
}

/** coalesce: flat, the same function, the fewest leaves. */
LAW_FN const char *law_coalesce(ct_layout L)
{
    int64_t want[ORACLE_MAX];
    const ct_layout R = ct_coalesce(L);
    const char *bad = law_result(R);
    if (bad || L.err.status || R.err.status) return bad ? bad : law_same("the failure stays", R, L);
    if (ct_layout_depth(R) > 1) return law_broken("depth <= 1", 0, ct_layout_depth(R), 1);
    const int64_t n = oracle_offsets(L, want);
    if (n == 0) return oracle_size(L) == oracle_size(R) ? NULL : law_broken("size stays", 0, 0, 1);
    if (!bad) bad = law_is("R(i) = L(i)", R, want, n);
    if (!bad) bad = law_fewest(R, want, n);
    return bad;
}

/** coalesce by profile: the same function; each mode opposite an integer of the profile
 *  coalesced, the others as they were. */
LAW_FN const char *law_coalesce_by(ct_layout L, ct_tuple profile)
{
    int64_t want[ORACLE_MAX];
    const ct_layout R = ct_coalesce_by(L, profile);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t n = oracle_offsets(L, want);
    if (n > 0) bad = law_is("R(i) = L(i)", R, want, n);
    const int rank = ct_rank(profile);
    if (bad || ct_is_integer(profile)) return bad;
    if (ct_layout_rank(R) < rank) return law_broken("the rank stays", 0, ct_layout_rank(R), rank);
    for (int k = 0; k < rank; ++k) {
        const ct_tuple p = ct_get(profile, k);
        if (ct_is_integer(p))
            bad = law_same("mode k is coalesced", ct_mode(R, k), ct_coalesce(ct_mode(L, k)));
        if (bad) return bad;
    }
    for (int k = rank; k < ct_layout_rank(R); ++k) {
        bad = law_same("further modes stay", ct_mode(R, k), ct_mode(L, k));
        if (bad) return bad;
    }
    return NULL;
}

/** coalesce_z: the same function for every index, also past the size. */
LAW_FN const char *law_coalesce_z(ct_layout L)
{
    const ct_layout R = ct_coalesce_z(L);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t n = oracle_size(L);
    if (oracle_size(R) != n) return law_broken("size(R) = size(L)", 0, oracle_size(R), n);
    if (ct_layout_depth(R) > 1) return law_broken("depth <= 1", 0, ct_layout_depth(R), 1);
    const int64_t top = n < ORACLE_MAX ? 3 * n + 5 : ORACLE_MAX;
    for (int64_t i = 0; i < top; ++i) {
        if (oracle_eval(R, i) != oracle_eval(L, i))
            return law_broken("R(i) = L(i) for all i", i, oracle_eval(R, i), oracle_eval(L, i));
    }
    /* Fewest: at most the leaves of coalesce and one more that says how it goes on. */
    if (R.profile.leaves > ct_coalesce(L).profile.leaves + 1)
        return law_broken("few leaves", 0, R.profile.leaves, ct_coalesce(L).profile.leaves);
    return NULL;
}

/** filter: the same offsets, each leaf of stride 0 gone, coalesced. */
LAW_FN const char *law_filter(ct_layout L)
{
    int64_t want[ORACLE_MAX], got[ORACLE_MAX];
    const ct_layout R = ct_filter(L), Z = ct_filter_zeros(L);
    const char *bad = law_result(R);
    if (bad || L.err.status) return bad ? bad : law_same("the failure stays", R, L);
    int64_t size = 1;
    for (int k = 0; k < L.profile.leaves; ++k) {
        const int64_t s = L.stride[k] == 0 ? 1 : L.shape[k];
        if (Z.shape[k] != s) return law_broken("filter_zeros empties stride 0", k, Z.shape[k], s);
        size *= s;
    }
    if (oracle_size(R) != size)
        return law_broken("the size is that of the modes that move", 0, oracle_size(R), size);
    for (int k = 0; k < R.profile.leaves; ++k) {
        if (size > 1 && (R.stride[k] == 0 || R.shape[k] == 1))
            return law_broken("no leaf of stride 0 or size 1 is left", k, R.stride[k], 1);
    }
    int64_t n = oracle_offsets(L, want), m = oracle_offsets(R, got);
    if (n == 0 || m == 0) return NULL;
    bad = law_fewest(R, got, m);
    if (bad) return bad;
    n = oracle_distinct(want, n);
    m = oracle_distinct(got, m);
    if (n != m) return law_broken("the offsets are those of L", 0, m, n);
    for (int64_t i = 0; i < n; ++i) {
        if (want[i] != got[i]) return law_broken("the offsets are those of L", i, got[i], want[i]);
    }
    return NULL;
}

/** filter by profile: the same offsets; each mode opposite an integer of the profile filtered, the others
 *  as they were. */
LAW_FN const char *law_filter_by(ct_layout L, ct_tuple profile)
{
    int64_t want[ORACLE_MAX], got[ORACLE_MAX];
    const ct_layout R = ct_filter_by(L, profile);
    const char *bad = law_result(R);
    if (bad || L.err.status || R.err.status) return bad;
    if (ct_is_integer(profile)) return law_same("an integer names all of L", R, ct_filter(L));
    int64_t n = oracle_offsets(L, want), m = oracle_offsets(R, got);
    if (n > 0 && m > 0) {
        n = oracle_distinct(want, n);
        m = oracle_distinct(got, m);
        if (n != m) return law_broken("the offsets are those of L", 0, m, n);
        for (int64_t i = 0; i < n; ++i) {
            if (want[i] != got[i])
                return law_broken("the offsets are those of L", i, got[i], want[i]);
        }
    }
    const int rank = ct_rank(profile);
    if (ct_layout_rank(R) != (int)ct_max(rank, ct_layout_rank(L)))
        return law_broken("the rank stays", 0, ct_layout_rank(R), rank);
    for (int k = 0; k < ct_layout_rank(R); ++k) {
        const int named = k < rank;
        if (named && !ct_is_integer(ct_get(profile, k))) continue;
        bad = named ? law_same("mode k is filtered", ct_mode(R, k), ct_filter(ct_mode(L, k)))
                    : law_same("further modes stay", ct_mode(R, k), ct_mode(L, k));
        if (bad) return bad;
    }
    return NULL;
}

/** Whether a layout with the shape of B refined has the offsets want: each leaf of B alone must
 *  be a layout, and the rest be their sum. *leaves is how many that layout needs. */
LAW_FN int law_refinement_exists(ct_layout B, const int64_t *want, int64_t n, int *leaves)
{
    int64_t part[ORACLE_MAX], place = 1;
    ct_layout found = CT_ZERO;
    *leaves = 0;
    for (int k = 0; k < B.profile.leaves; ++k) {
        for (int64_t c = 0; c < B.shape[k]; ++c) part[c] = want[c * place];
        const int need = oracle_layout_of(part, B.shape[k], &found);
        if (need == 0) return 0;
        *leaves += need;
        place *= B.shape[k];
    }
    for (int64_t i = 0; i < n; ++i) {
        int64_t sum = 0;
        place = 1;
        for (int k = 0; k < B.profile.leaves; ++k) {
            sum += want[i / place % B.shape[k] * place];
            place *= B.shape[k];
        }
        if (sum != want[i]) return 0;
    }
    return 1;
}

/** Whether a sum of basis elements holds steps along all modes that L steps along, and these are few. */
LAW_FN int law_one_sum(ct_layout L)
{
    uint32_t seen[3] = {0};
    int n = 0;
    for (int k = 0; k < L.profile.leaves; ++k) {
        int known = L.stride[k] == 0 || (L.shape[k] == 1 && k + 1 < L.profile.leaves); /* goes on */
        for (int i = 0; i < n; ++i) known |= seen[i] == L.basis[k];
        if (known) continue;
        if (n == 3 || L.basis[k] >> 16) return 0;
        seen[n++] = L.basis[k];
    }
    return 1;
}

/** composition, both sides with integer strides on the right: R(i) = A(B(i)), the shape of B
 *  refined with the fewest leaves; refused only where no such layout exists or B goes below 0. */
LAW_FN const char *law_composition(ct_layout A, ct_layout B)
{
    int64_t b[ORACLE_MAX], want[ORACLE_MAX];
    const ct_layout R = ct_composition(A, B);
    const char *bad = law_result(R);
    if (bad || A.err.status || B.err.status) return bad;
    const int64_t n = oracle_offsets(B, b);
    if (n == 0 || !ct_is_integral(B)) return NULL;
    int64_t low = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (b[i] < low) low = b[i];
        want[i] = oracle_eval(A, b[i]);
    }
    if (low < 0) { /* below 0 there is no digit, but a left side of one leaf is a line */
        if (R.err.status == CT_E_DOMAIN || R.err.status == CT_E_NO_LAYOUT) return NULL;
        if (ct_coalesce_z(A).profile.leaves > 1)
            return law_broken("a negative index is refused", 0, low, 0);
        const ct_layout line = ct_coalesce_z(A);
        for (int64_t i = 0; i < n; ++i)
            want[i] = b[i] * oracle_stride(line.stride[0], line.basis[0]);
    }
    int leaves = 0;
    const int exists = law_refinement_exists(B, want, n, &leaves);
    if (R.err.status == CT_E_NO_LAYOUT && !exists) return NULL;
    if (R.err.status == CT_E_CAPACITY && leaves > CT_MAX_LEAVES) return NULL;
    if (R.err.status == CT_E_CAPACITY && !law_one_sum(A))
        return NULL; /* a stride would have more terms than a sum holds */
    if (R.err.status) return law_broken("refused, but a layout exists", 0, R.err.status, 0);
    if (!exists) return law_broken("there is no such layout", 0, 0, CT_E_NO_LAYOUT);
    if (!ct_compatible(ct_shape(B), ct_shape(R)))
        return law_broken("the shape of R refines that of B", 0, 0, 1);
    if (R.profile.leaves != leaves)
        return law_broken("R has the fewest leaves", 0, R.profile.leaves, leaves);
    return law_is("R(i) = A(B(i))", R, want, n);
}

/** composition with basis strides on the right: R(c) = A(coordinate B(c)). */
LAW_FN const char *law_composition_basis(ct_layout A, ct_layout B)
{
    const ct_layout R = ct_composition(A, B);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t n = oracle_size(B);
    if (oracle_size(R) != n) return law_broken("size(R) = size(B)", 0, oracle_size(R), n);
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        int64_t want = 0;
        for (int k = 0; k < ct_layout_rank(A); ++k) { /* the steps of B along each mode of A */
            ct_layout along = B;
            for (int j = 0; j < B.profile.leaves; ++j) {
                if (B.basis[j] != (uint32_t)(k + 1)) along.stride[j] = 0;
                along.basis[j] = 0;
            }
            want += oracle_eval(ct_mode(A, k), oracle_eval(along, i));
        }
        if (oracle_eval(R, i) != want)
            return law_broken("R(i) = A(B(i))", i, oracle_eval(R, i), want);
    }
    return ct_compatible(ct_shape(B), ct_shape(R))
               ? NULL
               : law_broken("R refines the shape of B", 0, 0, 1);
}

/** composition by mode: mode k is mode k of A composed with tile k. */
LAW_FN const char *law_composition_by(ct_layout A, ct_tiler tiler)
{
    const ct_layout R = ct_composition_by(A, tiler);
    const char *bad = law_result(R);
    if (bad || A.err.status || tiler.tiles.err.status) return bad;
    const int tiles = ct_profile_rank(tiler.nesting);
    if (ct_profile_depth(tiler.nesting) != 1) return NULL;
    for (int k = 0; k < tiles; ++k) {
        const ct_layout part = ct_mode(A, k), tile = ct_tile(tiler, k);
        const ct_layout alone = ct_tile_is_any(tile) ? part : ct_composition(part, tile);
        if (alone.err.status)
            return R.err.status ? NULL : law_broken("a failed mode fails R", k, 0, 1);
        if (R.err.status == CT_OK)
            bad = law_same("mode k of R is that composition", ct_mode(R, k), alone);
        if (bad) return bad;
    }
    if (R.err.status)
        return R.err.status == CT_E_CAPACITY ? NULL : law_broken("every mode composes", 0, 1, 0);
    return ct_layout_rank(R) == tiles ? NULL : law_broken("one mode for each tile", 0, 0, tiles);
}

/** layout_add: R(i) = A(i) + B(i) with the fewest leaves, or there is no such layout. */
LAW_FN const char *law_layout_add(ct_layout A, ct_layout B)
{
    int64_t want[ORACLE_MAX], b[ORACLE_MAX];
    const ct_layout R = ct_layout_add(A, B);
    const char *bad = law_result(R);
    if (bad || A.err.status || B.err.status) return bad;
    const int64_t n = oracle_offsets(A, want);
    if (n == 0 || oracle_size(A) != oracle_size(B))
        return n == 0 || R.err.status == CT_E_ARGUMENT ? NULL
                                                       : law_broken("sizes must be equal", 0, 0, 1);
    oracle_offsets(B, b);
    for (int64_t i = 0; i < n; ++i) want[i] += b[i];
    ct_layout best = CT_ZERO;
    const int leaves = oracle_layout_of(want, n, &best);
    if (R.err.status == CT_E_NO_LAYOUT && leaves == 0) return NULL;
    if (R.err.status == CT_E_ARGUMENT && !(ct_is_integral(A) && ct_is_integral(B))) return NULL;
    if (R.err.status) return law_broken("refused, but a layout exists", 0, R.err.status, 0);
    bad = law_is("R(i) = A(i) + B(i)", R, want, n);
    if (!bad && R.profile.leaves != leaves)
        bad = law_broken("R has the fewest leaves", 0, R.profile.leaves, leaves);
    return bad ? bad : law_same("symmetric", ct_layout_add(B, A), R);
}

/** greatest_common_domain: both shapes compose with it, and its size divides theirs. */
LAW_FN const char *law_common_domain(ct_tuple a, ct_tuple b)
{
    const ct_layout R = ct_greatest_common_domain(a, b);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const ct_layout A = ct_make_col_major(a), B = ct_make_col_major(b);
    if (ct_product(a) % oracle_size(R) != 0)
        return law_broken("size(R) divides the size of a", 0, oracle_size(R), ct_product(a));
    if (ct_product(b) % oracle_size(R) != 0)
        return law_broken("size(R) divides the size of b", 0, oracle_size(R), ct_product(b));
    for (int k = 0; k < R.profile.leaves;
         ++k) { /* within one leaf of each, so that any strides do */
        for (int side = 0; side < 2; ++side) {
            const ct_layout S = side ? B : A;
            int64_t place = 1;
            int inside = R.shape[k] == 1;
            for (int j = 0; j < S.profile.leaves; ++j) {
                if (inside || R.stride[k] < 1) break;
                inside |= R.stride[k] % place == 0 &&
                          place * S.shape[j] % (R.stride[k] * R.shape[k]) == 0;
                place *= S.shape[j];
            }
            if (!inside) return law_broken("each mode of R lies within one leaf", k, side, 0);
        }
    }
    return NULL;
}

/** common_refinement and common_coarsening: compatible with both, and nothing tighter of two. */
LAW_FN const char *law_common_refinement(ct_tuple a, ct_tuple b)
{
    const ct_tuple R = ct_common_refinement(a, b), C = ct_common_coarsening(a, b);
    if (a.err.status || b.err.status)
        return R.err.status && C.err.status ? NULL : law_broken("a failure stays", 0, 0, 1);
    const int ab = ct_compatible(a, b), ba = ct_compatible(b, a);
    if (R.err.status == CT_OK && (!ct_compatible(a, R) || !ct_compatible(b, R)))
        return law_broken("the refinement refines both", 0, 0, 1);
    if (R.err.status && (ab || ba))
        return law_broken("one that refines the other is a refinement", 0, 0, 1);
    if (ab && !ct_tuple_equal(R, b))
        return law_broken("b refines a: it is the refinement", 0, 0, 1);
    if (ba && !ab && !ct_tuple_equal(R, a))
        return law_broken("a refines b: it is the refinement", 0, 0, 1);
    const int64_t size_a = ct_product(a), size_b = ct_product(b);
    if ((C.err.status == CT_OK) != (size_a == size_b && size_a != CT_INVALID))
        return law_broken("a coarsening exists exactly for equal sizes", 0, size_a, size_b);
    if (C.err.status) return law_error(C.err);
    if (!ct_compatible(C, a) || !ct_compatible(C, b))
        return law_broken("the coarsening coarsens both", 0, 0, 1);
    if (ab && !ct_tuple_equal(C, a))
        return law_broken("a coarsens b: it is the coarsening", 0, 0, 1);
    if (ba && !ab && !ct_tuple_equal(C, b))
        return law_broken("b coarsens a: it is the coarsening", 0, 0, 1);
    return NULL;
}

#endif
