/**
 * Laws of divides, products, slices, partitions, casts and distribution. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_TILES_H
#define CUTLET_TESTS_LAWS_TILES_H

/** The other forms of a divide or product z = (first, second): tiled and flat. */
LAW_FN const char *law_forms(ct_layout z, ct_layout tiled, ct_layout flat)
{
    const char *bad = law_result(tiled);
    if (!bad) bad = law_result(flat);
    if (bad) return bad;
    if (z.err.status)
        return tiled.err.status && flat.err.status
                   ? NULL
                   : law_broken("a failure fails all forms", 0, 0, 1);
    const ct_layout a = ct_mode(z, 0), b = ct_mode(z, 1);
    bad = law_same("tiled: mode 0 is the tile", ct_mode(tiled, 0), a);
    const int rank_a = ct_layout_rank(a), rank_b = ct_layout_rank(b);
    for (int k = 0; k < rank_b && !bad; ++k) {
        const ct_layout part = rank_b == 1 ? b : ct_mode(b, k);
        bad = law_same("tiled: then the modes of the rest", ct_mode(tiled, 1 + k), part);
        if (!bad)
            bad = law_same("flat: then the modes of the rest", ct_mode(flat, rank_a + k), part);
    }
    for (int k = 0; k < rank_a && !bad; ++k)
        bad = law_same("flat: first the modes of the tile", ct_mode(flat, k),
                       rank_a == 1 ? a : ct_mode(a, k));
    if (bad) return bad;
    if (ct_layout_rank(tiled) != 1 + rank_b || ct_layout_rank(flat) != rank_a + rank_b)
        return law_broken("no further modes", 0, ct_layout_rank(flat), rank_a + rank_b);
    return NULL;
}

/** logical_divide: R(i, j) = A(B(i) + C(j)) with C the complement of B in the size of A; the other
 *  forms rearrange it; the excess is what it is larger by. */
LAW_FN const char *law_divide(ct_layout A, ct_layout B)
{
    int64_t b[ORACLE_MAX], c[ORACLE_MAX], want[ORACLE_MAX];
    const ct_layout R = ct_logical_divide(A, B);
    const char *bad = law_result(R);
    if (bad) return bad;
    if (A.err.status || B.err.status)
        return R.err.status ? NULL : law_broken("a failure stays", 0, 0, 1);
    bad = law_same("zipped is logical", ct_zipped_divide(A, B), R);
    if (!bad) bad = law_forms(R, ct_tiled_divide(A, B), ct_flat_divide(A, B));
    if (bad) return bad;
    const ct_layout C = ct_complement(B, ct_size(A));
    if (C.err.status)
        return R.err.status == C.err.status
                   ? NULL
                   : law_broken("without complement it fails", 0, 0, C.err.status);
    if (law_fills_interval(B, ct_size(A)) == 0)
        return R.err.status == CT_E_NO_LAYOUT
                   ? NULL
                   : law_broken("copies of B leave gaps in A", 0, 0, CT_E_NO_LAYOUT);
    const int64_t size = oracle_size(B) * oracle_size(C);
    if (R.err.status == CT_OK && ct_divide_excess(A, B) != size - oracle_size(A))
        return law_broken("the excess is counted", 0, ct_divide_excess(A, B),
                          size - oracle_size(A));
    if (R.err.status && ct_divide_excess(A, B) != CT_INVALID)
        return law_broken("no excess without a result", 0, ct_divide_excess(A, B), CT_INVALID);
    if (R.err.status)
        return ct_composition(A, ct_make_layout2(B, C)).err.status == R.err.status
                   ? NULL
                   : law_broken("it fails as composition does", 0, 0, R.err.status);
    if (size > ORACLE_MAX) return NULL;
    const int64_t nb = oracle_offsets(B, b), nc = oracle_offsets(C, c);
    int64_t low = 0;
    for (int64_t j = 0; j < nc; ++j) {
        for (int64_t i = 0; i < nb; ++i) {
            want[j * nb + i] = oracle_eval(A, b[i] + c[j]);
            if (b[i] < low) low = b[i];
        }
    }
    if (ct_layout_rank(R) != 2) return law_broken("R is (tile, rest)", 0, ct_layout_rank(R), 2);
    if (low < 0) return NULL; /* law_composition says what composition does there */
    return law_is("R(i, j) = A(B(i) + C(j))", R, want, size);
}

/** Divides by mode: mode k divided by tile k, and the other forms gather tiles and rests. */
LAW_FN const char *law_divide_by(ct_layout A, ct_tiler tiler)
{
    const ct_layout R = ct_logical_divide_by(A, tiler), Z = ct_zipped_divide_by(A, tiler);
    const char *bad = law_result(R);
    if (!bad) bad = law_result(Z);
    if (!bad) bad = law_forms(Z, ct_tiled_divide_by(A, tiler), ct_flat_divide_by(A, tiler));
    if (bad || A.err.status || tiler.tiles.err.status || ct_profile_depth(tiler.nesting) != 1)
        return bad;
    const int tiles = ct_profile_rank(tiler.nesting), rank = ct_layout_rank(A);
    if (tiles > rank)
        return R.err.status ? NULL : law_broken("more tiles than modes are refused", 0, 0, 1);
    for (int k = 0; k < rank; ++k) {
        const ct_layout part = ct_mode(A, k);
        const int any = k < tiles && ct_tile_is_any(ct_tile(tiler, k));
        const ct_layout alone =
            k >= tiles || any ? part : ct_logical_divide(part, ct_tile(tiler, k));
        if (alone.err.status)
            return R.err.status ? NULL : law_broken("a failed mode fails R", k, 0, 1);
        if (R.err.status || Z.err.status) continue;
        bad = law_same("mode k is divided", ct_mode(R, k), alone);
        if (bad) return bad;
        if (k < tiles) {
            bad = law_same("mode (0,k) is the tile", ct_mode(ct_mode(Z, 0), k),
                           any ? part : ct_mode(alone, 0));
            if (!bad)
                bad = law_same("mode (1,k) is the rest", ct_mode(ct_mode(Z, 1), k),
                               any ? ct_layout1(1, 0) : ct_mode(alone, 1));
        } else {
            bad = law_same("further modes follow the rests", ct_mode(ct_mode(Z, 1), k), part);
        }
        if (bad) return bad;
    }
    if (R.err.status && R.err.status != CT_E_CAPACITY)
        return law_broken("every mode divides, R does not", 0, R.err.status, 0);
    return NULL;
}

/** logical_product: mode 0 is A, mode 1 has the shape of B refined and places copies that do not
 *  meet. */
LAW_FN const char *law_product(ct_layout A, ct_layout B)
{
    int64_t all[ORACLE_MAX], b[ORACLE_MAX];
    const ct_layout R = ct_logical_product(A, B);
    const char *bad = law_result(R);
    if (bad) return bad;
    if (A.err.status || B.err.status)
        return R.err.status ? NULL : law_broken("a failure stays", 0, 0, 1);
    bad = law_same("zipped is logical", ct_zipped_product(A, B), R);
    if (!bad) bad = law_forms(R, ct_tiled_product(A, B), ct_flat_product(A, B));
    if (bad) return bad;
    if (R.err.status) return NULL;
    if (ct_layout_rank(R) != 2) return law_broken("R is (A, copies)", 0, ct_layout_rank(R), 2);
    bad = law_same("mode 0 is A", ct_mode(R, 0), A);
    if (bad) return bad;
    const ct_layout copies = ct_mode(R, 1);
    if (!ct_compatible(ct_shape(B), ct_shape(copies)))
        return law_broken("mode 1 is compatible with B", 0, 0, 1);
    const ct_layout C = ct_complement(A, oracle_size(A) * ct_cosize(B));
    const int64_t n = oracle_offsets(B, b);
    if (C.err.status == CT_OK && n > 0) { /* the copies stand where the complement of A lets them */
        for (int64_t i = 0; i < n; ++i) {
            if (b[i] >= 0 && oracle_eval(copies, i) != oracle_eval(C, b[i]))
                return law_broken("mode 1 is A* of B", i, oracle_eval(copies, i),
                                  oracle_eval(C, b[i]));
        }
    }
    if (!law_injective(A) || !law_injective(B)) return NULL;
    const int64_t size = oracle_offsets(R, all);
    if (size > 0 && oracle_distinct(all, size) != size)
        return law_broken("the copies do not meet", 0, 0, size);
    return NULL;
}

/** What blocked and raked products share: mode k pairs mode k of A with mode k of the copies. */
LAW_FN const char *law_zip_product(ct_layout A, ct_layout B, ct_layout R, int tile_at)
{
    const char *bad = law_result(R);
    if (bad || A.err.status || B.err.status || R.err.status) return bad;
    const int rank_a = ct_layout_rank(A), rank_b = ct_layout_rank(B);
    const int rank = (int)ct_max(rank_a, rank_b);
    if (ct_layout_rank(R) != rank)
        return law_broken("R has the larger rank", 0, ct_layout_rank(R), rank);
    ct_layout copies = CT_ZERO; /* (mode 0 of the copies, mode 1, ...) again */
    for (int k = 0; k < rank; ++k) {
        const ct_layout pair = ct_mode(R, k), none = ct_layout1(1, 0);
        if (ct_layout_rank(pair) != 2)
            return law_broken("mode k is a pair", k, ct_layout_rank(pair), 2);
        bad = law_same("the block's side of mode k is mode k of A", ct_mode(pair, tile_at),
                       k < rank_a ? ct_mode(A, k) : none);
        if (bad) return bad;
        const ct_layout copy = ct_mode(pair, 1 - tile_at);
        if (!ct_compatible(k < rank_b ? ct_shape(ct_mode(B, k)) : ct_int(1), ct_shape(copy)))
            return law_broken("the other side is compatible with mode k of B", k, 0, 1);
        copies = ct_layout_concat(copies, ct_layout_wrap(copy));
    }
    const ct_layout P = ct_logical_product(A, B);
    if (P.err.status)
        return NULL; /* modes taken one by one can be placed where B as a whole cannot */
    for (int64_t i = 0; i < oracle_size(B) && i < ORACLE_MAX; ++i) {
        if (oracle_eval(copies, i) != oracle_eval(ct_mode(P, 1), i))
            return law_broken("the copies are those of the logical product", i,
                              oracle_eval(copies, i), oracle_eval(ct_mode(P, 1), i));
    }
    return NULL;
}

LAW_FN const char *law_blocked_product(ct_layout A, ct_layout B)
{
    return law_zip_product(A, B, ct_blocked_product(A, B), 0);
}

LAW_FN const char *law_raked_product(ct_layout A, ct_layout B)
{
    return law_zip_product(A, B, ct_raked_product(A, B), 1);
}

/** tile_to_shape: the shape asked for, the block in each corner, and onto where the block is. */
LAW_FN const char *law_tile_to_shape(ct_layout block, ct_tuple shape, ct_tuple order)
{
    int64_t all[ORACLE_MAX];
    const ct_layout R = ct_tile_to_shape(block, shape, order);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    if (!ct_tuple_equal(ct_product_each(ct_shape(R)), ct_product_each(shape)))
        return law_broken("R has the shape", 0, 0, 1);
    for (int k = 0; k < ct_layout_rank(block); ++k) {
        bad = law_same("mode (k,0) is mode k of the block", ct_mode(ct_mode(R, k), 0),
                       ct_mode(block, k));
        if (bad) return bad;
    }
    const int64_t n = oracle_offsets(R, all);
    if (n == 0 || !law_injective(block) || law_fills_interval(block, 1) != 1) return NULL;
    if (oracle_distinct(all, n) != n)
        return law_broken("copies of a block without odd gaps do not meet", 0, 0, n);
    if (ct_cosize(block) == ct_size(block) && all[n - 1] != n - 1)
        return law_broken("R is compact where the block is", 0, all[n - 1], n - 1);
    return NULL;
}

/** slice: R(c) = T(coord with c in the places of `_`). */
LAW_FN const char *law_slice(ct_tensor t, ct_tuple coord)
{
    const ct_tensor R = ct_tensor_slice(t, coord);
    const char *bad = law_result(R.layout);
    if (bad || R.layout.err.status || !ct_is_integral(t.layout)) return bad;
    const int64_t n = oracle_size(R.layout);
    int free_modes = 0;
    for (int k = 0; k < coord.profile.leaves; ++k) free_modes += coord.basis[k] == CT_ANY;
    if (ct_is_integer(coord) ? free_modes == 1 : ct_layout_rank(R.layout) != free_modes)
        return ct_is_integer(coord)
                   ? law_same("`_` takes all", R.layout, t.layout)
                   : law_broken("one mode for each `_`", 0, ct_layout_rank(R.layout), free_modes);
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        ct_tuple at = coord;
        int64_t rest = i;
        for (int k = 0, m = 0; k < coord.profile.leaves; ++k) {
            if (coord.basis[k] != CT_ANY) continue;
            const int64_t size = oracle_size(ct_mode(R.layout, m++));
            at.basis[k] = 0;
            at.value[k] = rest % size;
            rest /= size;
        }
        const ct_tuple want = ct_at(t.layout, at);
        if (want.err.status) return law_broken("the coordinate is one of T", i, want.err.status, 0);
        const int64_t at_c = oracle_swizzle(t.swizzle, t.offset.value[0] + want.value[0]);
        if (oracle_tensor(&R, i) != at_c)
            return law_broken("R(c) = T(coord with c)", i, oracle_tensor(&R, i), at_c);
    }
    return NULL;
}

/** local_partition: over all threads each element that the shape of thr reaches evenly is met
 *  once. */
LAW_FN const char *law_local_partition(ct_tensor T, ct_layout thr)
{
    const ct_layout L = T.layout;
    unsigned char met[ORACLE_MAX] = {0};
    int64_t thread[ORACLE_MAX];
    const int64_t n = oracle_size(L), threads = oracle_offsets(thr, thread);
    if (L.err.status || thr.err.status || n > ORACLE_MAX || threads == 0 || !law_injective(thr))
        return NULL;
    if (ct_divide_excess_by(L, ct_tiler_of_shape(ct_product_each(ct_shape(thr)))) != 0) return NULL;
    ct_tensor index =
        ct_make_tensor(L); /* the same elements by their index, so that each can be told apart */
    int64_t run = 1;
    for (int k = 0; k < L.profile.leaves; ++k) {
        index.layout.stride[k] = run;
        run *= L.shape[k];
    }
    int refused = 0;
    for (int64_t t = 0; t < threads; ++t) {
        const ct_tensor at = ct_local_partition(index, thr, thread[t]),
                        mine = ct_local_partition(T, thr, thread[t]);
        const char *bad = law_result(mine.layout);
        if (bad) return bad;
        if (mine.layout.err.status == CT_E_DOMAIN)
            return law_broken("each thread has a place", thread[t], mine.layout.err.why, 0);
        refused += mine.layout.err.status != 0;
        if (mine.layout.err.status || at.layout.err.status) continue;
        if (oracle_size(mine.layout) * threads != n)
            return law_broken("all threads get as many", thread[t], oracle_size(mine.layout),
                              n / threads);
        for (int64_t i = 0; i < oracle_size(mine.layout); ++i) {
            const int64_t e = oracle_tensor(&at, i), got = oracle_tensor(&mine, i);
            if (e < 0 || e >= n || met[e]) return law_broken("each element is met once", e, 2, 1);
            met[e] = 1;
            if (got != oracle_tensor(&T, e))
                return law_broken("the part lies where T has it", e, got, oracle_tensor(&T, e));
        }
    }
    if (refused != 0 && ct_cosize(thr) == threads && ct_lowest(thr) == 0)
        return law_broken("a compact thread layout is not refused", 0, refused, 0);
    return NULL;
}

/** The inner and the outer partition at all coordinates meet each element once. */
LAW_FN const char *law_tiles(ct_tensor T, ct_tiler tiler)
{
    const ct_tensor Z = ct_tensor_zipped_divide_by(T, tiler);
    if (Z.layout.err.status || ct_profile_depth(tiler.nesting) != 1) return NULL;
    const ct_layout tile = ct_mode(Z.layout, 0), rest = ct_mode(Z.layout, 1);
    const int64_t n = oracle_size(tile), m = oracle_size(rest);
    if (n * m > ORACLE_MAX) return NULL;
    const ct_tuple tile_shape = ct_product_each(ct_shape(tile)),
                   rest_shape = ct_product_each(ct_shape(rest));
    for (int64_t j = 0; j < m; ++j) {
        const ct_tensor t = ct_local_tile(T, tiler, ct_idx2crd(j, rest_shape));
        const char *bad = law_result(t.layout);
        if (bad || t.layout.err.status)
            return bad ? bad : law_broken("every tile is there", j, 1, 0);
        for (int64_t i = 0; i < n; ++i) {
            if (oracle_tensor(&t, i) != oracle_tensor(&Z, i + n * j))
                return law_broken("local_tile is the tile at j", j, i,
                                  oracle_tensor(&Z, i + n * j));
        }
    }
    for (int64_t i = 0; i < n; ++i) {
        const ct_tensor t = ct_outer_partition(T, tiler, ct_idx2crd(i, tile_shape));
        if (t.layout.err.status) return law_broken("every place is there", i, 1, 0);
        for (int64_t j = 0; j < m; ++j) {
            if (oracle_tensor(&t, j) != oracle_tensor(&Z, i + n * j))
                return law_broken("outer_partition is place i of every tile", i, j,
                                  oracle_tensor(&Z, i + n * j));
        }
    }
    return NULL;
}

/** upcast: R(c / step) = floor(L(c) / n), a leaf of stride d below n shrinking by n / d. */
LAW_FN const char *law_upcast(ct_layout L, int64_t n)
{
    const ct_layout R = ct_upcast(L, n);
    const char *bad = law_result(R);
    if (bad || R.err.status || !ct_is_integral(L)) return bad;
    if (ct_profile_difference(R.profile, L.profile) >= 0)
        return law_broken("the nesting stays", 0, 0, 1);
    for (int64_t i = 0; i < oracle_size(L) && i < ORACLE_MAX; ++i) {
        int64_t place = 1, at = 0, got = 0;
        for (int k = 0; k < L.profile.leaves; ++k) {
            const int64_t digit = i / place % L.shape[k],
                          d = L.stride[k] < 0 ? -L.stride[k] : L.stride[k];
            const int64_t step = d == 0 || d >= n ? 1 : n / d;
            place *= L.shape[k];
            at += digit * L.stride[k];
            got += digit / step * R.stride[k];
            if (digit / step >= R.shape[k])
                return law_broken("the shape covers c / step", k, R.shape[k], digit / step);
        }
        const int64_t want = (at - ((at % n) + n) % n) / n;
        if (got != want) return law_broken("R(c / step) = floor(L(c) / n)", i, got, want);
    }
    return NULL;
}

/** Whether R, the offsets `got`, is L, the offsets `want`, with n elements for each of L's along leaf k. */
LAW_FN int law_is_cast_down(ct_layout L, int k, int64_t n, const int64_t *got, const int64_t *want)
{
    const int64_t size = oracle_size(L), s = L.shape[k];
    int64_t place = 1;
    for (int i = 0; i < k; ++i) place *= L.shape[i];
    for (int64_t i = 0; i < size; ++i) {
        const int64_t low = i % place, digit = i / place % s, high = i / place / s;
        for (int64_t j = 0; j < n; ++j) {
            if (got[low + place * (digit * n + j + s * n * high)] != n * want[i] + j) return 0;
        }
    }
    return 1;
}

/** downcast: size(R) = n * size(L); R(n * c + j in the contiguous leaf) = n * L(c) + j for 0 <= j < n, the
 *  leaf being one of stride 1 or -1, of more than one coordinate where such a one exists. */
LAW_FN const char *law_downcast(ct_layout L, int64_t n)
{
    int64_t got[ORACLE_MAX], want[ORACLE_MAX];
    const ct_layout R = ct_downcast(L, n);
    const char *bad = law_result(R);
    if (bad || R.err.status || n == 1)
        return bad ? bad : n == 1 ? law_same("by 1 it is L", R, L) : NULL;
    const int64_t size = oracle_size(L);
    if (oracle_size(R) != n * size)
        return law_broken("size(R) = n * size(L)", 0, oracle_size(R), n * size);
    if (size * n > ORACLE_MAX) return NULL;
    oracle_offsets(L, want);
    oracle_offsets(R, got);
    int wide = 0;
    for (int k = 0; k < L.profile.leaves; ++k)
        wide |= (L.stride[k] == 1 || L.stride[k] == -1) && L.shape[k] > 1;
    for (int k = 0; k < L.profile.leaves; ++k) {
        const int unit = (L.stride[k] == 1 || L.stride[k] == -1) && (L.shape[k] > 1 || !wide);
        if (unit && law_is_cast_down(L, k, n, got, want)) return NULL;
    }
    return law_broken("R(n * c + j) = n * L(c) + j along a contiguous leaf", 0, 0, 1);
}

/** domain_distribute: an ordered layout of at most n places whose size divides n and that tiles. */
LAW_FN const char *law_distribute(ct_tuple shape, int64_t n)
{
    const ct_layout R = ct_domain_distribute(shape, n);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t size = oracle_size(R);
    if (n % size != 0) return law_broken("size(R) divides n", 0, size, n);
    for (int64_t i = 1; i < size && i < ORACLE_MAX; ++i) {
        if (oracle_eval(R, i) <= oracle_eval(R, i - 1))
            return law_broken("R(i) < R(i + 1)", i, oracle_eval(R, i), oracle_eval(R, i - 1));
    }
    const ct_layout domain = ct_make_col_major(shape);
    const int64_t excess = ct_divide_excess(domain, R);
    return excess == 0 ? NULL : law_broken("the shape divides evenly by R", 0, excess, 0);
}

#endif
