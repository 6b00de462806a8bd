/* The types of elements: their names, whatever an array says of them. */
#include "arrays.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What the letters of the buffer protocol stand for, as NumPy's kinds. */
static const struct {
    char letter, kind;
} letters[] = {
    {'e', 'f'}, {'f', 'f'}, {'d', 'f'}, {'g', 'f'}, {'b', 'i'}, {'h', 'i'}, {'i', 'i'}, {'l', 'i'}, {'q', 'i'},
    {'n', 'i'}, {'B', 'u'}, {'H', 'u'}, {'I', 'u'}, {'L', 'u'}, {'Q', 'u'}, {'N', 'u'}, {'?', 'b'}, {'c', 'S'},
    {'s', 'S'}, {'x', 'V'}, {'u', 'U'}, {'w', 'U'}, {'F', 'c'}, {'D', 'c'}, {'G', 'c'},
};

/* Types that have a name alone in NumPy, and their codes in DLPack. */
static const struct {
    const char *name;
    int32_t code;
} named[] = {
    {"bfloat16", CT_DL_BFLOAT},  {"float8_e3m4", 7},    {"float8_e4m3", 8},      {"float8_e4m3b11fnuz", 9},
    {"float8_e4m3fn", 10},       {"float8_e4m3fnuz", 11}, {"float8_e5m2", 12},   {"float8_e5m2fnuz", 13},
    {"float8_e8m0fnu", 14},
};

enum { NAMED = sizeof named / sizeof *named };

/* Sets the type of elements of a kind of NumPy's and of a->bytes. */
static void set_kind(core_array *a, char kind, int swapped)
{
    static const struct {
        char kind;
        const char *name;
        int32_t code, unit; /* bits, or what a name counts; numbers in an element */
    } kinds[] = {{'i', "int", CT_DL_INT, 1},   {'u', "uint", CT_DL_UINT, 1},        {'f', "float", CT_DL_FLOAT, 1},
                 {'b', "bool", CT_DL_BOOL, 1}, {'c', "complex", CT_DL_COMPLEX, 2}};
    const int32_t number = kind == 'U' ? 4 : kind == 'c' ? a->bytes / 2 : strchr("SVb", kind) ? 1 : a->bytes;
    a->swap = swapped && number > 1 ? number : 0;
    a->type = a->name;
    a->tensor.code = CT_DL_OPAQUE; /* bytes that are only moved */
    a->tensor.bits = 8;
    a->tensor.lanes = (uint16_t)a->bytes;
    snprintf(a->name, sizeof a->name, "%c%d", kind, kind == 'U' ? a->bytes / 4 : a->bytes);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        if (kinds[k].kind != kind) continue;
        snprintf(a->name, sizeof a->name, kind == 'b' ? "%s" : "%s%d", kinds[k].name, 8 * a->bytes);
        a->tensor.code = (uint8_t)kinds[k].code;
        if (a->bytes > 16) continue;
        a->tensor.bits = (uint8_t)(8 * a->bytes);
        a->tensor.lanes = 1;
    }
}

static int refuse_references(const char *type)
{
    PyErr_Format(PyExc_TypeError, "elements of type %.100s are Python objects or pointers, which are not moved", type);
    return -1;
}

/* Whether a format has objects or pointers outside of the names of its fields. */
static int has_references(const char *format)
{
    for (int in_name = 0; *format; ++format) {
        if (*format == ':') in_name = !in_name;
        if (!in_name && strchr("O&X", *format)) return 1;
    }
    return 0;
}

/* The format of fields without what alignment does to it: `>` before each number of the other order, q for the integers
   of 8 bytes. */
static PyObject *normal_format(const char *format)
{
    const int little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    char *const text = PyMem_Malloc(2 * strlen(format) + 1), *at = text;
    if (!text) return PyErr_NoMemory();
    int other = 0, native = 1;
    for (int in_name = 0; *format; ++format) {
        const char c = *format;
        if (c == ':') in_name = !in_name;
        if (!in_name && strchr("@=<>!^", c)) {
            native = c == '@' || c == '^';
            other = c == (little ? '>' : '<') || (little && c == '!');
            continue;
        }
        const int is_number = !in_name && isalpha((unsigned char)c) && c != 'T' && !strchr("bBcsx", c);
        if (is_number && other && (at == text || at[-1] != 'Z')) *at++ = '>';
        if (in_name || !strchr("lLnN", c)) *at++ = c;
        else *at++ = strchr("ln", c) ? (native || c == 'n' ? 'q' : 'i') : (native || c == 'N' ? 'Q' : 'I');
    }
    PyObject *const made = PyUnicode_DecodeUTF8(text, at - text, "replace");
    PyMem_Free(text);
    return made;
}

int core_type_of_format(core_array *a, const char *format)
{
    const char *at = format;
    const int little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const int swapped = *at == (little ? '>' : '<') || (little && *at == '!');
    if (has_references(format)) return refuse_references(format);
    if (*at && strchr("@=|<>!^", *at)) ++at;
    while (isdigit((unsigned char)*at)) ++at;
    const int is_complex = *at == 'Z';
    at += is_complex;
    for (size_t k = 0; k < sizeof letters / sizeof *letters; ++k) {
        const char kind = letters[k].kind;
        if (letters[k].letter != *at || at[1] || (isdigit((unsigned char)*format) && !strchr("SVU", kind))) continue;
        if (strchr("bB?", *at) && a->bytes > 1) continue; /* of a union, ctypes says no more */
        set_kind(a, is_complex ? 'c' : kind, swapped);
        return 0;
    }
    set_kind(a, 'V', 0);
    a->text = normal_format(format); /* fields: the same where these are */
    a->type = a->text ? PyUnicode_AsUTF8(a->text) : NULL;
    return a->type ? 0 : -1;
}

int core_type_of_string(core_array *a, PyObject *o, PyObject *string)
{
    const char *const text = string && PyUnicode_Check(string) ? PyUnicode_AsUTF8(string) : NULL;
    if (!text || strlen(text) < 3) return -1;
    char *end;
    const char kind = text[1];
    const long count = strtol(text + 2, &end, 10);
    const int little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (!strchr("iufcbmMSUV", kind)) return refuse_references(text);
    a->bytes = (int32_t)(kind == 'U' ? 4 * count : count);
    set_kind(a, kind, text[0] == (little ? '>' : '<'));
    if (kind == 'm' || kind == 'M')
        snprintf(a->name, sizeof a->name, "%s64%s", kind == 'm' ? "timedelta" : "datetime", end);
    if (kind != 'V' && (kind != 'f' || count > 1)) return 0; /* else NumPy knows more than the string says */
    PyObject *const type = PyObject_GetAttrString(o, "dtype");
    a->text = type ? PyObject_Str(type) : NULL;
    Py_XDECREF(type);
    a->type = a->text ? PyUnicode_AsUTF8(a->text) : NULL;
    if (!a->type) return -1;
    if (strstr(a->type, "'O'") || strstr(a->type, "|O")) return refuse_references(a->type);
    for (int k = 0; k < NAMED; ++k) {
        if (strcmp(named[k].name, a->type)) continue;
        a->tensor.code = (uint8_t)named[k].code;
        a->tensor.bits = (uint8_t)(8 * a->bytes);
        a->tensor.lanes = 1;
    }
    return 0;
}

int core_type_of_tensor(core_array *a)
{
    static const char kinds[] = {[CT_DL_INT] = 'i', [CT_DL_UINT] = 'u', [CT_DL_FLOAT] = 'f', [CT_DL_OPAQUE] = 'V',
                                 [CT_DL_BFLOAT] = 'V', [CT_DL_COMPLEX] = 'c', [CT_DL_BOOL] = 'b'};
    const ct_dl_tensor t = a->tensor;
    const char kind = t.code < sizeof kinds && t.code != CT_DL_BFLOAT ? kinds[t.code] : 'x';
    set_kind(a, kind == 'x' ? 'V' : kind, 0);
    a->tensor = t;
    if (kind == 'V' || (t.lanes == 1 && kind != 'x')) return 0;
    const char *name = kind == 'x' ? NULL : a->name;
    for (int k = 0; k < NAMED && t.lanes == 1; ++k)
        if (named[k].code == t.code && t.bits == (t.code == CT_DL_BFLOAT ? 16 : 8)) name = named[k].name;
    if (name && t.lanes == 1) memmove(a->name, name, strlen(name) + 1);
    else snprintf(a->name, sizeof a->name, "%d lanes of code %d, %d bits", t.lanes, t.code, t.bits);
    return 0;
}

/* Whether elements are computed with: CT_TYPE_... other than raw. */
static int is_number(const core_array *a)
{
    static const char *const names[] = {"float16", "bfloat16", "float32", "float64", "int8"};
    int found = 0;
    for (int k = 0; k < 5; ++k) found |= strcmp(names[k], a->type) == 0;
    return found;
}

int core_types_agree(const core_array *dst, const core_array *src, int scaled)
{
    const int same = dst->bytes == src->bytes && strcmp(dst->type, src->type) == 0;
    if (same && !scaled) return 0;
    if (is_number(dst) && is_number(src)) return 1;
    PyErr_Format(PyExc_TypeError, "elements of type %.100s are not converted to %.100s%s; half, bfloat16, float, double "
                 "and int8 are", src->type, dst->type, same ? " with a scale" : "");
    return -1;
}
