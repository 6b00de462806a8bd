/**
 * Whether a tiled copy may use its atom on two layouts: each access contiguous and aligned.
 */
#ifndef CUTLET_COPY_COPY_CHECK_H
#define CUTLET_COPY_COPY_CHECK_H

#include <cutlet/copy/thread_values.h>

/** @internal The error of accesses of n elements on one side, ((thread, ((access), atoms)), rest):
 * the access is not contiguous, or another step is not a multiple of it. */
CT_FN ct_error ct_access_check(const ct_layout *L, int64_t n, int side)
{
    ct_error e = CT_ZERO;
    const ct_part access = ct_part_mode(ct_part_mode(ct_part_mode(ct_whole(L), 0), 1), 0);
    ct_layout runs = CT_ZERO;
    ct_push_coalesced(&runs, access, 0);
    const int64_t run = runs.stride[0] == 1 || runs.shape[0] == 1 ? runs.shape[0] : 1;
    if (run % n != 0)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, side, n, run);
    CT_FOR(i, L->profile.leaves)
    {
        const int inside = i >= access.s.first && i < access.s.first + access.s.count;
        if (!inside && L->shape[i] > 1 && L->stride[i] % n != 0 && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, side, L->stride[i],
                              n);
    }
    CT_FOR(i, runs.profile.leaves)
    { /* an access of several runs */
        if (i > 0 && runs.stride[i] % n != 0 && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, side,
                              runs.stride[i], n);
    }
    return e;
}

/**
 * Whether the atom may be used on these layouts. Each access of every thread must be one contiguous
 * run of the atom's width on both memory sides, and begin at a multiple of it.
 *
 * Ensures:  true where and only where each access is contiguous and aligned.
 *           [check_copy_is_exact]
 * Fails:    CT_E_ARGUMENT with the number of values that do lie contiguous, or with the stride that
 *           is not a multiple of the access; as partition_src.
 * Cost:     that of ct_partition_src twice, and O(leaves).
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
        ct_partition_threads(&L, &t, side == 0 ? &src : &dst,
                             side == 0 ? &t.atom.src_tv : &t.atom.dst_tv);
        const int registers = side == 0 ? store : load;
        e = L.err.status || registers ? L.err : ct_access_check(&L, n, side);
    }
    return e;
}

#endif
