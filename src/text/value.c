/* What a ct_value is, carries and owns; and the functions that read a single value of a kind. */
#include <stdlib.h>
#include <string.h>

#include "notation.h"

const char *ct_kind_name(const ct_value *v)
{
    switch (v->kind) {
    case CT_KIND_ERROR: return "an error";
    case CT_KIND_BOOL: return "true or false";
    case CT_KIND_NAME: return "a name";
    case CT_KIND_TUPLE:
        if (!ct_is_integer(v->as.tuple)) return "a tuple";
        if (v->as.tuple.basis[0] == CT_ANY) return "`_`";
        return v->as.tuple.basis[0] == CT_INTEGER ? "an integer" : "a basis element";
    case CT_KIND_LIST: return "a list (more integers than a tuple holds)";
    case CT_KIND_LAYOUT: return "a layout";
    case CT_KIND_TILER: return "a tiler";
    case CT_KIND_TENSOR:
        return v->as.tensor.swizzle.bits > 0 ? "a composed layout" : "a tensor";
    case CT_KIND_SWIZZLE: return "a swizzle";
    case CT_KIND_COPY_ATOM: return "a copy atom";
    case CT_KIND_TILED_COPY: return "a tiled copy";
    case CT_KIND_MMA_ATOM: return "an MMA atom";
    case CT_KIND_TILED_MMA: return "a tiled MMA";
    default: return "nothing";
    }
}

static ct_error first_error(ct_error a, ct_error b) { return a.status ? a : b; }

ct_error ct_value_error(const ct_value *v)
{
    ct_error none;
    memset(&none, 0, sizeof none);
    switch (v->kind) {
    case CT_KIND_ERROR: return v->as.failure.err;
    case CT_KIND_TUPLE: return v->as.tuple.err;
    case CT_KIND_LAYOUT: return v->as.layout.err;
    case CT_KIND_TILER: return v->as.tiler.tiles.err;
    case CT_KIND_TENSOR: return v->as.tensor.layout.err;
    case CT_KIND_SWIZZLE: return v->as.swizzle.err;
    case CT_KIND_COPY_ATOM: return v->as.atom.err;
    case CT_KIND_TILED_COPY:
        return first_error(v->as.copy.atom.err,
                           first_error(v->as.copy.tv.err, v->as.copy.tiler.tiles.err));
    case CT_KIND_MMA_ATOM: return v->as.mma_atom.err;
    case CT_KIND_TILED_MMA: return v->as.mma.atom.err;
    default: return none;
    }
}

void ct_value_free(ct_value *v)
{
    if (v->kind == CT_KIND_LIST) free(v->as.list.item);
    v->kind = CT_KIND_NONE;
}

static ct_status fail_with(ct_reader *r, const ct_failure *f)
{
    char message[CT_MESSAGE_BYTES];
    ct_error_message(f->err, message, sizeof message);
    ct_reader_fail(r, f->at, f->length, "%s", message);
    if (r->diag) r->diag->err = f->err;
    return f->err.status;
}

/* Reads the whole text as plain notation; *v is neither an error nor, unless kept, owns memory. */
static ct_status read_plain(ct_reader *r, const char *text, ct_value *v, ct_diag *diag)
{
    memset(r, 0, sizeof *r);
    r->text = text;
    r->length = strlen(text);
    r->diag = diag;
    v->kind = CT_KIND_NONE;
    if (ct_read_whole(r, v)) return r->failed;
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
    if (v.kind != CT_KIND_TENSOR) return wrong_kind(&r, &v, "a tensor, offset@layout or Sw<3,4,3> o 0 o (8,64):(64,1),");
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
