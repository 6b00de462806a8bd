/**
 * Extents as texts give them.
 */
#ifndef CUTLET_SRC_TEXT_EXTENTS_H
#define CUTLET_SRC_TEXT_EXTENTS_H

#include <cutlet/host/text.h>

/** Extents as a tuple, (64,64), or with crosses or commas, 64x64. As ct_parse_tuple. */
ct_status ct_extents_read(const char *text, ct_tuple *out, ct_diag *diag);

#endif
