/* The results of `cutlet suggest` as JSON. */
#include <jansson.h>
#include <stdlib.h>

#include "../common/json.h"
#include <cutlet/host/text.h>
#include "suggest.h"

/* Where json_pack returns NULL, what it is put into becomes NULL too, and frees the rest. */

static json_t *layout_json(ct_layout L)
{
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, L);
    return json_pack("{s:s, s:[I,I], s:[I,I]}", "text", text, "shape", (json_int_t)L.shape[0],
                     (json_int_t)L.shape[1], "stride", (json_int_t)L.stride[0],
                     (json_int_t)L.stride[1]);
}

static json_t *copy_json(const ct_suggest_copy *c)
{
    const char *const kind = c->kind == CT_ATOM_UNIVERSAL     ? "universal"
                             : c->kind == CT_ATOM_CP_ASYNC_CG ? "cp_async_cg"
                                                              : "cp_async_ca";
    return json_pack("{s:o, s:o, s:s, s:i}", "thr", layout_json(c->thr), "val", layout_json(c->val),
                     "atom", kind, "bits", (int)c->bits);
}

static json_t *shared_json(const ct_suggestion *s)
{
    char text[CT_TEXT_BYTES];
    const ct_swizzle w = s->shared.swizzle;
    ct_suggest_shared_text(s, text, sizeof text);
    return json_pack("{s:s, s:[i,i,i], s:o}", "text", text, "swizzle", (int)w.bits, (int)w.base,
                     (int)w.shift, "layout", layout_json(s->shared.layout));
}

static json_t *cost_json(const ct_suggest_cost *c, int placements)
{
    return json_pack("{s:f, s:I, s:I, s:I, s:I, s:I}", "sectors", (double)c->sectors / placements,
                     "wavefronts", (json_int_t)c->wavefronts, "write", (json_int_t)c->write, "read",
                     (json_int_t)c->read, "instructions", (json_int_t)c->instructions,
                     "shared_bytes", (json_int_t)c->shared_bytes);
}

static json_t *candidate_json(const ct_suggestion *s, int placements)
{
    json_t *o = json_pack("{s:o, s:o, s:i, s:I, s:f, s:o, s:b}", "in", copy_json(&s->in), "shared",
                          shared_json(s), "read_bits", (int)s->read_bits, "cycles",
                          (json_int_t)s->cycles, "passes", s->passes, "cost",
                          cost_json(&s->cost, placements), "at_least", (int)s->at_least);
    if (o && s->out.kind) json_object_set_new(o, "out", copy_json(&s->out));
    return o;
}

/* What was measured of a candidate; null where it was not timed. */
static json_t *time_json(const ct_suggest_measured *m, int i)
{
    const ct_suggest_time *const t = &m->time[i];
    const int timed = t->seconds > 0;
    return json_pack("{s:i, s:b, s:i, s:o, s:o, s:s}", "rank", (int)t->rank + 1, "verified", timed,
                     "runs", (int)t->runs, "us", timed ? json_real(1e6 * t->seconds) : json_null(),
                     "gb_s", timed ? json_real(ct_suggest_rate(m, i)) : json_null(), "message",
                     t->message);
}

static json_t *candidates_json(const ct_suggest_report *report)
{
    const ct_suggest_result *const r = report->result;
    json_t *all = json_array();
    int bad = !all;
    for (int i = 0; i < r->count && !bad; ++i) {
        json_t *const one = candidate_json(&r->item[i], r->placements);
        if (one && report->measured)
            bad = json_object_set_new(one, "measured", time_json(report->measured, i));
        bad |= json_array_append_new(all, one) != 0;
    }
    if (!bad) return all;
    json_decref(all);
    return NULL;
}

/* Where it was measured, and what; null: nowhere. */
static json_t *measured_json(const ct_suggest_measured *m)
{
    if (!m) return json_null();
    return json_pack("{s:s, s:I, s:I, s:i, s:i, s:i}", "device", m->device.name, "bytes",
                     (json_int_t)m->bytes, "source_bytes", (json_int_t)m->memory_bytes, "matrices",
                     (int)m->matrices, "wrong", (int)m->wrong, "without_kernel", (int)m->none);
}

/* The first candidate as C, null where there is no kernel of it, and as CuTe C++. */
static int add_code(json_t *root, const ct_suggest_report *report)
{
    enum { CODE_BYTES = 4096 };
    char message[CT_MESSAGE_BYTES];
    char *c, *const cute = malloc(CODE_BYTES);
    int bad = ct_suggest_code(report, &c, message) == CT_E_MEMORY || !cute ||
              json_object_set_new(root, "c", c ? json_string(c) : json_null());
    if (cute) {
        ct_suggest_as_cute(cute, CODE_BYTES, report->query, &report->result->item[0],
                           report->type->cute);
        bad |= json_object_set_new(root, "cute", json_string(cute));
    }
    free(c);
    free(cute);
    return bad;
}

int ct_suggest_print_json(const ct_suggest_report *report, FILE *stream)
{
    const ct_suggest_query *const q = report->query;
    const ct_suggest_result *const r = report->result;
    json_t *root = json_pack(
        "{s:s, s:i, s:[I,I], s:s, s:o, s:o, s:i, s:b, s:i, s:I, s:o, s:s, s:o, s:o}", "type",
        report->type->name, "elem_bits", (int)q->elem_bits, "tile", (json_int_t)q->tile_m,
        (json_int_t)q->tile_n, "src", report->src, "dst",
        report->dst ? json_string(report->dst) : json_null(), "read",
        report->read ? json_string(report->read) : json_null(), "threads", (int)q->threads,
        "optimal", r->optimal, "placements", (int)r->placements, "tried", (json_int_t)r->tried,
        "least", cost_json(&r->least, r->placements), "reason", r->reason, "measured",
        measured_json(report->measured), "candidates", candidates_json(report));
    const int bad = !root || add_code(root, report) ||
                    ct_json_write(stream, root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    json_decref(root);
    return bad ? -1 : 0;
}
