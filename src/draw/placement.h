/**
 * The positions of everything in a picture, in pixels, for the renderers that draw.
 */
#ifndef CUTLET_SRC_DRAW_PLACEMENT_H
#define CUTLET_SRC_DRAW_PLACEMENT_H

#include "palette.h"
#include "picture.h"

/** Sizes of text, in pixels; none below 11, which is still read without magnifying. */
#define CT_TITLE_PX 16.0
#define CT_TEXT_PX 12.0
#define CT_LABEL_PX 12.0
#define CT_SUB_PX 11.0
#define CT_HEAD_PX 11.0
#define CT_MARGIN_PX 18.0
#define CT_LINES_MAX 12

/** A paragraph broken into lines. */
typedef struct ct_paragraph {
    const char *text[CT_LINES_MAX];
    int length[CT_LINES_MAX]; /* in bytes */
    int count;
} ct_paragraph;

typedef struct ct_placement {
    double cell_w, cell_h;
    double head_w, head_h; /* the headings left of a grid, and above it */
    double row_sub_w;      /* the second headings of rows, right of the first */
    double caption_h;      /* the caption above the headings */
    double width, height;  /* of the full picture */
    double title_y;        /* the first baselines */
    double subtitle_y, legend_y, notes_y;
    int across; /* grids side by side */
    ct_paragraph title, subtitle;
} ct_placement;

/** Places everything; o gives the title. */
ct_placement ct_place_picture(const ct_picture *p, const ct_draw_options *o);

/** The left upper corner of the cells of grid k. */
void ct_place_grid(const ct_placement *at, const ct_picture *p, int k, double *x, double *y);

/** Breaks text into lines of about this number of characters. */
ct_paragraph ct_break_lines(const char *text, int chars);

/** How many characters of running text fit into the picture. */
int ct_place_chars(const ct_placement *at);

/** The weight of the line above the cell (vertical = 0) or left of it, also at the grid's end: -1
 * none, 0 thin, 1 to 3 a rule. 4 is the edge of a box, 5 the edge between two boxes without a
 * colour. */
#define CT_LINE_WEIGHTS 6
int ct_line_weight(const ct_panel *g, int64_t row, int64_t col, int vertical);

/** Which fills the picture uses; returns how many cells it has. */
int64_t ct_picture_fills(const ct_picture *p, char used[CT_FILLS]);

#endif
