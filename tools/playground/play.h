/**
 * The playground's requests: fields in, one JSON object out. The page has the text fields and the
 * tables, and this has all that is computed.
 *
 * A request is texts that end with a zero byte: its name, then key and value in turn, then an empty
 * text. An empty value is one that is not given. The answer to `eval` is for example
 *
 *     {"kind":"an integer","text":"12"}
 *     {"error":{"field":"text","message":"..","at":3,"length":1,"place":".."}}
 *
 * where `at` and `length` count bytes, and `place` is the line with a caret under the place.
 */
#ifndef CUTLET_TOOLS_PLAYGROUND_PLAY_H
#define CUTLET_TOOLS_PLAYGROUND_PLAY_H

#include "base/builder.h"
#include <cutlet/host/access.h>
#include <cutlet/host/draw.h>
#include <cutlet/host/eval.h>

/** A request; at is the text after its name. */
typedef struct ct_play_request {
    const char *at;
} ct_play_request;

/** The answer while it is written. */
typedef struct ct_play_answer {
    ct_builder out;
    int follows; /* a comma is due before the next member */
} ct_play_answer;

/* ---- answers --------------------------------------------------------------------------------- */

/** Opens an object `{` or an array `[`; key is NULL inside an array. */
void ct_play_open(ct_play_answer *a, const char *key, char bracket);
void ct_play_close(ct_play_answer *a, char bracket);

/** One member. A NULL text is null; what is no UTF-8 becomes `?`. */
void ct_play_text(ct_play_answer *a, const char *key, const char *text);
void ct_play_int(ct_play_answer *a, const char *key, int64_t n);
void ct_play_bool(ct_play_answer *a, const char *key, int is);

/** A value as text; a picture as SVG, released, or why there is none. */
void ct_play_value(ct_play_answer *a, const char *key, const ct_value *v);
void ct_play_picture(ct_play_answer *a, const char *key, ct_picture *picture, const char *why);

/** The member `error`: what is wrong with a field; diag is NULL where there is no place in it. */
void ct_play_wrong(ct_play_answer *a, const char *field, const char *message);
void ct_play_wrong_at(ct_play_answer *a, const char *field, const char *text, const ct_diag *diag);

/* ---- fields: 0, or -1 after ct_play_wrong ---------------------------------------------------- */

/** The value of a key; NULL where it is empty or not given. */
const char *ct_play_field(const ct_play_request *r, const char *key);

/** A number of least to most; *out stays where it is not given. */
int ct_play_number(const ct_play_request *r, ct_play_answer *a, const char *key, int64_t least,
                   int64_t most, int64_t *out);

/** The value of an expression, to be released; a bare shape becomes its compact layout. */
int ct_play_operand(const ct_play_request *r, ct_play_answer *a, const char *key, ct_value *out);

/** A layout in memory, swizzled or not; *has is 0 where it is not given. */
int ct_play_memory(const ct_play_request *r, ct_play_answer *a, const char *key, int *has,
                   ct_tensor *out);

/** A shape, (16,64) or 16x64; () where it is not given. */
int ct_play_shape(const ct_play_request *r, ct_play_answer *a, const char *key, ct_tuple *out);

/** The bits of the elements of a type; *bits stays where it is not given. */
int ct_play_type(const ct_play_request *r, ct_play_answer *a, const char *key, int32_t *bits);

/** The rules of an architecture, sm_90 where none is given. */
int ct_play_rules(const ct_play_request *r, ct_play_answer *a, const ct_access_rules **out);

/* ---- requests -------------------------------------------------------------------------------- */

/** The answer to a request, a text that lives until the next. */
const char *ct_play(const char *request);

void ct_play_access(const ct_play_request *r, ct_play_answer *a);
void ct_play_code(ct_play_answer *a, const ct_value *v);
void ct_play_command(const ct_play_request *r, ct_play_answer *a);
void ct_play_choices(const ct_play_request *r, ct_play_answer *a);
void ct_play_operations(const ct_play_request *r, ct_play_answer *a);
void ct_play_suggest(const ct_play_request *r, ct_play_answer *a);
void ct_play_verify(const ct_play_request *r, ct_play_answer *a);

#endif
