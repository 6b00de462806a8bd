/**
 * Triton's encodings by their attributes, and the linear layouts that they are.
 */
#ifndef CUTLET_SRC_TEXT_TRITON_H
#define CUTLET_SRC_TEXT_TRITON_H

#include "triton_bases.h"

/** A basis of a linear layout as Triton writes it: a coordinate. */
typedef struct ct_basis_row {
    int64_t at[CT_CONVERT_RANK];
} ct_basis_row;

/** Encodings that are read, not written. */
enum {
    CT_TRITON_PADDED = CT_SYSTEM_COUNT,
    CT_TRITON_MMA,
    CT_TRITON_MFMA,
    CT_TRITON_SLICE,
    CT_TRITON_DOT
};

/** The most of its dimensions that an instruction names. */
#define CT_INSTRUCTION_RANK 3

/** The attributes of an encoding; those that `kind` does not have are 0. */
typedef struct ct_encoding {
    int kind; /* CT_SYSTEM_TRITON_..., CT_TRITON_... */
    int rank;
    int64_t per_thread[CT_CONVERT_RANK], threads[CT_CONVERT_RANK], warps[CT_CONVERT_RANK];
    int64_t order[CT_CONVERT_RANK]; /* the dimensions, fastest first */
    int64_t vec, per_phase, max_phase;
    int64_t swizzle_bytes, element_bits;
    int transposed;
    int64_t version, instruction[CT_INSTRUCTION_RANK], tiles[CT_CONVERT_RANK]; /* of MMAs */
    int is_operand; /* of an MMA: dot_op */
    int64_t operand, k_width;
    int blocks; /* rows of cga: CGALayout */
    ct_basis_row cga[CT_LINEAR_BITS];
} ct_encoding;

/** The linear layout of an encoding by its attributes for a tensor whose dimension d has
 *  2^log[d] elements. CT_E_NO_LAYOUT where Triton has none. */
ct_status ct_encoding_bases(const ct_encoding *e, const int *log, ct_bases *out, ct_diag *diag);

/** The dimension of an operand that the product sums over. */
int ct_dim_of_k(const ct_encoding *e);

/** What keeps an MMA's encoding, or that of an operand, from having bases. */
ct_status ct_mma_encoding_check(const ct_encoding *e, ct_diag *diag);

/** The registers, lanes and warps of such an encoding, where a block has 2^part[d] elements of
 *  dimension d. Returns 0 where they have too many bits. */
int ct_mma_encoding_bases(const ct_encoding *e, const int *part, ct_bases *out);

/** Fills in the attributes of an encoding of the kind e->kind that is the linear layout f. Returns
 *  0 where there is none. */
int ct_encoding_of_bases(const ct_bases *f, int element_bits, ct_encoding *e);

#endif
