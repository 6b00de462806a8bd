/**
 * A string that grows.
 */
#ifndef CUTLET_SRC_BASE_BUFFER_H
#define CUTLET_SRC_BASE_BUFFER_H

#include <stddef.h>

typedef struct ct_buffer {
    char *text; /* ends with a zero byte; NULL while empty */
    size_t length, room;
    int failed; /* memory ran out: the text is incomplete */
} ct_buffer;

/** Adds text as printf does. */
void ct_put(ct_buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Adds count bytes. */
void ct_put_bytes(ct_buffer *b, const char *bytes, size_t count);

/** Adds the character c so many times. */
void ct_put_repeat(ct_buffer *b, char c, int count);

/** Releases the text. */
void ct_buffer_free(ct_buffer *b);

/** How many characters (not bytes) a UTF-8 text has. */
int ct_text_width(const char *text);

/** The bytes of the UTF-8 character that text begins with; 0 for other bytes. */
int ct_text_char(const char *text);

#endif
