/**
 * What a value is as a function of an index: for offsets(L), `~` and a value at a coordinate.
 */
#ifndef CUTLET_SRC_TEXT_OFFSETS_H
#define CUTLET_SRC_TEXT_OFFSETS_H

#include <cutlet/host/text.h>

/** Whether v is a function of an index; if so, *size is the number of indices. */
int ct_function_size(const ct_value *v, int64_t *size);

/** The offset of index i, an integer or a coordinate; the index is within the size. A bare shape
 *  counts as its layout here. */
ct_tuple ct_function_at(const ct_value *v, int64_t i);

/** The operation offsets(v): every offset in order, as a flat tuple or a list. */
void ct_run_offsets(const ct_value *arg, int count, ct_value *out);

#endif
