/**
 * Which cells of a shape are drawn, and in which panels: a row, one panel, or several.
 */
#ifndef CUTLET_SRC_DRAW_EXCERPT_H
#define CUTLET_SRC_DRAW_EXCERPT_H

#include "picture.h"

typedef struct ct_excerpt {
    ct_tuple shape;
    int64_t size, rows, cols, grids;          /* of the full shape */
    int64_t show_rows, show_cols, show_grids; /* the drawn part of it */
    int wrapped;                              /* a single mode, in rows of cols each */
} ct_excerpt;

/** The excerpt of a shape. CT_E_CAPACITY: too many cells, unless the options truncate. */
ct_status ct_excerpt_make(ct_excerpt *v, ct_tuple shape, const ct_draw_options *o, char *message);

/** The index of a cell; -1 after the end of the last row of a single mode. */
int64_t ct_excerpt_index(const ct_excerpt *v, int64_t grid, int64_t row, int64_t col);

/** The cell of an index; 0 where it is not drawn. */
int ct_excerpt_find(const ct_excerpt *v, int64_t index, int64_t *grid, int64_t *row, int64_t *col);

/** Adds grid k of an excerpt to a picture, with its headings and rules; `caption` is above it,
 * before the coordinates of a slice. NULL without memory. */
ct_panel *ct_excerpt_grid(ct_picture *p, const ct_excerpt *v, int64_t k, const char *caption);

/** Adds all grids of an excerpt, in rows that end where the third mode does. CT_OK or
 *  CT_E_MEMORY. */
ct_status ct_excerpt_grids(ct_picture *p, const ct_excerpt *v);

/** How many grids belong into one row: those of the third mode, where there are further ones. */
int32_t ct_excerpt_period(const ct_excerpt *v);

/** Adds notes on the slices and on the parts that are not drawn. */
void ct_excerpt_note(ct_picture *p, const ct_excerpt *v, const ct_draw_options *o);

#endif
