/**
 * Tiled copies as data: an atom repeated over threads and values until it covers a tile.
 */
#ifndef CUTLET_COPY_TILED_COPY_H
#define CUTLET_COPY_TILED_COPY_H

#include <cutlet/copy/copy_atom.h>
#include <cutlet/algebra/product.h>
#include <cutlet/algebra/shape_product.h>
#include <cutlet/algebra/vector.h>

typedef struct ct_tiled_copy {
    ct_copy_atom atom;
    ct_layout tv;   /* (thread, value) -> index in the tile */
    ct_tiler tiler; /* the tile: one layout for each mode of the data */
    int32_t copies; /* threads that hold each element of an MMA's operand; otherwise 0 or 1 */
} ct_tiled_copy;

/** @internal The failed tiled copy that carries e; the error of a tiled copy is atom.err. */
CT_FN ct_tiled_copy ct_tiled_copy_fail(ct_error e)
{
    ct_tiled_copy t = CT_ZERO;
    t.atom.err = e;
    t.tv.err = e;
    t.tiler.tiles.err = e;
    return t;
}

/** @internal The error of a layout L of a tile that is not a bijection onto its size: a negative
 * stride, or the lowest place that it reaches twice or leaves out. Called only of layouts that are
 * known to be no bijection. */
CT_FN ct_error ct_cover_error(const ct_layout *L)
{
    const ct_sorted s = ct_sort_leaves(L);
    int64_t run = 1; /* the leaves before leaf i reach each place below it once, and no other */
    int i = 0;
    for (; i + 1 < s.leaves.profile.leaves && s.leaves.stride[i] == run; ++i)
        run *= s.leaves.shape[i];
    const int64_t d = s.leaves.stride[i];
    const int32_t why = d < 0     ? CT_WHY_NEGATIVE_STRIDE
                        : d < run ? CT_WHY_COVER_TWICE
                                  : CT_WHY_COVER_MISSING;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, why, 0, ct_min(d, run), 0);
}

/** @internal What keeps the atom from these numbers of threads and values. */
CT_FN ct_error ct_atom_fits(ct_copy_atom atom, int64_t threads, int64_t values)
{
    ct_error e = CT_ZERO;
    if (threads % ct_atom_threads(atom) != 0)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_THREADS, 0, threads,
                          ct_atom_threads(atom));
    else if (values % ct_atom_values(atom) != 0)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_VALUES, 0, values,
                          ct_atom_values(atom));
    return e;
}

/**
 * The tiled copy of an atom over a thread layout (m,n) -> thread and a value layout (m,n) -> value.
 * Each thread holds the values of one block; the blocks are adjacent.
 *
 * Ensures:  tv maps each (thread, value) to one element of the tile, and each element is met by
 *           exactly one of them.   [law_tiled_copy]
 * Fails:    CT_E_ARGUMENT when the thread or the value layout reaches a thread or value twice or
 *           leaves one out; when there are too few threads or values for the atom.
 * Cost:     that of a raked product, three inverses and a composition.
 * Example:  tv_layout(tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(1,1)))
 *               == ((8,16),4):((64,1),16)
 * Source:   CuTe, copy_atom.hpp; CUTLASS docs, 0t_mma_atom and 03_tensor.
 */
CT_FN ct_tiled_copy ct_make_tiled_copy(ct_copy_atom atom, ct_layout thr, ct_layout val)
{
    if (atom.err.status) return ct_tiled_copy_fail(atom.err);
    if (thr.err.status) return ct_tiled_copy_fail(thr.err);
    if (val.err.status) return ct_tiled_copy_fail(val.err);
    const int64_t threads = ct_part_size(ct_whole(&thr)), values = ct_part_size(ct_whole(&val));
    ct_layout inverse = CT_ZERO;
    for (int side = 0; side < 2; ++side) { /* 0 the threads, 1 the values: each onto [0, size) */
        const ct_layout *const L = side == 0 ? &thr : &val;
        ct_layout_clear(&inverse);
        ct_right_inverse_of(&inverse, L);
        if (inverse.err.status) return ct_tiled_copy_fail(inverse.err);
        if (ct_part_size(ct_whole(&inverse)) != ct_part_size(ct_whole(L))) {
            ct_error e = ct_cover_error(L);
            e.mode = side;
            return ct_tiled_copy_fail(e);
        }
    }
    const ct_layout mn = ct_raked_product(thr, val); /* (m,n) -> thread + threads * value */
    if (mn.err.status) return ct_tiled_copy_fail(mn.err);
    const ct_error fits = ct_atom_fits(atom, threads, values);
    if (fits.status) return ct_tiled_copy_fail(fits);
    ct_tiled_copy t = CT_ZERO;
    const ct_layout split = ct_make_col_major(ct_tuple2(threads, values));
    ct_layout_clear(&inverse);
    ct_right_inverse_of(&inverse, &mn);
    t.tv.err = inverse.err.status ? inverse.err : split.err;
    if (t.tv.err.status == CT_OK) ct_compose(&t.tv, ct_whole(&inverse), ct_whole(&split));
    if (t.tv.err.status) return ct_tiled_copy_fail(t.tv.err);
    t.atom = atom;
    t.tiler = ct_tiler_of_shape(ct_mode_sizes(&mn));
    return t;
}

/**
 * The number of threads of a tiled copy.
 * Cost:     O(leaves).
 * Example:  size(tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,4):(1,1))) == 128
 */
CT_FN int64_t ct_tiled_copy_threads(ct_tiled_copy t)
{
    return ct_part_size(ct_part_mode(ct_whole(&t.tv), 0));
}

/**
 * The shape of the tile, one integer for each mode.
 * Fails:    a failed tiled copy gives a failed tuple with its error.
 * Cost:     O(leaves).
 * In C:     const ct_tiled_copy tiles = ct_make_tiled_copy(
 *               ct_copy_atom_universal(64, 16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 4, 1, 1));
 *           assert(ct_tuple_equal(ct_tiled_copy_shape(tiles), ct_tuple2(16, 32)));
 *           assert(ct_tiled_copy_threads(tiles) == 128);
 */
CT_FN ct_tuple ct_tiled_copy_shape(ct_tiled_copy t)
{
    ct_tuple r = ct_tuple0();
    if (t.atom.err.status) return ct_tuple_fail(t.atom.err);
    CT_FOR(k, ct_tiler_count(t.tiler)) r = ct_append(r, ct_int(ct_size(ct_tile(t.tiler, k))));
    return r;
}

/** @internal Why tv is not a layout of (thread, value): it has not two modes. */
CT_FN ct_error ct_thread_value_rank(ct_layout tv, int32_t op)
{
    ct_error e = tv.err;
    if (e.status == CT_OK && ct_layout_rank(tv) != 2)
        e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_RANK, 0, 2, ct_layout_rank(tv));
    return e;
}

/**
 * The tiled copy whose threads and values access given addresses. atom_tv maps (thread, value) to
 * an address, data maps a coordinate of the tile to one.
 *
 * Fails:    CT_E_NO_LAYOUT when the data has no element at some address of atom_tv; CT_E_ARGUMENT
 *           when atom_tv is not of rank 2; as left_inverse.
 * Cost:     that of two inverses, and of some compositions for each mode of the tile.
 * Example:  tv_layout(make_cotiled_copy(copy_atom(universal32, 16), (4,2):(2,1), (2,4):(4,1)))
 *               == ((2,2),2):((2,1),4)
 * Example:  make_cotiled_copy(copy_atom(universal32, 16), (4,2):(4,1), (2,4):(4,1)) == error
 * Source:   CuTe, copy_atom.hpp.
 */
CT_FN ct_tiled_copy ct_make_cotiled_copy(ct_copy_atom atom, ct_layout atom_tv, ct_layout data)
{
    if (atom.err.status) return ct_tiled_copy_fail(atom.err);
    const ct_error rank = ct_thread_value_rank(atom_tv, CT_OP_COTILED_COPY);
    if (rank.status) return ct_tiled_copy_fail(rank);
    ct_layout inverse = CT_ZERO;
    ct_left_inverse_any(&inverse, &data);
    const ct_layout back = ct_make_layout2(inverse, ct_layout1(1, 0));
    const ct_layout tv_data = ct_composition(back, atom_tv);
    if (tv_data.err.status) return ct_tiled_copy_fail(tv_data.err);
    /* Every address must be one of the data's; the data continues past its size. */
    const ct_layout again = ct_coalesce(ct_composition(data, tv_data));
    if (!ct_layout_equal(again, ct_coalesce(atom_tv)) || ct_cosize(tv_data) > ct_size(data))
        return ct_tiled_copy_fail(ct_make_error(CT_E_NO_LAYOUT, CT_OP_COTILED_COPY,
                                                CT_WHY_COVER_MISSING, 0, ct_cosize(atom_tv),
                                                ct_cosize(data)));
    const ct_error fits =
        ct_atom_fits(atom, ct_size(ct_mode(atom_tv, 0)), ct_size(ct_mode(atom_tv, 1)));
    if (fits.status) return ct_tiled_copy_fail(fits);
    const ct_tuple shape = ct_product_each(ct_shape(data));
    ct_tiler tiler = ct_tiler0();
    CT_FOR(k, ct_tuple_rank(shape))
    { /* mode k of the tile: the accessed coordinates along mode k */
        ct_tuple only_k = shape;
        CT_FOR(i, ct_tuple_rank(shape)) only_k.value[i] = i == k;
        const ct_layout tile = ct_composition(ct_make_layout(shape, only_k), tv_data);
        tiler = ct_tiler_append(tiler, ct_filter(tile));
    }
    const ct_layout tile_to_data = ct_composition_by(ct_make_col_major(shape), tiler);
    ct_tiled_copy t = CT_ZERO;
    t.atom = atom;
    t.tiler = tiler;
    t.tv = ct_composition(ct_left_inverse(tile_to_data), tv_data);
    return t.tv.err.status ? ct_tiled_copy_fail(t.tv.err) : t;
}

/**
 * The tiled copy of an atom by which one thread moves a tile of any shape: a bulk copy row by row,
 * a tensor map at once.
 * Fails:    as ct_make_tiled_copy, for an atom of several threads or values.
 * Cost:     that of ct_make_tiled_copy.
 * In C:     const ct_memory shared = ct_in_shared_plain(ct_layout2(64, 32, 32, 1));
 *           const ct_tuple tile = ct_tuple2(64, 32);
 *           ct_tiled_copy load = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16));
 *           ct_partition p = ct_make_partition(load, tile, ct_in_global(1), shared);
 *           assert(p.threads == 1 && p.src.accesses == 1);
 *           load = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16));
 *           p = ct_make_partition(load, tile, ct_in_global(1), shared);
 *           assert(p.threads == 1 && p.src.accesses == 64 && p.src.width == 32); // rows
 */
CT_FN ct_tiled_copy ct_make_bulk_copy(ct_copy_atom atom)
{
    return ct_make_tiled_copy(atom, ct_layout1(1, 0), ct_layout1(1, 0));
}

/**
 * The tiled copy of an atom by a layout (thread, value) -> index in a tile of a shape. Tiled MMAs
 * use it for operands, whose elements several threads may hold.
 * Fails:    CT_E_ARGUMENT when there are too few threads or values for the atom, or tv is not of
 *           rank 2; CT_E_DOMAIN when tv reaches past the tile; CT_E_OVERFLOW.
 * Cost:     O(leaves).
 * In C:     const ct_copy_atom atom = ct_copy_atom_universal(32, 16);
 *           const ct_layout twice = ct_layout2(8, 4, 4, 1); // 8 threads of 4 values, in a row
 *           const ct_tiled_copy tiles = ct_make_tiled_copy_tv(atom, twice, ct_tuple2(4, 8));
 *           assert(ct_tiled_copy_threads(tiles) == 8);
 *           const ct_tiled_copy past = ct_make_tiled_copy_tv(atom, twice, ct_tuple2(4, 7));
 *           assert(past.atom.err.status == CT_E_DOMAIN);
 */
CT_FN ct_tiled_copy ct_make_tiled_copy_tv(ct_copy_atom atom, ct_layout tv, ct_tuple tile)
{
    if (atom.err.status) return ct_tiled_copy_fail(atom.err);
    const ct_error rank = ct_thread_value_rank(tv, CT_OP_TILED_COPY);
    if (rank.status) return ct_tiled_copy_fail(rank);
    ct_tiled_copy t = CT_ZERO;
    t.atom = atom;
    t.tv = tv;
    t.tiler = ct_tiler_of_shape(tile);
    if (t.tiler.tiles.err.status) return ct_tiled_copy_fail(t.tiler.tiles.err);
    int64_t size = 1;
    int ok = 1;
    CT_FOR(i, tile.profile.leaves) size = ct_mul(size, tile.value[i], &ok);
    if (!ok)
        return ct_tiled_copy_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_TILED_COPY, CT_WHY_OVERFLOW, 0, 0, 0));
    const ct_error fits = ct_atom_fits(atom, ct_size(ct_mode(tv, 0)), ct_size(ct_mode(tv, 1)));
    if (fits.status) return ct_tiled_copy_fail(fits);
    if (ct_lowest(tv) < 0 || ct_cosize(tv) > size)
        return ct_tiled_copy_fail(ct_make_error(CT_E_DOMAIN, CT_OP_TILED_COPY, CT_WHY_INDEX, 0,
                                                ct_max(ct_cosize(tv), 1) - 1, size));
    return t;
}

#endif
