/**
 * The functions of jansson that the command calls, on objects of Python: the package needs no other library.
 */
#ifndef CUTLET_PYTHON_JANSSON_H
#define CUTLET_PYTHON_JANSSON_H

#include <stddef.h>
#include <stdio.h>

/** A PyObject. Functions that make one return NULL where they cannot, and leave no exception. */
typedef struct _object json_t;
typedef long long json_int_t;

#define JSON_INDENT(n) ((size_t)((n)&0x1f))
#define JSON_COMPACT ((size_t)0x20)
#define JSON_REAL_PRECISION(n) ((size_t)((n)&0x1f) << 11)

static inline void json_set_alloc_funcs(void *(*take)(size_t), void (*give)(void *))
{
    (void)take, (void)give;
}

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text);
json_t *json_integer(json_int_t value);
json_t *json_real(double value);
json_t *json_boolean(int value);
json_t *json_null(void);
static inline json_t *json_false(void) { return json_boolean(0); }

/** 0; or -1 where the container or the value is NULL. Those named new take the value over in each case. */
int json_object_set(json_t *object, const char *key, json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_update(json_t *object, json_t *other);
int json_array_append_new(json_t *array, json_t *value);

/** A value by jansson's format: s, s?, i, I, f, b, n, o, {..} and [..]. */
json_t *json_pack(const char *format, ...);

void json_decref(json_t *value);

/** Writes a value as jansson does. 0, or -1. */
int json_dumpf(const json_t *value, FILE *stream, size_t flags);

#endif
