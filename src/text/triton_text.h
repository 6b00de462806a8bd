/**
 * The text of an encoding: as Triton's compiler prints it, and as Gluon's Python calls it.
 */
#ifndef CUTLET_SRC_TEXT_TRITON_TEXT_H
#define CUTLET_SRC_TEXT_TRITON_TEXT_H

#include "words.h"
#include "triton.h"

/** The most gaps of a padded encoding. */
#define CT_TRITON_PADS 8

/** What a text says. */
typedef struct ct_triton_text {
    ct_reader r;
    size_t at, length; /* the encoding's name */
    int rank;          /* of the type around the encoding, or 0 */
    int64_t shape[CT_CONVERT_RANK];
    int element_bits;
    ct_encoding e;
    int slices; /* each without the dimension slice[i] of what follows */
    int64_t slice[CT_CONVERT_RANK];
    int pads; /* of padded_shared: a gap of pad[i] elements behind each interval[i] */
    int64_t interval[CT_TRITON_PADS], pad[CT_TRITON_PADS];
    int bits[CT_IN_COUNT];
    ct_basis_row basis[CT_IN_COUNT][CT_LINEAR_BITS];
    ct_status (*read_parent)(struct ct_triton_text *t); /* the encoding inside another */
} ct_triton_text;

/** Reads an encoding or a type, and the shape behind `of`. CT_OK, or what t->r.failed says. */
ct_status ct_read_triton_text(ct_triton_text *t);

/** Whether a text begins with an encoding, #ttg.blocked<, or with an alias of one, #a = #: any other `#` begins
 *  a comment. */
int ct_begins_encoding(const char *text, size_t length);

/** "Triton" or "Gluon" where a text of those begins at the cursor, else NULL. */
const char *ct_begins_triton(const ct_reader *r);

/** Reads it: a layout, or a tensor where it is swizzled. */
ct_status ct_read_triton_value(ct_reader *r, ct_value *out);

/** Reads a whole text. The options may give the shape of the tensor. */
ct_status ct_read_triton(const char *text, const ct_convert_options *o, ct_exchange *out,
                         ct_diag *diag);

/** Reads {name = value, ..} of an encoding, or the arguments of a call of Python up to its end. */
ct_status ct_read_triton_attributes(ct_triton_text *t, int kind, int python);

/** Reads the intervals and the gaps after them, in elements: of Python [[64, 8], [256, 16]], else [64:+8, 256:+16]. */
ct_status ct_read_triton_pads(ct_triton_text *t, int is_python);

#endif
