/**
 * The memory of one side of a copy, as far as a kernel's compiler knows it. It is global memory,
 * contiguous along an axis, shared memory with a layout, or a thread's registers.
 *
 * Cost:     O(leaves), for the compiler where all is constant.
 * In C:     const ct_tiled_copy tiles = ct_make_tiled_copy(
 *               ct_copy_atom_auto(16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
 *           const ct_tuple tile = ct_tuple2(64, 64);
 *           const ct_memory matrix = ct_in_global(1); // rows: n is contiguous
 *           const ct_layout rows = ct_layout2(64, 64, 64, 1);
 *           const ct_tensor swizzled = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, rows);
 *           ct_partition p = ct_make_partition(tiles, tile, matrix, ct_in_shared(swizzled));
 *           assert(p.src.width == 8 && p.dst.width == 8 && p.dst_swizzle.bits == 3);
 *           p = ct_make_partition(tiles, tile, ct_with_most(matrix, 4), ct_in_shared_plain(rows));
 *           assert(p.src.width == 4 && p.dst.width == 8);
 *           p = ct_make_partition(tiles, tile, matrix, ct_in_registers());
 *           assert(p.values == 32 && !p.permuted);
 *           const ct_layout order = ct_layout2(8, 4, 4, 1); // value 8 j + i at 4 i + j
 *           p = ct_make_partition(tiles, tile, matrix, ct_in_registers_by(order));
 *           assert(p.back[1] == 4);
 */
#ifndef CUTLET_COPY_COPY_MEMORY_H
#define CUTLET_COPY_COPY_MEMORY_H

#include <cutlet/copy/copy_sides.h>
#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/size.h>
#include <cutlet/algebra/tensor.h>

/** The compile-time properties of a side. For global memory it is the contiguous axis of the tile,
 * for shared memory the layout. For registers it is the order of their values, or none for the
 * tiled copy's order. */
typedef struct ct_memory {
    int32_t space;
    int32_t axis;
    int32_t most; /* elements of an access, where not as many as there can be; 0: as many */
    ct_tensor layout;
} ct_memory;

/** Global memory, contiguous along an axis of the tile; -1: along none. */
CT_FN ct_memory ct_in_global(int32_t axis)
{
    ct_memory m = CT_ZERO;
    m.axis = axis;
    return m;
}

/** Shared memory. The modes of the layout are the axes of the tile; further modes, stages, are
 *  left alone. A layout that is larger than the tile has several: a kernel takes one of them by
 *  ct_view_inside. */
CT_FN ct_memory ct_in_shared(ct_tensor layout)
{
    ct_memory m = CT_ZERO;
    m.space = CT_SPACE_SHARED;
    m.axis = -1;
    m.layout = layout;
    return m;
}

/** Shared memory with an unswizzled layout. */
CT_FN ct_memory ct_in_shared_plain(ct_layout layout)
{
    return ct_in_shared(ct_make_swizzled(ct_swizzle_none(), 0, layout));
}

/** The thread's registers: its values in the order of the tiled copy, packed. */
CT_FN ct_memory ct_in_registers(void)
{
    ct_memory m = CT_ZERO;
    m.space = CT_SPACE_REGISTERS;
    m.axis = -1;
    return m;
}

/** The thread's registers: value v of the tiled copy is element L(v) of them, as ct_retile or
 *  ct_make_fragment_like have it. L is a compact order of all values. */
CT_FN ct_memory ct_in_registers_by(ct_layout L)
{
    ct_memory m = ct_in_registers();
    m.layout = ct_make_tensor(L);
    return m;
}

/** m with accesses of at most `elems` elements, for atoms that leave the width to a side. */
CT_FN ct_memory ct_with_most(ct_memory m, int32_t elems)
{
    m.most = elems;
    return m;
}

/** @internal A swizzle of elements as one of bytes. */
CT_FN ct_swizzle ct_swizzle_of_bytes(ct_swizzle sw, int32_t elem_bits)
{
    if (sw.bits == 0) return ct_swizzle_none();
    return elem_bits < 8 ? ct_swizzle_upcast(sw, 8 / elem_bits)
                         : ct_swizzle_downcast(sw, elem_bits / 8);
}

/** @internal The error of a tile without a partition: it has more than CT_AXES axes, or an axis
 * whose extent is 0 or does not fit in 32 bits. */
CT_FN ct_error ct_tile_check(ct_tuple tile)
{
    const int axes = tile.profile.leaves;
    if (tile.err.status) return tile.err;
    if (axes > CT_AXES)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_RANK, 0, CT_AXES, axes);
    for (int a = 0; a < axes; ++a)
        if (tile.value[a] < 1 || tile.value[a] > INT32_MAX)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_SHAPE, a,
                                 tile.value[a], 0);
    return tile.err;
}

/** @internal The offset at which a shared layout begins. */
CT_FN int64_t ct_memory_first(ct_memory m)
{
    return m.layout.offset.profile.leaves > 0 ? m.layout.offset.value[0] : 0;
}

/** @internal The error of a side's shared memory: its offsets are not integers, or they do not fit
 * in 2^31 bits. side: 0 for the source, 1 for the destination. */
CT_FN ct_error ct_memory_check(ct_memory m, int side, int32_t elem_bits)
{
    const ct_layout L = m.layout.layout;
    const ct_error ok = CT_ZERO;
    if (m.space != CT_SPACE_SHARED) return ok;
    if (L.err.status) return L.err;
    if (!ct_is_integral(L) || m.layout.offset.profile.leaves > 1)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_BASIS_MIXED, side, 0, 0);
    const int64_t most = INT32_MAX / elem_bits, first = ct_memory_first(m), span = ct_cosize(L);
    const ct_swizzle sw = m.layout.swizzle;
    if (span < 1 || span > most || first < -most || first > most - span ||
        (sw.bits > 0 && ct_swizzle_period(sw) > most))
        return ct_make_error(CT_E_OVERFLOW, CT_OP_PARTITION_COPY, CT_WHY_OVERFLOW, side, 0, 0);
    return ok;
}

/** @internal Why the stages of a layout, its mode after the axes, are not one step apart; CT_OK if they are.
 *  ct_memory_check has passed. */
CT_FN ct_error ct_stages_check(ct_memory m, int axes, int32_t elem_bits)
{
    const ct_error none = CT_ZERO;
    if (m.space != CT_SPACE_SHARED || ct_layout_rank(m.layout.layout) <= axes) return none;
    const ct_layout stages = ct_coalesce(ct_mode(m.layout.layout, axes));
    if (stages.err.status) return stages.err;
    if (stages.profile.leaves == 1) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_STAGES, axes, 0,
                         ct_max(elem_bits / 8, 1));
}

/** @internal The bytes of shared memory from one stage of a layout to the next: the step of its
 * mode after the axes, or its size rounded up to 128 bytes. ct_memory_check has passed. */
CT_FN int32_t ct_stage_bytes(ct_memory m, int axes, int32_t elem_bits)
{
    if (m.space != CT_SPACE_SHARED) return 0;
    const ct_layout L = m.layout.layout;
    if (ct_layout_rank(L) > axes) {
        const ct_layout stages = ct_coalesce(ct_mode(L, axes));
        if (ct_size(stages) > 1) return CT_CAST(int32_t, stages.stride[0] * elem_bits / 8);
    }
    const ct_swizzle sw = m.layout.swizzle;
    const int64_t period = sw.bits > 0 ? ct_swizzle_period(sw) : 1;
    const int64_t elems = ct_ceil_div_int(ct_memory_first(m) + ct_cosize(L), period) * period;
    return CT_CAST(int32_t, ct_ceil_div_int(elems * elem_bits, 8 * 128) * 128);
}

#endif
