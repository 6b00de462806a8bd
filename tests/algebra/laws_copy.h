/**
 * Laws of vectorization, copy atoms and tiled copies. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_COPY_H
#define CUTLET_TESTS_LAWS_COPY_H

/** max_common_layout and max_common_vector: contiguous in both, and no whole mode more. */
LAW_FN const char *law_max_common(ct_layout a, ct_layout b)
{
    const ct_layout R = ct_max_common_layout(a, b);
    const char *bad = law_result(R);
    if (bad || R.err.status) return bad;
    const int64_t n = oracle_size(R);
    if (ct_max_common_vector(a, b) != n)
        return law_broken("the vector is the size of the layout", 0, ct_max_common_vector(a, b), n);
    for (int64_t i = 0; i < n && i < ORACLE_MAX; ++i) {
        const int64_t at = oracle_eval(R, i);
        if (at < 0 || at >= oracle_size(b)) /* a may go on past its size, as in evaluation */
            return law_broken("R(i) is an index of b", i, at, oracle_size(b));
        if (oracle_eval(a, at) != i) return law_broken("a(R(i)) = i", i, oracle_eval(a, at), i);
        if (oracle_eval(b, at) != i) return law_broken("b(R(i)) = i", i, oracle_eval(b, at), i);
    }
    const ct_layout inverse = ct_right_inverse(b);
    int64_t longest = 0, whole = 1, place = 1;
    while (longest < oracle_size(inverse) &&
           oracle_eval(a, oracle_eval(inverse, longest)) == longest)
        ++longest;
    for (int k = 0; k < inverse.profile.leaves; ++k) {
        place *= inverse.shape[k];
        if (place <= longest) whole = place;
    }
    if (n > longest) return law_broken("no longer than the common run", 0, n, longest);
    return n >= whole ? NULL : law_broken("all whole modes of the common run", 0, n, whole);
}

/** The greatest common divisor; a >= 0. */
LAW_FN int64_t law_gcd(int64_t a, int64_t b)
{
    if (b < 0) b = -b;
    while (b != 0) {
        const int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/** max_alignment: the greatest common divisor of the contiguous size and of everything beyond
 *  it. */
LAW_FN const char *law_max_alignment(ct_layout L)
{
    const int64_t R = ct_max_alignment(L);
    if (L.err.status || !ct_is_integral(L))
        return R == CT_INVALID ? NULL : law_broken("no number then", 0, R, CT_INVALID);
    const ct_layout run = ct_right_inverse(L); /* the contiguous part: place i at index run(i) */
    int64_t want = oracle_size(run);
    for (int64_t i = 0; i < oracle_size(L) && i < ORACLE_MAX; ++i) {
        int beyond = 1; /* whether index i is 0 in the contiguous modes */
        for (int k = 0; k < run.profile.leaves; ++k) {
            if (run.shape[k] > 1 && i / run.stride[k] % run.shape[k] != 0) beyond = 0;
        }
        if (beyond) want = law_gcd(want, oracle_eval(L, i));
    }
    return R == want ? NULL : law_broken("the gcd of the run and of what lies beyond", 0, R, want);
}

/** Whether every access of `bytes` is one contiguous, aligned piece on both sides: found for each
 *  element by looking for its neighbours. */
LAW_FN int law_width_is_legal(const int64_t *src, const int64_t *dst, int64_t n, int64_t bytes)
{
    for (int64_t i = 0; i < n; ++i) {
        const int64_t into =
            ((src[i] % bytes) + bytes) % bytes; /* how far into its access it lies */
        const int64_t src0 = src[i] - into, dst0 = dst[i] - into;
        if (dst0 % bytes != 0) return 0;
        for (int64_t at = 0; at < bytes; ++at) {
            int found = 0;
            for (int64_t k = 0; k < n && !found; ++k)
                found = src[k] == src0 + at && dst[k] == dst0 + at;
            if (!found) return 0;
        }
    }
    return 1;
}

/** copy_width: a power of two, at most what was asked for; legal; and where each byte is moved
 *  once and every leaf is a power of two, twice as wide is not. */
LAW_FN const char *law_copy_width(ct_layout src, ct_layout dst, int64_t elem, int64_t most,
                                  uint64_t src_address, uint64_t dst_address)
{
    int64_t a[ORACLE_MAX], b[ORACLE_MAX], bytes_a[512], bytes_b[512];
    const ct_copy_width_result R = ct_copy_width(src, dst, elem, most, src_address, dst_address);
    if (R.err.status) return law_error(R.err);
    const int64_t n = oracle_offsets(src, a);
    if (oracle_offsets(dst, b) != n) return law_broken("the sizes are equal", 0, 0, n);
    if (R.bytes < 1 || (R.bytes & (R.bytes - 1)) != 0)
        return law_broken("a power of two", 0, R.bytes, 1);
    if (R.bytes > most) return law_broken("at most what was asked for", 0, R.bytes, most);
    if ((R.limit == CT_WIDTH_FULL) != (R.bytes == most))
        return law_broken("a limit is named", 0, R.limit, 0);
    if (n * elem > 512) return NULL;
    for (int64_t i = 0; i < n * elem; ++i) { /* byte by byte */
        bytes_a[i] = (int64_t)(src_address % 4096) + a[i / elem] * elem + i % elem;
        bytes_b[i] = (int64_t)(dst_address % 4096) + b[i / elem] * elem + i % elem;
    }
    if (!law_width_is_legal(bytes_a, bytes_b, n * elem, R.bytes))
        return law_broken("no access is misaligned or torn", 0, R.bytes, 0);
    int halves = 1; /* every leaf can be halved, so that a layout of indices describes any width */
    for (int k = 0; k < src.profile.leaves; ++k) halves &= (src.shape[k] & (src.shape[k] - 1)) == 0;
    for (int k = 0; k < dst.profile.leaves; ++k) halves &= (dst.shape[k] & (dst.shape[k] - 1)) == 0;
    if (halves && R.bytes < most && law_injective(src) && law_injective(dst) &&
        law_width_is_legal(bytes_a, bytes_b, n * elem, 2 * (int64_t)R.bytes))
        return law_broken("no wider access would do", 0, R.bytes, 2 * (int64_t)R.bytes);
    return NULL;
}

/** A copy atom: source, destination and reference have the same data, met the same number of
 *  times. */
LAW_FN const char *law_copy_atom(ct_copy_atom atom)
{
    if (atom.err.status) return law_error(atom.err);
    const ct_layout side[3] = {atom.src_tv, atom.dst_tv, atom.ref_tv};
    const int64_t elements = ct_atom_threads(atom) * ct_atom_values(atom);
    for (int k = 0; k < 3; ++k) {
        int32_t met[ORACLE_MAX] = {0};
        const char *bad = law_result(side[k]);
        if (bad) return bad;
        const int64_t n = oracle_size(side[k]);
        if (n > ORACLE_MAX || n % elements != 0)
            return law_broken("whole repetitions of the data", k, n, elements);
        for (int64_t i = 0; i < n; ++i) {
            const int64_t e = oracle_eval(side[k], i);
            if (e < 0 || e >= elements)
                return law_broken("within the data of the atom", k, e, elements);
            met[e]++;
        }
        for (int64_t e = 0; e < elements; ++e) {
            if (met[e] != n / elements)
                return law_broken("each element is met alike", e, met[e], n / elements);
        }
    }
    return oracle_size(atom.thr_id) == ct_atom_threads(atom)
               ? NULL
               : law_broken("a thread for each index", 0, oracle_size(atom.thr_id),
                            ct_atom_threads(atom));
}

/** tiled copy: tv maps each (thread, value) to one element of the tile, onto. */
LAW_FN const char *law_tiled_copy(ct_tiled_copy t)
{
    unsigned char met[ORACLE_MAX] = {0};
    if (t.atom.err.status) return law_error(t.atom.err);
    const char *bad = law_result(t.tv);
    if (bad) return bad;
    const int64_t n = oracle_size(t.tv), tile = ct_product(ct_tiled_copy_shape(t));
    if (ct_layout_rank(t.tv) != 2)
        return law_broken("tv is (thread, value)", 0, ct_layout_rank(t.tv), 2);
    if (n != tile) return law_broken("threads * values fill the tile", 0, n, tile);
    if (ct_tiled_copy_threads(t) % ct_atom_threads(t.atom) != 0)
        return law_broken("whole atoms of threads", 0, ct_tiled_copy_threads(t),
                          ct_atom_threads(t.atom));
    for (int64_t i = 0; i < n && n <= ORACLE_MAX; ++i) {
        const int64_t e = oracle_eval(t.tv, i);
        if (e < 0 || e >= tile) return law_broken("tv stays in the tile", i, e, tile);
        if (met[e]++) return law_broken("no element is met twice", e, 2, 1);
    }
    return NULL;
}

/** partition_src and partition_dst: over all threads each element of T is met once (or, where the
 *  atom gives an element to several threads, that many times), and T only says where it lies. */
LAW_FN const char *law_partition(ct_tiled_copy t, ct_tensor T)
{
    const int64_t n = oracle_size(T.layout), threads = ct_tiled_copy_threads(t);
    if (t.atom.err.status || T.layout.err.status || n > ORACLE_MAX) return NULL;
    if (ct_divide_excess_by(T.layout, t.tiler) != 0) return NULL;
    ct_tensor index = ct_make_tensor(T.layout);
    for (int64_t k = 0, run = 1; k < T.layout.profile.leaves; run *= T.layout.shape[k], ++k)
        index.layout.stride[k] = run;
    for (int side = 0; side < 2; ++side) {
        int32_t met[ORACLE_MAX] = {0};
        int64_t total = 0;
        for (int64_t thr = 0; thr < threads; ++thr) {
            const ct_tensor at =
                side ? ct_partition_dst(t, index, thr) : ct_partition_src(t, index, thr);
            const ct_tensor mine = side ? ct_partition_dst(t, T, thr) : ct_partition_src(t, T, thr);
            const char *bad = law_result(mine.layout);
            if (bad) return bad;
            if (at.layout.err.status == CT_E_NO_LAYOUT) return NULL; /* across modes of the tile */
            if (at.layout.err.status)
                return law_broken("indices can be partitioned", thr, at.layout.err.status, 0);
            if (mine.layout.err.status) return NULL;
            const int64_t m = oracle_size(mine.layout);
            if (m != oracle_size(at.layout))
                return law_broken("as many elements", thr, m, oracle_size(at.layout));
            for (int64_t i = 0; i < m; ++i, ++total) {
                const int64_t e = oracle_tensor(&at, i), got = oracle_tensor(&mine, i);
                if (e < 0 || e >= n) return law_broken("the element is one of T", thr, e, n);
                met[e]++;
                if (got != oracle_tensor(&T, e))
                    return law_broken("the part lies where T has it", e, got, oracle_tensor(&T, e));
            }
        }
        if (total % n != 0)
            return law_broken("the threads take whole repetitions of T", side, total, n);
        for (int64_t e = 0; e < n; ++e) {
            if (met[e] != total / n)
                return law_broken("each element is met alike", e, met[e], total / n);
        }
    }
    return NULL;
}

#endif
