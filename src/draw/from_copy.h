/**
 * What the pictures of thread-value layouts share.
 */
#ifndef CUTLET_SRC_DRAW_FROM_COPY_H
#define CUTLET_SRC_DRAW_FROM_COPY_H

#include "excerpt.h"

/** Whether a thread-value layout over a tile can be followed. 0, or -1 and one line. */
int ct_check_tv(ct_layout tv, ct_tuple tile, char *error);

/** Fills the grids of a tile with its holders: first, and every so many from there. 0, or -1 and
 *  one line. */
int ct_fill_tile(ct_picture *p, ct_layout tv, const ct_excerpt *v, int first, int step,
                 const char *caption, char *error);

/** Says how the colours run. */
void ct_explain_colors(ct_picture *p, int64_t threads);

#endif
