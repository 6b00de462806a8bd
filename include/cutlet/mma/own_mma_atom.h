/**
 * An MMA atom of one's own: layouts say which thread holds what of A, B and C. It is data for the
 * algebra, and no instruction.
 */
#ifndef CUTLET_MMA_OWN_MMA_ATOM_H
#define CUTLET_MMA_OWN_MMA_ATOM_H

#include <cutlet/copy/own_copy_atom.h>
#include <cutlet/mma/mma_atom.h>

/** @internal What keeps a layout from naming the threads of an atom: each once, from 0 on. */
CT_FN ct_error ct_own_threads_check(const ct_layout *thr)
{
    ct_layout inverse = CT_ZERO;
    if (thr->err.status) return thr->err;
    if (!ct_is_integral(*thr))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_NOT_INTEGER, 0, 0, 0);
    const ct_layout moved = ct_filter(*thr);
    const int64_t low = ct_lowest(*thr), threads = ct_size(*thr);
    ct_left_inverse_of(&inverse, &moved);
    if (low >= 0 && ct_size(moved) == threads && inverse.err.status == CT_OK) return inverse.err;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_THREAD, 0, low, threads);
}

/**
 * The atom of a shape (m,n,k) whose threads hold A (m,k), B (n,k) and C (m,n) by these layouts
 * (thread, value) -> element, the first mode of an operand fastest. thr_id maps the atom's threads
 * to those of the block, as 8:1, or (4,2):(1,16) for a quad pair.
 *
 * Ensures:  each element of an operand is held once. A tiled MMA takes the atom as any other.
 * Fails:    CT_E_ARGUMENT for a shape that is not of three positive integers; for a layout that is
 *           not of two modes, holds an element twice, leaves one out, or has other threads than
 *           thr_id; for a thr_id that reaches a thread twice or below 0. ct_make_gemm refuses the
 *           atom.
 * Cost:     three right inverses and a left one.
 * Example:  tv_layout_c(mma_atom((4,4,2), (8,1):(1,0), (8,1):(1,0), (8,2):(1,8))) == (8,2):(1,8)
 * Example:  mma_atom((4,4,2), (8,2):(1,8), (8,1):(1,0), (8,2):(1,8)) == error
 * Example:  mma_atom((4,4,2), (8,1):(1,0), (8,1):(1,0), (8,2):(1,8), 8:0) == error
 * Source:   CuTe, mma_traits.hpp: an MMA_Traits of one's own.
 */
CT_FN ct_mma_atom ct_mma_atom_of_layouts(ct_tuple shape, ct_layout a, ct_layout b, ct_layout c,
                                         ct_layout thr_id)
{
    const ct_layout *const tv[3] = {&a, &b, &c};
    const int64_t threads = ct_size(thr_id);
    ct_mma_atom own = CT_ZERO;
    ct_error e = shape.err.status ? shape.err : ct_own_threads_check(&thr_id);
    if (e.status == CT_OK && (ct_tuple_rank(shape) != 3 || shape.profile.leaves != 3))
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_COUNT, 0, shape.profile.leaves,
                          ct_tuple_rank(shape));
    for (int i = 0; i < 3 && e.status == CT_OK; ++i)
        if (shape.value[i] < 1 || shape.value[i] > 65536)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_SHAPE, i, shape.value[i], 0);
    for (int i = 0; i < 3 && e.status == CT_OK; ++i) {
        const int64_t size = shape.value[i == CT_MMA_B] * shape.value[i == CT_MMA_C ? 1 : 2];
        if (tv[i]->err.status) return ct_mma_atom_fail(tv[i]->err);
        e = ct_own_tv_check(tv[i], size, 1);
        const int64_t has = e.status ? threads : ct_size(ct_mode(*tv[i], 0));
        if (has != threads)
            e = ct_make_error(CT_E_ARGUMENT, 0, CT_WHY_ATOM_THREADS, 0, has, threads);
        e.op = e.status ? CT_OP_MMA_ATOM : 0;
        e.mode = i;
    }
    if (e.status) return ct_mma_atom_fail(e);
    own.op.m = CT_CAST(int32_t, shape.value[0]);
    own.op.n = CT_CAST(int32_t, shape.value[1]);
    own.op.k = CT_CAST(int32_t, shape.value[2]);
    own.thr_id = thr_id;
    own.a_tv = a;
    own.b_tv = b;
    own.c_tv = c;
    return own;
}

#endif
