/* What the files of `cutlet suggest` share. */
#ifndef CUTLET_TOOLS_SUGGEST_SUGGEST_H
#define CUTLET_TOOLS_SUGGEST_SUGGEST_H

#include <stdio.h>

#include <cutlet/host/suggest.h>
#include "io/types.h"
#include "suggest/measure.h"

/* What was asked and what was found. */
typedef struct ct_suggest_report {
    const ct_named_type *type;
    const char *src, *dst; /* as they were written; dst may be NULL */
    const char *read;      /* "ldmatrix"; NULL with a dst */
    int32_t lists;         /* 1: a table of all candidates, not the page about the first */
    const ct_suggest_query *query;
    const ct_suggest_result *result;
    const ct_suggest_measured *measured; /* NULL: nothing was */
} ct_suggest_report;

/* 10^9 bytes a second; 0 where item i was not timed. */
double ct_suggest_rate(const ct_suggest_measured *measured, int i);

/* "cp.async.cg 16": the instruction and its bytes. */
const char *ct_suggest_atom_text(const ct_suggest_copy *copy, char text[32]);

/* The shared layout, with the swizzle if it has one. */
void ct_suggest_shared_text(const ct_suggestion *s, char *text, size_t size);

/* The first candidate as C on the device API, from malloc. Where there is none, *code is NULL, and
 * one line says why: CT_E_NO_LAYOUT, or CT_E_MEMORY. */
ct_status ct_suggest_code(const ct_suggest_report *report, char **code,
                          char message[CT_MESSAGE_BYTES]);

/* Writes the program of the first candidate to a file, replaced, or "-"; to a .h the table of its shared
 * layout. An exit status. */
int ct_suggest_emit(const ct_suggest_report *report, const char *path);

/* What was asked for: "half 128 x 64 of LAYOUT by 128 threads, read by ldmatrix". */
void ct_suggest_title(const ct_suggest_report *report, char *text, size_t size);

/* 0, or -1 without memory. */
int ct_suggest_print(const ct_suggest_report *report, FILE *stream);

/* 0, or -1: out of memory. */
int ct_suggest_print_json(const ct_suggest_report *report, FILE *stream);

#endif
