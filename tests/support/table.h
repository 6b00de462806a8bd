/**
 * Text tables: a line of the file is a row, and tabs separate its cells. Empty lines and lines that
 * begin with # are comments.
 */
#ifndef CUTLET_TESTS_TABLE_H
#define CUTLET_TESTS_TABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The text of a file of the source tree, for the caller to free. */
static inline char *table_text(const char *path)
{
    enum { MOST = 1 << 20 };
    const char *const source = getenv("CUTLET_SOURCE");
    char full[1024], *const text = calloc(1, MOST);
    snprintf(full, sizeof full, "%s/%s", source ? source : ".", path);
    FILE *const in = fopen(full, "r");
    if (!in || !text || fread(text, 1, MOST - 1, in) == MOST - 1) {
        fprintf(stderr, "%s cannot be read\n", full);
        abort();
    }
    fclose(in);
    return text;
}

/** Moves *at past the next row and sets its cells, which are exactly n; 0 after the last row. */
static inline int table_row(char **at, char *cell[], int n)
{
    while (**at == '#' || **at == '\n') {
        *at += strcspn(*at, "\n");
        *at += **at == '\n';
    }
    if (!**at) return 0;
    int cells = 0;
    char *const row = *at;
    *at += strcspn(row, "\n");
    if (**at) *(*at)++ = 0;
    for (char *c = row; c; ++cells) {
        if (cells < n) cell[cells] = c;
        c = strchr(c, '\t');
        if (c) *c++ = 0;
    }
    if (cells == n) return 1;
    fprintf(stderr, "a row of %d cells instead of %d: %s\n", cells, n, row);
    abort();
}

#endif
