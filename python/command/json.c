/* Values of JSON as objects of Python, under jansson's names. */
#include "../core/python.h"

#include <stdarg.h>
#include <string.h>

#include "jansson.h"

/* An object that was made, or NULL without the exception. */
static json_t *made(PyObject *o)
{
    if (!o) PyErr_Clear();
    return o;
}

json_t *json_object(void) { return made(PyDict_New()); }
json_t *json_array(void) { return made(PyList_New(0)); }
json_t *json_string(const char *text) { return text ? made(PyUnicode_FromString(text)) : NULL; }
json_t *json_integer(json_int_t value) { return made(PyLong_FromLongLong(value)); }
json_t *json_real(double value) { return made(PyFloat_FromDouble(value)); }
json_t *json_boolean(int value) { return PyBool_FromLong(value); }
json_t *json_null(void) { return Py_NewRef(Py_None); }
void json_decref(json_t *value) { Py_XDECREF(value); }

/* The status of a function of Python. */
static int done(int bad)
{
    if (bad) PyErr_Clear();
    return bad ? -1 : 0;
}

int json_object_set(json_t *object, const char *key, json_t *value)
{
    return object && value ? done(PyDict_SetItemString(object, key, value)) : -1;
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    const int bad = json_object_set(object, key, value);
    Py_XDECREF(value);
    return bad;
}

int json_object_update(json_t *object, json_t *other)
{
    return object && other ? done(PyDict_Update(object, other)) : -1;
}

int json_array_append_new(json_t *array, json_t *value)
{
    const int bad = array && value ? done(PyList_Append(array, value)) : -1;
    Py_XDECREF(value);
    return bad;
}

/* A format that is read, and the values after it. */
typedef struct packer {
    const char *at;
    va_list values;
} packer;

static json_t *pack(packer *p);

/* The parts up to a bracket, of an object with their keys; all are read where one is missing. */
static json_t *pack_parts(packer *p, char end)
{
    json_t *const all = end == '}' ? json_object() : json_array();
    int bad = !all;
    for (;;) {
        while (strchr(" ,:", *p->at)) ++p->at;
        if (*p->at == end) break;
        const char *const key = end == '}' ? va_arg(p->values, const char *) : NULL;
        if (key) p->at += strspn(p->at + 1, " :") + 1; /* after its s */
        json_t *const part = pack(p);
        bad |= key ? json_object_set_new(all, key, part) : json_array_append_new(all, part);
    }
    ++p->at;
    if (!bad) return all;
    Py_XDECREF(all);
    return NULL;
}

static json_t *pack(packer *p)
{
    const char *text;
    switch (*p->at++) {
        case '{': return pack_parts(p, '}');
        case '[': return pack_parts(p, ']');
        case 's':
            text = va_arg(p->values, const char *);
            if (*p->at != '?') return json_string(text);
            ++p->at;
            return text ? json_string(text) : json_null();
        case 'i': return json_integer(va_arg(p->values, int));
        case 'I': return json_integer(va_arg(p->values, json_int_t));
        case 'f': return json_real(va_arg(p->values, double));
        case 'b': return json_boolean(va_arg(p->values, int));
        case 'n': return json_null();
        default: return va_arg(p->values, json_t *); /* o */
    }
}

json_t *json_pack(const char *format, ...)
{
    packer p = {.at = format};
    va_start(p.values, format);
    json_t *const value = pack(&p);
    va_end(p.values);
    return value;
}

/* Where a value is written, and how. */
typedef struct writer {
    FILE *stream;
    size_t flags;
    int depth;
} writer;

static int put(const writer *w, const char *text) { return fputs(text, w->stream) < 0; }

/* A new line with its indent, where values have lines of their own; otherwise what stands between. */
static int put_break(const writer *w, int depth, const char *otherwise)
{
    const int indent = (int)(w->flags & 0x1f);
    return indent ? fprintf(w->stream, "\n%*s", indent * depth, "") < 0 : put(w, otherwise);
}

/* As %g, with a point or an exponent, whose sign and zeros are left out. */
static int put_real(const writer *w, double value)
{
    char text[64];
    const int digits = (int)(w->flags >> 11 & 0x1f);
    snprintf(text, sizeof text, "%.*g", digits ? digits : 17, value);
    if (!strpbrk(text, ".e")) strcat(text, ".0");
    char *e = strchr(text, 'e');
    if (e) {
        e += e[1] == '-' ? 2 : 1;
        const size_t skip = strspn(e, "+0");
        memmove(e, e + skip, strlen(e + skip) + 1);
    }
    return put(w, text);
}

/* By Python's own encoder. */
static int put_string(const writer *w, PyObject *string)
{
    PyObject *const encoder = PyImport_ImportModule("json.encoder");
    PyObject *const text =
        encoder ? PyObject_CallMethod(encoder, "encode_basestring", "O", string) : NULL;
    const char *const utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    const int bad = !utf8 || put(w, utf8);
    Py_XDECREF(text);
    Py_XDECREF(encoder);
    return bad;
}

static int put_value(writer *w, PyObject *o);

/* The parts of an object or an array. */
static int put_parts(writer *w, PyObject *o)
{
    const int keyed = PyDict_Check(o), compact = (w->flags & JSON_COMPACT) != 0;
    const Py_ssize_t count = keyed ? PyDict_Size(o) : PyList_Size(o);
    PyObject *key = NULL, *part = NULL;
    Py_ssize_t at = 0;
    int bad = put(w, keyed ? "{" : "[");
    ++w->depth;
    for (Py_ssize_t i = 0; i < count && !bad; ++i) {
        if (keyed) PyDict_Next(o, &at, &key, &part);
        else part = PyList_GetItem(o, i);
        bad = (i && put(w, ",")) || put_break(w, w->depth, !i || compact ? "" : " ") ||
              (keyed && (put_string(w, key) || put(w, compact ? ":" : ": "))) || put_value(w, part);
    }
    --w->depth;
    return bad || (count && put_break(w, w->depth, "")) || put(w, keyed ? "}" : "]");
}

static int put_value(writer *w, PyObject *o)
{
    if (PyDict_Check(o) || PyList_Check(o)) return put_parts(w, o);
    if (PyUnicode_Check(o)) return put_string(w, o);
    if (PyFloat_Check(o)) return put_real(w, PyFloat_AsDouble(o));
    if (o == Py_None) return put(w, "null");
    if (PyBool_Check(o)) return put(w, o == Py_True ? "true" : "false");
    return fprintf(w->stream, "%lld", PyLong_AsLongLong(o)) < 0;
}

int json_dumpf(const json_t *value, FILE *stream, size_t flags)
{
    writer w = {stream, flags, 0};
    return done(put_value(&w, (PyObject *)value));
}
