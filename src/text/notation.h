/**
 * The pieces of the grammar that src/text/notation.c puts together; see reader.h.
 */
#ifndef CUTLET_SRC_TEXT_NOTATION_H
#define CUTLET_SRC_TEXT_NOTATION_H

#include "reader.h"

/** One level of nesting more; to be followed by --r->depth. CT_E_TEXT when it is too deep. */
ct_status ct_reader_enter(ct_reader *r);

/** Whether an integer begins at the cursor: 4, -4, _4. */
int ct_begins_integer(const ct_reader *r);

/** The failure of something that is written out in the text: the text is bad, not an operation. */
void ct_fail_literal(ct_value *v, ct_error e, size_t at, size_t end);

/** An integer, v@m, v@m@n or `_`, as a tuple of one leaf. */
ct_status ct_read_leaf(ct_reader *r, ct_tuple *out);

/** ( .. ): a tuple, a list, or any other single value in parentheses. */
ct_status ct_read_parenthesis(ct_reader *r, ct_value *out);

/** < tile, .. > */
ct_status ct_read_tiler(ct_reader *r, ct_value *out);

/** Sw<bits,base,shift>, after a word of this many letters; after a swizzle of bytes its pointer, as
 *  CuTe prints them: Sw<3,4,3>_smem_ptr[16b](0x7f00) o (8,64):(64,1). */
ct_status ct_read_swizzle(ct_reader *r, size_t word, ct_value *out);

#endif
