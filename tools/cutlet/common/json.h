/**
 * Values as JSON.
 */
#ifndef CUTLET_TOOLS_COMMON_JSON_H
#define CUTLET_TOOLS_COMMON_JSON_H

#include <jansson.h>
#include <stdio.h>

#include <cutlet/host/eval.h>

/** Notes from now on where an allocation of a JSON value fails; once, before the first value. */
void ct_json_watch(void);

/** Writes a value and ends the line. 0; or -1, and less than the value is written, where root is
 *  NULL, memory ran out while any value was made, or the stream fails. */
int ct_json_write(FILE *stream, const json_t *root, size_t flags);

/**
 * Prints one object on one line: expression, kind, text, and the parts of the value, which has none where its text
 * `for_all` has `?`; where v is NULL, error with message, at and length. Nested tuples are nested arrays; basis elements and `_`
 * are strings. 0, or -1 when memory runs out.
 */
int ct_json_print(FILE *stream, const char *expression, const ct_value *v, const char *for_all,
                  const ct_diag *diag);

/** Prints the lines of a text, without their indentation, with what they are about: expression and,
 *  where it is not NULL, output. The text is cut at its lines. 0, or -1 when memory runs out. */
int ct_json_print_lines(const char *expression, const char *output, char *text);

/** A tuple as nested arrays, an integer as a number. */
json_t *ct_json_tuple(ct_tuple t);

#endif
