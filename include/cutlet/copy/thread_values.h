/**
 * The values of the threads of a tiled copy: as a layout, as parts of tensors, and as register
 * fragments. Partitions take tensors only; a layout becomes a tensor by ct_make_tensor.
 *
 * Cost:     that of an inverse, a divide and two compositions.
 */
#ifndef CUTLET_COPY_THREAD_VALUES_H
#define CUTLET_COPY_THREAD_VALUES_H

#include <cutlet/algebra/partition.h>
#include <cutlet/copy/tiled_copy.h>

/** @internal Makes the empty layout r the composition of A with <tile,_>. */
CT_FN void ct_compose_first(ct_layout *r, const ct_layout *A, const ct_layout *tile)
{
    ct_tiler T = CT_ZERO;
    ct_tiler_push(&T, tile);
    ct_tiler_push_any(&T);
    ct_compose_by(r, A, &T);
}

/** @internal Makes the empty layout r (thread, value) -> index in the tile; see
 *  ct_tiled_copy_tv. */
CT_FN void ct_thread_values(ct_layout *r, const ct_tiled_copy *t, const ct_layout *atom_tv)
{
    r->err = t->atom.err;
    if (r->err.status) return;
    const ct_part ref = ct_whole(&t->atom.ref_tv);
    ct_layout inverse = CT_ZERO, to_ref = CT_ZERO, by_atom = CT_ZERO, z = CT_ZERO;
    ct_right_inverse_of(&inverse, &t->atom.ref_tv);
    to_ref.err = inverse.err.status ? inverse.err : atom_tv->err;
    if (to_ref.err.status == CT_OK) ct_compose(&to_ref, ct_whole(&inverse), ct_whole(atom_tv));
    const ct_tiler one = ct_tiler_of_shape(
        ct_tuple2(ct_part_size(ct_part_mode(ref, 0)), ct_part_size(ct_part_mode(ref, 1))));
    ct_divide_zipped(&by_atom, &t->tv, &one);
    /* ((thread of the atom, its value), (atom over threads, atom over values)) */
    ct_compose_first(&z, &by_atom, &to_ref);
    r->err = z.err;
    if (r->err.status) return;
    const ct_part in = ct_part_mode(ct_whole(&z), 0), rest = ct_part_mode(ct_whole(&z), 1);
    ct_layout *const zipped = &by_atom; /* ((thread, atom), (value, atom)) */
    ct_layout_clear(zipped);
    ct_push_mode(zipped, in, 0, 2, 0);
    ct_push_mode(zipped, rest, 0, 0, 1);
    ct_push_mode(zipped, in, 1, 1, 0);
    ct_push_mode(zipped, rest, 1, 0, 2);
    r->err = zipped->err;
    ct_profile each = ct_profile_flat(3); /* (thread, (values of one atom, atoms)) */
    each.open[1] = 1;
    each.close[2] = 2;
    ct_push_coalesced_by(r, zipped, each, 0, CT_OP_COALESCE);
}

/**
 * (thread, value) -> index in the tile, with the values in the order of the atom's source (side
 * atom_tv = atom.src_tv) or destination (atom.dst_tv): ((thread), (values of one atom, atoms)).
 *
 * Fails:    a failed tiled copy gives a failed layout with its error; as composition, of a layout
 *           that is not a side of the atom.
 * Example:  tv_layout_dst(tiled_copy(copy_atom(universal64, 16), (16,8):(8,1), (1,8):(1,1)))
 *               == ((8,16),(4,2)):((128,1),(16,64))
 * In C:     const ct_copy_atom atom = ct_copy_atom_universal(64, 16);
 *           const ct_tiled_copy tiles = ct_make_tiled_copy(atom, ct_layout2(16, 8, 8, 1),
 *                                                          ct_layout2(1, 8, 1, 1));
 *           const ct_layout tv = ct_tiled_copy_tv(tiles, atom.src_tv);
 *           assert(ct_eval2(tv, 1, 4) == 16 * (8 + 4)); // thread 1, value 4: the element (0,12)
 */
CT_FN ct_layout ct_tiled_copy_tv(ct_tiled_copy t, ct_layout atom_tv)
{
    ct_layout r = CT_ZERO;
    ct_thread_values(&r, &t, &atom_tv);
    return r;
}

/** @internal Makes the empty layout r ((thread, values), (rest ...)) of a layout, by a side of the
 *  atom. */
CT_FN void ct_partition_threads(ct_layout *r, const ct_tiled_copy *t, const ct_layout *data,
                                const ct_layout *atom_tv)
{
    ct_layout tv = CT_ZERO, tiles = CT_ZERO;
    ct_thread_values(&tv, t, atom_tv);
    ct_divide_zipped(&tiles, data, &t->tiler);
    ct_compose_first(r, &tiles, &tv);
}

/** @internal Adds to R, as one mode, the layout of the offsets from index `from` of D on that V
 *  leads to; 0 where no layout has them. */
CT_FN int ct_push_steps(ct_layout *R, const ct_layout *D, int64_t from, const ct_layout *V)
{
    const ct_steps f = ct_steps_from(D, from, V);
    ct_layout found = CT_ZERO;
    if (ct_find_steps(&found, &f, ct_size(*V)) != 1) return 0;
    ct_close_flat(&found);
    ct_push_part(R, ct_whole(&found), 0, 0);
    return R->err.status == CT_OK;
}

/** @internal The part of one thread if there is no layout for all threads, which failed with `why`.
 * It is the layout of the thread's values, ((values of one atom, atoms), rest ...), found by
 * comparing them. */
CT_FN ct_tensor ct_partition_one(const ct_tiled_copy *t, const ct_tensor *data, int64_t thread,
                                 const ct_layout *atom_tv, ct_error why)
{
    ct_layout tv = CT_ZERO, tiles = CT_ZERO, part = CT_ZERO;
    ct_thread_values(&tv, t, atom_tv);
    ct_divide_zipped(&tiles, &data->layout, &t->tiler);
    if (tv.err.status || tiles.err.status) return ct_tensor_fail(why);
    const ct_layout tile = ct_mode(tiles, 0), values = ct_mode(tv, 1);
    const ct_layout access = ct_mode(values, 0), atoms = ct_mode(values, 1);
    const int64_t from = ct_eval(ct_mode(tv, 0), thread), size = ct_size(values);
    if (size > CT_MAX_PROOF) return ct_tensor_fail(why);
    if (!ct_push_steps(&part, &tile, from, &access) || !ct_push_steps(&part, &tile, from, &atoms))
        return ct_tensor_fail(why);
    const ct_steps together = ct_steps_from(&tile, from, &values);
    if (!ct_steps_are(&together, &part, size)) return ct_tensor_fail(why);
    ct_layout_close_mode(&part, 0, 0, 0);
    ct_layout all = ct_layout_wrap(part);
    const ct_part rest = ct_part_mode(ct_whole(&tiles), 1);
    CT_FOR(k, ct_part_rank(rest)) ct_push_next(&all, ct_part_mode(rest, k));
    ct_tensor r = *data;
    r.offset = ct_offset_add(data->offset, ct_int(ct_eval(tile, from)));
    return r.offset.err.status ? ct_tensor_fail(r.offset.err) : ct_tensor_with(r, all);
}

/** @internal Makes the zero tensor r the part of a tensor that a thread copies, by a side of the
 *  atom. */
CT_FN void ct_partition_side(ct_tensor *r, const ct_tiled_copy *t, const ct_tensor *data,
                             int64_t thread, const ct_layout *atom_tv)
{
    r->layout.err = t->atom.err.status ? t->atom.err : data->layout.err;
    if (r->layout.err.status) return;
    const int64_t threads = ct_part_size(ct_part_mode(ct_whole(&t->tv), 0));
    if (thread < 0 || thread >= threads) {
        r->layout.err =
            ct_make_error(CT_E_DOMAIN, CT_OP_PARTITION_COPY, CT_WHY_THREAD, 0, thread, threads);
        return;
    }
    ct_layout by_thread = CT_ZERO;
    ct_partition_threads(&by_thread, t, &data->layout, atom_tv);
    if (by_thread.err.status == CT_E_NO_LAYOUT && ct_is_integral(data->layout)) {
        *r = ct_partition_one(t, data, thread, atom_tv, by_thread.err);
        return;
    }
    r->layout.err = by_thread.err;
    if (by_thread.err.status) return;
    /* sliced at the thread, the rest spread out */
    const int rest = ct_part_rank(ct_part_mode(ct_whole(&by_thread), 1));
    ct_tuple coord = ct_tuple2(thread, 0), all = ct_repeat_any(rest);
    coord.basis[1] = CT_ANY;
    coord.profile = ct_profile_wrap(coord.profile);
    ct_tuple_push_next(&coord, &all);
    ct_slice_tensor(r, data, &by_thread, &coord);
}

/**
 * The elements of a source that a thread copies: ((values of one atom, atoms), rest of mode 0, rest
 * of mode 1, ...).
 *
 * Ensures:  over all threads, each element of the tensor is met exactly once where the tile divides
 *           it.   [law_partition]
 * Fails:    CT_E_DOMAIN when there is no such thread; as zipped_divide; as composition, where
 *           neither the parts of all threads together are a layout nor that of this one.
 * Cost:     that of ct_tiled_copy_tv, a divide and a composition; O(values of the thread) where the
 *           parts together do not form a layout.
 * Example:  partition_src(tiled_copy(copy_atom(universal128, 16), (16,2):(1,16), (8,1):(1,8)),
 *               (128,4):(1,136), 1) == 8@((8,1),1,2):((1,0),0,272)
 */
CT_FN ct_tensor ct_partition_src(ct_tiled_copy t, ct_tensor src, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_partition_side(&r, &t, &src, thread, &t.atom.src_tv);
    return r;
}

/**
 * The elements of a destination that a thread writes; as ct_partition_src.
 * Fails:    as ct_partition_src.
 * Cost:     as ct_partition_src.
 * Example:  partition_dst(tiled_copy(copy_atom(universal128, 16), (4,8):(8,1), (1,8):(1,1)),
 *               Sw<3,3,3> o 0 o (8,64):(64,1), 9) == Sw<3,3,3> o 72 o ((8,1),2,1):((1,0),256,0)
 */
CT_FN ct_tensor ct_partition_dst(ct_tiled_copy t, ct_tensor dst, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_partition_side(&r, &t, &dst, thread, &t.atom.dst_tv);
    return r;
}

#endif
