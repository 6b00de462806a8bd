/* The results of `cutlet-bench width` as JSON, written and read. */
#include <string.h>

#include "base/refuse.h"
#include "run.h"

static const char *const checkers[] = {NULL, "host", "device"};

static json_t *point_json(const width_report *r, const width_line *line, int32_t s)
{
    const width_point *const p = &line->at[s];
    const double rate = width_rate(r, line, s);
    json_t *const o = json_pack("{s:I, s:I, s:s?}", "width", (json_int_t)line->width, "bytes",
                                (json_int_t)r->size[s], "compared_by", checkers[p->checked_by]);
    if (!o || bench_json_add_result(o, &p->is, r->is.on_gpu) ||
        (r->is.on_gpu &&
         (json_object_set_new(o, "gb_s", rate > 0 ? json_real(rate) : json_null()) ||
          json_object_set_new(o, "launches", json_integer(r->launches[s]))))) {
        json_decref(o);
        return NULL;
    }
    return o;
}

/* The largest array of each region; null where it has none. */
static json_t *regions_json(const width_report *r)
{
    const width_regions g = width_find_regions(r);
    const int32_t count[] = {g.latency, g.cache, g.memory};
    json_t *const o = json_object();
    int32_t at = 0;
    if (!r->is.on_gpu || g.widest < 0) {
        json_decref(o);
        return json_null();
    }
    for (int i = 0; i < 3; ++i) {
        json_t *const sizes = count[i]
                                  ? json_pack("{s:I, s:I}", "from_bytes", (json_int_t)r->size[at],
                                              "to_bytes", (json_int_t)r->size[at + count[i] - 1])
                                  : json_null();
        json_object_set_new(o, width_region_name(i), sizes);
        at += count[i];
    }
    char rule[512];
    width_region_rule(r, &g, rule, sizeof rule);
    json_object_set_new(o, "rule", json_string(rule));
    return o;
}

json_t *width_json(const width_report *r)
{
    json_t *const points = json_array();
    for (int32_t s = 0; s < r->sizes; ++s)
        for (int32_t i = 0; i < r->lines; ++i)
            if (json_array_append_new(points, point_json(r, &r->line[i], s))) {
                json_decref(points);
                return NULL;
            }
    json_t *const o = bench_json_run("width", &r->is, points);
    if (o && json_object_set_new(o, "form", json_string(width_form_name(r->form))) == 0 &&
        json_object_set_new(o, "regions", regions_json(r)) == 0)
        return o;
    json_decref(o);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The index of a size, new or known, in ascending order; -1: there are too many. */
static int32_t size_at(width_report *r, int64_t bytes)
{
    if (r->sizes > 0 && r->size[r->sizes - 1] == bytes) return r->sizes - 1;
    if (r->sizes == WIDTH_SIZES || (r->sizes > 0 && r->size[r->sizes - 1] > bytes)) return -1;
    r->size[r->sizes] = bytes;
    return r->sizes++;
}

static int32_t line_at(width_report *r, int64_t width)
{
    int32_t i = 0;
    while (i < r->lines && r->line[i].width != width) ++i;
    if (i == WIDTH_LINES) return -1;
    if (i == r->lines) r->line[r->lines++].width = (int32_t)width;
    return i;
}

/* Whether there is such an access. */
static int is_width(int64_t width)
{
    return width >= 0 && width <= 32 && (width & (width - 1)) == 0;
}

/* What a result is of. */
typedef struct result_key {
    int64_t width, bytes;
    int32_t launches;
} result_key;
static const bench_field fields[] = {{"width", BENCH_LONG, offsetof(result_key, width)},
                                     {"bytes", BENCH_LONG, offsetof(result_key, bytes)},
                                     {"launches", BENCH_COUNT, offsetof(result_key, launches)}};

/* Reads one result: 0, or -1 for one that is not valid. */
static int read_point(width_report *r, json_t *from)
{
    char by[16];
    result_key at;
    if (!json_is_object(from) || !json_is_integer(json_object_get(from, "width")) ||
        bench_json_text(from, "compared_by", by, sizeof by) ||
        bench_json_read(from, fields, 3, &at) || at.bytes < 1 || !is_width(at.width))
        return -1;
    const int32_t s = size_at(r, at.bytes), i = line_at(r, at.width);
    if (s < 0 || i < 0) return -1;
    width_point *const p = &r->line[i].at[s];
    for (int k = 1; k < 3; ++k) p->checked_by = strcmp(by, checkers[k]) == 0 ? k : p->checked_by;
    r->launches[s] = at.launches;
    return bench_json_read_result(from, &p->is);
}

/* A run that names none is of the first, which then was the only one. 0 or -1. */
static int read_form(width_report *r, json_t *from)
{
    char name[16];
    if (bench_json_text(from, "form", name, sizeof name)) return -1;
    if (!name[0]) return 0;
    for (r->form = 0; width_form_name(r->form); ++r->form)
        if (strcmp(width_form_name(r->form), name) == 0) return 0;
    return -1;
}

int width_read(width_report *r, json_t *from, char error[CT_MESSAGE_BYTES])
{
    memset(r, 0, sizeof *r);
    json_t *const points = bench_json_read_run(from, &r->is, error);
    if (!points) return -1;
    if (read_form(r, from)) return bench_fail(error, "\"form\" is not many, one or loop");
    if (json_array_size(points) == 0)
        return bench_fail(error, "\"results\" are missing");
    for (size_t i = 0; i < json_array_size(points); ++i)
        if (read_point(r, json_array_get(points, i)))
            return bench_fail(error,
                              "result %zu is not valid, or its size is less than the one before",
                              i);
    return 0;
}
