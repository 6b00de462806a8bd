/**
 * The numbers of an error that its sentence does not say are 0: whoever acts on an error can rely on
 * them, and no number gets there by chance.
 */
#ifndef CUTLET_TESTS_ERROR_SAID_H
#define CUTLET_TESTS_ERROR_SAID_H

#include <stdio.h>
#include <string.h>

#include <cutlet/host/text.h>

/** Whether the sentences of two errors differ. */
static inline int error_differs(ct_error a, ct_error b)
{
    char text[2][CT_MESSAGE_BYTES];
    ct_error_message(a, text[0], sizeof text[0]);
    ct_error_message(b, text[1], sizeof text[1]);
    return strcmp(text[0], text[1]) != 0;
}

/** The name of a number that is not 0 and not said, or NULL. That there is no such atom says its bits, and
 *  has its kind as the mode. */
static inline const char *error_unsaid(ct_error e)
{
    ct_error x = e;
    x.mode = 0;
    if (e.why != CT_WHY_ATOM && e.mode != 0 && !error_differs(e, x)) return "mode";
    x = e;
    x.other = 0;
    if (e.other != 0 && !error_differs(e, x)) return "other";
    for (int i = 0; i < 3; ++i) {
        x = e;
        x.n[i] = 0;
        if (e.n[i] != 0 && !error_differs(e, x)) return i == 0 ? "n[0]" : i == 1 ? "n[1]" : "n[2]";
    }
    return NULL;
}

/** Whether the error has this sentence; prints its own where it has another. */
static inline int error_says(ct_error e, const char *sentence)
{
    char text[CT_MESSAGE_BYTES];
    ct_error_message(e, text, sizeof text);
    const int is = strcmp(text, sentence) == 0;
    if (!is) fprintf(stderr, "# %s\n# is not: %s\n", text, sentence);
    return is;
}

#endif
