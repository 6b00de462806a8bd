/**
 * `?` without a value: what is the same for all values. Each `?` is read as a number twice, of two sequences; the
 * operations on them only move leaves, or are linear in strides, and the answers differ in those numbers alone.
 */
#ifndef CUTLET_SRC_TEXT_UNKNOWN_H
#define CUTLET_SRC_TEXT_UNKNOWN_H

#include "evaluate.h"

/** The first number of each sequence. */
enum { CT_UNKNOWN_FIRST = 1000003, CT_UNKNOWN_OTHER = 1100047 };

/** Whether a text has a `?` that nothing behind the expression gives a value. */
int ct_has_unknown(const char *text, size_t length);

/** Whether the step depends on the numbers from `first` on. */
int ct_depends_on_unknown(const ct_step *step, int64_t first);

/** Says at the first `?` that its value is needed. Returns CT_E_TEXT. */
ct_status ct_ask_unknown(const ct_text_span *span, ct_diag *diag);

/** Writes `?` for each number of the sequence in a text: where `once`, for the first of each that stands behind
 *  the one before. */
void ct_write_unknown(char *text, int64_t first, int once);

#endif
