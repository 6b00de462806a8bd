/**
 * Text that is written into a buffer of the caller and counted past its end, as snprintf does.
 */
#ifndef CUTLET_SRC_BASE_SINK_H
#define CUTLET_SRC_BASE_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "cutlet/host/text.h"

typedef struct ct_sink {
    char *buf;
    size_t size;  /* of buf */
    size_t count; /* characters so far, written or not */
} ct_sink;

void ct_sink_char(ct_sink *s, char c);
void ct_sink_text(ct_sink *s, const char *text);
void ct_sink_int(ct_sink *s, int64_t v);
void ct_sink_printf(ct_sink *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Values as in the notation. */
void ct_sink_tuple(ct_sink *s, ct_tuple t);
void ct_sink_layout(ct_sink *s, ct_layout L);

/** Ends the text with a zero and returns its whole length. */
int ct_sink_end(ct_sink *s);

#endif
