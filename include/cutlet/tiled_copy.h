/**
 * Tiled copies as data: an atom repeated over threads and values until it covers a tile.
 */
#ifndef CUTLET_TILED_COPY_H
#define CUTLET_TILED_COPY_H

#include "copy_atom.h"
#include "partition.h"
#include "product.h"
#include "vector.h"

typedef struct ct_tiled_copy {
    ct_copy_atom atom;
    ct_layout tv;   /* (thread, value) -> index in the tile */
    ct_tiler tiler; /* the tile: one layout for each mode of the data */
} ct_tiled_copy;

/** The failed tiled copy that carries e; the error of a tiled copy is atom.err. */
CT_FN ct_tiled_copy ct_tiled_copy_fail(ct_error e)
{
    ct_tiled_copy t = CT_ZERO;
    t.atom.err = e;
    t.tv.err = e;
    t.tiler.tiles.err = e;
    return t;
}

/** Why the layout L of a tile is not a bijection onto [0, n): the place that it reaches twice or
 *  leaves out. Called only once it is known that it is none. */
CT_FN ct_error ct_cover_error(ct_layout L, int64_t n)
{
    const int64_t size = ct_min(ct_size(L), 4096);
    for (int64_t i = 0; i < size; ++i) {
        const int64_t at = ct_eval(L, i);
        for (int64_t k = 0; k < i; ++k) {
            if (ct_eval(L, k) == at)
                return ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_COVER_TWICE, 0, at, n);
        }
    }
    for (int64_t at = 0; at < size; ++at) {
        int found = 0;
        for (int64_t i = 0; i < size && !found; ++i) found = ct_eval(L, i) == at;
        if (!found)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 0, at, n);
    }
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 0, size, n);
}

/** What keeps the atom from these numbers of threads and values. */
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
 * The tiled copy of an atom over a thread layout (m,n) -> thread and a value layout (m,n) -> value:
 * each thread holds the values of its own block, the blocks lie side by side.
 *
 * Ensures:  tv maps each (thread, value) to one element of the tile, and each element is met by exactly
 *           one of them.   [law_tiled_copy]
 * Fails:    CT_E_ARGUMENT when the thread or the value layout reaches a thread or value twice or leaves
 *           one out; when there are too few threads or values for the atom.
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
            ct_error e = ct_cover_error(*L, ct_part_size(ct_whole(L)));
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

/** The number of threads of a tiled copy. */
CT_FN int64_t ct_tiled_copy_threads(ct_tiled_copy t)
{
    return ct_part_size(ct_part_mode(ct_whole(&t.tv), 0));
}

/** The shape of the tile, one integer for each mode. */
CT_FN ct_tuple ct_tiled_copy_shape(ct_tiled_copy t)
{
    ct_tuple r = ct_tuple0();
    if (t.atom.err.status) return ct_tuple_fail(t.atom.err);
    CT_FOR(k, ct_tiler_count(t.tiler)) r = ct_append(r, ct_int(ct_size(ct_tile(t.tiler, k))));
    return r;
}

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
    ct_layout tv = CT_ZERO, tiles = CT_ZERO, by_thread = CT_ZERO;
    ct_thread_values(&tv, t, atom_tv);
    ct_divide_zipped(&tiles, &data->layout, &t->tiler);
    ct_compose_first(&by_thread, &tiles, &tv);
    r->layout.err = by_thread.err;
    if (by_thread.err.status) return;
    /* ((thread, values), (rest ...)), sliced at the thread, the rest spread out */
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
 * Fails:    CT_E_DOMAIN when there is no such thread; as zipped_divide and composition.
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

/**
 * A register fragment, partitioned for another tiled copy of the same threads, as this one takes it:
 * ((values of one atom, atoms), rest ...).
 * Fails:    CT_E_ARGUMENT, CT_E_NO_LAYOUT when the values of the fragment do not fit the atom.
 * Source:   CuTe, copy_atom.hpp.
 */
CT_FN ct_layout ct_retile(ct_tiled_copy t, ct_layout fragment)
{
    if (t.atom.err.status) return ct_layout_fail(t.atom.err);
    if (fragment.err.status) return fragment;
    const int rank = ct_layout_rank(fragment);
    const int64_t v = ct_size(ct_mode(fragment, 0));
    const ct_layout mn = ct_composition(ct_right_inverse(t.tv), ct_make_col_major(ct_tiled_copy_shape(t)));
    const ct_layout of_fragment = ct_upcast(mn, ct_tiled_copy_threads(t) * v);
    const ct_layout order = ct_right_inverse(of_fragment);
    const ct_layout frag_v = ct_zipped_divide(ct_logical_product(ct_layout1(v, 1), order),
                                              ct_layout1(ct_atom_values(t.atom), 1));
    const ct_tuple tile = ct_prepend(ct_product_each(ct_shape(of_fragment)), ct_int(v));
    const ct_layout tiled = ct_zipped_divide_by(fragment, ct_tiler_of_shape(tile));
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

/**
 * Whether the atom may be used on these layouts: each access must be one contiguous run of the atom's
 * width on both sides (registers aside), and stay aligned to it as the thread moves on.
 *
 * Fails:    CT_E_ARGUMENT with the number of values that do lie contiguous, or with the stride that is
 *           not a multiple of the access.
 * Example:  check_copy(tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8):(1,1)),
 *               (16,64):(64,1), (16,64):(64,1)) == 1
 */
CT_FN ct_error ct_tiled_copy_check(ct_tiled_copy t, ct_layout src, ct_layout dst)
{
    const ct_tensor s = ct_partition_src(t, ct_make_tensor(src), 0);
    const ct_tensor d = ct_partition_dst(t, ct_make_tensor(dst), 0);
    if (s.layout.err.status) return s.layout.err;
    if (d.layout.err.status) return d.layout.err;
    ct_error e = CT_ZERO;
    const int64_t n = ct_atom_vector(t.atom);
    const int load = t.atom.kind == CT_ATOM_LDMATRIX || t.atom.kind == CT_ATOM_LDMATRIX_TRANS;
    const int store = t.atom.kind == CT_ATOM_STMATRIX || t.atom.kind == CT_ATOM_STMATRIX_TRANS;
    for (int side = 0; side < 2; ++side) {
        if ((side == 0 && store) || (side == 1 && load)) continue; /* registers */
        const ct_layout L = side == 0 ? s.layout : d.layout;
        const ct_layout access = ct_coalesce(ct_mode(ct_mode(L, 0), 0));
        const int64_t run = access.stride[0] == 1 ? access.shape[0] : 1;
        if (run % n != 0) {
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, side, n, run);
            return e;
        }
        const ct_span in = ct_profile_mode_span(ct_mode(L, 0).profile, 0);
        const ct_layout whole = side == 0 ? src : dst;
        CT_FOR(i, L.profile.leaves) {
            if (i >= in.count && L.shape[i] > 1 && L.stride[i] % n != 0 && e.status == CT_OK)
                e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, side, L.stride[i], n);
        }
        CT_FOR(i, whole.profile.leaves) { /* what other threads begin at */
            if (whole.shape[i] > 1 && whole.stride[i] != 1 && whole.stride[i] % n != 0 && e.status == CT_OK)
                e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, side,
                                  whole.stride[i], n);
        }
    }
    return e;
}

/**
 * The tiled copy whose threads and values touch given addresses: atom_tv maps (thread, value) to an
 * address, data maps a coordinate of the tile to one.
 *
 * Fails:    CT_E_NO_LAYOUT when some address of atom_tv is none of the data's; as left_inverse.
 * Source:   CuTe, copy_atom.hpp.
 */
CT_FN ct_tiled_copy ct_make_cotiled_copy(ct_copy_atom atom, ct_layout atom_tv, ct_layout data)
{
    if (atom.err.status) return ct_tiled_copy_fail(atom.err);
    const ct_layout back = ct_make_layout2(ct_left_inverse(data), ct_layout1(1, 0));
    const ct_layout tv_data = ct_composition(back, atom_tv);
    if (tv_data.err.status) return ct_tiled_copy_fail(tv_data.err);
    /* Every address must be one of the data's, and the data goes on past its size. */
    const ct_layout again = ct_coalesce(ct_composition(data, tv_data));
    if (!ct_layout_equal(again, ct_coalesce(atom_tv)) || ct_cosize(tv_data) > ct_size(data))
        return ct_tiled_copy_fail(ct_make_error(CT_E_NO_LAYOUT, CT_OP_COTILED_COPY, CT_WHY_COVER_MISSING,
                                                0, ct_cosize(atom_tv), ct_cosize(data)));
    const ct_error fits =
        ct_atom_fits(atom, ct_size(ct_mode(atom_tv, 0)), ct_size(ct_mode(atom_tv, 1)));
    if (fits.status) return ct_tiled_copy_fail(fits);
    const ct_tuple shape = ct_product_each(ct_shape(data));
    ct_tiler tiler = ct_tiler0();
    CT_FOR(k, ct_rank(shape)) { /* mode k of the tile: the places along mode k that are touched */
        ct_tuple only_k = shape;
        CT_FOR(i, ct_rank(shape)) only_k.value[i] = i == k;
        tiler = ct_tiler_append(tiler, ct_filter(ct_composition(ct_make_layout(shape, only_k), tv_data)));
    }
    const ct_layout tile_to_data = ct_composition_by(ct_make_col_major(shape), tiler);
    ct_tiled_copy t = CT_ZERO;
    t.atom = atom;
    t.tiler = tiler;
    t.tv = ct_composition(ct_left_inverse(tile_to_data), tv_data);
    return t.tv.err.status ? ct_tiled_copy_fail(t.tv.err) : t;
}

#endif
