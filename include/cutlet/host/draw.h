/**
 * Pictures of layouts, thread-value layouts, tiled copies and memory accesses: as SVG, as TikZ and
 * as text in a terminal.
 *
 * A picture is built once from values and rendered in any format. It consists of grids of labelled
 * cells; what the builders below do not draw, a program can put together from grids itself.
 *
 *     char message[CT_MESSAGE_BYTES];
 *     ct_picture *p = ct_picture_layout(L, NULL, message);
 *     if (!p || ct_picture_write(p, "layout.svg", NULL, message)) fprintf(stderr, "%s\n", message);
 *     ct_picture_free(p);
 */
#ifndef CUTLET_HOST_DRAW_H
#define CUTLET_HOST_DRAW_H

#include <stdint.h>
#include <stdio.h>

#include "../algebra/tensor.h"
#include "../copy/tiled_copy.h"
#include "../mma/tiled_mma.h"
#include "capacity.h"
#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif


/** The most cells of a grid, where the options do not say otherwise, and at all. */
#define CT_DRAW_CELLS 4096
#define CT_DRAW_CELLS_MAX (1 << 20)

/** The formats. */
enum {
    CT_DRAW_SVG = 0,
    CT_DRAW_TEX,     /* a document of its own, in TikZ */
    CT_DRAW_PLAIN,   /* text */
    CT_DRAW_ANSI256, /* text with 256 colours */
    CT_DRAW_ANSI24   /* text with 24-bit colours */
};

/** Which colours an SVG picture has: those that the reader's system asks for, or fixed ones. */
enum { CT_THEME_AUTO = 0, CT_THEME_LIGHT, CT_THEME_DARK };

/** The colour of a cell: a thread (any number >= 0; colours repeat every CT_DRAW_THREADS), or one
 *  of these. CT_COLOR_RAMP + k, k below CT_DRAW_RAMP, are steps from pale to strong. */
enum {
    CT_COLOR_NONE = -1,
    CT_COLOR_MUTED = -2,  /* grey */
    CT_COLOR_ABSENT = -3, /* no cell at all */
    CT_COLOR_RAMP = -64
};
#define CT_DRAW_THREADS 32
#define CT_DRAW_RAMP 16

typedef struct ct_draw_options {
    const char *title;   /* NULL: the picture's own */
    int64_t max_cells;   /* of a grid; 0: CT_DRAW_CELLS */
    int32_t truncate;    /* draw the first cells of a grid that has too many, and say so */
    int32_t theme;       /* CT_THEME_... */
    int32_t run;         /* > 0: so many consecutive offsets share a colour, in turn */
    int32_t text_columns; /* > 0: break text after so many columns */
} ct_draw_options;

typedef struct ct_picture ct_picture;
typedef struct ct_panel ct_panel;

/**
 * The layout as offsets (or coordinates) in the cells, by rank: a row, a grid, or a grid for each
 * coordinate of the modes beyond the second.
 * Fails:   NULL and one line in message: a failed layout, or more cells than the options allow.
 */
ct_picture *ct_picture_layout(ct_layout L, const ct_draw_options *options,
                              char message[CT_MESSAGE_BYTES]);

/** The same for a tensor whose offsets are integers. Of a swizzled one every run that the swizzle
 *  leaves in one piece has its colour, so that the picture shows where the runs go. */
ct_picture *ct_picture_tensor(ct_tensor t, const ct_draw_options *options,
                              char message[CT_MESSAGE_BYTES]);

/** The same for any function of the index of a shape; `name` is its title. */
ct_picture *ct_picture_function(ct_tuple shape, int64_t (*offset)(const void *of, int64_t index),
                                const void *of, const char *name, const ct_draw_options *options,
                                char message[CT_MESSAGE_BYTES]);

/**
 * A thread-value layout (thread, value) -> index in the tile (or coordinate), drawn
 * over the tile. A cell says which thread holds the element and as which of its values.
 * Fails:   as above; a layout that is not of rank 2 or leaves the tile.
 */
ct_picture *ct_picture_tv(ct_layout tv, ct_tuple tile, const ct_draw_options *options,
                          char message[CT_MESSAGE_BYTES]);

/** A tiled copy: who reads what of the source tile, beside who writes what of the destination. */
ct_picture *ct_picture_copy(ct_layout src_tv, ct_layout dst_tv, ct_tuple tile,
                            const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/** The same from the tiled copy itself: its atom's source side and destination side. */
ct_picture *ct_picture_tiled_copy(ct_tiled_copy copy, const ct_draw_options *options,
                                  char message[CT_MESSAGE_BYTES]);

/** An MMA atom: the threads and values of A (m,k), B (n,k) and C (m,n), beside one another. */
ct_picture *ct_picture_mma_atom(ct_mma_atom atom, const ct_draw_options *options,
                                char message[CT_MESSAGE_BYTES]);

/** The same of the tile of a tiled MMA.
 *  Fails: as above; C where several atoms lie along k. */
ct_picture *ct_picture_tiled_mma(ct_tiled_mma mma, const ct_draw_options *options,
                                 char message[CT_MESSAGE_BYTES]);

/** What one instruction of a warp touches. */
typedef struct ct_touch {
    const char *title;     /* NULL: a general one */
    ct_layout matrix;      /* (row, column) -> offset in elements */
    const int32_t *thread; /* for each index of the matrix, rows first: who touches it, or -1 */
    int32_t elem_bytes;
    int32_t sector_bytes;  /* 0: 32 */
    int64_t first_byte;    /* the address of offset 0, for the alignment of the sectors */
} ct_touch;

/**
 * Who touches what: the matrix in memory order (the mode of the smaller stride runs to the right),
 * each element coloured by its thread, sectors outlined; grey where a sector moves and its element
 * is not used.
 */
ct_picture *ct_picture_touch(const ct_touch *touch, const ct_draw_options *options,
                             char message[CT_MESSAGE_BYTES]);

/** An empty picture. Text is copied; where memory runs out, rendering fails and says so. */
ct_picture *ct_picture_new(const char *title, const char *subtitle);
void ct_picture_free(ct_picture *picture);

/** A sentence below the grids, as printf. */
void ct_picture_note(ct_picture *picture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** What a colour stands for. */
void ct_picture_legend(ct_picture *picture, int color, const char *text);

/** How many grids stand side by side; 0: as many as look well. */
void ct_picture_across(ct_picture *picture, int grids);

/** Smaller cells, for grids of many short labels; 0: as usual. */
void ct_picture_dense(ct_picture *picture, int dense);

/** One more grid of rows x cols cells, no label and no colour in any. NULL when memory runs out or
 *  the cells are more than CT_DRAW_CELLS_MAX; the other functions ignore a grid that is NULL. */
ct_panel *ct_picture_panel(ct_picture *picture, int64_t rows, int64_t cols, const char *caption);

/** The names of the two axes. */
void ct_panel_axes(ct_panel *grid, const char *row, const char *col);

/** The heading of a row, or of a column; `sub` is a second, smaller one, or NULL. */
void ct_panel_row_head(ct_panel *grid, int64_t row, const char *head, const char *sub);
void ct_panel_col_head(ct_panel *grid, int64_t col, const char *head, const char *sub);

/** A rule above a row, or left of a column, of weight 1 to 3. */
void ct_panel_row_rule(ct_panel *grid, int64_t row, int weight);
void ct_panel_col_rule(ct_panel *grid, int64_t col, int weight);

/** A cell. `sub` is a second label or NULL. Cells with the same box number >= 0 that lie side by
 *  side are outlined together. */
void ct_panel_cell(ct_panel *grid, int64_t row, int64_t col, const char *label, const char *sub,
                  int color, int64_t box);

/** The picture in a format: a string that the caller frees, or NULL and one line in message. */
char *ct_picture_render(const ct_picture *picture, int format, const ct_draw_options *options,
                        char message[CT_MESSAGE_BYTES]);

/** Writes the picture to a file, which appears whole or not at all; its name ends in .svg, .tex or
 *  .txt.
 *  Fails: CT_E_ARGUMENT: another ending, a picture without a grid. CT_E_FILE, CT_E_MEMORY. */
ct_status ct_picture_write(const ct_picture *picture, const char *path,
                           const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/** Prints the picture. Fails as ct_picture_write; CT_E_ARGUMENT where there is no such format. */
ct_status ct_picture_print(const ct_picture *picture, FILE *stream, int format,
                           const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/** The format that the ending of a file name asks for; -1 for any other ending. */
int ct_draw_format_of(const char *path);

/** The text format for a stream: coloured where it is a terminal and NO_COLOR is not set. */
int ct_draw_format_for(FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
