/**
 * The tiled copy of a fragment: each thread moves what it holds, each element once. A reduction's fragment has one value
 * for each row: by its copy a tensor that repeats along the axis, with a step of 0, is loaded once for each row.
 *
 *     CT_REGISTERS(half, scale, ct_fragment_reduced(c_as, 1)); // of C (64,16): a value for each row
 *     CT_STATIC(ct_partition, in, ct_make_partition(ct_make_tiled_copy_of(ct_copy_atom_auto(16), scale_as),
 *                                                   ct_tuple2(64, 1), ct_in_global(0), ct_in_registers()));
 *     ct_copy(ct_view_at(&args.scale, &in, ct_index2(64 * i, j)), scale); // then ct_val_row(scale, c, i)
 *
 * Cost:     that of ct_make_tiled_copy_tv.
 * In C:     const ct_tiled_copy rows = ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                                         ct_layout2(1, 4, 4, 1));
 *           const ct_fragment f = ct_fragment_of_partition(
 *               ct_make_partition(rows, ct_tuple2(8, 64), ct_in_global(1), ct_in_registers()));
 *           const ct_copy_atom any = ct_copy_atom_auto(32);
 *           const ct_fragment r = ct_fragment_reduced(f, 1); // 2 rows of a thread
 *           const ct_partition p = ct_make_partition(ct_make_tiled_copy_of(any, r), ct_tuple2(8, 1),
 *                                                    ct_in_global(0), ct_in_registers());
 *           assert(p.err.status == CT_OK && p.values == 2 && p.src.accesses == 2);
 *           assert(ct_fragment_of_partition(p).hash == r.hash);
 */
#ifndef CUTLET_COPY_FRAGMENT_COPY_H
#define CUTLET_COPY_FRAGMENT_COPY_H

#include <cutlet/copy/fragment.h>

/** @internal The mode of a layout (thread, value) that digits are: in order, those without an axis move nothing. */
CT_FN ct_layout ct_layout_of_digits(const ct_fragment *f, const ct_digits *d)
{
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    for (int k = 0; k < d->count; ++k) {
        const ct_value_digit g = d->digit[k];
        int64_t step = g.axis < 0 ? 0 : g.step;
        for (int a = 0; a < g.axis; ++a) step *= f->tile[a];
        shape = ct_append(shape, ct_int(g.mod));
        stride = ct_append(stride, ct_int(step));
    }
    return d->count > 0 ? ct_make_layout(shape, stride) : ct_layout1(1, 0);
}

/**
 * The tiled copy by which each thread has the elements of a fragment, in its order.
 *
 * Ensures:  the side in registers of a partition by it, of the fragment's tile, is the fragment; each element of a thread
 *           is one of an access [test_once]
 * Fails:    as the fragment, and as ct_make_tiled_copy_tv.
 */
CT_FN ct_tiled_copy ct_make_tiled_copy_of(ct_copy_atom atom, ct_fragment f)
{
    ct_tuple tile = ct_tuple0();
    if (f.err.status) return ct_tiled_copy_fail(f.err);
    for (int a = 0; a < f.axes; ++a) tile = ct_append(tile, ct_int(f.tile[a]));
    return ct_make_tiled_copy_tv(
        atom,
        ct_make_layout2(ct_layout_of_digits(&f, &f.thread), ct_layout_of_digits(&f, &f.value)),
        tile);
}

#endif
