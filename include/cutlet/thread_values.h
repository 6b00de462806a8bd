/**
 * What the threads of a tiled copy hold: their values as a layout, their parts of tensors, and
 * fragments of registers.
 */
#ifndef CUTLET_THREAD_VALUES_H
#define CUTLET_THREAD_VALUES_H

#include "partition.h"
#include "tiled_copy.h"

/** Makes the empty layout r the composition of A with <tile,_>. */
CT_FN void ct_compose_first(ct_layout *r, const ct_layout *A, const ct_layout *tile)
{
    ct_tiler T = CT_ZERO;
    ct_tiler_push(&T, tile);
    ct_tiler_push_any(&T);
    ct_compose_by(r, A, &T);
}

/** Makes the empty layout r (thread, value) -> index in the tile; see ct_tiled_copy_tv. */
CT_FN void ct_thread_values(ct_layout *r, const ct_tiled_copy *t, const ct_layout *atom_tv)
{
    r->err = t->atom.err;
    if (r->err.status) return;
    const ct_part ref = ct_whole(&t->atom.ref_tv);
    ct_layout inverse = CT_ZERO, to_ref = CT_ZERO, by_atom = CT_ZERO, z = CT_ZERO;
    ct_right_inverse_of(&inverse, &t->atom.ref_tv);
    to_ref.err = inverse.err.status ? inverse.err : atom_tv->err;
    if (to_ref.err.status == CT_OK) ct_compose(&to_ref, ct_whole(&inverse), ct_whole(atom_tv));
    const ct_tiler one = ct_tiler_of_shape(ct_tuple2(ct_part_size(ct_part_mode(ref, 0)),
                                                     ct_part_size(ct_part_mode(ref, 1))));
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
 * (thread, value) -> index in the tile, the values in the order in which the atom's source (side
 * atom_tv = atom.src_tv) or destination (atom.dst_tv) takes them: ((thread), (values of one atom, atoms)).
 */
CT_FN ct_layout ct_tiled_copy_tv(ct_tiled_copy t, ct_layout atom_tv)
{
    ct_layout r = CT_ZERO;
    ct_thread_values(&r, &t, &atom_tv);
    return r;
}

/** Makes the empty layout r ((thread, values), (rest ...)) of a layout, by the given side of the atom. */
CT_FN void ct_partition_threads(ct_layout *r, const ct_tiled_copy *t, const ct_layout *data,
                                const ct_layout *atom_tv)
{
    ct_layout tv = CT_ZERO, tiles = CT_ZERO;
    ct_thread_values(&tv, t, atom_tv);
    ct_divide_zipped(&tiles, data, &t->tiler);
    ct_compose_first(r, &tiles, &tv);
}

/** How far from index `from` of D the element is that index i of V leads to. */
CT_FN int64_t ct_step_from(const ct_layout *D, int64_t from, const ct_layout *V, int64_t i)
{
    return ct_eval(*D, from + ct_eval(*V, i)) - ct_eval(*D, from);
}

/** Adds to R, as one mode, the layout with the fewest leaves of the offsets from index `from` of D on that
 *  V leads to; 0 where no layout is those, found out by comparing them all. */
CT_FN int ct_push_steps(ct_layout *R, const ct_layout *D, int64_t from, const ct_layout *V)
{
    const int64_t size = ct_size(*V);
    const int first = R->profile.leaves;
    ct_layout found = CT_ZERO;
    int64_t run = 1; /* the size of the leaves found so far */
    while (run < size && found.err.status == CT_OK) {
        const int64_t step = ct_step_from(D, from, V, run);
        int64_t n = 2;
        while (n * run < size && ct_step_from(D, from, V, n * run) == n * step) ++n;
        if (size % (n * run) != 0) return 0;
        ct_layout_push_leaf(&found, n, step, CT_INTEGER);
        run *= n;
    }
    ct_close_flat(&found);
    for (int64_t i = 0; i < size && found.err.status == CT_OK; ++i) {
        if (ct_step_from(D, from, V, i) != ct_eval(found, i)) return 0;
    }
    ct_push_part(R, ct_whole(&found), 0, 0);
    return R->profile.leaves > first;
}

/** The part of one thread, where no layout is that of all threads, which failed with `why`: the layout of
 *  its own values, ((values of one atom, atoms), rest ...), found by comparing them. */
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
    part.profile.open[0] = (uint8_t)(part.profile.open[0] + 1);
    part.profile.close[part.profile.leaves - 1] = (uint8_t)(part.profile.close[part.profile.leaves - 1] + 1);
    for (int64_t i = 0; i < size; ++i) { /* the two together */
        if (ct_step_from(&tile, from, &values, i) != ct_eval(part, i)) return ct_tensor_fail(why);
    }
    ct_layout all = ct_layout_wrap(part);
    const ct_part rest = ct_part_mode(ct_whole(&tiles), 1);
    CT_FOR(k, ct_part_rank(rest)) ct_push_next(&all, ct_part_mode(rest, k));
    ct_tensor r = *data;
    r.offset = ct_offset_add(data->offset, ct_int(ct_eval(tile, from)));
    return r.offset.err.status ? ct_tensor_fail(r.offset.err) : ct_tensor_with(r, all);
}

/** Makes the zero tensor r the part of a tensor that a thread copies, by the given side of the atom. */
CT_FN void ct_partition_side(ct_tensor *r, const ct_tiled_copy *t, const ct_tensor *data, int64_t thread,
                             const ct_layout *atom_tv)
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
 * The elements of a source that a thread copies: ((values of one atom, atoms), rest of mode 0, rest of
 * mode 1, ...).
 *
 * Ensures:  over all threads, each element of the tensor is met exactly once where the tile divides
 *           it.   [law_partition]
 * Fails:    CT_E_DOMAIN when there is no such thread; as zipped_divide; as composition, where neither the
 *           parts of all threads together are a layout nor that of this one.
 * Cost:     the values of the thread where the parts together are no layout.
 * Example:  partition_src(tiled_copy(copy_atom(universal128, 16), (16,2):(1,16), (8,1):(1,8)),
 *               (128,4):(1,136), 1) == 8@((8,1),1,2):((1,0),0,272)
 */
CT_FN ct_tensor ct_partition_src(ct_tiled_copy t, ct_tensor src, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_partition_side(&r, &t, &src, thread, &t.atom.src_tv);
    return r;
}

/** The elements of a destination that a thread writes; as ct_partition_src.
 *  Example: partition_dst(tiled_copy(copy_atom(universal128, 16), (4,8):(8,1), (1,8):(1,1)),
 *               Sw<3,3,3> o 0 o (8,64):(64,1), 9) == Sw<3,3,3> o 72 o ((8,1),2,1):((1,0),256,0) */
CT_FN ct_tensor ct_partition_dst(ct_tiled_copy t, ct_tensor dst, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_partition_side(&r, &t, &dst, thread, &t.atom.dst_tv);
    return r;
}

/** L, whose leaves are digits of an index, by runs of n indices: which run. A leaf that lies within one
 *  run shrinks to 1; other than for ct_upcast, the leaves need not fill it.
 *  Fails:    CT_E_ARGUMENT for a leaf that ends, or begins, inside a run. */
CT_FN ct_layout ct_by_runs(ct_layout L, int64_t n)
{
    if (L.err.status) return L;
    CT_FOR(i, L.profile.leaves) {
        const int64_t d = L.stride[i], s = L.shape[i];
        if (d >= n && d % n == 0) {
            L.stride[i] = d / n;
        } else if (d < n && s * d <= n) {
            L.shape[i] = 1;
            L.stride[i] = 0;
        } else if (d < n && n % d == 0 && s % (n / d) == 0) {
            L.shape[i] = s / (n / d);
            L.stride[i] = 1;
        } else {
            return ct_layout_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_RETILE, CT_WHY_UPCAST_STRIDE, i, d, n));
        }
    }
    return L;
}

/**
 * A register fragment, partitioned for another tiled copy of the same threads, as this one takes it:
 * ((values of one atom, atoms), rest ...).
 * Fails:    CT_E_ARGUMENT, CT_E_NO_LAYOUT when the values of the fragment do not fit the atom.
 * Example:  retile(tiled_copy_b(copy_atom(ldmatrix_x4, 16), tiled_mma(SM80_16x8x16_F32F16F16F32_TN,
 *               (2,2,1), <32,32,16>)), ((2,2),4,2)) == ((8,1),2,2):((1,0),8,16)
 * Example:  retile(tiled_copy_c(copy_atom(universal32, 32), tiled_mma(universal_fma, (4,4):(4,1),
 *               <8,4>)), (1,2,3)) == ((1,2),1,3):((1,1),0,2)
 * Source:   CuTe, copy_atom.hpp.
 */
CT_FN ct_layout ct_retile(ct_tiled_copy t, ct_layout fragment)
{
    if (t.atom.err.status) return ct_layout_fail(t.atom.err);
    if (fragment.err.status) return fragment;
    const int rank = ct_layout_rank(fragment);
    const int64_t v = ct_size(ct_mode(fragment, 0));
    const ct_layout mn = ct_composition(ct_right_inverse(t.tv), ct_make_col_major(ct_tiled_copy_shape(t)));
    int ok = v != CT_INVALID;
    const int64_t held = ct_mul(ct_tiled_copy_threads(t), ok ? v : 0, &ok);
    if (!ok) return ct_layout_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_RETILE, CT_WHY_OVERFLOW, 0, 0, 0));
    const ct_layout of_fragment = ct_by_runs(mn, held);
    const ct_layout order = ct_right_inverse(of_fragment);
    const ct_layout frag_v = ct_zipped_divide(ct_logical_product(ct_layout1(v, 1), order),
                                              ct_layout1(ct_atom_values(t.atom), 1));
    const ct_tuple tile = ct_prepend(ct_product_each(ct_shape(of_fragment)), ct_int(v));
    ct_tiler whole = ct_tiler0();
    CT_FOR(k, ct_rank(tile)) whole = ct_tiler_append(whole, ct_layout1(tile.value[k], 1));
    const ct_layout tiled = ct_zipped_divide_by(fragment, tile.err.status ? ct_tiler_of_shape(tile) : whole);
    const ct_layout by_v = ct_composition_by(tiled, ct_tiler2(frag_v, ct_tile_any()));
    if (by_v.err.status) return by_v;
    ct_tuple rest = ct_int(0);
    CT_FOR(k, rank) {
        if (k > 0) rest = ct_append(rest, ct_any());
    }
    ct_layout r = ct_layout_slice(by_v, ct_concat(ct_wrap(ct_any()), ct_wrap(rest)));
    if (r.err.status) r.err.op = CT_OP_RETILE;
    return r;
}

/** The same of a fragment that is a tensor.
 *  Example: retile(tiled_copy(copy_atom(universal32, 16), (4,8):(8,1), (1,2):(1,1)),
 *               6@((2,1),2,4):((1,0),2,4)) == 6@((2,1),2,4):((1,0),2,4) */
CT_FN ct_tensor ct_tensor_retile(ct_tiled_copy t, ct_tensor fragment)
{
    return ct_tensor_with(fragment, ct_retile(t, fragment.layout));
}

/** Why accesses of n elements do not suit one side: of ((thread, ((access), atoms)), rest), the access
 *  is not contiguous, or another step is no multiple of it. */
CT_FN ct_error ct_access_check(const ct_layout *L, int64_t n, int side)
{
    ct_error e = CT_ZERO;
    const ct_part access = ct_part_mode(ct_part_mode(ct_part_mode(ct_whole(L), 0), 1), 0);
    ct_layout runs = CT_ZERO;
    ct_push_coalesced(&runs, access, 0);
    const int64_t run = runs.stride[0] == 1 || runs.shape[0] == 1 ? runs.shape[0] : 1;
    if (run % n != 0) return ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, side, n, run);
    CT_FOR(i, L->profile.leaves) {
        const int inside = i >= access.s.first && i < access.s.first + access.s.count;
        if (!inside && L->shape[i] > 1 && L->stride[i] % n != 0 && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, side, L->stride[i], n);
    }
    CT_FOR(i, runs.profile.leaves) { /* an access of several runs */
        if (i > 0 && runs.stride[i] % n != 0 && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, side, runs.stride[i], n);
    }
    return e;
}

/**
 * Whether the atom may be used on these layouts: each access of every thread must be one contiguous run
 * of the atom's width on both sides (registers aside), and begin at a multiple of it.
 *
 * Ensures:  true where and only where each access is contiguous and aligned.   [check_copy_is_exact]
 * Fails:    CT_E_ARGUMENT with the number of values that do lie contiguous, or with the stride that is
 *           not a multiple of the access; as partition_src.
 * Example:  check_copy(tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8):(1,1)),
 *               (16,64):(64,1), (16,64):(64,1)) == 1
 */
CT_FN ct_error ct_tiled_copy_check(ct_tiled_copy t, ct_layout src, ct_layout dst)
{
    ct_error e = t.atom.err.status ? t.atom.err : src.err.status ? src.err : dst.err;
    if (e.status) return e;
    const int64_t n = ct_atom_vector(t.atom);
    const int load = t.atom.kind == CT_ATOM_LDMATRIX || t.atom.kind == CT_ATOM_LDMATRIX_TRANS;
    const int store = t.atom.kind == CT_ATOM_STMATRIX || t.atom.kind == CT_ATOM_STMATRIX_TRANS;
    for (int side = 0; side < 2 && e.status == CT_OK; ++side) {
        ct_layout L = CT_ZERO;
        ct_partition_threads(&L, &t, side == 0 ? &src : &dst, side == 0 ? &t.atom.src_tv : &t.atom.dst_tv);
        const int registers = side == 0 ? store : load;
        e = L.err.status || registers ? L.err : ct_access_check(&L, n, side);
    }
    return e;
}

#endif
