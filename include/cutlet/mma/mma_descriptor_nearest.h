/**
 * A canonical layout for an operand in shared memory whose layout is not canonical.
 */
#ifndef CUTLET_MMA_MMA_DESCRIPTOR_NEAREST_H
#define CUTLET_MMA_MMA_DESCRIPTOR_NEAREST_H

#include <cutlet/mma/mma_descriptor.h>
#include <cutlet/algebra/product.h>

/** @internal The major mode of a tile: the one with the smaller of the strides that are not 0. */
CT_FN int32_t ct_mma_nearest_major(ct_layout L)
{
    const int first = ct_profile_mode_span(L.profile, 0).count;
    int64_t least[2] = {INT64_MAX, INT64_MAX};
    if (L.err.status) return CT_MMA_K_MAJOR;
    CT_FOR(i, L.profile.leaves)
    {
        const int64_t step = ct_abs(L.stride[i]);
        if (L.shape[i] > 1 && step > 0) least[i >= first] = ct_min(least[i >= first], step);
    }
    return least[0] < least[1] ? CT_MMA_MN_MAJOR : CT_MMA_K_MAJOR;
}

/**
 * The canonical layout nearest to a tile: the same sizes, offset 0, and the same major mode if the
 * instruction takes it. It has the widest swizzle whose lines divide that mode and divide, or are
 * divided by, an instruction's part.
 *
 * Ensures:  ct_make_mma_descriptor accepts it.   [law_mma_descriptor]
 * Fails:    as ct_make_mma_descriptor for the operand and the sizes; CT_E_NO_LAYOUT when the lines
 *           of no swizzle fit.
 * Cost:     O(leaves^2).
 * In C:     const ct_mma_atom atom = ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS");
 *           const ct_tensor rows = ct_make_tensor(ct_layout2(64, 64, 64, 1));
 *           assert(ct_make_mma_descriptor(rows, CT_MMA_A, atom).err.status == CT_E_ARGUMENT);
 *           const ct_tensor near = ct_mma_descriptor_nearest(rows, CT_MMA_A, atom);
 *           assert(near.swizzle.bits == 3 && ct_layout_equal(near.layout, rows.layout));
 *           assert(ct_make_mma_descriptor(near, CT_MMA_A, atom).err.status == CT_OK);
 */
CT_FN ct_tensor ct_mma_descriptor_nearest(ct_tensor tile, int operand, ct_mma_atom atom)
{
    const ct_mma_descriptor d = ct_mma_descriptor_of(operand, atom);
    if (d.err.status) return ct_tensor_fail(d.err);
    const ct_error bad = ct_mma_tile_check(&d, &tile);
    if (bad.status) return ct_tensor_fail(bad);
    const int32_t type = ct_mma_operand_type(atom.op, operand);
    const int64_t mn = ct_size(ct_mode(tile.layout, 0)), k = ct_size(ct_mode(tile.layout, 1));
    int32_t major = ct_mma_nearest_major(tile.layout);
    if (!ct_mma_takes_major(d.arch, type, major)) major = CT_MMA_K_MAJOR;
    const int64_t bytes = (major == CT_MMA_K_MAJOR ? k : mn) * d.elem_bits / 8;
    const int64_t part = (major == CT_MMA_K_MAJOR ? d.k : d.mn) * d.elem_bits / 8;
    int32_t best = -1;
    for (int32_t mode = CT_MMA_SWIZZLE_NONE; mode < CT_MMA_SWIZZLE_COUNT; ++mode) {
        const int64_t line = ct_mma_line_bytes(mode);
        const int whole = bytes % line == 0 && (part % line == 0 || line % part == 0);
        const int holds = major == CT_MMA_MN_MAJOR || mode == CT_MMA_SWIZZLE_NONE || line >= part;
        if (whole && holds && ct_mma_takes_swizzle(d.arch, type, major, mode)) best = mode;
    }
    if (best < 0) {
        ct_error e = ct_mma_descriptor_error(CT_WHY_TILE_DIVIDES, major == CT_MMA_K_MAJOR, 0, bytes,
                                             part, 0);
        e.status = CT_E_NO_LAYOUT;
        return ct_tensor_fail(e);
    }
    const int64_t line = 8 * ct_mma_line_bytes(best) / d.elem_bits, lines = ct_mma_lines(best);
    const ct_layout block = major == CT_MMA_K_MAJOR ? ct_layout2(lines, line, line, 1)
                                                    : ct_layout2(line, lines, 1, line);
    const ct_layout L = ct_tile_to_shape(block, ct_tuple2(mn, k), ct_tuple2(0, 1));
    return ct_make_swizzled(ct_mma_swizzle_of(best, d.elem_bits), 0,
                            ct_coalesce_by(L, ct_tuple2(1, 1)));
}

#endif
