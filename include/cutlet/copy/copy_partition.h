/**
 * The partition of a tile by a tiled copy: each thread's elements, as coordinates of the tile.
 *
 * Everything here is a compile-time constant of a kernel. A thread has a first element; its
 * accesses follow at constant coordinates from there. Each side of the copy accesses the thread's
 * values along its contiguous axis, as wide as the side allows. If the two orders differ, the copy
 * permutes the values in registers.
 *
 *     CT_STATIC(ct_partition, load,
 *               ct_make_partition(copy, ct_tuple2(128, 64), ct_in_global(1), ct_in_shared(tile)));
 *
 * A kernel multiplies the coordinates with the strides of a matrix, which it gets at launch.
 *
 * Fails:    a failed partition is the result.
 * Cost:     O(1).
 * In C:     const ct_tiled_copy tiles = ct_make_tiled_copy(
 *               ct_copy_atom_auto(16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
 *           const ct_memory shared = ct_in_shared_plain(ct_layout2(128, 64, 64, 1));
 *           ct_partition p = ct_make_partition(tiles, ct_tuple2(128, 64), ct_in_global(1), shared);
 *           assert(p.threads == 128 && p.values == 64 && p.src.accesses == 8 && p.src.width == 8);
 *           assert(ct_access_coord(&p.src, 1, 0) == 16 && ct_access_coord(&p.src, 1, 1) == 0); // 16 rows down
 *           p = ct_partition_unchecked(p); // of a matrix that the tile divides
 *           p = ct_with_in_flight(p, 32); // all 8 loads of 4 words before the first store
 *           assert(p.unchecked && p.in_flight == 32);
 *           p = ct_partition_unaligned(p); // of a matrix at any address
 *           assert(p.is_unaligned);
 *           p = ct_partition_repeated(p, 1 << 0); // of a row that repeats for all 128
 *           assert(p.alike[7] == 0);
 *           const ct_tuple odd = ct_tuple2(120, 64); // which blocks of 16 rows do not divide
 *           p = ct_make_partition(tiles, odd, ct_in_global(1), shared);
 *           assert(p.err.status == CT_E_ARGUMENT);
 */
#ifndef CUTLET_COPY_COPY_PARTITION_H
#define CUTLET_COPY_COPY_PARTITION_H

#include <cutlet/copy/register_digits.h>
#include <cutlet/copy/side_accesses.h>
#include <cutlet/copy/tile_partition.h>

/** @internal p, or its failure where it is predicated: another kind of access has no such tests. */
CT_FN ct_partition ct_not_predicated(ct_partition p)
{
    if (!p.predicated) return p;
    return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_NO_PREDICATE,
                                           0, p.atom, p.elem_bits));
}

/** p without tests: the kernel guarantees tiles that are full, contiguous and aligned as in p. */
CT_FN ct_partition ct_partition_unchecked(ct_partition p)
{
    p.unchecked = 1;
    return ct_not_predicated(p);
}

/** p with the loads of a number of registers in flight at once, as far as its blocks of values
 * allow; the default is 16. More words hide more latency and take more registers. */
CT_FN ct_partition ct_with_in_flight(ct_partition p, int32_t words)
{
    p.in_flight = words;
    return p;
}

/** p for tensors whose elements may be at any address, not only at multiples of their size. */
CT_FN ct_partition ct_partition_unaligned(ct_partition p)
{
    p.is_unaligned = 1;
    return ct_not_predicated(p);
}

/** @internal Whether access i of the source has the elements of access k, and is out of bounds past a
 *  tensor's end if that one is. */
CT_FN int ct_access_is_alike(const ct_partition *p, int i, int k)
{
    const ct_side *const s = &p->src;
    if (s->space == CT_SPACE_SHARED) return s->add[i] == s->add[k] && s->fold[i] == s->fold[k];
    for (int a = 0; a < p->axes; ++a) {
        const int32_t x = ct_access_coord(s, i, a), first = ct_access_coord(s, k, a);
        if (x < first || (x > first && (p->repeats >> a & 1) == 0)) return 0;
    }
    return 1;
}

/**
 * p for a source whose step is 0 along some axes, a bit each, such as a bias of columns, (m,n):(0,1),
 * along axis 0. A thread loads each of its elements once, and has it in registers for all that it
 * repeats for. In shared memory the layout says which these are, and in registers there are none.
 *
 * Fails:    CT_E_ARGUMENT for axes that the tile lacks, and for one along which accesses lie. The CPU
 *           grid, and ct_check_tensor, refuse a tensor with another step.
 */
CT_FN ct_partition ct_partition_repeated(ct_partition p, uint32_t axes)
{
    if (p.err.status || p.src.space == CT_SPACE_REGISTERS) return p;
    if (axes >> p.axes != 0)
        return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_RANK, 0,
                                               ct_bits_between(0, axes), p.axes));
    if (p.src.axis >= 0 && (axes >> p.src.axis & 1) != 0)
        return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_REPEATED,
                                               p.src.axis, p.elem_bits / 8, 0));
    p.repeats = CT_CAST(uint16_t, axes);
    for (int i = 0; i < p.src.accesses; ++i) {
        int k = 0;
        while (k < i && !ct_access_is_alike(&p, i, k)) ++k;
        p.alike[i] = CT_CAST(uint8_t, k);
    }
    return p;
}

/** @internal Whether the block of a tiled copy divides the tile. */
CT_FN ct_error ct_partition_check(ct_tiled_copy t, ct_tuple tile)
{
    ct_error e = t.atom.err.status ? t.atom.err : ct_tile_check(tile);
    if (e.status) return e;
    const int rank = ct_tuple_rank(tile), modes = ct_tiler_count(t.tiler);
    const int64_t threads = ct_tiled_copy_threads(t);
    if (modes > rank)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_RANK_MORE, 0, modes, rank);
    if (threads > INT32_MAX)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_THREADS, 0, threads, 0);
    if (t.atom.kind == CT_ATOM_OWN)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM_OWN, 0, 0, 0);
    for (int k = 0; k < modes; ++k) {
        const int64_t block = ct_size(ct_tile(t.tiler, k)), extent = ct_product(ct_get(tile, k));
        if (extent % block != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_SIZE_DIVIDES, k,
                                 extent, block);
    }
    return e;
}

/** @internal Whether elements of less than a byte are moved in full bytes, in one order. */
CT_FN ct_error ct_partition_check_bytes(const ct_partition *p)
{
    ct_error e = CT_ZERO;
    const int32_t least = CT_CAST(int32_t, ct_min(p->src.width, p->dst.width)) * p->elem_bits;
    if (p->elem_bits < 8 && least < 8)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS,
                          p->src.width <= p->dst.width ? 0 : 1, 8 / p->elem_bits,
                          ct_min(p->src.width, p->dst.width));
    else if (p->elem_bits < 8 && p->permuted)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_BITS_TURN, 0, p->elem_bits,
                          0);
    return e;
}

/** @internal The partition of a tile before its sides are computed. */
CT_FN ct_partition ct_partition_begin(ct_tiled_copy t, ct_tuple tile, ct_memory src, ct_memory dst)
{
    ct_partition p = CT_ZERO;
    p.atom = t.atom.kind;
    p.matrices = CT_CAST(int16_t, t.atom.matrices);
    p.elem_bits = t.atom.value_bits;
    p.threads = CT_CAST(int32_t, ct_tiled_copy_threads(t));
    p.axes = tile.profile.leaves;
    p.inner = ct_profile_inner(tile.profile);
    p.in_flight = 16;
    for (int k = 0; k < p.axes; ++k) p.tile[k] = CT_CAST(int32_t, tile.value[k]);
    p.src.space = src.space;
    p.dst.space = dst.space;
    p.src_bits = p.elem_bits;
    p.src.bytes = ct_stage_bytes(src, ct_tuple_rank(tile), p.elem_bits);
    p.dst.bytes = ct_stage_bytes(dst, ct_tuple_rank(tile), p.elem_bits);
    p.src.axis = src.axis;
    p.dst.axis = dst.axis;
    if (src.space == CT_SPACE_SHARED) ct_side_tiles(&p.src, src, tile, p.elem_bits);
    if (dst.space == CT_SPACE_SHARED) ct_side_tiles(&p.dst, dst, tile, p.elem_bits);
    return p;
}

/** @internal Splits the leaves of both sides at the ends of either's accesses; for matrix
 * instructions each side keeps its leaves. taken: the leaves of one access of src and of dst, a bit
 * each. */
CT_FN ct_error ct_partition_split(const ct_partition *p, ct_leaves_of_side *a, ct_leaves_of_side *b,
                                  ct_memory src, ct_memory dst, uint64_t *taken)
{
    const int matrix = ct_atom_is_matrix(p->atom);
    for (int again = 0; again < 2; ++again) {
        taken[0] = ct_side_take_run(a, src, src.space == CT_SPACE_REGISTERS ? 1 : p->src.width);
        if (!matrix) ct_access_leaves_match(&a->values, &b->values);
        taken[1] = ct_side_take_run(b, dst, dst.space == CT_SPACE_REGISTERS ? 1 : p->dst.width);
        if (!matrix) ct_access_leaves_match(&a->values, &b->values);
    }
    return a->values.err;
}

/** @internal The order of a side in registers: value v is element L(v), or v where L is empty. */
CT_FN ct_error ct_side_in_registers(ct_value_order *s, ct_layout L, int64_t values)
{
    const int by_layout = L.profile.leaves > 0;
    ct_error e = L.err;
    if (e.status) return e;
    if (by_layout && ct_size(L) != values)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_SIZES, 0, ct_size(L),
                             values);
    if (by_layout && !ct_is_integral(L))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_NOT_INTEGER, 0, 0, 0);
    for (int v = 0; v < values; ++v) s->number[v] = -1;
    for (int v = 0; v < values; ++v) {
        const int64_t at = by_layout ? ct_eval(L, v) : v;
        if (at < 0 || at >= values || s->number[at] >= 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_REGISTERS, 0, at,
                                 values);
        s->number[at] = CT_CAST(int16_t, v);
    }
    return e;
}

/** @internal The digits of a thread's elements in registers, in the order of the registers: value v of the leaves is
 *  element L(v), or v where L is empty. And the hash, 0 where L and the leaves have no modes in common.
 *  ct_side_in_registers has passed. */
CT_FN void ct_partition_digits(ct_partition *p, const ct_side *s, const ct_access_leaves *values,
                               ct_layout L)
{
    ct_access_leaves all = *values, places = CT_ZERO;
    ct_digits thread = CT_ZERO, value = CT_ZERO;
    CT_FOR(i, L.profile.leaves)
    {
        const ct_access_leaf l = {L.shape[i], 0, L.stride[i], 1, -1};
        if (l.shape > 1) ct_access_leaves_push(&places, l);
    }
    if (L.profile.leaves > 0) ct_access_leaves_match(&all, &places);
    if (all.err.status) return;
    for (int k = 0; k < all.count && L.profile.leaves > 0; ++k)
        all.leaf[k].number = places.leaf[k].offset;
    const int ok = ct_digits_of_leaves(&value, &all) &&
                   ct_digits_of_threads(&thread, s->digit, s->digits, p->threads);
    if (!ok) return;
    p->value = ct_digits_sorted(&value, 1);
    p->hash = ct_digits_hash(p->threads, &thread, &p->value);
}

/** @internal Which element of either side each element of the other is, of both orders. */
CT_FN void ct_partition_turns(ct_partition *p, const ct_value_order *src, const ct_value_order *dst)
{
    ct_value_order at = CT_ZERO; /* the element of the source that a value is */
    for (int k = 0; k < p->values; ++k) {
        at.number[src->number[k]] = CT_CAST(int16_t, k);
        if (src->number[k] != dst->number[k]) p->permuted = 1;
    }
    for (int k = 0; k < p->values; ++k) {
        const int from = at.number[dst->number[k]];
        p->turn[k] = CT_CAST(uint8_t, from);
        p->back[from] = CT_CAST(uint8_t, k);
    }
}

/** @internal Computes the accesses of both sides. */
CT_FN ct_error ct_partition_sides(ct_partition *p, const ct_leaves_of_side *a,
                                  const ct_leaves_of_side *b, ct_memory src, ct_memory dst,
                                  const uint64_t *taken)
{
    ct_value_order src_order = CT_ZERO, dst_order = CT_ZERO;
    const int matrix = ct_atom_is_matrix(p->atom);
    const int natural =
        matrix || src.space == CT_SPACE_REGISTERS || dst.space == CT_SPACE_REGISTERS;
    const int32_t axis = src.space == CT_SPACE_GLOBAL ? src.axis : dst.axis;
    const int64_t n_src = ct_leaves_size(&a->values, CT_ALL_LEAVES);
    const int64_t n_dst = ct_leaves_size(&b->values, CT_ALL_LEAVES);
    const ct_leaf_order os =
        ct_order_leaves(&a->values, src, taken[0], matrix ? 0 : taken[1], axis, natural);
    const ct_leaf_order od =
        ct_order_leaves(&b->values, dst, taken[1], matrix ? 0 : taken[0], axis, natural);
    p->values = CT_CAST(int32_t, dst.space == CT_SPACE_REGISTERS ? n_dst : n_src);
    ct_error e = ct_side_accesses(&p->src, &os, n_src, &src_order);
    if (e.status == CT_OK) e = ct_side_accesses(&p->dst, &od, n_dst, &dst_order);
    ct_access_reach(p->reach[0], &os, p->src.width);
    ct_access_reach(p->reach[1], &od, p->dst.width);
    if (e.status == CT_OK) e = ct_side_digits(&p->src, &a->threads);
    if (e.status == CT_OK) e = ct_side_digits(&p->dst, &b->threads);
    if (e.status) return e;
    ct_side_limit_tiles(&p->src, ct_max(p->src.width * p->elem_bits / 8, 1), 1);
    ct_side_limit_tiles(&p->dst, ct_max(p->dst.width * p->elem_bits / 8, 1), 1);
    ct_side_fold(&p->src, a, p->threads, p->elem_bits);
    ct_side_fold(&p->dst, b, p->threads, p->elem_bits);
    p->src_swizzle = ct_swizzle_of_bytes(a->swizzle, p->elem_bits);
    p->dst_swizzle = ct_swizzle_of_bytes(b->swizzle, p->elem_bits);
    if (src.space == CT_SPACE_REGISTERS)
        e = ct_side_in_registers(&src_order, src.layout.layout, p->values);
    if (dst.space == CT_SPACE_REGISTERS && e.status == CT_OK)
        e = ct_side_in_registers(&dst_order, dst.layout.layout, p->values);
    if (e.status) return e;
    if (dst.space == CT_SPACE_REGISTERS)
        ct_partition_digits(p, &p->dst, &b->values, dst.layout.layout);
    else if (src.space == CT_SPACE_REGISTERS)
        ct_partition_digits(p, &p->src, &a->values, src.layout.layout);
    if (!matrix) ct_partition_turns(p, &src_order, &dst_order);
    return e;
}

/** @internal Splits the accesses of both sides into blocks of the same `block` values, and checks
 * that a block fits in a thread's registers. */
CT_FN ct_error ct_partition_blocks(ct_partition *p, int64_t block)
{
    ct_error e = CT_ZERO;
    if (ct_atom_is_matrix(p->atom)) {
        p->blocks = p->src.accesses;
        p->src_block = p->dst_block = 1;
        return e;
    }
    e = ct_partition_check_bytes(p);
    if (e.status) return e;
    const int async = ct_atom_is_async(p->atom);
    if (async && p->permuted)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, 1,
                             p->dst.width, 1);
    if (p->src.space == CT_SPACE_REGISTERS || p->dst.space == CT_SPACE_REGISTERS) block = p->values;
    p->blocks = CT_CAST(int32_t, p->values / block);
    p->src_block = p->src.accesses / p->blocks;
    p->dst_block = p->dst.accesses / p->blocks;
    const int64_t words =
        ct_max(CT_CAST(int64_t, p->src_block) * ct_side_words(&p->src, p->elem_bits),
               CT_CAST(int64_t, p->dst_block) * ct_side_words(&p->dst, p->elem_bits));
    if (words > CT_COPY_WORDS)
        e = ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_ACCESSES, 0, words,
                          CT_COPY_WORDS);
    return e;
}

/** @internal The partition of a tile whose sides may be divided, as wide as the atom and they say. */
CT_FN ct_partition ct_partition_as_wide(ct_tiled_copy t, ct_tuple tile, ct_memory src,
                                        ct_memory dst)
{
    ct_leaves_of_side a = ct_leaves_of(t, t.atom.src_tv, tile, src);
    ct_leaves_of_side b = ct_leaves_of(t, t.atom.dst_tv, tile, dst);
    ct_error e = a.values.err.status ? a.values.err : b.values.err;
    if (e.status) return ct_partition_fail(e);
    ct_partition p = ct_partition_begin(t, tile, src, dst);
    uint64_t taken[2] = {0, 0};
    e = ct_side_width(&p.src, &a, src, t.atom, ct_leaves_size(&a.values, CT_ALL_LEAVES), 0);
    if (e.status == CT_OK)
        e = ct_side_width(&p.dst, &b, dst, t.atom, ct_leaves_size(&b.values, CT_ALL_LEAVES), 1);
    if (e.status == CT_OK) e = ct_partition_split(&p, &a, &b, src, dst, taken);
    if (e.status == CT_OK) e = ct_partition_sides(&p, &a, &b, src, dst, taken);
    if (e.status == CT_OK)
        e = ct_partition_blocks(&p, ct_leaves_size(&a.values, taken[0] | taken[1]));
    return e.status ? ct_partition_fail(e) : p;
}

/**
 * The partition of a tile by a tiled copy. tile: the extents. Each leaf is an axis. A nested mode,
 * as in ((4,2),64), is divided by one mode of the tiled copy and spans several axes of a tensor.
 * Axes are numbered in the order of the leaves.
 *
 * Ensures:  over all threads each element of the tile is held alike, once where the tiled copy meets
 *           each once [law_partition_cover]; an access's coordinates are the algebra's, and follow
 *           along the contiguous axis [law_partition_coordinates]; fold and add of shared memory
 *           give the swizzle of the whole offset [law_partition_swizzle]; other tiles of the layout
 *           lie at constant steps before the swizzle [law_partition_tiles]; both sides number the
 *           values alike [law_partition_order]; a kernel's tests are by coordinates in bounds
 *           [law_partition_bounds].
 * Fails:    CT_E_ARGUMENT when the block of the tiled copy does not divide the tile, when a layout in
 *           shared memory has fewer elements in a mode than the tile, or stages that are not one step apart, when the elements of an
 *           access do not lie side by side on a side whose width the atom gives, or when the sides
 *           have elements of less than a byte in different orders;
 *           CT_E_CAPACITY for more than CT_ACCESSES accesses or CT_VALUES values, or where the
 *           coordinates of a thread's accesses take more than 31 bits; as composition.
 * Cost:     for the compiler: O(values * leaves + threads).
 */
CT_FN ct_partition ct_make_partition(ct_tiled_copy t, ct_tuple tile, ct_memory src, ct_memory dst)
{
    ct_error e = ct_partition_check(t, tile);
    if (e.status == CT_OK) e = ct_memory_check(src, 0, t.atom.value_bits);
    if (e.status == CT_OK) e = ct_memory_check(dst, 1, t.atom.value_bits);
    if (e.status == CT_OK) e = ct_stages_check(src, ct_tuple_rank(tile), t.atom.value_bits);
    if (e.status == CT_OK) e = ct_stages_check(dst, ct_tuple_rank(tile), t.atom.value_bits);
    if (e.status) return ct_partition_fail(e);
    if (ct_atom_is_tile(t.atom.kind)) return ct_make_whole_partition(t.atom, tile, src, dst);
    const int32_t bits = t.atom.value_bits;
    ct_partition p = ct_partition_as_wide(t, tile, src, dst);
    /* wide accesses of the two sides may differ in order: then narrower ones, down to a byte */
    for (int32_t most = CT_ACCESS_BITS / bits; t.atom.kind == CT_ATOM_AUTO && bits < 8 &&
                                               most * bits > 8 && p.err.why == CT_WHY_BITS_TURN;) {
        most /= 2;
        src.most = CT_CAST(int32_t, ct_min(src.most == 0 ? most : src.most, most));
        dst.most = CT_CAST(int32_t, ct_min(dst.most == 0 ? most : dst.most, most));
        p = ct_partition_as_wide(t, tile, src, dst);
    }
    return p;
}

#endif
