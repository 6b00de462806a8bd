/**
 * Sizes and times in words, by the unit that suits them.
 */
#ifndef CUTLET_SRC_BASE_UNITS_H
#define CUTLET_SRC_BASE_UNITS_H

#include "builder.h"

/** Adds bytes, KiB, MiB, GiB, TiB or PiB. */
void ct_put_size(ct_builder *b, int64_t bytes);

/** Adds us, ms or s. */
void ct_put_time(ct_builder *b, double seconds);

/** The plural ending of a word for a number. */
static inline const char *ct_plural(int64_t n) { return n == 1 ? "" : "s"; }

#endif
