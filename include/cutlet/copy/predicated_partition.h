/**
 * The partition of a tile whose accesses are all tested by their coordinates. The tile may begin
 * before its tensor and end after it, as a halo does. It need not be a multiple of the tiled copy.
 *
 * Fails:    a failed partition is the result.
 * Cost:     that of ct_make_partition.
 * In C:     const ct_tiled_copy copy = ct_make_tiled_copy(
 *               ct_copy_atom_auto(32), ct_layout2(8, 32, 32, 1), ct_layout2(1, 1, 1, 1));
 *           const ct_memory rows = ct_in_shared_plain(ct_layout2(34, 66, 68, 1));
 *           const ct_tuple halo = ct_tuple2(34, 66); // a tile of 32 x 64 and its neighbours
 *           ct_partition p = ct_make_partition(copy, halo, ct_in_global(1), rows);
 *           assert(p.err.status == CT_E_ARGUMENT); // 8 does not divide 34
 *           p = ct_make_predicated_partition(copy, halo, ct_in_global(1), rows);
 *           assert(p.err.status == CT_OK && p.tile[0] == 34 && p.src.accesses == 5 * 3);
 */
#ifndef CUTLET_COPY_PREDICATED_PARTITION_H
#define CUTLET_COPY_PREDICATED_PARTITION_H

#include <cutlet/copy/copy_partition.h>

/** @internal The least tile of whole blocks of a tiled copy that holds a tile. */
CT_FN ct_tuple ct_tile_covered(ct_tiled_copy t, ct_tuple tile)
{
    CT_FOR(a, tile.profile.leaves)
    {
        const int flat = ct_tuple_rank(tile) == tile.profile.leaves; /* one axis for each mode */
        if (!flat || a >= ct_tiler_count(t.tiler)) continue;
        const int64_t block = ct_size(ct_tile(t.tiler, a));
        tile.value[a] = ct_ceil_div_int(tile.value[a], block) * block;
    }
    return tile;
}

/** @internal Shared memory with a layout continued to the size of a tile: the last leaf of a mode
 *  that is too short is made longer. No access is made there. */
CT_FN ct_memory ct_memory_covered(ct_memory m, ct_tuple covered)
{
    int last = -1;
    for (int k = 0; m.space == CT_SPACE_SHARED && k < ct_tuple_rank(covered); ++k) {
        const ct_layout mode = ct_mode(m.layout.layout, k);
        const int64_t has = ct_size(mode), needs = ct_product(ct_get(covered, k));
        last += mode.profile.leaves;
        const int64_t below = has / m.layout.layout.shape[last];
        if (has < needs) m.layout.layout.shape[last] = ct_ceil_div_int(needs, below);
    }
    return m;
}

/** @internal The error if an access of a side may be partly in the tile, and partly past it:
 *  the first elements of accesses are multiples of a step, whose last one in the tile is asked. */
CT_FN ct_error ct_side_past_refusal(const ct_partition *p, int side, const ct_tuple *tile)
{
    const ct_error none = CT_ZERO;
    const ct_side *const s = side == 0 ? &p->src : &p->dst;
    for (int a = 0; a < tile->profile.leaves && s->space != CT_SPACE_REGISTERS; ++a) {
        int64_t step = 0;
        if ((p->over >> a & 1) == 0 || p->reach[side][a] == 0) continue;
        for (int d = 0; d < s->digits; ++d)
            if (s->digit[d].axis == a) step = ct_gcd(step, s->digit[d].step);
        for (int i = 0; i < s->accesses; ++i) step = ct_gcd(step, ct_access_coord(s, i, a));
        const int64_t last = step == 0 ? 0 : (tile->value[a] - 1) / step * step;
        if (last + p->reach[side][a] >= tile->value[a] || p->reach[side][a] == 255)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ACCESS_PAST, a,
                                 tile->value[a], p->reach[side][a] + 1);
    }
    return none;
}

/** @internal Why a copy tests no access by coordinates; CT_OK if it does. */
CT_FN ct_error ct_predicate_refusal(const ct_partition *p)
{
    const ct_error none = CT_ZERO;
    if (!ct_atom_is_matrix(p->atom) && !ct_atom_is_tile(p->atom) && p->elem_bits >= 8 &&
        !p->unchecked && !p->is_unaligned)
        return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_NO_PREDICATE, 0, p->atom,
                         p->elem_bits);
}

/** @internal The predicated partition with the widths that the sides give. */
CT_FN ct_partition ct_predicated_as_wide(ct_tiled_copy t, ct_tuple tile, ct_memory src,
                                         ct_memory dst)
{
    const ct_tuple covered = ct_tile_covered(t, tile);
    ct_partition p = ct_make_partition(t, covered, ct_memory_covered(src, covered),
                                       ct_memory_covered(dst, covered));
    ct_error e = p.err.status ? p.err : ct_predicate_refusal(&p);
    if (e.status) return ct_partition_fail(e);
    CT_FOR(a, p.axes)
    {
        if (covered.value[a] == tile.value[a]) continue;
        p.over = CT_CAST(uint8_t, p.over | 1 << a);
        p.tile[a] = CT_CAST(int32_t, tile.value[a]);
        p.src.tiles[a] = p.dst.tiles[a] = 1;
        p.src.next[a] = p.dst.next[a] = 0;
    }
    e = ct_side_past_refusal(&p, 0, &tile);
    if (e.status == CT_OK) e = ct_side_past_refusal(&p, 1, &tile);
    if (e.status) return ct_partition_fail(e);
    p.src.bytes = ct_stage_bytes(src, ct_tuple_rank(tile), p.elem_bits);
    p.dst.bytes = ct_stage_bytes(dst, ct_tuple_rank(tile), p.elem_bits);
    p.predicated = 1;
    return p;
}

/**
 * The partition of a tile that may begin and end outside of its tensors, with extents of any size.
 * What lies outside of the tensor or of the tile is not read, and not written: a destination gets
 * zeros for what a source lacks. An atom of several elements moves them one by one where a tile
 * does not begin and end at a multiple of its access; ct_copy_atom_auto and a side that
 * ct_with_most narrows to one element never do. A load by a tensor map is of the map's own bounds:
 * ct_make_partition makes it.
 *
 * Ensures:  dst(y + c) = src(x + c) for each c of the tile with y + c in dst, 0 where x + c is not in
 *           src, and no other byte is read or written   [test_halos]
 * Fails:    CT_E_ARGUMENT for ldmatrix, stmatrix and bulk copies, for elements of less than a byte,
 *           and where an access that the atom fixes would be partly in the tile; as
 *           ct_make_partition, whose tile of nested modes must be a multiple of the tiled copy. ptxas
 *           fails where nvcc does not know the partition, as in views that are variables: name it in
 *           the copy, ct_copy(&P, src, dst).
 * Cost:     for the compiler: that of ct_make_partition. In a kernel, for each access, one
 *           subtraction and comparison for each axis; narrow accesses where 66 floats are no
 *           multiple of four.
 */
CT_FN ct_partition ct_make_predicated_partition(ct_tiled_copy t, ct_tuple tile, ct_memory src,
                                                ct_memory dst)
{
    ct_error e = t.atom.err.status ? t.atom.err : ct_tile_check(tile);
    for (int side = 0; side < 2 && e.status == CT_OK; ++side) { /* what is continued below */
        const ct_memory m = side == 0 ? src : dst;
        e = ct_memory_check(m, side, t.atom.value_bits);
        if (e.status == CT_OK && m.space == CT_SPACE_SHARED) e = ct_first_tile(m, tile).err;
    }
    if (e.status) return ct_partition_fail(e);
    ct_partition p = ct_predicated_as_wide(t, tile, src, dst);
    for (int32_t most = CT_ACCESS_BITS / t.atom.value_bits;
         t.atom.kind == CT_ATOM_AUTO && most > 1 && p.err.why == CT_WHY_ACCESS_PAST;) {
        most /= 2;
        src.most = CT_CAST(int32_t, ct_min(src.most == 0 ? most : src.most, most));
        dst.most = CT_CAST(int32_t, ct_min(dst.most == 0 ? most : dst.most, most));
        p = ct_predicated_as_wide(t, tile, src, dst);
    }
    return p;
}

#endif
