/**
 * The text of an encoding: as Triton's compiler prints it, and as Gluon's Python calls it.
 */
#ifndef CUTLET_SRC_CONVERT_TRITON_TEXT_H
#define CUTLET_SRC_CONVERT_TRITON_TEXT_H

#include "text/words.h"
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

/** Reads the whole text. CT_OK, or what t->r.failed says. */
ct_status ct_read_triton_text(ct_triton_text *t);

/** Whether a word names a layout of Gluon that is read. */
int ct_is_gluon_class(const char *word);

/** Reads {name = value, ..} of an encoding, or the arguments of a call of Python up to its end. */
ct_status ct_read_triton_attributes(ct_triton_text *t, int kind, int python);

/** Reads the intervals and the gaps after them, in elements: of Python [[64, 8], [256, 16]], else [64:+8, 256:+16]. */
ct_status ct_read_triton_pads(ct_triton_text *t, int is_python);

#endif
