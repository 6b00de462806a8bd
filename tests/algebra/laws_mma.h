/**
 * Laws of MMA atoms, tiled MMAs and their partitions. Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_MMA_H
#define CUTLET_TESTS_LAWS_MMA_H

/** L reaches each of the n places from 0 on, `times` each, and no other. */
LAW_FN const char *law_covers(const char *claim, ct_layout L, int64_t n, int64_t times)
{
    const char *bad = law_result(L);
    if (bad || L.err.status) return bad ? bad : law_error(L.err);
    const int64_t size = oracle_size(L);
    if (size != n * times) return law_broken("as many places as the tile has", 0, size, n * times);
    for (int64_t first = 0; first < n; first += ORACLE_MAX) {
        int32_t met[ORACLE_MAX] = {0};
        for (int64_t i = 0; i < size; ++i) {
            const int64_t at = oracle_eval(L, i);
            if (at < 0 || at >= n) return law_broken("within the tile", i, at, n);
            if (at >= first && at < first + ORACLE_MAX) met[at - first]++;
        }
        for (int64_t at = first; at < n && at < first + ORACLE_MAX; ++at) {
            if (met[at - first] != times) return law_broken(claim, at, met[at - first], times);
        }
    }
    return NULL;
}

/** The elements of an operand's tile of an atom. */
LAW_FN int64_t law_mma_elements(ct_mma_op op, int operand)
{
    if (operand == CT_MMA_A && op.sparse) return (int64_t)op.m * op.k / 2;
    return operand == CT_MMA_A   ? (int64_t)op.m * op.k
           : operand == CT_MMA_B ? (int64_t)op.n * op.k
                                 : (int64_t)op.m * op.n;
}

/** The metadata of a sparse atom: the threads that a selector names give each bit of each row once,
 *  and no other thread is named. */
LAW_FN const char *law_mma_metadata(ct_mma_atom a)
{
    const ct_layout e = ct_mma_tv(a, CT_MMA_E);
    const int64_t threads = oracle_size(a.thr_id), bits = oracle_size(e) / threads;
    const int64_t row = a.op.a == CT_MMA_TF32                 ? 2 * a.op.k
                        : ct_mma_bits_held(a.op, a.op.a) == 4 ? a.op.k / 2
                                                              : a.op.k;
    if (a.op.kind == CT_MMA_BLOCK) return law_covers("each bit is named once", e, a.op.m * row, 1);
    if (bits != 32) return law_broken("a register of each thread", 0, bits, 32);
    if (a.op.m * row > ORACLE_MAX) return law_broken("bits that can be counted", 0, row, 64);
    for (int32_t s = 0; s < ct_mma_selectors(a.op); ++s) {
        int32_t met[ORACLE_MAX] = {0};
        for (int64_t i = 0; i < threads * bits; ++i) {
            if (!ct_mma_reads_e(a.op, (int32_t)(i % threads), s)) continue;
            const int64_t at = oracle_eval(e, i);
            if (at < 0 || at >= a.op.m * row) return law_broken("a bit of a row", i, at, row);
            met[at]++;
        }
        for (int64_t at = 0; at < a.op.m * row; ++at) {
            if (met[at] != 1) return law_broken("each bit is given once", at, met[at], 1);
        }
    }
    return law_covers("each bit, once a selector", e, a.op.m * row, ct_mma_copies(a.op, CT_MMA_E));
}

/** tmem_layout_c, tmem_scale_a and _b: no two elements lie at one (x@0, y@1, z@2, w@3), and all
 *  within the limits. */
LAW_FN const char *law_mma_tensor_memory(ct_layout L, const int64_t limit[4], unsigned char *taken)
{
    const char *bad = law_result(L);
    if (bad || L.err.status) return bad ? bad : law_error(L.err);
    const int64_t places = limit[0] * limit[1] * limit[2] * limit[3], size = oracle_size(L);
    for (int64_t i = 0; i < places; ++i) taken[i] = 0;
    for (int64_t i = 0; i < size; ++i) {
        int64_t rest = i, at[4] = {0, 0, 0, 0}, place = 0;
        for (int leaf = 0; leaf < L.profile.leaves; ++leaf) {
            const int64_t digit = rest % L.shape[leaf];
            rest /= L.shape[leaf];
            if (L.stride[leaf] == 0) continue;
            if (L.basis[leaf] < 1 || L.basis[leaf] > 4)
                return law_broken("a step of a coordinate", leaf, L.basis[leaf], 4);
            at[L.basis[leaf] - 1] += digit * L.stride[leaf];
        }
        for (int k = 3; k >= 0; --k) {
            if (at[k] < 0 || at[k] >= limit[k])
                return law_broken("within memory", i, at[k], limit[k]);
            place = place * limit[k] + at[k];
        }
        if (taken[place]++) return law_broken("a place of its own", i, place, places);
    }
    return NULL;
}

/** mma_atom: A, B and C cover their tiles as often as the instruction's data says, and the metadata
 *  of a sparse one its bits. */
LAW_FN const char *law_mma_atom(ct_mma_atom a)
{
    if (a.err.status) return law_error(a.err);
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        const ct_layout tv = ct_mma_tv(a, operand);
        if (ct_layout_rank(tv) != 2)
            return law_broken("(thread, value)", operand, ct_layout_rank(tv), 2);
        if (oracle_size(ct_mode(tv, 0)) != oracle_size(a.thr_id))
            return law_broken("a thread for each of the instruction", operand,
                              oracle_size(ct_mode(tv, 0)), oracle_size(a.thr_id));
        const char *bad = law_covers("each element is held so often", tv,
                                     law_mma_elements(a.op, operand), ct_mma_copies(a.op, operand));
        if (bad) return bad;
    }
    return a.op.sparse ? law_mma_metadata(a) : NULL;
}

/** How often a tiled MMA holds an element of an operand: once for each atom along the mode that the
 *  operand lacks, and by this many threads of the atom. */
LAW_FN int64_t law_mma_times(const ct_tiled_mma *t, int operand)
{
    const int lacks = operand == CT_MMA_A ? 1 : operand == CT_MMA_B ? 0 : 2;
    return oracle_size(ct_mode(t->atoms, lacks)) * ct_mma_copies(t->atom.op, operand);
}

/** A thread's part of an operand. */
LAW_FN ct_tensor law_mma_part(const ct_tiled_mma *t, ct_tensor data, int64_t thread, int operand)
{
    return operand == CT_MMA_A   ? ct_partition_a(*t, data, thread)
           : operand == CT_MMA_B ? ct_partition_b(*t, data, thread)
                                 : ct_partition_c(*t, data, thread);
}

/** partition_a, _b and _c of a tensor that the tile divides: over all threads each element is met
 *  so often, and in the order of the thread-value layout where the tensor is one tile. */
LAW_FN const char *law_mma_partition(ct_tiled_mma t, ct_tuple shape, int operand)
{
    const ct_tensor data = ct_make_tensor(ct_make_col_major(shape));
    const int64_t n = oracle_size(data.layout), threads = oracle_size(t.thr);
    const ct_layout tv = ct_tiled_mma_tv(t, operand);
    const int is_tile =
        ct_tuple_equal(shape, ct_tiled_mma_tile(t, operand)) && tv.err.status == CT_OK;
    const int64_t all = is_tile ? oracle_size(ct_mode(tv, 0)) : 1;
    const int64_t with_tv = threads / (operand == CT_MMA_C ? oracle_size(ct_mode(t.atoms, 2)) : 1);
    int32_t met[ORACLE_MAX] = {0};
    if (n > ORACLE_MAX) return NULL;
    for (int64_t i = 0; i < threads; ++i) {
        const int64_t thread = oracle_eval(t.thr, i);
        const ct_tensor mine = law_mma_part(&t, data, thread, operand);
        if (mine.layout.err.status)
            return law_broken("a tensor of whole tiles can be partitioned", thread,
                              mine.layout.err.status, CT_OK);
        if (!ct_tuple_equal(ct_shape(mine.layout), ct_mma_fragment_shape(t, shape, operand)))
            return law_broken("each part has the shape of the fragment", thread, 0, 1);
        for (int64_t v = 0; v < oracle_size(mine.layout); ++v) {
            const int64_t e = oracle_tensor(&mine, v);
            if (e < 0 || e >= n) return law_broken("the element is one of the tensor", v, e, n);
            met[e]++;
            if (is_tile && i < with_tv && e != oracle_eval(tv, thread + all * v))
                return law_broken("in the order of the thread-value layout", v, e,
                                  oracle_eval(tv, thread + all * v));
        }
    }
    for (int64_t e = 0; e < n; ++e) {
        if (met[e] != law_mma_times(&t, operand))
            return law_broken("each element is held so often", e, met[e],
                              law_mma_times(&t, operand));
    }
    return NULL;
}

/** tiled_mma: its threads are told apart; over them each operand's tile is covered. */
LAW_FN const char *law_tiled_mma(ct_tiled_mma t)
{
    if (t.atom.err.status) return law_error(t.atom.err);
    const char *bad = law_result(t.thr);
    if (bad) return bad;
    const int64_t threads = oracle_size(t.thr);
    if (threads != oracle_size(t.atom.thr_id) * oracle_size(t.atoms))
        return law_broken("the threads of each atom", 0, threads, oracle_size(t.atoms));
    for (int64_t i = 0; i < threads; ++i) {
        for (int64_t k = 0; k < i; ++k) {
            if (oracle_eval(t.thr, i) == oracle_eval(t.thr, k))
                return law_broken("each thread has one place", i, k, i);
        }
    }
    for (int operand = CT_MMA_A; operand <= CT_MMA_C && !bad; ++operand)
        bad = law_mma_partition(t, ct_tiled_mma_tile(t, operand), operand);
    return bad;
}

/** tiled_copy_a, _b and _c: each element of the tile is held by as many threads as `copies` says. */
LAW_FN const char *law_mma_copy(const ct_tiled_copy *c)
{
    const int64_t n = ct_product(ct_tiled_copy_shape(*c)), threads = oracle_size(ct_mode(c->tv, 0));
    int32_t met[ORACLE_MAX] = {0}, last[ORACLE_MAX] = {0};
    if (n > ORACLE_MAX) return NULL;
    for (int64_t thread = 0; thread < threads; ++thread) {
        for (int64_t v = 0; v < oracle_size(ct_mode(c->tv, 1)); ++v) {
            const int64_t e = oracle_eval(c->tv, thread + threads * v);
            if (e < 0 || e >= n || last[e] == thread + 1)
                return law_broken("one of the tile, once", thread, e, n);
            met[e]++;
            last[e] = (int32_t)thread + 1;
        }
    }
    for (int64_t e = 0; e < n; ++e) {
        if (met[e] != c->copies) return law_broken("by this many threads", e, met[e], c->copies);
    }
    return NULL;
}

/** tiled_copy_a, _b and _c: the copy's destination, seen through retile, is the fragment of the
 *  tiled MMA, element by element. */
LAW_FN const char *law_mma_retile(ct_copy_atom atom, ct_tiled_mma t, ct_tuple shape, int operand)
{
    const ct_tiled_copy copy = ct_make_tiled_copy_mma(atom, t, operand);
    if (copy.atom.err.status) return law_error(copy.atom.err);
    const char *const bad = law_mma_copy(&copy);
    if (bad) return bad;
    const ct_tensor data = ct_make_tensor(ct_make_col_major(shape));
    const ct_layout fragment = ct_make_col_major(ct_mma_fragment_shape(t, shape, operand));
    const ct_layout seen = ct_retile(copy, fragment);
    if (seen.err.status)
        return law_broken("the fragment can be retiled", 0, seen.err.status, CT_OK);
    for (int64_t i = 0; i < oracle_size(t.thr); ++i) {
        const int64_t thread = oracle_eval(t.thr, i);
        const ct_tensor moved = ct_partition_dst(copy, data, thread);
        const ct_tensor held = law_mma_part(&t, data, thread, operand);
        if (moved.layout.err.status || held.layout.err.status)
            return law_broken("both can be partitioned", thread, moved.layout.err.status, CT_OK);
        const int64_t n = oracle_size(held.layout);
        if (oracle_size(moved.layout) != n || oracle_size(seen) != n)
            return law_broken("as many elements", thread, oracle_size(moved.layout), n);
        for (int64_t v = 0; v < n; ++v) {
            const int64_t at = oracle_eval(seen, v); /* the register that the copy writes */
            if (at < 0 || at >= n) return law_broken("a register of the fragment", v, at, n);
            if (oracle_tensor(&moved, v) != oracle_tensor(&held, at))
                return law_broken("the register holds the element of the MMA", v,
                                  oracle_tensor(&moved, v), oracle_tensor(&held, at));
        }
    }
    return NULL;
}

#endif
