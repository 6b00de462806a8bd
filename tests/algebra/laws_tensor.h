/**
 * Laws of tensors: an offset, a layout, a swizzle of their sum. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_TENSOR_H
#define CUTLET_TESTS_LAWS_TENSOR_H

/** The indices of L in its own shape: the element that each coordinate is. */
LAW_FN ct_layout law_index_of(ct_layout L)
{
    int64_t run = 1;
    for (int k = 0; k < L.profile.leaves; ++k) {
        L.stride[k] = run;
        L.basis[k] = 0;
        run *= L.shape[k];
    }
    return L;
}

/** The same with each mode counted by itself, along its basis element: what by-mode operations order. */
LAW_FN ct_layout law_modes_of(ct_layout L)
{
    for (int m = 0; m < ct_layout_rank(L); ++m) {
        const ct_span s = ct_profile_mode_span(L.profile, m);
        int64_t run = 1;
        for (int k = s.first; k < s.first + s.count; ++k) {
            L.stride[k] = run;
            L.basis[k] = (uint32_t)(m + 1);
            run *= L.shape[k];
        }
    }
    return L;
}

/** The index in the shape of L of element i of an order of its indices; -1 where that is past L, or
 *  past a mode of it. */
LAW_FN int64_t law_element_of(ct_layout L, ct_layout order, int64_t i)
{
    int64_t along[CT_MAX_LEAVES + 1] = CT_ZERO, e = 0, place = 1;
    for (int k = 0; k < order.profile.leaves; ++k) {
        along[order.basis[k] & 0xffu] += i % order.shape[k] * order.stride[k];
        i /= order.shape[k];
    }
    for (int m = 0; m < ct_layout_rank(L); ++m) {
        const int64_t size = oracle_size(ct_mode(L, m));
        if (along[m + 1] >= size) return -1;
        e += place * along[m + 1];
        place *= size;
    }
    e += along[0];
    return e < place ? e : -1;
}

/** Whether offsets of t are integers that the oracle can sum. */
LAW_FN int law_is_plain(ct_tensor t)
{
    return t.layout.err.status == CT_OK && ct_offset_is_integer(&t.offset) &&
           ct_is_integral(t.layout);
}

/** A tensor at every index; its room; that the swizzle is its own inverse. */
LAW_FN const char *law_tensor(ct_tensor t)
{
    int64_t high = -1, low = 0;
    if (t.layout.err.status) return law_error(t.layout.err);
    if (!law_is_plain(t)) return NULL;
    const int64_t n = oracle_size(t.layout);
    for (int64_t i = 0; i < n && n <= ORACLE_MAX; ++i) {
        const int64_t inside = t.offset.value[0] + oracle_eval(t.layout, i);
        const int64_t want = oracle_swizzle(t.swizzle, inside);
        if (ct_tensor_eval(t, i) != want)
            return law_broken("T(i) = swizzle(offset + L(i))", i, ct_tensor_eval(t, i), want);
        const ct_tuple by_at = ct_tensor_at(t, ct_int(i));
        if (by_at.err.status || by_at.value[0] != want)
            return law_broken("at(T, i)", i, by_at.value[0], want);
        if (inside >= 0 && ct_swizzle_apply(t.swizzle, want) != inside)
            return law_broken("a swizzle is its own inverse", i, want, inside);
        if (want > high) high = want;
        if (want < low) low = want;
    }
    if (ct_tensor_size(t) != n) return law_broken("its size", 0, ct_tensor_size(t), n);
    const ct_tuple cosize = ct_tensor_cosize(t);
    if (n <= ORACLE_MAX && (cosize.err.status || cosize.value[0] != high + 1 - low))
        return law_broken("cosize: from the lowest to the highest and the base", 0, cosize.value[0],
                          high + 1 - low);
    return NULL;
}

/** R is T in another order: R(i) = T(order(i)), where `order` is what the same operation makes of the
 *  indices of T. `plain` is what it makes of T's layout: R fails as that does, or where its offsets
 *  leave the range of the swizzle. */
LAW_FN const char *law_reordered(const char *claim, ct_tensor R, ct_tensor T, ct_layout order,
                                 ct_layout plain)
{
    const char *bad = law_result(R.layout);
    if (bad) return bad;
    if (R.layout.err.status) {
        const int range = T.swizzle.bits > 0 && R.layout.err.op == CT_OP_COMPOSED;
        return plain.err.status == R.layout.err.status || range || T.layout.err.status
                   ? NULL
                   : law_broken(claim, -1, R.layout.err.status, plain.err.status);
    }
    if (plain.err.status) return law_broken("it fails as its layout does", 0, 0, plain.err.status);
    if (order.err.status || !law_is_plain(T)) return NULL;
    const int64_t n = oracle_size(R.layout);
    if (oracle_size(order) != n) return law_broken("as many elements", 0, n, oracle_size(order));
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        const int64_t e = law_element_of(T.layout, order, i);
        if (e < 0) continue; /* a tile that reaches past its mode */
        if (oracle_tensor(&R, i) != oracle_tensor(&T, e))
            return law_broken(claim, i, oracle_tensor(&R, i), oracle_tensor(&T, e));
    }
    return NULL;
}

/** coalesce, whole and by a profile. */
LAW_FN const char *law_tensor_coalesce(ct_tensor t, ct_tuple profile)
{
    const ct_layout index = law_index_of(t.layout);
    const char *bad = law_reordered("coalesce(T)(i) = T(i)", ct_tensor_coalesce(t), t,
                                    ct_coalesce(index), ct_coalesce(t.layout));
    if (bad) return bad;
    return law_reordered("coalesce(T, profile)(i) = T(i)", ct_tensor_coalesce_by(t, profile), t,
                         ct_coalesce_by(index, profile), ct_coalesce_by(t.layout, profile));
}

/** composition: R(i) = T(B(i)), and by a tiler. */
LAW_FN const char *law_tensor_composition(ct_tensor t, ct_layout B, ct_tiler tiler)
{
    const ct_layout index = law_modes_of(t.layout);
    const char *bad = law_reordered("R(i) = T(B(i))", ct_tensor_composition(t, B), t, B,
                                    ct_composition(t.layout, B));
    if (bad) return bad;
    return law_reordered("composition by mode", ct_tensor_composition_by(t, tiler), t,
                         ct_composition_by(index, tiler), ct_composition_by(t.layout, tiler));
}

/** A divide of t, by a layout or by a tiler, puts the elements of T in the order of those of its
 *  index. */
#define LAW_DIVIDE(divide, t, index, by)                                                           \
    law_reordered(#divide, ct_tensor_##divide(t, by), t, ct_##divide(index, by),                   \
                  ct_##divide((t).layout, by))

/** All of them. */
LAW_FN const char *law_tensor_divide(ct_tensor t, ct_layout B, ct_tiler tiler)
{
    const ct_layout index = law_index_of(t.layout), modes = law_modes_of(t.layout);
    const char *bad = LAW_DIVIDE(logical_divide, t, index, B);
    if (!bad) bad = LAW_DIVIDE(zipped_divide, t, index, B);
    if (!bad) bad = LAW_DIVIDE(tiled_divide, t, index, B);
    if (!bad) bad = LAW_DIVIDE(flat_divide, t, index, B);
    if (!bad) bad = LAW_DIVIDE(logical_divide_by, t, modes, tiler);
    if (!bad) bad = LAW_DIVIDE(zipped_divide_by, t, modes, tiler);
    if (!bad) bad = LAW_DIVIDE(tiled_divide_by, t, modes, tiler);
    if (!bad) bad = LAW_DIVIDE(flat_divide_by, t, modes, tiler);
    return bad;
}

/** R is T with the layout that the operation makes of T's: the same base and swizzle, and the failure
 *  of the layout's operation. */
LAW_FN const char *law_relaid(const char *claim, ct_tensor R, ct_tensor T, ct_layout plain)
{
    const char *bad = law_result(R.layout);
    if (bad) return bad;
    if (R.layout.err.status) {
        const int range = T.swizzle.bits > 0 && R.layout.err.op == CT_OP_COMPOSED;
        return plain.err.status == R.layout.err.status || range || T.layout.err.status ||
                       R.layout.err.status == CT_E_OVERFLOW
                   ? NULL
                   : law_broken(claim, -1, R.layout.err.status, plain.err.status);
    }
    if (plain.err.status) return law_broken("it fails as its layout does", 0, 0, plain.err.status);
    if (!law_is_plain(T)) return NULL;
    for (int64_t i = 0; i < oracle_size(R.layout) && i < ORACLE_MAX; ++i) {
        const int64_t want = oracle_swizzle(T.swizzle, T.offset.value[0] + oracle_eval(plain, i));
        if (oracle_tensor(&R, i) != want) return law_broken(claim, i, oracle_tensor(&R, i), want);
    }
    return NULL;
}

#define LAW_PRODUCT(product, t, by)                                                                \
    law_relaid(#product, ct_tensor_##product(t, by), t, ct_##product((t).layout, by))

/** The products of a tensor by a layout or a tiler, and tile_to_shape; the block comes first. */
LAW_FN const char *law_tensor_product(ct_tensor t, ct_layout B, ct_tiler tiler, ct_tuple shape,
                                      ct_tuple order)
{
    const char *bad = LAW_PRODUCT(logical_product, t, B);
    if (!bad) bad = LAW_PRODUCT(zipped_product, t, B);
    if (!bad) bad = LAW_PRODUCT(tiled_product, t, B);
    if (!bad) bad = LAW_PRODUCT(flat_product, t, B);
    if (!bad) bad = LAW_PRODUCT(blocked_product, t, B);
    if (!bad) bad = LAW_PRODUCT(raked_product, t, B);
    if (!bad) bad = LAW_PRODUCT(logical_product_by, t, tiler);
    if (!bad) bad = LAW_PRODUCT(zipped_product_by, t, tiler);
    if (!bad) bad = LAW_PRODUCT(tiled_product_by, t, tiler);
    if (!bad) bad = LAW_PRODUCT(flat_product_by, t, tiler);
    if (!bad)
        bad = law_relaid("tile_to_shape", ct_tensor_tile_to_shape(t, shape, order), t,
                         ct_tile_to_shape(t.layout, shape, order));
    if (bad || !law_is_plain(t)) return bad;
    const ct_tensor R = ct_tensor_logical_product(t, B);
    for (int64_t i = 0; R.layout.err.status == CT_OK && i < oracle_size(t.layout) && i < ORACLE_MAX;
         ++i) {
        if (oracle_tensor(&R, i) != oracle_tensor(&t, i))
            return law_broken("mode 0 is the block", i, oracle_tensor(&R, i), oracle_tensor(&t, i));
    }
    return NULL;
}

/** The modes of a tensor, picked, joined and taken apart. */
LAW_FN const char *law_tensor_modes(ct_tensor t)
{
    const int rank = ct_layout_rank(t.layout);
    const char *bad = law_relaid("flatten", ct_tensor_flatten(t), t, ct_layout_flatten(t.layout));
    for (int k = 0; k < rank && !bad; ++k) {
        const ct_tuple one = ct_tuple2(k, 0);
        bad = law_relaid("mode", ct_tensor_mode(t, k), t, ct_mode(t.layout, k));
        if (!bad)
            bad = law_relaid("take", ct_tensor_take(t, k, rank), t,
                             ct_layout_take(t.layout, k, rank));
        if (!bad)
            bad = law_relaid("group", ct_tensor_group(t, 0, k + 1), t,
                             ct_layout_group(t.layout, 0, k + 1));
        if (!bad)
            bad =
                law_relaid("select", ct_tensor_select(t, one), t, ct_layout_select(t.layout, one));
    }
    return bad;
}

/** composition(A, T): R(i) = A(T(i)), with the shape of T refined. */
LAW_FN const char *law_composition_of_tensor(ct_layout A, ct_tensor t)
{
    const ct_tensor R = ct_composition_of_tensor(A, t);
    const char *bad = law_result(R.layout);
    if (bad || R.layout.err.status || !law_is_plain(t)) return bad;
    if (oracle_size(R.layout) != oracle_size(t.layout))
        return law_broken("as many elements", 0, oracle_size(R.layout), oracle_size(t.layout));
    for (int64_t i = 0; i < oracle_size(t.layout) && i < ORACLE_MAX; ++i) {
        const int64_t want = oracle_eval(A, oracle_tensor(&t, i));
        if (oracle_tensor(&R, i) != want)
            return law_broken("R(i) = A(T(i))", i, oracle_tensor(&R, i), want);
    }
    return NULL;
}

/** The inverses of a tensor: T(R(i)) = i; T(R(T(i))) = T(i), and R(T(i)) = i without modes of stride 0. */
LAW_FN const char *law_tensor_inverses(ct_tensor t)
{
    const ct_tensor right = ct_tensor_right_inverse(t), left = ct_tensor_left_inverse(t);
    const char *bad = law_result(right.layout);
    if (!bad) bad = law_result(left.layout);
    if (bad || !law_is_plain(t)) return bad;
    for (int64_t i = 0;
         right.layout.err.status == CT_OK && i < oracle_size(right.layout) && i < ORACLE_MAX; ++i) {
        const int64_t back = oracle_tensor(&t, oracle_tensor(&right, i));
        if (back != i) return law_broken("T(R(i)) = i, R the right inverse", i, back, i);
    }
    int repeats = 0;
    for (int k = 0; k < t.layout.profile.leaves; ++k)
        repeats |= t.layout.stride[k] == 0 && t.layout.shape[k] > 1;
    for (int64_t i = 0;
         left.layout.err.status == CT_OK && i < oracle_size(t.layout) && i < ORACLE_MAX; ++i) {
        const int64_t at = oracle_tensor(&t, i), back = oracle_tensor(&left, at);
        if (!repeats && back != i) return law_broken("R(T(i)) = i, R the left inverse", i, back, i);
        if (oracle_tensor(&t, back) != at)
            return law_broken("T(R(T(i))) = T(i)", i, oracle_tensor(&t, back), at);
    }
    return NULL;
}

/** retile of a tensor: the same registers in the order in which the copy takes them. */
LAW_FN const char *law_tensor_retile(ct_tiled_copy copy, ct_tensor fragment)
{
    return law_reordered("retile", ct_tensor_retile(copy, fragment), fragment,
                         ct_retile(copy, law_index_of(fragment.layout)),
                         ct_retile(copy, fragment.layout));
}

/** upcast: n R(i) is where T has the first element of a new one, and it fails for no other reason than
 *  its swizzle, its layout or an offset inside of a new element. */
LAW_FN const char *law_tensor_upcast(ct_tensor t, int64_t n)
{
    const ct_tensor R = ct_tensor_upcast(t, n);
    const ct_layout plain = ct_upcast(t.layout, n);
    const char *bad = law_result(R.layout);
    if (bad || !law_is_plain(t) || plain.err.status)
        return bad || R.layout.err.status || t.layout.err.status || !law_is_plain(t)
                   ? bad
                   : law_broken("it fails as its layout does", 0, 0, plain.err.status);
    const int64_t o = t.offset.value[0];
    const int whole =
        o % n == 0 && (t.swizzle.bits == 0 || ct_swizzle_upcast(t.swizzle, n).err.status == CT_OK);
    if (whole != (R.layout.err.status == CT_OK))
        return law_broken("it fails exactly where an element is cut", 0, R.layout.err.status,
                          !whole);
    for (int64_t i = 0; whole && i < oracle_size(plain) && i < ORACLE_MAX; ++i) {
        const int64_t old = oracle_swizzle(t.swizzle, o + n * oracle_eval(plain, i));
        if (oracle_tensor(&R, i) * n != old)
            return law_broken("n R(i) is the old offset", i, oracle_tensor(&R, i) * n, old);
    }
    return NULL;
}

/** downcast: element j of the n that an element of T becomes lies j past n times its offset. */
LAW_FN const char *law_tensor_downcast(ct_tensor t, int64_t n)
{
    const ct_tensor R = ct_tensor_downcast(t, n);
    const ct_layout plain = ct_downcast(t.layout, n);
    const char *bad = law_result(R.layout);
    if (bad || !law_is_plain(t)) return bad;
    const int fails = plain.err.status || (t.swizzle.bits > 0 && (n & (n - 1)) != 0);
    if (fails != (R.layout.err.status != CT_OK))
        return law_broken("it fails as its layout and its swizzle do", 0, R.layout.err.status,
                          fails);
    for (int64_t i = 0; !fails && i < oracle_size(plain) && i < ORACLE_MAX; ++i) {
        const int64_t at = oracle_eval(plain, i), j = (at % n + n) % n;
        const int64_t want = n * oracle_swizzle(t.swizzle, t.offset.value[0] + (at - j) / n) + j;
        if (oracle_tensor(&R, i) != want)
            return law_broken("R = n T + j", i, oracle_tensor(&R, i), want);
    }
    return NULL;
}

/** Whether index i of L is 0 in the modes of its contiguous run. */
LAW_FN int law_is_beyond(ct_layout run, int64_t i)
{
    for (int k = 0; k < run.profile.leaves; ++k) {
        if (run.shape[k] > 1 && i / run.stride[k] % run.shape[k] != 0) return 0;
    }
    return 1;
}

/** max_alignment of a tensor: the gcd of the run, of where runs begin, and of 2^base; every vector of
 *  this many elements is contiguous and aligned. */
LAW_FN const char *law_tensor_alignment(ct_tensor t)
{
    const int64_t R = ct_tensor_max_alignment(t);
    if (!law_is_plain(t))
        return R == CT_INVALID ? NULL : law_broken("no number then", 0, R, CT_INVALID);
    const ct_layout run = ct_right_inverse(t.layout); /* place p of the run at index run(p) */
    const int64_t n = oracle_size(t.layout), o = t.offset.value[0];
    int64_t want = oracle_size(run);
    if (n > ORACLE_MAX) return NULL;
    for (int64_t i = 0; i < n; ++i)
        if (law_is_beyond(run, i)) want = law_gcd(want, o + oracle_eval(t.layout, i));
    if (t.swizzle.bits > 0) want = law_gcd(want, (int64_t)1 << t.swizzle.base);
    if (R != want) return law_broken("the gcd of run, beginnings and swizzle", 0, R, want);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t p = 0; law_is_beyond(run, i) && p < oracle_size(run); p += R) {
            const int64_t first = oracle_tensor(&t, i + oracle_eval(run, p));
            if (first % R != 0) return law_broken("every vector is aligned", i, first, R);
            for (int64_t k = 1; k < R; ++k) {
                const int64_t at = oracle_tensor(&t, i + oracle_eval(run, p + k));
                if (at != first + k)
                    return law_broken("every vector is contiguous", i, at, first + k);
            }
        }
    }
    return NULL;
}

/** Whether, of a swizzled tensor that goes on along its strides, some vector of m elements is torn; 1
 *  too where m is no part of its run, or where there is too much to look at. */
LAW_FN int law_tears(ct_tensor t, int64_t m)
{
    const ct_layout run = ct_right_inverse(t.layout);
    const int64_t n = oracle_size(t.layout);
    const int reach =
        t.swizzle.bits + t.swizzle.base + (t.swizzle.shift < 0 ? -1 : 1) * t.swizzle.shift;
    const int64_t period = (int64_t)1 << reach;
    if (t.swizzle.bits == 0) return 0;
    if (oracle_size(run) % m != 0 || n > ORACLE_MAX || period > 1024 || m > 256) return 1;
    int64_t step = m;
    for (int64_t i = 0; i < n; ++i)
        if (law_is_beyond(run, i)) step = law_gcd(step, oracle_eval(t.layout, i));
    for (int64_t k = 0; k < period; ++k) {
        const int64_t x = t.offset.value[0] + k * step, first = oracle_swizzle(t.swizzle, x);
        for (int64_t i = 1; i < m; ++i)
            if (oracle_swizzle(t.swizzle, x + i) != first + i) return 1;
    }
    return 0;
}

/** What one side of a common layout R of tensors must be: contiguous from the first element on, and
 *  where it is swizzled from each multiple of R on. */
LAW_FN const char *law_common_side(ct_tensor t, ct_layout R)
{
    const int64_t n = oracle_size(R), first = oracle_tensor(&t, 0);
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        const int64_t at = oracle_tensor(&t, oracle_eval(R, i));
        if (at != first + i) return law_broken("T(R(i)) = T(0) + i", i, at, first + i);
    }
    const ct_layout order = ct_logical_divide(law_index_of(t.layout), R);
    if (ct_logical_divide(t.layout, R).err.status) return NULL;
    if (t.swizzle.bits == 0 || order.err.status || oracle_size(order) != oracle_size(t.layout) ||
        oracle_size(order) > ORACLE_MAX)
        return NULL;
    for (int64_t v = 0; v < oracle_size(order); v += n) {
        const int64_t begin = oracle_tensor(&t, oracle_eval(order, v));
        for (int64_t i = 1; i < n; ++i) {
            const int64_t at = oracle_tensor(&t, oracle_eval(order, v + i));
            if (at != begin + i) return law_broken("every vector is whole", v + i, at, begin + i);
        }
    }
    return NULL;
}

/** max_common_layout and max_common_vector of tensors: contiguous, and none longer would be. */
LAW_FN const char *law_tensor_max_common(ct_tensor a, ct_tensor b)
{
    const ct_layout R = ct_tensor_max_common_layout(a, b);
    const ct_layout whole = ct_max_common_layout(a.layout, b.layout);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t n = oracle_size(R);
    if (ct_tensor_max_common_vector(a, b) != n)
        return law_broken("the vector is the size of the layout", 0, n,
                          ct_tensor_max_common_vector(a, b));
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        if (oracle_eval(R, i) != oracle_eval(whole, i))
            return law_broken("R begins the common layout of the layouts", i, oracle_eval(R, i),
                              oracle_eval(whole, i));
    }
    bad = law_common_side(a, R);
    if (!bad) bad = law_common_side(b, R);
    if (bad) return bad;
    int64_t place = 1; /* of the mode that n ends in */
    for (int k = 0; k < whole.profile.leaves; place *= whole.shape[k++]) {
        const int64_t s = whole.shape[k];
        if (place * s <= n) continue;
        for (int64_t f = 2; f <= s;
             ++f) { /* the next lengths that are whole modes or a part of one */
            if (place * s % (n * f) == 0 && !law_tears(a, n * f) && !law_tears(b, n * f))
                return law_broken("no longer vector is whole", k, n, n * f);
        }
        return NULL;
    }
    return NULL;
}

/** Tiles, and what the threads get of them: local_partition of each tile. */
LAW_FN const char *law_tile_partition(ct_tensor t, ct_tiler tiler, ct_layout thr)
{
    const ct_tensor Z = ct_tensor_zipped_divide_by(t, tiler);
    if (Z.layout.err.status || ct_profile_depth(tiler.nesting) != 1) return NULL;
    const ct_layout rest = ct_mode(Z.layout, 1);
    for (int64_t j = 0; j < oracle_size(rest) && j < 8; ++j) {
        const ct_tuple at = ct_idx2crd(j, ct_product_each(ct_shape(rest)));
        const ct_tensor tile = ct_local_tile(t, tiler, at);
        if (tile.layout.err.status) return law_broken("every tile is there", j, 1, 0);
        const char *bad = law_local_partition(tile, thr);
        if (bad) return bad;
    }
    return NULL;
}

#endif
