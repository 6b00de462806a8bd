/**
 * The partition of a tile that one thread moves by a copy engine, at once or row by row.
 */
#ifndef CUTLET_COPY_TILE_PARTITION_H
#define CUTLET_COPY_TILE_PARTITION_H

#include <cutlet/copy/copy_atom.h>
#include <cutlet/copy/shared_tiles.h>
#include <cutlet/copy/side_accesses.h>

/** @internal Whether a tile in shared memory has the order of a tensor map's box: the contiguous
 * axis first, the others in order, without gaps. */
CT_FN int ct_is_box(ct_layout L, ct_tuple tile, int32_t axis)
{
    int64_t run = 1;
    int ok = 1;
    if (axis < 0 || axis >= ct_tuple_rank(tile)) return 0;
    for (int d = 0; d < ct_tuple_rank(tile); ++d) {
        const int k = d == 0 ? axis : d <= axis ? d - 1 : d;
        const ct_layout mode = ct_coalesce(ct_mode(L, k));
        if (tile.value[k] > 1 && (mode.profile.leaves != 1 || mode.stride[0] != run)) return 0;
        run = ct_mul(run, tile.value[k], &ok);
    }
    return ok;
}

/** @internal The partition of a tile that one thread moves. Rows along the contiguous axis are the
 * accesses of bulk copies; a tile copy is one access. See ct_make_bulk_copy. */
CT_FN ct_partition ct_make_whole_partition(ct_copy_atom atom, ct_tuple tile, ct_memory src,
                                           ct_memory dst)
{
    ct_partition p = CT_ZERO;
    p.err = atom.err.status ? atom.err : ct_tile_check(tile);
    if (p.err.status == CT_OK) p.err = ct_memory_check(src, 0, atom.value_bits);
    if (p.err.status == CT_OK) p.err = ct_memory_check(dst, 1, atom.value_bits);
    if (p.err.status) return ct_partition_fail(p.err);
    const ct_memory global = src.space == CT_SPACE_GLOBAL ? src : dst;
    const ct_memory shared = src.space == CT_SPACE_GLOBAL ? dst : src;
    const int bulk = ct_atom_is_bulk(atom.kind);
    const int load = atom.kind == CT_ATOM_BULK_LOAD || atom.kind == CT_ATOM_TMA_LOAD;
    p.atom = atom.kind;
    p.elem = CT_CAST(int16_t, atom.elem);
    p.elem_bits = p.src_bits = atom.value_bits;
    p.threads = p.values = p.blocks = p.src_block = p.dst_block = 1;
    p.axes = ct_tuple_rank(tile);
    p.src_swizzle = p.dst_swizzle = ct_swizzle_none();
    for (int k = 0; k < p.axes; ++k) p.tile[k] = CT_CAST(int32_t, tile.value[k]);
    if (src.space != (load ? CT_SPACE_GLOBAL : CT_SPACE_SHARED) ||
        dst.space != (load ? CT_SPACE_SHARED : CT_SPACE_GLOBAL) || global.axis < 0 ||
        global.axis >= p.axes)
        return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM,
                                               atom.kind, atom.bits, atom.value_bits));
    ct_side *const g = load ? &p.src : &p.dst, *const s = load ? &p.dst : &p.src;
    g->space = CT_SPACE_GLOBAL;
    s->space = CT_SPACE_SHARED;
    g->axis = global.axis;
    s->axis = -1;
    g->accesses = s->accesses = 1;
    g->width = s->width = p.tile[global.axis];
    /* the layout of a tile copy may omit trailing axes, which count matrices */
    const int has_all = bulk || ct_layout_rank(shared.layout.layout) >= p.axes;
    const ct_layout L = has_all ? ct_first_tile(shared, tile) : shared.layout.layout;
    if (L.err.status) return ct_partition_fail(L.err);
    if (has_all) ct_side_tiles(s, shared, tile, p.elem_bits);
    s->bytes = ct_stage_bytes(shared, p.axes, p.elem_bits);
    s->separate = 1;
    *(load ? &p.dst_swizzle : &p.src_swizzle) =
        ct_swizzle_of_bytes(shared.layout.swizzle, p.elem_bits);
    const ct_swizzle sw = load ? p.dst_swizzle : p.src_swizzle;
    if (bulk) ct_side_limit_tiles(s, 16, 1);
    else
        ct_side_limit_tiles(s, ct_max(sw.bits > 0 ? ct_swizzle_period(sw) : 1, 128),
                            has_all && ct_is_box(L, tile, global.axis));
    if (!bulk) return p;
    const ct_layout row = ct_coalesce(ct_mode(L, global.axis));
    const int64_t bytes = CT_CAST(int64_t, g->width) * p.elem_bits / 8;
    if (shared.layout.swizzle.bits != 0 || row.profile.leaves != 1 || row.stride[0] != 1 ||
        bytes % 16 != 0)
        return ct_partition_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, load ? 1 : 0,
                          16 * 8 / p.elem_bits, row.stride[0] == 1 ? g->width : 1));
    int64_t rows = 1, low[CT_AXES] = CT_ZERO, high[CT_AXES] = CT_ZERO;
    for (int k = 0; k < p.axes; ++k) {
        const int32_t along = k == global.axis ? 1 : p.tile[k];
        rows *= along;
        if (rows > CT_ACCESSES)
            return ct_partition_fail(ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY,
                                                   CT_WHY_ACCESSES, 0, rows, CT_ACCESSES));
        high[k] = along - 1;
    }
    ct_side_give_bits(g, low, high);
    g->accesses = s->accesses = CT_CAST(int32_t, rows);
    for (int64_t i = 0; i < rows; ++i) {
        int64_t rest = i, offset = ct_memory_first(shared);
        for (int k = 0; k < p.axes; ++k) {
            if (k == global.axis) continue;
            g->coord[i] |= ct_access_coord_bits(g, k, rest % p.tile[k]);
            offset += ct_eval(ct_mode(L, k), rest % p.tile[k]);
            rest /= p.tile[k];
        }
        s->add[i] = CT_CAST(int32_t, offset * p.elem_bits / 8);
        if (s->add[i] % 16 != 0)
            return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY,
                                                   CT_WHY_ALIGNMENT, load ? 1 : 0, offset,
                                                   16 * 8 / p.elem_bits));
    }
    return p;
}

#endif
