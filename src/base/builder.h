/**
 * Text built piece by piece: a string that grows, or the caller's memory. The latter keeps the text
 * that fits and counts all of it, as snprintf does.
 */
#ifndef CUTLET_SRC_BASE_BUILDER_H
#define CUTLET_SRC_BASE_BUILDER_H

#include <stddef.h>
#include <stdint.h>

/** All zero: an empty string that grows, and that ct_builder_free releases. */
typedef struct ct_builder {
    char *text;      /* ends with a zero byte; NULL while one that grows is empty */
    size_t capacity; /* bytes at text */
    size_t length;   /* of the whole text: from room on it was dropped */
    int is_fixed;    /* text is the caller's */
    int failed;      /* memory ran out: the text is incomplete */
} ct_builder;

/** A text in the caller's memory. */
static inline ct_builder ct_builder_fixed(char *text, size_t capacity)
{
    return (ct_builder){text, capacity, 0, 1, 0};
}

/** Adds text as printf does. */
void ct_put(ct_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

void ct_put_char(ct_builder *b, char c);
void ct_put_text(ct_builder *b, const char *text);
void ct_put_int(ct_builder *b, int64_t v);
void ct_put_bytes(ct_builder *b, const char *bytes, size_t count);

/** Adds the character c `count` times. */
void ct_put_repeat(ct_builder *b, char c, int count);

/** Ends the text in the caller's memory with a zero, an empty one too. Returns the full length. */
int ct_builder_end(ct_builder *b);

/** Releases the text of one that grows. */
void ct_builder_free(ct_builder *b);

#endif
