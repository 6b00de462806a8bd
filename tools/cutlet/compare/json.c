/* The results of `cutlet compare` as JSON. */
#include <jansson.h>

#include "../common/json.h"
#include "compare.h"
#include <cutlet/host/text.h>

/* The figures of the GPU; nulls without them. 0, or -1 when memory runs out. */
static int set_gpu(json_t *o, const ct_gpu_copy *copy)
{
    const int wrong = copy && copy->status == CT_E_WRONG;
    const int timed = copy && copy->status == CT_OK;
    json_t *figures =
        timed ? json_pack("{s:f, s:f, s:b, s:f, s:f}", "gb_s", ct_gpu_copy_rate(copy), "of_memcpy",
                          ct_gpu_copy_of_memcpy(copy), "gpu_verified", 1, "gpu_seconds",
                          copy->seconds, "memcpy_seconds", copy->memcpy_seconds)
              : json_pack("{s:n, s:n, s:o}", "gb_s", "of_memcpy", "gpu_verified",
                          wrong ? json_false() : json_null());
    const int bad = !o || !figures || json_object_update(o, figures);
    json_decref(figures);
    return bad ? -1 : 0;
}

static json_t *json_result(const ct_ranking *c, const ct_compare_result *r, int rank)
{
    char thr[64], val[64], picture[96];
    ct_format_layout(thr, sizeof thr, r->thr);
    ct_format_tuple(val, sizeof val, ct_shape(r->val));
    ct_picture_folder_name(r, picture, sizeof picture);
    json_t *o = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:s, s:i, s:[I,I], s:b, s:I, s:b, s:i, s:i, s:i}", "order",
        r->row_major ? "row" : "col", "rank", rank, "variant", r->variant->name, "about",
        r->variant->about, "threads", thr, "values", val, "block_threads", r->threads, "tile",
        (json_int_t)r->tile_m, (json_int_t)r->tile_n, "verified", r->status == CT_OK,
        "verified_elements", (json_int_t)r->verified, "cp_async", r->async, "wanted_bytes",
        r->wanted_bytes, "load_bytes", r->load_bytes, "store_bytes", r->store_bytes);
    json_t *counts =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:s}", "instructions",
                  (json_int_t)r->instructions, "requests", (json_int_t)r->requests, "sectors",
                  (json_int_t)r->sectors, "bytes_used", (json_int_t)r->bytes_used, "cache_lines",
                  (json_int_t)r->lines, "shared_wavefronts", (json_int_t)r->wavefronts,
                  "bank_conflicts", (json_int_t)r->conflicts, "sectors_over_least",
                  ct_ranking_excess(c, r), "used", ct_compare_used(r), "instructions_per_element",
                  ct_compare_instructions(r), "reason", r->reason);
    if (o && counts && json_object_update(o, counts) == 0 && c->pictures)
        json_object_set_new(o, "picture", json_string(picture));
    if (!counts || set_gpu(o, ct_ranking_gpu(c, r))) {
        json_decref(o);
        o = NULL;
    }
    json_decref(counts);
    return o;
}

/* What was used, and how; or why not. */
static json_t *json_gpu(const ct_gpu_part *g)
{
    const char *reason = g->reason[0] ? g->reason : NULL;
    if (!g->copies) return json_pack("{s:n, s:s?}", "device", "reason", reason);
    const ct_cuda_device *d = &g->device;
    char capability[32], cuda[32];
    snprintf(capability, sizeof capability, "%d.%d", d->major, d->minor);
    snprintf(cuda, sizeof cuda, "%d.%d", d->driver / 1000, d->driver % 1000 / 10);
    return json_pack("{s:s, s:s?, s:s, s:s, s:I, s:I, s:b, s:i}", "device", d->name, "reason",
                     reason, "compute_capability", capability, "driver_cuda", cuda, "l2_bytes",
                     (json_int_t)d->l2_bytes, "matrix_bytes", (json_int_t)g->copies[0].bytes / 2,
                     "random_bits", g->mib != 0, "runs", (int)CT_GPU_RUNS);
}

int ct_ranking_json(const ct_ranking *c, FILE *stream)
{
    const ct_compare_input *s = c->input;
    json_t *results = json_array();
    int bad = !results;
    for (int i = 0; i < c->count && !bad; ++i) {
        int first = 0;
        ct_ranking_part(c, c->results[i].row_major, &first);
        bad = json_array_append_new(results, json_result(c, &c->results[i], i - first + 1)) != 0;
    }
    json_t *file = s->path ? json_string(s->path) : json_null();
    if (!file) file = json_null(); /* a name that is no UTF-8 */
    json_t *root = json_pack(
        "{s:{s:I, s:I, s:s, s:i, s:i, s:o}, s:o, s:o}", "matrix", "rows", (json_int_t)s->rows,
        "cols", (json_int_t)s->cols, "type", s->array.descr, "elem_bytes", s->array.elem_bytes,
        "unit_bytes", s->unit_bytes, "file", file, "gpu", json_gpu(&c->gpu), "results", results);
    bad = bad || ct_json_write(stream, root, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(root);
    return bad ? -1 : 0;
}
