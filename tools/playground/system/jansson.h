/**
 * No JSON: the page asks the command for text. A command that makes JSON says that memory ran out.
 */
#ifndef CUTLET_TOOLS_PLAYGROUND_JANSSON_H
#define CUTLET_TOOLS_PLAYGROUND_JANSSON_H

#include <stddef.h>
#include <stdio.h>

typedef struct json_t json_t;
typedef long long json_int_t;

#define JSON_INDENT(n) (n)
#define JSON_REAL_PRECISION(n) (n)

static inline json_t *ct_no_json(const void *value, ...) { return (void)value, NULL; }
#define json_pack(...) ct_no_json(__VA_ARGS__)
#define json_array() ct_no_json(NULL)
#define json_null() ct_no_json(NULL)
#define json_string(text) ct_no_json(text)
#define json_integer(n) ct_no_json(NULL, n)
#define json_real(x) ct_no_json(NULL, x)
#define json_boolean(is) ct_no_json(NULL, is)
#define json_object_set_new(object, key, value) ((void)ct_no_json(object, key, value))
#define json_array_append_new(array, value) ((void)ct_no_json(array, value))
#define json_decref(value) ((void)(value))

#endif
