/**
 * The fragments of the operands of a tiled MMA: what a thread holds of A, B and C of a tile.
 *
 * Cost:     that of ct_make_tiled_copy_mma, for the compiler.
 * In C:     const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
 *                                                      ct_layout2(2, 2, 1, 2), ct_tiler0());
 *           const ct_fragment c = ct_fragment_c(mma, ct_tuple2(64, 32)); // 128 threads
 *           assert(c.count == 16 && c.coord[0][2] == 8 && c.coord[1][1] == 1);
 *           const ct_fragment a = ct_fragment_a(mma, ct_tuple2(64, 64));
 *           assert(a.count == 64 && ct_fragment_part(a, ct_tuple2(64, 16)).count == 16); // a step along k
 *           assert(ct_fragment_b(mma, ct_tuple2(32, 64)).count == 32);
 */
#ifndef CUTLET_MMA_MMA_FRAGMENT_H
#define CUTLET_MMA_MMA_FRAGMENT_H

#include <cutlet/copy/fragment.h>
#include <cutlet/mma/mma_partition.h>

/** @internal The fragment f of one atom along k, for `parts` of them whose threads follow one another: each has sums of
 *  its own at the same places. */
CT_FN ct_fragment ct_fragment_repeated(ct_fragment f, int64_t parts)
{
    const ct_value_digit part = {f.threads, CT_CAST(int32_t, parts), CT_AXIS_NONE, 0};
    if (f.err.status) return f;
    if (!ct_digits_push(&f.thread, part))
        return ct_fragment_fail(ct_make_error(CT_E_CAPACITY, CT_OP_FRAGMENT, CT_WHY_LEAVES, 0,
                                              CT_DIGITS + 1, CT_DIGITS));
    return ct_make_fragment_of(f.threads * part.mod, &f.thread, &f.value, f.tile, f.axes);
}

/** @internal The fragment of an operand, of a tile of it: the values of each atom are in its own order. */
CT_FN ct_fragment ct_fragment_of_mma(ct_tiled_mma t, ct_tuple tile, int operand)
{
    const int32_t types[3] = {t.atom.op.a, t.atom.op.b, t.atom.op.c};
    const int32_t type = operand == CT_MMA_A ? types[0] : operand == CT_MMA_B ? types[1] : types[2];
    const int32_t bits = ct_mma_bits(type);
    const int64_t parts = ct_size(ct_mode(t.atoms, 2)), mn = ct_size(t.atoms) / parts;
    if (operand == CT_MMA_C && parts > 1 && ct_eval(ct_mode(t.atoms, 2), 1) == mn) {
        const ct_tiler order = ct_tiler2(ct_tile(t.tiler, 0), ct_tile(t.tiler, 1));
        const ct_tiled_mma one = ct_make_tiled_mma(t.atom, ct_layout_take(t.atoms, 0, 2), order);
        return ct_fragment_repeated(ct_fragment_of_mma(one, tile, operand), parts);
    }
    const ct_tiled_copy copy =
        ct_make_tiled_copy_mma(ct_copy_atom_universal((int32_t)ct_max(bits, 8), bits), t, operand);
    ct_digits thread = CT_ZERO, value = CT_ZERO;
    int32_t extent[CT_AXES] = CT_ZERO;
    ct_error e = ct_partition_check(copy, tile);
    if (e.status) return ct_fragment_fail(e);
    const ct_leaves_of_side s = ct_leaves_of(copy, copy.atom.dst_tv, tile, ct_in_registers());
    e = s.values.err.status ? s.values.err : s.threads.err;
    if (e.status) return ct_fragment_fail(e);
    if (!ct_digits_of_leaves(&thread, &s.threads) || !ct_digits_of_leaves(&value, &s.values))
        return ct_fragment_fail(ct_make_error(CT_E_CAPACITY, CT_OP_FRAGMENT, CT_WHY_LEAVES, 0,
                                              CT_DIGITS + 1, CT_DIGITS));
    for (int a = 0; a < tile.profile.leaves; ++a) extent[a] = (int32_t)tile.value[a];
    return ct_make_fragment_of((int32_t)ct_tiled_copy_threads(copy), &thread, &value, extent,
                               tile.profile.leaves);
}

/**
 * The fragments of A, tile (m,k), B, tile (n,k), and C, tile (m,n).
 *
 * Ensures:  element i of thread t lies where the tiled MMA has it. Threads of atoms along k have sums of their own of
 *           the same elements of C.   [law_fragment]
 * Fails:    CT_E_ARGUMENT if the tile is not a multiple of the tiled MMA's; CT_E_CAPACITY for more than CT_VALUES
 *           values of a thread; as ct_make_tiled_copy_mma.
 */
CT_FN ct_fragment ct_fragment_a(ct_tiled_mma t, ct_tuple tile)
{
    return ct_fragment_of_mma(t, tile, CT_MMA_A);
}
CT_FN ct_fragment ct_fragment_b(ct_tiled_mma t, ct_tuple tile)
{
    return ct_fragment_of_mma(t, tile, CT_MMA_B);
}
CT_FN ct_fragment ct_fragment_c(ct_tiled_mma t, ct_tuple tile)
{
    return ct_fragment_of_mma(t, tile, CT_MMA_C);
}

#endif
