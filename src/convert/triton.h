/**
 * Triton's encodings by their attributes, and the linear layouts that they are.
 */
#ifndef CUTLET_SRC_CONVERT_TRITON_H
#define CUTLET_SRC_CONVERT_TRITON_H

#include "exchange.h"

/** A basis of a linear layout as Triton writes it: a coordinate. */
typedef struct ct_basis_row {
    int64_t at[CT_CONVERT_RANK];
} ct_basis_row;

/** The attributes of an encoding; those that `kind` does not have are 0. */
typedef struct ct_encoding {
    int kind; /* CT_SYSTEM_TRITON_... */
    int rank;
    int64_t per_thread[CT_CONVERT_RANK], threads[CT_CONVERT_RANK], warps[CT_CONVERT_RANK];
    int64_t order[CT_CONVERT_RANK]; /* the dimensions, fastest first */
    int64_t vec, per_phase, max_phase;
    int64_t swizzle_bytes, element_bits;
    int transposed;
    int blocks; /* rows of cga: CGALayout */
    ct_basis_row cga[CT_LINEAR_BITS];
} ct_encoding;

/** The linear layout of a blocked, swizzled or nvmma encoding for a tensor whose dimension d has
 *  2^log[d] elements. CT_E_NO_LAYOUT where Triton has none. */
ct_status ct_encoding_bases(const ct_encoding *e, const int *log, ct_bases *out, ct_diag *diag);

/** What keeps bases from #ttg.linear, which permutes, and from #ttg.generic_linear, whose bases of registers,
 *  lanes and blocks are along one dimension each. */
ct_status ct_linear_check(const ct_bases *f, ct_diag *diag);

/** Fills in the attributes of an encoding of the kind e->kind that is the linear layout f. Returns
 *  0 where there is none. */
int ct_encoding_of_bases(const ct_bases *f, int element_bits, ct_encoding *e);

#endif
