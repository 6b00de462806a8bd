/**
 * Colours of text on a terminal.
 */
#ifndef CUTLET_SRC_BASE_STYLE_H
#define CUTLET_SRC_BASE_STYLE_H

#include <stdio.h>

enum { CT_STYLE_NONE, CT_STYLE_BAD, CT_STYLE_GOOD, CT_STYLE_PLACE };

/** Whether a stream shows colours: a terminal, of more than `dumb`, and NO_COLOR is not set. */
int ct_has_colors(FILE *stream);

/** Begins a style on a stream that shows colours; CT_STYLE_NONE ends it. */
void ct_put_style(FILE *stream, int style);

#endif
