/**
 * "did you mean": of many names the one that is most like a word.
 */
#ifndef CUTLET_SRC_TEXT_NEAREST_H
#define CUTLET_SRC_TEXT_NEAREST_H

enum { CT_NEAREST_BYTES = 86 };

/** A word and the nearest name so far. Begin with {.word = WORD}. */
typedef struct ct_nearest {
    const char *word;
    int distance;
    char name[64]; /* empty: none is much like it */
} ct_nearest;

/** Takes a name, or the first `length` characters of one, into account. */
void ct_nearest_try(ct_nearest *n, const char *name);
void ct_nearest_try_part(ct_nearest *n, const char *name, int length);

/** " (did you mean `NAME`?)", or nothing where no name is near; returns text, of CT_NEAREST_BYTES
 *  bytes. */
const char *ct_nearest_ask(const ct_nearest *n, char *text);

#endif
