/**
 * Layouts as CuTe and those that follow it write them, inside expressions and alone.
 */
#ifndef CUTLET_SRC_TEXT_CUTE_H
#define CUTLET_SRC_TEXT_CUTE_H

#include "reader.h"

/** Whether a form of CuTe begins at the cursor that the notation does not have: Layout<Shape<..>,
 *  make_layout(make_shape(..), gmem_ptr[16b](..) o, cute.make_layout(.., Layout.row_major(.., !cute. */
int ct_begins_cute(const ct_reader *r);

/** Reads it: a tuple, a layout or a tensor. */
ct_status ct_read_cute_value(ct_reader *r, ct_value *out);

/** Reads a layout or a tensor in any form of CuTe, shape:stride too. */
ct_status ct_read_cute_tensor(ct_reader *r, ct_tensor *out);

/** Whether a print of an atom, of a tiled copy or of a tiled MMA begins at the cursor, or its type. */
int ct_begins_cute_object(const ct_reader *r);

/** Reads it. A print of an MMA has no types: it is the first atom of those layouts. */
ct_status ct_read_cute_object(ct_reader *r, ct_value *out);

/** In whose notation it is. */
const char *ct_cute_object_notation(const ct_reader *r);

/** In whose notation the first form of a text is that is not cutlet's own, "CuTe DSL", or NULL. */
const char *ct_notation_of(const char *text, size_t length);

#endif
