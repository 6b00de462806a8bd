/**
 * The elements of A, B and C that the threads of a tiled MMA hold.
 *
 * A kernel evaluates a constant ct_tiled_mma_tv at its thread. A partition is computed on the host,
 * or for a compile-time thread. For a run-time thread the kernel would contain the general algebra.
 * Partitions take tensors only; a layout becomes a tensor by ct_make_tensor.
 */
#ifndef CUTLET_MMA_MMA_PARTITION_H
#define CUTLET_MMA_MMA_PARTITION_H

#include <cutlet/algebra/partition.h>
#include <cutlet/mma/tiled_mma.h>

/** @internal The operation that partitions an operand, for its errors. */
CT_FN int32_t ct_mma_partition_op(int operand)
{
    return operand == CT_MMA_A   ? CT_OP_PARTITION_A
           : operand == CT_MMA_B ? CT_OP_PARTITION_B
                                 : CT_OP_PARTITION_C;
}

/** @internal Makes the empty layout r the tiles of one atom in an operand L: ((thread of the atom,
 *  its value), (rest of mode 0, rest of mode 1, ...)). */
CT_FN void ct_mma_by_atom(ct_layout *r, const ct_tiled_mma *t, const ct_layout *L, int operand)
{
    ct_tiler order = CT_ZERO, one = CT_ZERO;
    ct_layout ordered = CT_ZERO, tiles = CT_ZERO;
    for (int k = 0; k < 2; ++k) {
        const ct_layout tile = ct_tiled_mma_order(t, operand, k);
        const ct_layout atom = ct_layout1(ct_mma_operand_extent(&t->atom, operand, k), 1);
        ct_tiler_push(&order, &tile);
        ct_tiler_push(&one, &atom);
    }
    ct_divide_by_mode(&ordered, CT_CAST(ct_layout *, 0), L, &order);
    ct_divide_zipped(&tiles, &ordered, &one);
    ct_tiler by = CT_ZERO;
    const ct_layout tv = ct_mma_tv(t->atom, operand);
    ct_tiler_push(&by, &tv);
    ct_tiler_push_any(&by);
    ct_compose_by(r, &tiles, &by);
}

/**
 * @internal Makes the empty layout r an operand L by threads and values: ((thread of the atom,
 * (atom in mode 0, atom in mode 1)), (values of one atom, (rest of mode 0, rest of mode 1, ...))).
 */
CT_FN void ct_mma_by_thread(ct_layout *r, const ct_tiled_mma *t, const ct_layout *L, int operand)
{
    ct_layout z = CT_ZERO, threads = CT_ZERO, rests = CT_ZERO, split = CT_ZERO;
    const int rank = ct_part_rank(ct_whole(L));
    if (rank < 2)
        r->err =
            ct_make_error(CT_E_ARGUMENT, ct_mma_partition_op(operand), CT_WHY_RANK, 0, 2, rank);
    if (r->err.status) return;
    ct_mma_by_atom(&z, t, L, operand);
    r->err = z.err;
    if (z.err.status) return;
    const ct_part in = ct_part_mode(ct_whole(&z), 0), rest = ct_part_mode(ct_whole(&z), 1);
    CT_FOR(k, ct_part_rank(rest))
    {
        const ct_part mode = ct_part_mode(rest, k);
        if (k < 2) { /* the atoms that different threads carry out, and those of one thread */
            const ct_part of = ct_part_mode(ct_whole(&t->atoms), ct_mma_mode_of(operand, k));
            const ct_layout atoms = ct_layout1(ct_part_size(of), 1);
            ct_layout_clear(&split);
            ct_divide_part(&split, mode, ct_whole(&atoms));
            ct_push_next(&threads, ct_part_mode(ct_whole(&split), 0));
            ct_push_next(&rests, ct_part_mode(ct_whole(&split), 1));
        } else {
            ct_push_next(&rests, mode);
        }
    }
    r->err = threads.err.status ? threads.err : rests.err;
    ct_push_mode(r, in, 0, 2, 0);
    ct_push_part(r, ct_whole(&threads), 0, 1);
    ct_push_mode(r, in, 1, 1, 0);
    ct_push_part(r, ct_whole(&rests), 0, 2);
    if (r->err.status == CT_OK) r->err = ct_layout_check(r, ct_mma_partition_op(operand));
}

/** @internal Makes the zero tensor r a thread's part of an operand; see ct_partition_a. */
CT_FN void ct_mma_partition(ct_tensor *r, const ct_tiled_mma *t, const ct_tensor *data,
                            int64_t thread, int operand)
{
    const int32_t op = ct_mma_partition_op(operand);
    r->layout.err = t->atom.err.status ? t->atom.err : data->layout.err;
    if (r->layout.err.status) return;
    const ct_tuple at = ct_thread_coord(t->thr, thread); /* (thread of the atom, m, n, k) */
    if (at.err.status) {
        r->layout.err = at.err;
        r->layout.err.op = op;
        return;
    }
    ct_layout by = CT_ZERO;
    ct_mma_by_thread(&by, t, &data->layout, operand);
    r->layout.err = by.err;
    if (by.err.status) return;
    const int rest = ct_part_rank(ct_part_mode(ct_part_mode(ct_whole(&by), 1), 1));
    ct_tuple who = ct_int(at.value[0]), what = ct_any(), coord = CT_ZERO;
    who = ct_append(ct_wrap(who), ct_tuple2(at.value[1 + ct_mma_mode_of(operand, 0)],
                                            at.value[1 + ct_mma_mode_of(operand, 1)]));
    what = ct_append(ct_wrap(what), ct_repeat_any(rest));
    ct_tuple_push_next(&coord, &who);
    ct_tuple_push_next(&coord, &what);
    ct_slice_tensor(r, data, &by, &coord);
}

/**
 * The elements of A (m,k), of a sparse one (m,k/2), that a thread holds: (values of one atom, atoms
 * along m, atoms along k, rest of mode 2, ...). A mode that is not a multiple of the tile's rounds
 * up, as divides do.
 *
 * Ensures:  over all threads each element is held alike, as often as atoms lie along n.
 *           [law_mma_partition]
 * Fails:    CT_E_DOMAIN when there is no such thread; CT_E_ARGUMENT for fewer than two modes; as
 *           zipped_divide.
 * Cost:     that of some divides and compositions.
 * Example:  partition_a(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (128,64):(64,1), 40)
 *               == 1152@((2,2,2),4,4):((1,512,8),2048,16)
 * Source:   CuTe, mma_atom.hpp.
 */
CT_FN ct_tensor ct_partition_a(ct_tiled_mma t, ct_tensor a, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_mma_partition(&r, &t, &a, thread, CT_MMA_A);
    return r;
}

/**
 * The elements of B (n,k) that a thread holds; as ct_partition_a.
 * Ensures:  over all threads each element is held alike, as often as atoms lie along m.
 *           [law_mma_partition]
 * Fails:    as ct_partition_a.
 * Cost:     as ct_partition_a.
 * Example:  partition_b(tiled_mma(universal_fma, (16,16)), (64,32):(32,1), 40)
 *               == 64@(1,4,32):(0,512,1)
 * Source:   CuTe, mma_atom.hpp.
 */
CT_FN ct_tensor ct_partition_b(ct_tiled_mma t, ct_tensor b, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_mma_partition(&r, &t, &b, thread, CT_MMA_B);
    return r;
}

/**
 * The elements of C (m,n) that a thread holds; as ct_partition_a.
 * Ensures:  over all threads each element is held alike, as often as atoms lie along k.
 *           [law_mma_partition]
 * Fails:    as ct_partition_a.
 * Cost:     as ct_partition_a.
 * Example:  partition_c(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (128,64):(1,128), 1)
 *               == 256@((2,2),4,4):((128,8),32,2048)
 * Source:   CuTe, mma_atom.hpp.
 */
CT_FN ct_tensor ct_partition_c(ct_tiled_mma t, ct_tensor c, int64_t thread)
{
    ct_tensor r = CT_ZERO;
    ct_mma_partition(&r, &t, &c, thread, CT_MMA_C);
    return r;
}

/**
 * The shape of a thread's fragment of an operand of the given shape.
 * Fails:    as ct_partition_a.
 * Cost:     as ct_partition_a.
 * Example:  partition_shape_a(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), (128,64))
 *               == ((2,2,2),4,4)
 */
CT_FN ct_tuple ct_mma_fragment_shape(ct_tiled_mma t, ct_tuple shape, int operand)
{
    const ct_layout L = ct_make_col_major(shape);
    ct_layout by = CT_ZERO;
    by.err = t.atom.err.status ? t.atom.err : L.err;
    if (by.err.status == CT_OK) ct_mma_by_thread(&by, &t, &L, operand);
    if (by.err.status) return ct_tuple_fail(by.err);
    const ct_tuple values = ct_get(ct_shape(by), 1);
    const ct_tuple rest = ct_get(values, 1);
    return ct_concat(ct_wrap(ct_get(values, 0)), rest);
}

/** @internal Makes the empty layout r the threads (thread of the atom, (mode 0, mode 1)) of an
 * operand over all atoms. Atoms along n hold the same A, and atoms along m the same B. Each atom
 * along k sums a separate part of C, for which CuTe's layout has no place: threads after the first
 * along k are past the tile. */
CT_FN void ct_mma_all_threads(ct_layout *r, const ct_tiled_mma *t, ct_part threads, int operand)
{
    const ct_part atoms = ct_part_mode(threads, 1), all = ct_whole(&t->atoms);
    const int64_t m = ct_part_size(ct_part_mode(all, 0)), n = ct_part_size(ct_part_mode(all, 1));
    ct_push_mode(r, threads, 0, 1, 0);
    if (operand == CT_MMA_C) {
        ct_push_part(r, atoms, 0, 1);
        return;
    }
    const ct_layout twice = operand == CT_MMA_A ? ct_layout2(m, n, 1, 0) : ct_layout2(m, n, 0, 1);
    ct_layout done = CT_ZERO;
    ct_compose(&done, ct_part_mode(atoms, 0), ct_whole(&twice));
    ct_push_part(r, ct_whole(&done), 1, 0);
    ct_push_mode(r, atoms, 1, 0, 2);
}

/** @internal Makes the empty layout r thread -> (thread of the atom, m, n, k) of a tiled MMA. Threads
 *  in a gap that copies of those below fill, as quad pairs fill a warp, are where those are. Those
 *  in another gap are at atoms that do not exist, past the last. */
CT_FN void ct_mma_thread_inverse(ct_layout *r, const ct_layout *thr)
{
    r->err = ct_integral_check(thr, CT_OP_TILED_MMA);
    if (r->err.status) return;
    const ct_sorted s = ct_sort_leaves(thr);
    int64_t next = 1; /* the threads up to which r reaches */
    CT_FOR(i, s.leaves.profile.leaves)
    {
        const int64_t d = s.leaves.stride[i], shape = s.leaves.shape[i];
        if (d < next) continue;
        const int last = r->profile.leaves - 1;
        const int64_t unit = last < 0 ? 1 : next / r->shape[last];
        if (d % unit != 0)
            r->err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_TILED_MMA, CT_WHY_GAP, 0, d, unit);
        else if (d % next != 0) r->shape[last] = d / unit;
        else if (d > next) ct_layout_push_leaf(r, d / next, 0, CT_INTEGER);
        ct_layout_push_leaf(r, shape, s.unit[i], CT_INTEGER);
        next = d * shape;
    }
    ct_close_flat(r);
}

/**
 * (thread, (values of one atom, (rest of mode 0, rest of mode 1))) -> index in an operand's tile.
 * Threads are numbered as in the layout of the threads. Each unused quad pair of a warp holds the
 * elements of one in use. If three are in use, the last of four reaches past the tile.
 *
 * Ensures:  each thread of the tiled MMA holds the elements of its partition, in its order.
 *           [law_mma_partition]
 * Fails:    as ct_composition.
 * Cost:     as ct_partition_a, and an inverse.
 * Example:  tv_layout_c(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)))
 *               == ((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))
 * Source:   CuTe, mma_atom.hpp.
 */
CT_FN ct_layout ct_tiled_mma_tv(ct_tiled_mma t, int operand)
{
    if (t.atom.err.status) return ct_layout_fail(t.atom.err);
    const ct_layout tile = ct_make_col_major(ct_tiled_mma_tile(t, operand));
    ct_layout by = CT_ZERO, threads = CT_ZERO, inverse = CT_ZERO, done = CT_ZERO, r = CT_ZERO;
    const int64_t used = ct_part_size(ct_whole(&t.thr));
    ct_mma_by_thread(&by, &t, &tile, operand);
    if (by.err.status) return by;
    ct_mma_all_threads(&threads, &t, ct_part_mode(ct_whole(&by), 0), operand);
    ct_mma_thread_inverse(&inverse, &t.thr);
    r.err = threads.err.status ? threads.err : inverse.err;
    if (ct_part_size(ct_whole(&inverse)) >
        used) { /* past the last atom: on from the last mode that moves */
        const ct_layout all = threads;
        ct_layout_clear(&threads);
        ct_push_coalesced(&threads, ct_whole(&all), 0);
        ct_close_flat(&threads);
    }
    if (r.err.status == CT_OK) ct_compose(&done, ct_whole(&threads), ct_whole(&inverse));
    ct_push_part(&r, ct_whole(&done), 1, 0);
    ct_push_mode(&r, ct_whole(&by), 1, 0, 1);
    return ct_checked(r, ct_mma_partition_op(operand));
}

/**
 * The tiled copy that moves an operand's tile, with threads and values in the order of the tiled
 * MMA.
 *
 * Ensures:  each element of the tile is held by r.copies threads.   [law_mma_copy]
 * Fails:    CT_E_ARGUMENT when a thread's values are not a multiple of the atom's; as
 *           ct_tiled_mma_tv; of C, CT_E_DOMAIN where several atoms lie along k; CT_E_DOMAIN where a
 *           thread that is not one of the tiled MMA reaches past the tile.
 * Cost:     that of ct_tiled_mma_tv.
 * Example:  tv_layout_src(tiled_copy_a(copy_atom(universal32, 16),
 *               tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)))
 *               == ((4,8,2,2),(2,(2,2))):((64,1,16,0),(32,(8,256)))
 * Source:   CuTe, copy_atom.hpp: make_tiled_copy_A, _B and _C.
 */
CT_FN ct_tiled_copy ct_make_tiled_copy_mma(ct_copy_atom atom, ct_tiled_mma t, int operand)
{
    const ct_layout tv = ct_tiled_mma_tv(t, operand);
    const ct_tuple tile = ct_tiled_mma_tile(t, operand);
    const int64_t parts = ct_size(ct_mode(t.atoms, 2));
    if (operand == CT_MMA_C && parts > 1)
        return ct_tiled_copy_fail(
            ct_make_error(CT_E_DOMAIN, CT_OP_TILED_MMA, CT_WHY_MMA_PARTS, 0, parts, 0));
    ct_tiled_copy copy = ct_make_tiled_copy_tv(atom, tv, tile);
    if (copy.atom.err.status == CT_OK)
        copy.copies = CT_CAST(int32_t, ct_size(tv) / ct_product(tile));
    if (copy.atom.err.status == CT_E_DOMAIN && tv.err.status == CT_OK)
        return ct_tiled_copy_fail(ct_make_error(CT_E_DOMAIN, CT_OP_TILED_MMA, CT_WHY_MMA_IDLE, 0,
                                                ct_size(ct_right_inverse(t.thr)),
                                                ct_size(ct_mode(tv, 0))));
    return copy;
}

/**
 * ct_make_tiled_copy_mma for A.
 * Fails:    as ct_make_tiled_copy_mma.
 * Cost:     that of ct_tiled_mma_tv.
 * Example:  tv_layout(tiled_copy_a(copy_atom(ldmatrix_x4, 16),
 *               tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))))
 *               == ((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))
 */
CT_FN ct_tiled_copy ct_make_tiled_copy_a(ct_copy_atom atom, ct_tiled_mma t)
{
    return ct_make_tiled_copy_mma(atom, t, CT_MMA_A);
}

/**
 * ct_make_tiled_copy_mma for B.
 * Fails:    as ct_make_tiled_copy_mma.
 * Cost:     that of ct_tiled_mma_tv.
 * Example:  tv_layout(tiled_copy_b(copy_atom(ldmatrix_x4, 16),
 *               tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <_,32,_>)))
 *               == ((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))
 * Example:  tiled_copy_b(copy_atom(ldmatrix_x4, 16),
 *               tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))) == error
 */
CT_FN ct_tiled_copy ct_make_tiled_copy_b(ct_copy_atom atom, ct_tiled_mma t)
{
    return ct_make_tiled_copy_mma(atom, t, CT_MMA_B);
}

/**
 * ct_make_tiled_copy_mma for C.
 * Fails:    as ct_make_tiled_copy_mma.
 * Cost:     that of ct_tiled_mma_tv.
 * Example:  tv_layout(tiled_copy_c(copy_atom(universal32, 32),
 *               tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))))
 *               == ((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))
 */
CT_FN ct_tiled_copy ct_make_tiled_copy_c(ct_copy_atom atom, ct_tiled_mma t)
{
    return ct_make_tiled_copy_mma(atom, t, CT_MMA_C);
}

#endif
