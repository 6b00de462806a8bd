/**
 * How the coordinates of a shape lie on paper: a row, a grid, or several grids.
 */
#ifndef CUTLET_SRC_DRAW_VIEW_H
#define CUTLET_SRC_DRAW_VIEW_H

#include "picture.h"

typedef struct ct_view {
    ct_tuple shape;
    int64_t size, rows, cols, grids;  /* of the whole shape */
    int64_t show_rows, show_cols, show_grids; /* what is drawn of it */
    int wrapped; /* a single mode, in rows of cols each */
} ct_view;

/** The view of a shape. 0, or -1 and one line: too many cells, unless the options truncate. */
int ct_view_make(ct_view *v, ct_tuple shape, const ct_draw_options *o, char *error);

/** The index of a cell; -1 behind the end of the last row of a single mode. */
int64_t ct_view_index(const ct_view *v, int64_t grid, int64_t row, int64_t col);

/** The cell of an index; 0 where it is not drawn. */
int ct_view_find(const ct_view *v, int64_t index, int64_t *grid, int64_t *row, int64_t *col);

/** Adds grid k of a view to a picture, with its headings and rules; `caption` stands over it, before
 *  the coordinates of a slice. NULL without memory. */
ct_grid *ct_view_grid(ct_picture *p, const ct_view *v, int64_t k, const char *caption);

/** Adds all grids of a view, in rows that end where the third mode does. 0, or -1 without memory. */
int ct_view_grids(ct_picture *p, const ct_view *v);

/** How many grids belong into one row: those of the third mode, where there are further ones. */
int32_t ct_view_period(const ct_view *v);

/** Says in notes what the slices are, and what is not drawn. */
void ct_view_note(ct_picture *p, const ct_view *v, const ct_draw_options *o);

#endif
