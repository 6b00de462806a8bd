/* The types of elements: their names, whatever an array says of them. */
#include "arrays.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* NumPy's kinds, their letters in formats of the buffer protocol, and their codes in DLPack. */
static const struct {
    char kind;
    uint8_t code;
    const char *letters, *name;
} kinds[] = {{'f', CT_DL_FLOAT, "efdg", "float"}, {'i', CT_DL_INT, "bhilqn", "int"},
             {'u', CT_DL_UINT, "BHILQN", "uint"}, {'c', CT_DL_COMPLEX, "FDG", "complex"},
             {'b', CT_DL_BOOL, "?", "bool"},      {'S', CT_DL_OPAQUE, "cs", NULL},
             {'U', CT_DL_OPAQUE, "uw", NULL},     {'V', CT_DL_OPAQUE, "x", NULL},
             {'m', CT_DL_OPAQUE, "", NULL},       {'M', CT_DL_OPAQUE, "", NULL}};

/* Types that NumPy knows by their names alone. */
static const struct {
    const char *name;
    uint8_t code;
} named[] = {{"bfloat16", CT_DL_BFLOAT}, {"float8_e3m4", 7},      {"float8_e4m3", 8},
             {"float8_e4m3b11fnuz", 9},  {"float8_e4m3fn", 10},   {"float8_e4m3fnuz", 11},
             {"float8_e5m2", 12},        {"float8_e5m2fnuz", 13}, {"float8_e8m0fnu", 14}};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
    NAMED = sizeof named / sizeof *named,
    LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
};

static void set_code(core_array *a, uint8_t code, int is_number)
{
    a->tensor.code = code;
    a->tensor.bits = (uint8_t)(is_number ? 8 * a->bytes : 8);
    a->tensor.lanes = (uint16_t)(is_number ? 1 : a->bytes);
}

/* Elements of kind k of the table, of a->bytes. */
static void set_kind(core_array *a, int k, int swapped)
{
    const char kind = kinds[k].kind;
    const int32_t number = kind == 'U'           ? 4
                           : kind == 'c'         ? a->bytes / 2
                           : strchr("SVb", kind) ? 1
                                                 : a->bytes;
    a->swap = swapped && number > 1 ? number : 0;
    a->type = a->name;
    if (!kinds[k].name)
        snprintf(a->name, sizeof a->name, "%c%d", kind, kind == 'U' ? a->bytes / 4 : a->bytes);
    else
        snprintf(a->name, sizeof a->name, kind == 'b' ? "%s" : "%s%d", kinds[k].name, 8 * a->bytes);
    set_code(a, kinds[k].code, kinds[k].name && a->bytes <= 16);
}

static int refuse_references(const char *type)
{
    PyErr_Format(PyExc_TypeError,
                 "elements of type %.100s are Python objects or pointers, which are not moved",
                 type);
    return -1;
}

/* The format of fields without what alignment does to it: `>` before each number of the other order, q for integers of
   8 bytes. NULL and an exception: it has objects or pointers. */
static PyObject *normal_format(const char *format)
{
    const char *const whole = format;
    char *const text = PyMem_Malloc(2 * strlen(format) + 1), *at = text;
    int other = 0, native = 1, bad = 0;
    if (!text) return PyErr_NoMemory();
    for (int in_name = 0; *format; ++format) {
        const char c = *format;
        if (c == ':') in_name = !in_name;
        bad |= !in_name && strchr("OPz&X", c);
        if (!in_name && strchr("@=<>!^|", c)) {
            native = c == '@' || c == '^';
            other = c == (LITTLE ? '>' : '<') || (LITTLE && c == '!');
            continue;
        }
        if (!in_name && other && isalpha((unsigned char)c) && !strchr("TbBcsx", c) &&
            (at == text || at[-1] != 'Z'))
            *at++ = '>';
        if (in_name || !strchr("lLnN", c)) *at++ = c;
        else
            *at++ = strchr("ln", c) ? (native || c == 'n' ? 'q' : 'i')
                                    : (native || c == 'N' ? 'Q' : 'I');
    }
    PyObject *const made = bad ? NULL : PyUnicode_DecodeUTF8(text, at - text, "replace");
    if (bad) refuse_references(whole);
    PyMem_Free(text);
    return made;
}

int core_type_of_format(core_array *a, const char *format)
{
    const char *at = format + (*format && strchr("@=|<>!^", *format));
    const int swapped = *format == (LITTLE ? '>' : '<') || (LITTLE && *format == '!');
    const int counted = isdigit((unsigned char)*at), is_complex = *at == 'Z';
    while (isdigit((unsigned char)*at)) ++at;
    if (*at && strchr("PzZ", *at) && at[1] == '\0') return refuse_references(format);
    at += is_complex;
    for (int k = 0; k < KINDS && *at && at[1] == '\0'; ++k) {
        if (!strchr(kinds[k].letters, *at) || (counted && kinds[k].name)) continue;
        if (strchr("bB?", *at) && a->bytes > 1) continue; /* of a union, ctypes says no more */
        set_kind(a, is_complex ? 3 : k, swapped);
        return 0;
    }
    set_kind(a, 7, 0);
    a->text = normal_format(format); /* fields: the same where these are */
    a->type = a->text ? PyUnicode_AsUTF8(a->text) : NULL;
    return a->type ? 0 : -1;
}

int core_type_of_string(core_array *a, PyObject *o, PyObject *string)
{
    const char *const text = string && PyUnicode_Check(string) ? PyUnicode_AsUTF8(string) : NULL;
    char *end;
    int k = 0;
    if (!text || strlen(text) < 3) return -1;
    while (k < KINDS && kinds[k].kind != text[1]) ++k;
    if (k == KINDS) return refuse_references(text);
    const char kind = text[1];
    const long count = strtol(text + 2, &end, 10);
    a->bytes = (int32_t)(kind == 'U' ? 4 * count : count);
    set_kind(a, k, text[0] == (LITTLE ? '>' : '<'));
    if (strchr("mM", kind))
        snprintf(a->name, sizeof a->name, "%s64%s", kind == 'm' ? "timedelta" : "datetime", end);
    if (kind != 'V' && (kind != 'f' || count > 1))
        return 0; /* else NumPy knows more than the string says */
    PyObject *const type = PyObject_GetAttrString(o, "dtype");
    a->text = type ? PyObject_Str(type) : NULL;
    Py_XDECREF(type);
    a->type = a->text ? PyUnicode_AsUTF8(a->text) : NULL;
    if (!a->type) return -1;
    if (strstr(a->type, "'O'") || strstr(a->type, "|O")) return refuse_references(a->type);
    for (int i = 0; i < NAMED; ++i)
        if (strcmp(named[i].name, a->type) == 0) set_code(a, named[i].code, 1);
    return 0;
}

int core_type_of_tensor(core_array *a)
{
    const ct_dl_tensor t = a->tensor;
    for (int k = KINDS - 1; k >= 0; --k)
        if (kinds[k].code == t.code && (kinds[k].name ? t.lanes == 1 : kinds[k].kind == 'V'))
            return set_kind(a, k, 0), a->tensor = t, 0;
    snprintf(a->name, sizeof a->name, "%d lanes of code %d, %d bits", t.lanes, t.code, t.bits);
    a->type = a->name;
    for (int i = 0; i < NAMED && t.lanes == 1; ++i)
        if (named[i].code == t.code && t.bits == (i ? 8 : 16)) a->type = named[i].name;
    return 0;
}

int core_types_agree(const core_array *dst, const core_array *src, int scaled)
{
    static const char numbers[] = " float16 bfloat16 float32 float64 int8 ";
    const int same = dst->bytes == src->bytes && strcmp(dst->type, src->type) == 0;
    const char *const from = strstr(numbers, src->type), *const to = strstr(numbers, dst->type);
    if (same && !scaled) return 0;
    if (from && to && from[-1] == ' ' && to[-1] == ' ' && from[strlen(src->type)] == ' ' &&
        to[strlen(dst->type)] == ' ')
        return 1;
    PyErr_Format(
        PyExc_TypeError,
        "elements of type %.100s are not converted to %.100s%s; half, bfloat16, float, double "
        "and int8 are",
        src->type, dst->type, same ? " with a scale" : "");
    return -1;
}
