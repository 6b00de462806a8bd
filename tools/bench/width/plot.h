/**
 * A plot of lines as SVG: a logarithmic axis of sizes, a linear one of rates, named bands, a
 * legend; in the reader's light or dark colours, with nothing from outside.
 */
#ifndef CUTLET_TOOLS_BENCH_WIDTH_PLOT_H
#define CUTLET_TOOLS_BENCH_WIDTH_PLOT_H

#include <stdint.h>

#include "base/builder.h"

enum { PLOT_POINTS = 48, PLOT_LINES = 8, PLOT_BANDS = 4 };

typedef struct plot_line {
    char name[32];
    int style;  /* 0 to PLOT_LINES - 1: colour and marker; the same name, the same style */
    int dashed; /* something to compare with, in the page's own colour */
    double y[PLOT_POINTS]; /* of the x with the same index; 0: none */
} plot_line;

/** A part of the x axis. */
typedef struct plot_band {
    const char *name;
    int first, count; /* points */
} plot_band;

typedef struct plot {
    const char *title, *subtitle, *x_title, *y_title;
    const char *note[3]; /* below, one line each, may be NULL */
    int points, lines, bands;
    int64_t x[PLOT_POINTS]; /* bytes, ascending */
    plot_line line[PLOT_LINES];
    plot_band band[PLOT_BANDS];
    double limit; /* a horizontal line; 0: none */
    const char *limit_name;
} plot;

/** Adds the plot's text; b->failed where memory ran out. */
void plot_svg(ct_builder *b, const plot *p);

#endif
