/* The functions that read a single value of a kind. */
#include <string.h>

#include "notation.h"

static ct_status fail_with(ct_reader *r, const ct_failure *f)
{
    char message[CT_MESSAGE_BYTES];
    ct_error_message(f->err, message, sizeof message);
    ct_reader_fail(r, f->at, f->length, "%s", message);
    if (r->diag) r->diag->err = f->err;
    return f->err.status;
}

/* Reads the full text as plain notation; *v is not an error and, unless kept, owns no memory. */
static ct_status read_plain(ct_reader *r, const char *text, ct_value *v, ct_diag *diag)
{
    memset(r, 0, sizeof *r);
    r->text = text;
    r->length = strlen(text);
    r->diag = diag;
    v->kind = CT_KIND_NONE;
    if (ct_read_with(r) || ct_read_whole(r, v)) return r->failed;
    return v->kind == CT_KIND_ERROR ? fail_with(r, &v->as.failure) : 0;
}

static ct_status wrong_kind(ct_reader *r, ct_value *v, const char *wanted)
{
    ct_reader_fail(r, 0, r->length, "%s is expected, not %s", wanted, ct_kind_name(v));
    ct_value_free(v);
    return r->failed;
}

ct_status ct_parse_value(const char *text, ct_value *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    *out = v;
    return 0;
}

ct_status ct_parse_int(const char *text, int64_t *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    if (v.kind != CT_KIND_TUPLE || !ct_is_integer(v.as.tuple) || v.as.tuple.basis[0] != CT_INTEGER)
        return wrong_kind(&r, &v, "an integer");
    *out = v.as.tuple.value[0];
    return 0;
}

ct_status ct_parse_tuple(const char *text, ct_tuple *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    if (v.kind != CT_KIND_TUPLE) return wrong_kind(&r, &v, "a tuple");
    *out = v.as.tuple;
    return 0;
}

ct_status ct_parse_layout(const char *text, ct_layout *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    if (v.kind == CT_KIND_TUPLE) {
        const ct_layout L = ct_layout_of_shape(v.as.tuple);
        if (L.err.status) {
            const ct_failure f = {L.err, 0, r.length, 1};
            return fail_with(&r, &f);
        }
        *out = L;
        return 0;
    }
    if (v.kind != CT_KIND_LAYOUT) return wrong_kind(&r, &v, "a layout");
    *out = v.as.layout;
    return 0;
}

ct_status ct_parse_tiler(const char *text, ct_tiler *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    if (!ct_value_to_tiler(&v)) return wrong_kind(&r, &v, "a tiler");
    if (v.as.tiler.tiles.err.status) {
        const ct_failure f = {v.as.tiler.tiles.err, 0, r.length, 1};
        return fail_with(&r, &f);
    }
    *out = v.as.tiler;
    return 0;
}

ct_status ct_parse_tensor(const char *text, ct_tensor *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    if (v.kind != CT_KIND_TENSOR)
        return wrong_kind(&r, &v, "a tensor, offset@layout or Sw<3,4,3> o 0 o (8,64):(64,1),");
    *out = v.as.tensor;
    return 0;
}

ct_status ct_parse_swizzle(const char *text, ct_swizzle *out, ct_diag *diag)
{
    ct_reader r;
    ct_value v;
    const ct_status bad = read_plain(&r, text, &v, diag);
    if (bad) return bad;
    if (v.kind != CT_KIND_SWIZZLE) return wrong_kind(&r, &v, "a swizzle, Sw<3,4,3>,");
    *out = v.as.swizzle;
    return 0;
}
