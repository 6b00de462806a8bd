/**
 * The colours of pictures, for a light and for a dark page.
 */
#ifndef CUTLET_SRC_DRAW_PALETTE_H
#define CUTLET_SRC_DRAW_PALETTE_H

#include <stdint.h>

#include <cutlet/host/draw.h>

/** What belongs to the page rather than to a cell. */
typedef struct ct_page_colors {
    uint32_t page, panel, line, strong, ink, faint; /* faint: headings and notes */
} ct_page_colors;

/** Colours that can fill a cell: the threads, then the ramp, then grey. */
#define CT_FILLS (CT_DRAW_THREADS + CT_DRAW_RAMP + 1)

/** Which of the fills a colour of a cell is; -1 where it has none. */
int ct_fill_of(int color);

/** The fill as 0xRRGGBB. */
uint32_t ct_fill_rgb(int fill, int dark);

/** Black or white, by the higher contrast with the background. */
uint32_t ct_text_rgb(uint32_t background);

/** The contrast ratio of two colours, 1 to 21, as in WCAG 2.1. */
double ct_contrast(uint32_t a, uint32_t b);

/** The colours of the page. */
ct_page_colors ct_page(int dark);

#endif
