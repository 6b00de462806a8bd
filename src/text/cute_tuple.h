/**
 * Integers and tuples of CuTe, which its layouts are made of.
 */
#ifndef CUTLET_SRC_TEXT_CUTE_TUPLE_H
#define CUTLET_SRC_TEXT_CUTE_TUPLE_H

#include "base/words.h"
#include "reader.h"

/** Reads an integer, a tuple, or a sum of basis elements: 8, _8{}, Shape<_4,_8>, (4, 8), E<0>{} * 3. */
ct_status ct_read_cute_tuple(ct_reader *r, ct_tuple *out);

/** Reads the elements of a tuple up to `close`; a comma may follow the last. */
ct_status ct_read_cute_elements(ct_reader *r, char close, ct_tuple *out);

#endif
