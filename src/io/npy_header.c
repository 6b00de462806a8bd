/* The header of a NumPy file: a Python dictionary of three keys, read strictly. */
#include "npy_header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/refuse.h"

/* How deep fields may hold fields. */
#define FIELD_DEPTH 8

typedef struct reader {
    const char *text, *end, *at;
    ct_npy *array;
    char *message;
} reader;

typedef struct span {
    const char *first;
    size_t length;
} span;

#define FAIL(in, ...) ct_refuse((in)->message, CT_E_FILE, __VA_ARGS__)

static void skip_space(reader *in)
{
    while (in->at < in->end && *in->at && strchr(" \t\r\n", *in->at)) ++in->at;
}

static ct_status expected(reader *in, const char *what)
{
    return FAIL(in, "header: %s expected at byte %ld", what, (long)(in->at - in->text));
}

/* Takes the character c if it is next. */
static int take_char(reader *in, char c)
{
    skip_space(in);
    if (in->at >= in->end || *in->at != c) return 0;
    ++in->at;
    return 1;
}

static ct_status need_char(reader *in, char c)
{
    const char what[] = {'`', c, '`', 0};
    return take_char(in, c) ? CT_OK : expected(in, what);
}

/* A string in single or double quotes; its inside, escapes unread. */
static ct_status read_string(reader *in, span *out)
{
    skip_space(in);
    if (in->at >= in->end || (*in->at != '\'' && *in->at != '"')) return expected(in, "a string");
    const char quote = *in->at++;
    out->first = in->at;
    while (in->at < in->end && *in->at != quote && *in->at != '\n' && *in->at != 0)
        in->at += *in->at == '\\' && in->at + 1 < in->end && in->at[1] ? 2 : 1;
    if (in->at >= in->end || *in->at != quote) return expected(in, "the end of a string");
    out->length = (size_t)(in->at++ - out->first);
    return 0;
}

static int is_text(span s, const char *text)
{
    return s.length == strlen(text) && memcmp(s.first, text, s.length) == 0;
}

/* An integer >= 0. Python 2 wrote an L after some of them. */
static ct_status read_extent(reader *in, int64_t *out)
{
    int ok = 1;
    skip_space(in);
    if (in->at < in->end && *in->at == '-') return FAIL(in, "shape: a negative extent");
    if (in->at >= in->end || !isdigit((unsigned char)*in->at)) return expected(in, "an integer");
    for (*out = 0; in->at < in->end && isdigit((unsigned char)*in->at); ++in->at)
        *out = ct_add(ct_mul(*out, 10, &ok), *in->at - '0', &ok);
    if (!ok) return FAIL(in, "shape: an extent that 63 bits do not hold");
    if (in->at < in->end && *in->at == 'L') ++in->at;
    return 0;
}

/* (), (5,), (2,3), (2,3,): at most CT_NPY_MAX_RANK extents. */
static ct_status read_shape(reader *in, int64_t *shape, int32_t *rank)
{
    *rank = 0;
    if (need_char(in, '(')) return CT_E_FILE;
    int comma = 1;
    while (!take_char(in, ')')) {
        int64_t extent = 0;
        if (!comma) return expected(in, "`,` or `)`");
        if (read_extent(in, &extent)) return CT_E_FILE;
        if (*rank == CT_NPY_MAX_RANK)
            return FAIL(in, "shape: more than %d dimensions", CT_NPY_MAX_RANK);
        shape[(*rank)++] = extent;
        comma = take_char(in, ',');
    }
    if (*rank == 1 && !comma) return FAIL(in, "shape: a tuple of one extent ends in a comma: (5,)");
    return 0;
}

/* Whether a kind of element has elements of this number of bytes. */
static int known_type(char kind, int64_t bytes)
{
    switch (kind) {
        case 'b': return bytes == 1;
        case 'i':
        case 'u': return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
        case 'f':
            return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 10 || bytes == 12 ||
                   bytes == 16;
        case 'c': return bytes == 8 || bytes == 16;
        case 'm':
        case 'M': return bytes == 8;
        default: return kind == 'S' || kind == 'V' || kind == 'U';
    }
}

/* A type such as `<f4`, `|V2`, `<M8[ns]`; f4, =f4 and |f4 have the machine's order, as in NumPy. */
static ct_status read_type(reader *in, span s, char *kind, int64_t *bytes, int *big)
{
    const char *at = s.first, *end = s.first + s.length;
    const int shown = (int)ct_min((int64_t)s.length, 40);
    char order = '|';
    if (at < end && (*at == '<' || *at == '>' || *at == '|' || *at == '=')) order = *at++;
    if (at < end && *at == 'O')
        return FAIL(in, "type `%.*s`: elements are Python objects, which have no fixed size", shown,
                    s.first);
    *kind = at < end ? *at++ : 0;
    int64_t count = 0;
    const char *digits = at;
    for (; at < end && isdigit((unsigned char)*at) && at - digits < 9; ++at)
        count = 10 * count + (*at - '0');
    const int counted = at > digits;
    if ((*kind == 'm' || *kind == 'M') && at < end && *at == '[' && end[-1] == ']') at = end;
    *bytes = *kind == 'U' ? 4 * count : count;
    *big = order == '>';
    const int is_kind = *kind != 0 && strchr("biufcmMSUV", *kind) != NULL;
    if (is_kind && !counted)
        return FAIL(in, "type `%.*s`: no bytes are said, as in `<f4`", shown, s.first);
    if (!is_kind || at != end)
        return FAIL(in, "type `%.*s`: no element type of a fixed size", shown, s.first);
    if (*bytes > CT_NPY_MAX_ELEM_BYTES)
        return FAIL(in, "type `%.*s`: elements of %lld bytes; at most %d are read", shown, s.first,
                    (long long)*bytes, CT_NPY_MAX_ELEM_BYTES);
    if (*bytes < 1) return FAIL(in, "type `%.*s`: elements of 0 bytes", shown, s.first);
    if (!known_type(*kind, *bytes))
        return FAIL(in, "type `%.*s`: no element type of a fixed size", shown, s.first);
    return 0;
}

/* Fields: [('x', '<f4'), ('y', '<f2', (2,))], to any depth up to FIELD_DEPTH; their bytes together. */
static ct_status read_fields(reader *in, int64_t *bytes, int depth)
{
    *bytes = 0;
    if (depth > FIELD_DEPTH) return FAIL(in, "type: fields nest more than %d deep", FIELD_DEPTH);
    if (need_char(in, '[')) return CT_E_FILE;
    for (int comma = 1; !take_char(in, ']'); comma = take_char(in, ',')) {
        span name, type;
        char kind;
        int64_t field = 0, shape[CT_NPY_MAX_RANK];
        int32_t rank = 0;
        int big, ok = 1;
        if (!comma) return expected(in, "`,` or `]`");
        if (need_char(in, '(')) return CT_E_FILE;
        if (take_char(in, '(')) { /* (title, name) */
            if (read_string(in, &name) || need_char(in, ',') || read_string(in, &name) ||
                need_char(in, ')'))
                return CT_E_FILE;
        } else if (read_string(in, &name)) {
            return CT_E_FILE;
        }
        if (need_char(in, ',')) return CT_E_FILE;
        skip_space(in);
        if (in->at < in->end && *in->at == '[') {
            if (read_fields(in, &field, depth + 1)) return CT_E_FILE;
        } else if (read_string(in, &type) || read_type(in, type, &kind, &field, &big)) {
            return CT_E_FILE;
        }
        if (take_char(in, ',')) {
            skip_space(in);
            if (in->at < in->end && *in->at == '(' && read_shape(in, shape, &rank))
                return CT_E_FILE;
        }
        if (need_char(in, ')')) return CT_E_FILE;
        for (int32_t k = 0; k < rank; ++k) field = ct_mul(field, shape[k], &ok);
        *bytes = ct_add(*bytes, field, &ok);
        if (!ok || *bytes > CT_NPY_MAX_ELEM_BYTES)
            return FAIL(in, "type: fields of more than %d bytes together; at most %d are read",
                        CT_NPY_MAX_ELEM_BYTES, CT_NPY_MAX_ELEM_BYTES);
    }
    return *bytes > 0 ? 0 : FAIL(in, "type: elements of 0 bytes");
}

static ct_status read_descr(reader *in)
{
    ct_npy *a = in->array;
    int64_t bytes = 0;
    span s;
    skip_space(in);
    if (in->at < in->end && *in->at == '[') {
        s.first = in->at;
        if (read_fields(in, &bytes, 0)) return CT_E_FILE;
        s.length = (size_t)(in->at - s.first);
        a->kind = 'V';
    } else if (read_string(in, &s) || read_type(in, s, &a->kind, &bytes, &a->big_endian)) {
        return CT_E_FILE;
    }
    if (s.length + 1 >= sizeof a->descr)
        return FAIL(in, "type: %lu characters of text; at most %d are read",
                    (unsigned long)s.length, CT_NPY_DESCR_BYTES - 1);
    const int has_order = !strchr("SV", a->kind) && bytes > 1,
              skip = strchr("|=", s.first[0]) != NULL;
    if (strchr(has_order ? "[<>" : "[<>|", s.first[0]))
        snprintf(a->descr, sizeof a->descr, "%.*s", (int)s.length, s.first);
    else /* with the order that no sign, or another one, stands for */
        snprintf(a->descr, sizeof a->descr, "%c%.*s", has_order ? '<' : '|', (int)s.length - skip,
                 s.first + skip);
    a->elem_bytes = (int32_t)bytes;
    return 0;
}

static ct_status read_order(reader *in)
{
    static const char *const name[2] = {"False", "True"};
    skip_space(in);
    for (int k = 0; k < 2; ++k) {
        const size_t length = strlen(name[k]);
        if ((size_t)(in->end - in->at) >= length && memcmp(in->at, name[k], length) == 0) {
            in->at += length;
            in->array->fortran = k;
            return 0;
        }
    }
    return expected(in, "True or False");
}

/* The number of elements and of bytes. */
static ct_status count_bytes(reader *in)
{
    ct_npy *a = in->array;
    int ok = 1, empty = 0;
    a->size = 1;
    for (int32_t k = 0; k < a->rank; ++k) {
        empty |= a->shape[k] == 0;
        if (a->shape[k] > 0) a->size = ct_mul(a->size, a->shape[k], &ok);
    }
    if (empty) a->size = 0;
    a->data_bytes = ct_mul(a->size, a->elem_bytes, &ok);
    return ok ? 0 : FAIL(in, "shape: more bytes than 63 bits count");
}

ct_status ct_npy_parse(const char *text, size_t length, ct_npy *array, char *message)
{
    static const char *const key[3] = {"descr", "fortran_order", "shape"};
    reader in = {text, text + length, text, array, message};
    int seen[3] = {0, 0, 0};
    if (need_char(&in, '{')) return CT_E_FILE;
    for (int comma = 1; !take_char(&in, '}'); comma = take_char(&in, ',')) {
        span name;
        int k = 0;
        if (!comma) return expected(&in, "`,` or `}`");
        if (read_string(&in, &name)) return CT_E_FILE;
        while (k < 3 && !is_text(name, key[k])) ++k;
        if (k == 3)
            return FAIL(&in, "header: unknown key `%.*s`", (int)ct_min((int64_t)name.length, 40),
                        name.first);
        if (seen[k]++) return FAIL(&in, "header: the key `%s` twice", key[k]);
        if (need_char(&in, ':')) return CT_E_FILE;
        if (k == 0   ? read_descr(&in)
            : k == 1 ? read_order(&in)
                     : read_shape(&in, array->shape, &array->rank))
            return CT_E_FILE;
    }
    skip_space(&in);
    if (in.at != in.end) return expected(&in, "the end");
    for (int k = 0; k < 3; ++k)
        if (!seen[k]) return FAIL(&in, "header: no key `%s`", key[k]);
    return count_bytes(&in);
}

ct_status ct_npy_refuse_empty(const ct_npy *array, char *message)
{
    for (int32_t k = 0; k < array->rank; ++k)
        if (array->shape[k] == 0)
            return ct_refuse(message, CT_E_FILE, "shape: the extent of dimension %d is 0", k);
    return 0;
}
