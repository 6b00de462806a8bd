/**
 * Tiled MMAs as data: an atom repeated over threads, and over a tile of m, n and k.
 *
 *     CT_STATIC(ct_tiled_mma, mma,
 *               ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
 *                                 ct_make_col_major(ct_tuple3(2, 2, 1)),
 *                                 ct_tiler_of_shape(ct_tuple3(32, 32, 16))));
 */
#ifndef CUTLET_MMA_TILED_MMA_H
#define CUTLET_MMA_TILED_MMA_H

#include <cutlet/mma/mma_atom.h>
#include <cutlet/copy/tiled_copy.h>

/** @internal The failed tiled MMA that carries e; the error of a tiled MMA is atom.err. */
CT_FN ct_tiled_mma ct_tiled_mma_fail(ct_error e)
{
    ct_tiled_mma t = CT_ZERO;
    t.atom.err = e;
    return t;
}

/** @internal The elements of a mode (0 m, 1 n, 2 k) of an atom. */
CT_FN int64_t ct_mma_extent(const ct_mma_atom *a, int mode)
{
    return mode == 0 ? a->op.m : mode == 1 ? a->op.n : a->op.k;
}

/** @internal The mode of the tile (0 m, 1 n, 2 k) that is mode k of an operand: m and k for A, n
 * and k for B, m and n for C. */
CT_FN int ct_mma_mode_of(int operand, int k)
{
    if (k == 0) return operand == CT_MMA_B ? 1 : 0;
    return operand == CT_MMA_C ? 1 : 2;
}

/** @internal The elements of mode k of an operand's part of one atom; of a sparse A half of k. */
CT_FN int64_t ct_mma_operand_extent(const ct_mma_atom *a, int operand, int k)
{
    if (operand == CT_MMA_A && k == 1) return ct_mma_a_columns(a->op);
    return ct_mma_extent(a, ct_mma_mode_of(operand, k));
}

/** @internal The error of a layout that is not a bijection onto its size: of a mode of the
 * permutation or, as mode 3, of the atoms. */
CT_FN ct_error ct_mma_onto(const ct_layout *L, int mode)
{
    ct_layout inverse = CT_ZERO;
    ct_right_inverse_of(&inverse, L);
    ct_error e = inverse.err;
    if (e.status == CT_OK && ct_part_size(ct_whole(&inverse)) != ct_part_size(ct_whole(L)))
        e = ct_cover_error(L);
    if (e.status) {
        e.op = CT_OP_TILED_MMA;
        e.mode = mode;
    }
    return e;
}

/** @internal Adds to the tiler of t the tile of a mode: that of the permutation. For `_` and
 * without a permutation it is the elements that the atoms take at once, in their order. */
CT_FN ct_error ct_mma_push_tile(ct_tiled_mma *t, const ct_tiler *permutation, int mode)
{
    const int64_t at_once =
        ct_mma_extent(&t->atom, mode) * ct_part_size(ct_part_mode(ct_whole(&t->atoms), mode));
    ct_layout tile = ct_layout1(at_once, 1);
    if (mode < permutation->nesting.leaves) {
        const ct_part part = ct_tile_part(permutation, mode);
        if (!ct_tile_part_is_any(part)) tile = ct_part_layout(part);
    }
    ct_error e = tile.err;
    const int64_t size = ct_size(tile);
    if (e.status == CT_OK && size % at_once != 0)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_MMA, CT_WHY_SIZE_DIVIDES, mode, size, at_once);
    if (e.status == CT_OK) e = ct_mma_onto(&tile, mode);
    if (e.status == CT_OK && mode == 2 && t->atom.op.sparse &&
        !ct_layout_equal(ct_coalesce(tile), ct_layout1(size, 1)))
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_MMA, CT_WHY_MMA_SPARSE_K, 0, size, 0);
    ct_tiler_push(&t->tiler, &tile);
    return e;
}

/**
 * The tiled MMA of an atom, over a layout (m,n,k) of atoms that different threads carry out, and a
 * permutation. The permutation has for each of m, n and k the tile that is covered, and its order.
 *
 * A shorter layout has one atom along the modes that it lacks. `_` in the permutation, and a mode
 * that it lacks, is the tile that the atoms cover at once. A larger tile gives each thread more
 * values.
 *
 * Ensures:  over all threads, C of a tile is held once where one atom lies along k; A and B as
 *           often as atoms lie along n and m.   [law_tiled_mma]
 * Fails:    CT_E_ARGUMENT when the layout of atoms or a tile reaches an index twice or leaves one
 *           out; when a tile is not a multiple of what the atoms cover; when the tile of k of
 *           sparse atoms has another order; as ct_logical_product.
 * Cost:     that of a product and of an inverse for each mode.
 * Example:  shape(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <_,32,_>)) == (32,32,16)
 * Example:  tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <_,24,_>) == error
 * Source:   CuTe, mma_atom.hpp.
 */
CT_FN ct_tiled_mma ct_make_tiled_mma(ct_mma_atom atom, ct_layout atoms, ct_tiler permutation)
{
    ct_error e = atom.err.status ? atom.err : atoms.err.status ? atoms.err : permutation.tiles.err;
    if (e.status) return ct_tiled_mma_fail(e);
    const int rank = ct_layout_rank(atoms), tiles = ct_tiler_count(permutation);
    if (rank > 3 || tiles > 3)
        return ct_tiled_mma_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_MMA, CT_WHY_RANK, 0, 3,
                                               rank > 3 ? rank : tiles));
    ct_pad_rank(&atoms, 3);
    e = ct_mma_onto(&atoms, 3);
    if (e.status) return ct_tiled_mma_fail(e);
    ct_tiled_mma t = CT_ZERO;
    t.atom = atom;
    t.atoms = atoms;
    t.thr = ct_tiled_product(atom.thr_id, atoms);
    if (t.thr.err.status) return ct_tiled_mma_fail(t.thr.err);
    CT_FOR(mode, 3)
    {
        if (e.status == CT_OK) e = ct_mma_push_tile(&t, &permutation, mode);
    }
    return e.status ? ct_tiled_mma_fail(e) : t;
}

/**
 * The number of threads of a tiled MMA.
 * Fails:    CT_INVALID for a failed one.
 * Cost:     O(leaves).
 * Example:  size(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))) == 128
 */
CT_FN int64_t ct_tiled_mma_threads(ct_tiled_mma t) { return ct_size(t.thr); }

/**
 * The shape (m,n,k) of its tile.
 * Fails:    a failed tiled MMA gives a failed tuple with its error.
 * Cost:     O(leaves).
 * Example:  shape(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))) == (32,16,16)
 */
CT_FN ct_tuple ct_tiled_mma_shape(ct_tiled_mma t)
{
    if (t.atom.err.status) return ct_tuple_fail(t.atom.err);
    return ct_tuple3(ct_size(ct_tile(t.tiler, 0)), ct_size(ct_tile(t.tiler, 1)),
                     ct_size(ct_tile(t.tiler, 2)));
}

/** @internal Mode k of an operand's tile, and its order: of a sparse A the stored elements of k. */
CT_FN ct_layout ct_tiled_mma_order(const ct_tiled_mma *t, int operand, int k)
{
    const ct_layout tile = ct_tile(t->tiler, ct_mma_mode_of(operand, k));
    if (operand != CT_MMA_A || k == 0 || !t->atom.op.sparse) return tile;
    return ct_layout1(ct_size(tile) / 2, 1);
}

/**
 * The shape of an operand's tile, CT_MMA_A ..; of a sparse A (m,k/2).
 * Fails:    as ct_tiled_mma_shape.
 * Cost:     O(leaves).
 * In C:     const ct_mma_atom atom = ct_make_mma_atom("SM80_SPARSE_16x8x32_F32F16F16F32_TN");
 *           const ct_tiled_mma mma =
 *               ct_make_tiled_mma(atom, ct_make_col_major(ct_tuple3(2, 2, 1)), ct_tiler0());
 *           assert(ct_tuple_equal(ct_tiled_mma_tile(mma, CT_MMA_A), ct_tuple2(32, 16)));
 *           assert(ct_tuple_equal(ct_tiled_mma_tile(mma, CT_MMA_B), ct_tuple2(16, 32)));
 * Example:  partition_shape_a(tiled_mma(SM80_SPARSE_16x8x32_F32F16F16F32_TN, (2,2,1)), (128,32))
 *               == ((2,2,2),4,2)
 */
CT_FN ct_tuple ct_tiled_mma_tile(ct_tiled_mma t, int operand)
{
    const ct_tuple shape = ct_tiled_mma_shape(t);
    if (shape.err.status) return shape;
    return ct_tuple2(ct_size(ct_tiled_mma_order(&t, operand, 0)),
                     ct_size(ct_tiled_mma_order(&t, operand, 1)));
}

#endif
