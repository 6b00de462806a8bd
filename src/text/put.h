/**
 * Values as text, in the notation.
 */
#ifndef CUTLET_SRC_TEXT_PUT_H
#define CUTLET_SRC_TEXT_PUT_H

#include "base/builder.h"
#include <cutlet/host/text.h>

void ct_put_tuple(ct_builder *b, ct_tuple t);
void ct_put_layout(ct_builder *b, ct_layout L);
void ct_put_layout_of(ct_builder *b, const ct_layout *L); /* without a copy of it */

#endif
