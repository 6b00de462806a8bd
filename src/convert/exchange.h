/**
 * What the readers and the writers of other systems' layouts exchange.
 */
#ifndef CUTLET_SRC_CONVERT_EXCHANGE_H
#define CUTLET_SRC_CONVERT_EXCHANGE_H

#include "base/builder.h"
#include "text/triton_bases.h"

/* ---- readers and writers ------------------------------------------------------------------- */

/** Each reads the whole text. Where options give a shape or bits that the text has too, they must
 *  agree. */
ct_status ct_read_cute(const char *text, ct_exchange *out, ct_diag *diag);
ct_status ct_read_mdspan(const char *text, ct_exchange *out, ct_diag *diag);
ct_status ct_read_numpy(const char *text, const ct_convert_options *o, ct_exchange *out,
                        ct_diag *diag);

/** A tensor in the forms of CuTe. */
ct_status ct_write_cute(ct_builder *b, int system, const ct_tensor *t, ct_diag *diag);

/** Bases as an encoding of Triton. */
ct_status ct_write_triton(ct_builder *b, int system, const ct_bases *f, int element_bits,
                          ct_diag *diag);
ct_status ct_write_mdspan(ct_builder *b, int system, const ct_tensor *t, ct_diag *diag);
ct_status ct_write_numpy(ct_builder *b, const ct_tensor *t, int element_bits, ct_diag *diag);

/* ---- strides, for mdspan and NumPy --------------------------------------------------------- */

/** A tensor whose modes have one stride each. */
typedef struct ct_strided {
    int rank;
    int64_t offset, shape[CT_CONVERT_RANK], stride[CT_CONVERT_RANK];
} ct_strided;

/** A tensor as strides. CT_E_NO_LAYOUT with the mode or the coordinate where they are none; of a
 *  swizzled tensor by enumeration. */
ct_status ct_strided_of(const ct_tensor *t, const char *system, ct_strided *out, ct_diag *diag);

/** The tensor of so many strides. */
ct_status ct_strided_tensor(const ct_strided *s, ct_tensor *out, ct_diag *diag);

#endif
