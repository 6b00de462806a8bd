/**
 * The results of `cutlet sass`, as they are printed.
 */
#ifndef CUTLET_TOOLS_SASS_SASS_H
#define CUTLET_TOOLS_SASS_SASS_H

#include <stdio.h>

#include "expect.h"
#include "source.h"

typedef struct ct_sass_report {
    const char *name; /* as the user gave it */
    const ct_source *source;
    const ct_expectations *expectations;
    int lists; /* whether to print the instructions themselves */
} ct_sass_report;

/** Prints a table for each architecture, with a row for each kernel. */
void ct_sass_print(const ct_sass_report *report, FILE *stream);

/** Prints one JSON object. 0, or -1 when memory runs out. */
int ct_sass_json(const ct_sass_report *report, FILE *stream);

#endif
