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
 *
 * Cost:     O(cells), which are allocated.
 * In C:     ct_picture *p = ct_picture_new("Two threads", NULL);
 *           ct_panel *grid = ct_picture_panel(p, 2, 4, "a tile of halves");
 *           ct_panel_axes(grid, "m", "n");
 *           for (int m = 0; m < 2; ++m) {
 *               ct_panel_row_head(grid, m, m ? "1" : "0", NULL);
 *               for (int n = 0; n < 4; ++n)
 *                   ct_panel_cell(grid, m, n, n < 2 ? "T0" : "T1", NULL, n / 2, 2 * m + n / 2);
 *           }
 *           ct_panel_col_head(grid, 0, "0", "the first");
 *           ct_panel_row_rule(grid, 1, 1);
 *           ct_panel_col_rule(grid, 2, 2);
 *           ct_picture_legend(p, 0, "thread 0");
 *           ct_picture_note(p, "%d values each.", 4);
 *           ct_picture_across(p, 1);
 *           ct_picture_dense(p, 1);
 *           char message[CT_MESSAGE_BYTES];
 *           char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *           assert(strstr(text, "a tile of halves") && strstr(text, "4 values each."));
 *           free(text);
 *           ct_picture_free(p);
 */
#ifndef CUTLET_HOST_DRAW_H
#define CUTLET_HOST_DRAW_H

#include <stdint.h>
#include <stdio.h>

#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/mma/tiled_mma.h>
#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most cells of a grid, where the options do not say otherwise, and at all. */
#define CT_DRAW_CELLS 4096
#define CT_DRAW_CELLS_MAX (1 << 20)

/** The formats. */
enum {
    CT_DRAW_SVG = 0,
    CT_DRAW_TEX,     /* a complete document, in TikZ */
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
    const char *title;    /* NULL: the picture's own */
    int64_t max_cells;    /* of a grid; 0: CT_DRAW_CELLS */
    int32_t truncate;     /* draw the first cells of a grid that has too many, and say so */
    int32_t theme;        /* CT_THEME_... */
    int32_t run;          /* > 0: this number of consecutive offsets share a colour */
    int32_t text_columns; /* > 0: break text after this number of columns */
} ct_draw_options;

typedef struct ct_picture ct_picture;
typedef struct ct_panel ct_panel;

/**
 * The layout as offsets (or coordinates) in cells: a row, a grid, or a grid for each coordinate of
 * the modes after the second, by rank.
 * Fails:   NULL and one line in message: a failed layout, more cells than the options allow, or no
 *          memory.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          ct_picture *p = ct_picture_layout(ct_layout2(4, 8, 8, 1), NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "8   9  10  11  12  13  14  15")); // row 1
 *          free(text);
 *          ct_picture_free(p);
 *          const ct_draw_options few = {.max_cells = 16};
 *          assert(ct_picture_layout(ct_layout2(4, 8, 8, 1), &few, message) == NULL);
 */
ct_picture *ct_picture_layout(ct_layout L, const ct_draw_options *options,
                              char message[CT_MESSAGE_BYTES]);

/**
 * A tensor whose offsets are integers, drawn likewise. In a swizzled one each run that the swizzle
 * keeps contiguous has one colour, so the picture shows where the runs go.
 * Fails:   as ct_picture_layout; a tensor that begins at a coordinate.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_swizzle s = ct_make_swizzle(2, 0, 2);
 *          const ct_tensor t = ct_make_swizzled(s, 0, ct_layout2(4, 4, 4, 1));
 *          ct_picture *p = ct_picture_tensor(t, NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "5   4   7   6")); // row 1, whose columns are swizzled by 1
 *          free(text);
 *          ct_picture_free(p);
 */
ct_picture *ct_picture_tensor(ct_tensor t, const ct_draw_options *options,
                              char message[CT_MESSAGE_BYTES]);

/**
 * Any function of the index of a shape, drawn likewise: offset(of, index) is the number of a cell,
 * `name` the title.
 * Fails:   as ct_picture_layout, for a failed shape.
 * Used by: tests/draw/test_draw_formats.c
 */
ct_picture *ct_picture_function(ct_tuple shape, int64_t (*offset)(const void *of, int64_t index),
                                const void *of, const char *name, const ct_draw_options *options,
                                char message[CT_MESSAGE_BYTES]);

/**
 * A thread-value layout (thread, value) -> index in the tile (or coordinate), drawn
 * over the tile. A cell says which thread holds the element and as which of its values.
 * Fails:   as ct_picture_layout; a layout that is not of rank 2 or leaves the tile.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_layout tv = ct_layout2(4, 2, 2, 1); // thread t holds elements 2 t, 2 t + 1
 *          ct_picture *p = ct_picture_tv(tv, ct_tuple2(4, 2), NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "0  T0 V0 | T2 V0") && strstr(text, "3  T1 V1 | T3 V1"));
 *          free(text);
 *          ct_picture_free(p);
 *          assert(ct_picture_tv(tv, ct_tuple2(2, 2), NULL, message) == NULL);
 */
ct_picture *ct_picture_tv(ct_layout tv, ct_tuple tile, const ct_draw_options *options,
                          char message[CT_MESSAGE_BYTES]);

/**
 * A copy by two thread-value layouts: the threads that read each element of the source tile, and
 * the threads that write each element of the destination.
 * Fails:   as ct_picture_tv, of either.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_layout read = ct_layout2(4, 2, 1, 4), write = ct_layout2(4, 2, 2, 1);
 *          ct_picture *p = ct_picture_copy(read, write, ct_tuple2(4, 2), NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "source") && strstr(text, "destination"));
 *          free(text);
 *          ct_picture_free(p);
 */
ct_picture *ct_picture_copy(ct_layout src_tv, ct_layout dst_tv, ct_tuple tile,
                            const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/**
 * A tiled copy drawn by ct_picture_copy: its atom's source side and destination side.
 * Fails:   as ct_picture_tv; a failed tiled copy.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_tiled_copy tiles = ct_make_tiled_copy(
 *              ct_copy_atom_universal(64, 16), ct_layout2(4, 2, 2, 1), ct_layout2(1, 4, 1, 1));
 *          ct_picture *p = ct_picture_tiled_copy(tiles, NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "8 threads (T) of 4 values (V) each move a tile of shape (4,8)"));
 *          free(text);
 *          ct_picture_free(p);
 */
ct_picture *ct_picture_tiled_copy(ct_tiled_copy copy, const ct_draw_options *options,
                                  char message[CT_MESSAGE_BYTES]);

/**
 * An MMA atom: the threads and values of A (m,k), B (n,k) and C (m,n), side by side.
 * Fails:   as ct_picture_layout, for a failed atom.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_mma_atom atom = ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN");
 *          ct_picture *p = ct_picture_mma_atom(atom, NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "T28 V2  T28 V3 | T29 V2")); // row 15 of A
 *          free(text);
 *          ct_picture_free(p);
 */
ct_picture *ct_picture_mma_atom(ct_mma_atom atom, const ct_draw_options *options,
                                char message[CT_MESSAGE_BYTES]);

/**
 * The tile of a tiled MMA, drawn likewise.
 * Fails:   as ct_picture_mma_atom; C where several atoms lie along k.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          const ct_tiled_mma mma = ct_make_tiled_mma(
 *              ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN"), ct_layout1(2, 1), ct_tiler0());
 *          ct_picture *p = ct_picture_tiled_mma(mma, NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "T63 V1")); // of the second atom along m
 *          free(text);
 *          ct_picture_free(p);
 */
ct_picture *ct_picture_tiled_mma(ct_tiled_mma mma, const ct_draw_options *options,
                                 char message[CT_MESSAGE_BYTES]);

/** What one instruction of a warp touches. */
typedef struct ct_touch {
    const char *title;     /* NULL: a general one */
    ct_layout matrix;      /* (row, column) -> offset in elements */
    const int32_t *thread; /* for each index of the matrix, rows first: who touches it, or -1 */
    int32_t elem_bytes;
    int32_t sector_bytes; /* 0: 32 */
    int64_t first_byte;   /* the address of offset 0, for the alignment of the sectors */
} ct_touch;

/**
 * The accesses to a matrix, in memory order (the mode of the smaller stride runs to the right).
 * Each element has its thread's colour, sectors are outlined, and unused elements of moved sectors
 * are grey.
 * Fails:   as ct_picture_layout; a layout that is not of rank 2, elements of no bytes.
 * In C:    int32_t thread[64];
 *          for (int i = 0; i < 64; ++i) thread[i] = i < 32 ? i : -1; // the first of two columns
 *          const ct_touch column = {.matrix = ct_layout2(32, 2, 2, 1), .thread = thread,
 *                                   .elem_bytes = 16};
 *          char message[CT_MESSAGE_BYTES];
 *          ct_picture *p = ct_picture_touch(&column, NULL, message);
 *          char *text = ct_picture_render(p, CT_DRAW_PLAIN, NULL, message);
 *          assert(strstr(text, "512 of 1024 bytes used"));
 *          free(text);
 *          ct_picture_free(p);
 */
ct_picture *ct_picture_touch(const ct_touch *touch, const ct_draw_options *options,
                             char message[CT_MESSAGE_BYTES]);

/**
 * An empty picture, to be released with ct_picture_free; subtitle may be NULL. Text is copied here
 * and by the functions below; where memory runs out for it, rendering fails and says so.
 * Fails:   NULL where there is no memory for the picture itself.
 */
ct_picture *ct_picture_new(const char *title, const char *subtitle);

/** Releases the picture and its grids; NULL is allowed. */
void ct_picture_free(ct_picture *picture);

/** Adds a sentence below the grids, as printf, cut after 511 bytes. */
void ct_picture_note(ct_picture *picture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Adds a row to the legend: the meaning of a colour.
 * Cost:    O(1), and the text.
 */
void ct_picture_legend(ct_picture *picture, int color, const char *text);

/**
 * Sets the number of grids side by side; 0 chooses it.
 * Cost:    O(1).
 */
void ct_picture_across(ct_picture *picture, int grids);

/**
 * Sets whether cells are smaller, for grids of many short labels; 0: as usual.
 * Cost:    O(1).
 */
void ct_picture_dense(ct_picture *picture, int dense);

/**
 * Adds a grid of rows x cols cells, no label and no colour in any. The picture owns it. caption may
 * be NULL.
 * Fails:   NULL when memory runs out, there is no row or column, or the cells are more than
 *          CT_DRAW_CELLS_MAX; rendering fails then too. The functions below ignore a grid that is
 *          NULL.
 */
ct_panel *ct_picture_panel(ct_picture *picture, int64_t rows, int64_t cols, const char *caption);

/**
 * Sets the names of the two axes.
 * Cost:    O(1), and the text.
 */
void ct_panel_axes(ct_panel *grid, const char *row, const char *col);

/**
 * Sets the heading of a row, or of a column; `sub` is a second, smaller one, or NULL. One that the
 * grid does not have is ignored.
 * Cost:    O(1), and the text.
 */
void ct_panel_row_head(ct_panel *grid, int64_t row, const char *head, const char *sub);
void ct_panel_col_head(ct_panel *grid, int64_t col, const char *head, const char *sub);

/**
 * Sets a rule above a row, or left of a column, of weight 1 to 3; 0: none. The first row and the
 * first column have none.
 * Cost:    O(1).
 */
void ct_panel_row_rule(ct_panel *grid, int64_t row, int weight);
void ct_panel_col_rule(ct_panel *grid, int64_t col, int weight);

/**
 * Sets a cell; one that the grid does not have is ignored. `sub` is a second label or NULL.
 * Adjacent cells with the same box number >= 0 are outlined together.
 * Cost:    O(1), and the text.
 */
void ct_panel_cell(ct_panel *grid, int64_t row, int64_t col, const char *label, const char *sub,
                   int color, int64_t box);

/**
 * The picture in a format: a string that the caller frees.
 * Fails:   NULL and one line in message: a picture without a grid, no such format, no memory.
 */
char *ct_picture_render(const ct_picture *picture, int format, const ct_draw_options *options,
                        char message[CT_MESSAGE_BYTES]);

/**
 * Writes the picture to a file, which appears complete or not at all; its name ends in .svg, .tex
 * or .txt.
 * Fails:   CT_E_ARGUMENT: another ending, a picture without a grid. CT_E_FILE, CT_E_MEMORY.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          ct_picture *p = ct_picture_layout(ct_layout2(4, 8, 8, 1), NULL, message);
 *          assert(ct_picture_write(p, "layout.png", NULL, message) == CT_E_ARGUMENT);
 *          ct_picture_free(p);
 */
ct_status ct_picture_write(const ct_picture *picture, const char *path,
                           const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/**
 * Prints the picture to a stream, which is flushed.
 * Fails:   CT_E_ARGUMENT: no such format, a picture without a grid. CT_E_FILE, CT_E_MEMORY.
 * In C:    char message[CT_MESSAGE_BYTES];
 *          ct_picture *p = ct_picture_layout(ct_layout2(4, 8, 8, 1), NULL, message);
 *          FILE *const stream = tmpfile();
 *          const int format = ct_draw_format_for(stream);
 *          assert(ct_picture_print(p, stream, format, NULL, message) == CT_OK);
 *          assert(ftell(stream) > 0);
 *          fclose(stream);
 *          ct_picture_free(p);
 */
ct_status ct_picture_print(const ct_picture *picture, FILE *stream, int format,
                           const ct_draw_options *options, char message[CT_MESSAGE_BYTES]);

/**
 * The format that the ending of a file name asks for; -1 for any other ending.
 * Cost:    O(length of the path).
 * In C:    assert(ct_draw_format_of("layout.svg") == CT_DRAW_SVG);
 *          assert(ct_draw_format_of("layout.png") == -1);
 */
int ct_draw_format_of(const char *path);

/**
 * The text format for a stream. It is coloured if the stream is a terminal, not `dumb`, and
 * NO_COLOR is not set. It has 24-bit colours if COLORTERM announces them.
 * Cost:    O(1).
 * In C:    FILE *const file = tmpfile();
 *          assert(ct_draw_format_for(file) == CT_DRAW_PLAIN); // no terminal
 *          fclose(file);
 */
int ct_draw_format_for(FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
