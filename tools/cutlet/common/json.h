/**
 * Values as JSON.
 */
#ifndef CUTLET_TOOLS_COMMON_JSON_H
#define CUTLET_TOOLS_COMMON_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "cutlet/host/eval.h"

/**
 * Prints one object on one line: expression, kind, text, and the parts of the value; where v is
 * NULL, error with message, at and length. Nested tuples are nested arrays; basis elements and `_`
 * are strings. 0, or -1 when memory runs out.
 */
int ct_json_print(FILE *stream, const char *expression, const ct_value *v, const ct_diag *diag);

/** A tuple as nested arrays, an integer as a number. */
json_t *ct_json_tuple(ct_tuple t);

#endif
