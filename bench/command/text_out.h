/**
 * Text under tables, broken into lines.
 */
#ifndef CUTLET_BENCH_COMMAND_TEXT_OUT_H
#define CUTLET_BENCH_COMMAND_TEXT_OUT_H

#include <stdio.h>
#include <string.h>

/** Prints words in lines of at most 100 columns, and ends the last line. */
static inline void bench_print_wrapped(FILE *stream, const char *text)
{
    enum { COLUMNS = 100 };
    int at = 0; /* the column */
    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (at > 0 && at + 1 + n > COLUMNS) {
            fputc('\n', stream);
            at = 0;
        }
        at += fprintf(stream, "%s%.*s", at > 0 ? " " : "", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', stream);
}

#endif
