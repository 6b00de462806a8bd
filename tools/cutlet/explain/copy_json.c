/* The advice of `cutlet explain copy` as JSON. */
#include <jansson.h>

#include "../common/json.h"
#include "copy.h"

static json_t *limit_json(const ct_advice_limit *l)
{
    static const char *const kinds[] = {"",       "values", "step",  "swizzle",
                                        "stride", "offset", "start", "base"};
    json_t *o = json_pack("{s:s, s:I, s:s}", "limit", kinds[l->kind], "number", (json_int_t)l->n,
                          "text", l->text);
    if (l->side >= 0)
        json_object_set_new(o, "side", json_string(l->side ? "destination" : "source"));
    if (l->mode >= 0) json_object_set_new(o, "mode", json_integer(l->mode));
    if (l->unit >= 0) json_object_set_new(o, "unit_mode", json_integer(l->unit));
    return o;
}

static json_t *hint_json(const ct_advice_hint *h)
{
    json_t *o = json_pack("{s:i, s:i, s:s}", "bytes", (int)h->bytes, "changes", (int)h->changes,
                          "text", h->text);
    char text[CT_TEXT_BYTES];
    if (h->job.has_blocks) {
        ct_format_layout(text, sizeof text, h->job.thr);
        json_object_set_new(o, "thr", json_string(text));
        ct_format_layout(text, sizeof text, h->job.val);
        json_object_set_new(o, "val", json_string(text));
    }
    return o;
}

static json_t *fact_json(const ct_advice_fact *f)
{
    json_t *bytes = json_array();
    for (int r = 0; r < f->modulus; ++r) json_array_append_new(bytes, json_integer(f->bytes[r]));
    json_t *o = json_pack("{s:s, s:i, s:i, s:o, s:s}", "of",
                          f->kind == CT_FACT_STRIDE ? "stride" : "extent", "mode", (int)f->mode,
                          "modulus", (int)f->modulus, "bytes_by_residue", bytes, "text", f->text);
    if (f->kind == CT_FACT_STRIDE) {
        json_object_set_new(o, "side", json_string(f->side ? "destination" : "source"));
        json_object_set_new(o, "bytes_at_one", json_integer(f->at_one));
    }
    return o;
}

int ct_advice_json(const ct_advice_job *job, const ct_advice *a, FILE *stream)
{
    json_t *limits = json_array(), *hints = json_array(), *facts = json_array();
    json_t *notes = json_array();
    for (int i = 0; i < a->limits; ++i) json_array_append_new(limits, limit_json(&a->limit[i]));
    for (int i = 0; i < a->hints; ++i) json_array_append_new(hints, hint_json(&a->hint[i]));
    for (int i = 0; i < a->facts; ++i) json_array_append_new(facts, fact_json(&a->fact[i]));
    for (int i = 0; i < a->notes; ++i) json_array_append_new(notes, json_string(a->note[i]));
    json_t *root = json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "bytes", (int)a->bytes,
                             "most_bytes", (int)job->most_bytes, "elem_bytes", (int)job->elem_bytes,
                             "limits", limits, "wider", hints, "run_time", facts, "notes", notes);
    const int bad = ct_json_write(stream, root, JSON_INDENT(2));
    json_decref(root);
    return bad;
}
