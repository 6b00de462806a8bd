/**
 * What a picture consists of, and what the builders and the renderers share.
 */
#ifndef CUTLET_SRC_DRAW_PICTURE_H
#define CUTLET_SRC_DRAW_PICTURE_H

#include <stdint.h>

#include "base/builder.h"
#include <cutlet/host/draw.h>

typedef struct ct_cell {
    char *label, *sub; /* NULL: none */
    int32_t color;
    int64_t box;
} ct_cell;

/** The rows of a grid, or its columns: one heading and one rule for each. */
typedef struct ct_axis {
    char *name;
    char **head, **sub;
    uint8_t *rule; /* the weight of the rule before it */
    int64_t count;
} ct_axis;

struct ct_panel {
    ct_picture *picture;
    char *caption;
    ct_axis row, col;
    ct_cell *cell; /* row by row */
};

typedef struct ct_legend {
    int32_t color;
    char *text;
} ct_legend;

struct ct_picture {
    char *title, *subtitle;
    ct_panel **grid;
    ct_legend *legend;
    char **note;
    int32_t grids, legends, notes, across, dense;
    int32_t period, pair; /* the number of grids in one row, or a lower bound of it; 0: any */
    int32_t failed;       /* memory ran out */
};

/** Options with every default filled in. */
ct_draw_options ct_draw_defaults(const ct_draw_options *options);

/** The cell of a grid. */
static inline const ct_cell *ct_cell_at(const ct_panel *g, int64_t row, int64_t col)
{
    return &g->cell[row * g->col.count + col];
}

/** Whether the boxes of two neighbouring cells differ, so that a line parts them. */
static inline int ct_box_edge(const ct_cell *a, const ct_cell *b)
{
    return a->box != b->box && (a->box >= 0 || b->box >= 0);
}

/** Whether any cell, or any heading, has a second label. */
int ct_panel_has_sub(const ct_panel *g);
int ct_axis_has_sub(const ct_axis *a);
int ct_axis_has_head(const ct_axis *a);

/** The picture in words, for screen readers: the number of cells and, if they are few, their
 * text. */
void ct_put_words(ct_builder *b, const ct_picture *p);

/** The renderers. */
void ct_render_svg(ct_builder *out, const ct_picture *p, const ct_draw_options *o);
void ct_render_tex(ct_builder *out, const ct_picture *p, const ct_draw_options *o);
void ct_render_text(ct_builder *out, const ct_picture *p, int format, const ct_draw_options *o);

#endif
