/* The functions that read a single value of a kind. */
#include <string.h>

#include "notation.h"
#include "words.h"

static ct_status fail_with(ct_reader *r, const ct_failure *f)
{
    char message[CT_MESSAGE_BYTES];
    ct_error_message(f->err, message, sizeof message);
    ct_reader_fail(r, f->at, f->length, "%s", message);
    if (r->diag) r->diag->err = f->err;
    return f->err.status;
}

/* Reads the full text as plain notation: `wanted`, a value of the kind, which owns no memory; any where that is NULL. */
static ct_status read_plain(const char *text, int kind, const char *wanted, ct_value *v,
                            ct_diag *diag)
{
    ct_reader r = ct_reader_of(text, diag);
    v->kind = CT_KIND_NONE;
    if (ct_read_with(&r) || ct_read_whole(&r, v)) return r.failed;
    if (v->kind == CT_KIND_ERROR) return fail_with(&r, &v->as.failure);
    if (kind == CT_KIND_LAYOUT && v->kind == CT_KIND_TUPLE)
        ct_value_of_tensor(v, ct_make_tensor(ct_layout_of_shape(v->as.tuple)));
    if (kind == CT_KIND_TILER) ct_value_to_tiler(v);
    if (wanted && v->kind != kind) {
        ct_reader_fail(&r, 0, r.length, "%s is expected, not %s", wanted, ct_kind_name(v));
        ct_value_free(v);
        return r.failed;
    }
    const ct_failure f = {ct_value_error(v), 0, r.length, 1};
    return wanted && f.err.status ? fail_with(&r, &f) : CT_OK;
}

ct_status ct_parse_value(const char *text, ct_value *out, ct_diag *diag)
{
    ct_value v;
    const ct_status bad = read_plain(text, CT_KIND_NONE, NULL, &v, diag);
    if (!bad) *out = v;
    return bad;
}

ct_status ct_parse_int(const char *text, int64_t *out, ct_diag *diag)
{
    ct_value v;
    const ct_status bad = read_plain(text, CT_KIND_TUPLE, "an integer", &v, diag);
    if (bad) return bad;
    if (ct_is_integer(v.as.tuple) && v.as.tuple.basis[0] == CT_INTEGER) {
        *out = v.as.tuple.value[0];
        return CT_OK;
    }
    ct_reader r = ct_reader_of(text, diag);
    return ct_reader_fail(&r, 0, r.length, "an integer is expected, not %s", ct_kind_name(&v));
}

#define PARSER(name, type, kind, wanted, member)                                                   \
    ct_status name(const char *text, type *out, ct_diag *diag)                                     \
    {                                                                                              \
        ct_value v;                                                                                \
        const ct_status bad = read_plain(text, kind, wanted, &v, diag);                            \
        if (!bad) *out = v.as.member;                                                              \
        return bad;                                                                                \
    }

PARSER(ct_parse_tuple, ct_tuple, CT_KIND_TUPLE, "a tuple", tuple)
PARSER(ct_parse_layout, ct_layout, CT_KIND_LAYOUT, "a layout", layout)
PARSER(ct_parse_tiler, ct_tiler, CT_KIND_TILER, "a tiler", tiler)
PARSER(ct_parse_tensor, ct_tensor, CT_KIND_TENSOR,
       "a tensor, offset@layout or Sw<3,4,3> o 0 o (8,64):(64,1),", tensor)
PARSER(ct_parse_swizzle, ct_swizzle, CT_KIND_SWIZZLE, "a swizzle, Sw<3,4,3>,", swizzle)
