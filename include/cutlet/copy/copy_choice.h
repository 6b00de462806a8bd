/**
 * The default tiled copy of a tile. Threads run along the contiguous axis of global memory, with
 * accesses of 16 bytes as far as tile and threads allow, and cp.async if it applies.
 *
 *     CT_STATIC(ct_partition, load,
 *               ct_choose_partition(16, 128, ct_tuple2(128, 64), ct_in_global(1),
 *                                   ct_in_shared(tile)));
 *     ct_copy(&load, ct_view_tile(&args.a, &load, x), ct_view_shared(memory));
 *
 * `cutlet suggest` compares thread layouts and swizzles; this function takes both as given.
 *
 * Cost:     that of ct_make_tiled_copy and ct_make_partition, each once or twice.
 * In C:     const ct_tuple tile = ct_tuple2(128, 64);
 *           const ct_memory rows = ct_in_global(1);
 *           const ct_memory shared = ct_in_shared_plain(ct_layout2(128, 64, 64, 1));
 *           const ct_tiled_copy load = ct_choose_copy(16, 128, tile, rows, shared);
 *           assert(load.atom.kind == CT_ATOM_CP_ASYNC_CG); // 8 halves a thread, 8 threads a row
 *           assert(ct_layout_equal(load.tv, ct_read("((8,16),8):((128,1),16)")));
 *           const ct_partition p = ct_choose_partition(16, 128, tile, rows, shared);
 *           assert(p.err.status == CT_OK && p.src.accesses == 8 && p.src.width == 8);
 *           // rows to columns: loads and stores, both wide
 *           const ct_partition turn = ct_choose_partition(16, 128, tile, rows, ct_in_global(0));
 *           assert(turn.permuted && turn.src.width == 8 && turn.dst.width == 8);
 */
#ifndef CUTLET_COPY_COPY_CHOICE_H
#define CUTLET_COPY_COPY_CHOICE_H

#include <cutlet/copy/copy_partition.h>

/** @internal The mode of a tile along which a side is contiguous; -1 if unknown. */
CT_FN int32_t ct_memory_mode(ct_memory m, ct_tuple tile)
{
    const int modes = ct_tuple_rank(tile);
    if (m.space != CT_SPACE_SHARED) { /* an axis is a leaf */
        int before = 0;
        for (int a = 0; a < modes && m.space == CT_SPACE_GLOBAL && m.axis >= before; ++a) {
            before += ct_get(tile, a).profile.leaves;
            if (m.axis < before) return a;
        }
        return -1;
    }
    for (int a = 0; a < modes && m.layout.layout.err.status == CT_OK; ++a) {
        const ct_layout mode = ct_mode(m.layout.layout, a);
        if (mode.shape[0] > 1 && mode.stride[0] == 1) return a;
    }
    return -1;
}

/** @internal The largest power of two up to `most` that divides n. */
CT_FN int64_t ct_values_along(int64_t n, int64_t most)
{
    int64_t v = 1;
    while (2 * v <= most && n % (2 * v) == 0) v *= 2;
    return v;
}

/** @internal Spreads `threads` over a tile of these sizes, along `lead` first, then along the
 * others, the last first. Each thread has val[a] elements along axis a. thr[a] gets the threads.
 * Returns the rest. */
CT_FN int64_t ct_spread_threads(int64_t threads, ct_tuple tile, const int64_t *val, int32_t lead,
                                int64_t *thr)
{
    const int axes = ct_tuple_rank(tile);
    for (int i = 0; i < axes; ++i) {
        const int a = i == 0 ? lead : axes - i - (axes - i <= lead ? 1 : 0);
        thr[a] = ct_gcd(threads, tile.value[a] / val[a]);
        threads /= thr[a];
    }
    return threads;
}

/** @internal The threads, or values, (n[0], n[1], ...): `lead` runs fastest, then the other axes,
 * the last first. */
CT_FN ct_layout ct_spread_layout(const int64_t *n, int axes, int32_t lead)
{
    ct_tuple shape = CT_ZERO, stride = CT_ZERO;
    int64_t at[CT_AXES] = {0};
    int64_t run = 1;
    for (int i = 0; i < axes; ++i) {
        const int a = i == 0 ? lead : axes - i - (axes - i <= lead ? 1 : 0);
        at[a] = run;
        run *= n[a];
    }
    for (int a = 0; a < axes; ++a) {
        const ct_tuple s = ct_int(n[a]), d = ct_int(at[a]);
        ct_tuple_push_next(&shape, &s);
        ct_tuple_push_next(&stride, &d);
    }
    return ct_make_layout(shape, stride);
}

/**
 * The tiled copy of a tile between two memories, for a number of threads and of bits per element.
 *
 * Threads run along the contiguous axis of global memory (of the source if both are global). Each
 * has up to 16 contiguous bytes. If the other side is contiguous along another axis, a thread has
 * equally many values along it, as far as all threads get values. The atom is cp.async from global
 * to shared memory along one axis, and ct_copy_atom_auto else.
 *
 * Ensures:  each element of the tile is copied once   [law_partition_cover]
 * Fails:    CT_E_ARGUMENT for a tile that the threads do not divide; as ct_copy_atom_auto and
 *           ct_make_tiled_copy.
 */
CT_FN ct_tiled_copy ct_choose_copy(int32_t elem_bits, int32_t threads, ct_tuple tile, ct_memory src,
                                   ct_memory dst)
{
    const ct_copy_atom any = ct_copy_atom_auto(elem_bits);
    const int axes = ct_tuple_rank(tile);
    if (any.err.status) return ct_make_tiled_copy(any, ct_layout1(1, 1), ct_layout1(1, 1));
    const ct_tuple sizes = ct_product_each(tile);
    ct_error e = ct_tile_check(tile);
    if (e.status == CT_OK) e = sizes.err;
    if (e.status) return ct_tiled_copy_fail(e);
    if (axes < 1 || threads < 1)
        return ct_tiled_copy_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_THREADS, 0, threads, 1));
    const int32_t in = ct_memory_mode(src, tile), out = ct_memory_mode(dst, tile);
    const int32_t first = src.space == CT_SPACE_GLOBAL   ? in
                          : dst.space == CT_SPACE_GLOBAL ? out
                                                         : in;
    const int32_t lead = first >= 0 ? first : in >= 0 ? in : out >= 0 ? out : axes - 1;
    const int32_t other = out >= 0 && out != lead ? out : in >= 0 && in != lead ? in : lead;
    int64_t val[CT_AXES] = {0}, thr[CT_AXES] = {0}, left = 0;
    const int64_t most = 128 / elem_bits;
    /* narrower, until all threads have values */
    for (int64_t wide = most; wide >= 1 && left != 1; wide /= 2)
        for (int64_t across = most; across >= 1 && left != 1; across /= 2) {
            for (int a = 0; a < axes; ++a) val[a] = 1;
            val[other] = ct_values_along(sizes.value[other], other == lead ? 1 : across);
            val[lead] = ct_values_along(sizes.value[lead], wide);
            left = ct_spread_threads(threads, sizes, val, lead, thr);
        }
    if (left > 1)
        return ct_tiled_copy_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_TILE_THREADS, 0, threads, left));
    const ct_layout by = ct_spread_layout(thr, axes, lead);
    const ct_layout values = ct_spread_layout(val, axes, lead);
    const int64_t bits = val[lead] * elem_bits;
    if (src.space == CT_SPACE_GLOBAL && dst.space == CT_SPACE_SHARED && in == lead &&
        other == lead && bits >= 32) {
        const ct_tiled_copy async = ct_make_tiled_copy(
            ct_copy_atom_cp_async(bits == 128 ? CT_ATOM_CP_ASYNC_CG : CT_ATOM_CP_ASYNC_CA,
                                  CT_CAST(int32_t, bits), elem_bits),
            by, values);
        if (ct_make_partition(async, tile, src, dst).err.status == CT_OK) return async;
    }
    return ct_make_tiled_copy(any, by, values);
}

/**
 * The partition of a tile by the tiled copy of ct_choose_copy.
 * Fails:    as ct_choose_copy and ct_make_partition.
 */
CT_FN ct_partition ct_choose_partition(int32_t elem_bits, int32_t threads, ct_tuple tile,
                                       ct_memory src, ct_memory dst)
{
    return ct_make_partition(ct_choose_copy(elem_bits, threads, tile, src, dst), tile, src, dst);
}

#endif
