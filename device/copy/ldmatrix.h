/**
 * A thread's part of a copy between shared memory and registers by ldmatrix or stmatrix: an access
 * is one instruction of 1, 2 or 4 matrices of 8 x 8 elements of 16 bits.
 */
#ifndef CUTLET_DEVICE_COPY_LDMATRIX_H
#define CUTLET_DEVICE_COPY_LDMATRIX_H

#include <cutlet/device/copy/access.h>
#include <cutlet/device/arch/ldmatrix.h>

/** @internal Executes the accesses [first, end) by ldmatrix or stmatrix. */
CT_DEVICE void ct_copy_matrices(const ct_partition *P, const ct_view *from, const ct_view *to,
                                const int first, const int end)
{
    const int load = P->atom == CT_ATOM_LDMATRIX || P->atom == CT_ATOM_LDMATRIX_TRANS;
    const int n = P->matrices;
    CT_UNROLL for (int i = first; i < end; ++i)
    {
        if (load) {
            uint32_t *const r = (uint32_t *)to->at + i * n;
            const unsigned char *const at = ct_access_in_shared(P, &P->src, from, i);
            if (P->atom == CT_ATOM_LDMATRIX && n == 4) ct_ldmatrix_x4(r, at);
            else if (P->atom == CT_ATOM_LDMATRIX && n == 2) ct_ldmatrix_x2(r, at);
            else if (P->atom == CT_ATOM_LDMATRIX) ct_ldmatrix_x1(r, at);
            else if (n == 4) ct_ldmatrix_x4_trans(r, at);
            else if (n == 2) ct_ldmatrix_x2_trans(r, at);
            else ct_ldmatrix_x1_trans(r, at);
        } else {
#if CT_HAS_STMATRIX
            const uint32_t *const r = (const uint32_t *)from->at + i * n;
            unsigned char *const at = ct_access_in_shared(P, &P->dst, to, i);
            if (P->atom == CT_ATOM_STMATRIX && n == 4) ct_stmatrix_x4(at, r);
            else if (P->atom == CT_ATOM_STMATRIX && n == 2) ct_stmatrix_x2(at, r);
            else if (P->atom == CT_ATOM_STMATRIX) ct_stmatrix_x1(at, r);
            else if (n == 4) ct_stmatrix_x4_trans(at, r);
            else if (n == 2) ct_stmatrix_x2_trans(at, r);
            else ct_stmatrix_x1_trans(at, r);
#endif
        }
    }
}

/** @internal Copies a thread's part by ldmatrix or stmatrix. */
CT_DEVICE void ct_copy_by_matrices(const ct_partition *P, const ct_view src, const ct_view dst)
{
    const ct_view from = ct_view_src(P, src, threadIdx.x), to = ct_view_dst(P, dst, threadIdx.x);
    const int n = P->src.space == CT_SPACE_SHARED ? P->src.accesses : P->dst.accesses;
    ct_copy_matrices(P, &from, &to, 0, n);
}

#endif
