/**
 * What the pictures of thread-value layouts share.
 */
#ifndef CUTLET_SRC_DRAW_FROM_COPY_H
#define CUTLET_SRC_DRAW_FROM_COPY_H

#include "excerpt.h"

/** Whether a thread-value layout over a tile can be followed: CT_OK, or why not. */
ct_status ct_check_tv(ct_layout tv, ct_tuple tile, char *message);

/** Fills the grids of a tile with its holders, from `first` on in a fixed step. */
ct_status ct_fill_tile(ct_picture *p, ct_layout tv, const ct_excerpt *v, int first, int step,
                       const char *caption, char *message);

/** Says how the colours run. */
void ct_explain_colors(ct_picture *p, int64_t threads);

#endif
