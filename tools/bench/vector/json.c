/* The results of `cutlet-bench vector` as JSON, written and read. */
#include <string.h>

#include "base/refuse.h"
#include "run.h"

/* A result, and figures that follow from it. */
typedef struct row {
    vector_result result;
    const char *group, *kernel, *about;
    int32_t access;
    int64_t array_bytes, moved_bytes;
    double rate, of_peak, of_memcpy, speedup, claimed, claimed_speedup;
} row;

#define FIELD(name, kind, member) {name, kind, offsetof(row, member)}
#define COUNT_OF(fields) (int)(sizeof fields / sizeof *fields)
static const bench_field all[] = {
    FIELD("group", BENCH_WORDS, group),
    FIELD("kernel", BENCH_WORDS, kernel),
    FIELD("about", BENCH_WORDS, about),
    FIELD("access_bytes", BENCH_COUNT, access),
    FIELD("elements", BENCH_LONG, result.elements),
    FIELD("array_bytes", BENCH_LONG, array_bytes),
    FIELD("moved_bytes", BENCH_LONG, moved_bytes),
    FIELD("claimed_gb_s", BENCH_FIGURE, claimed),
    FIELD("claimed_speedup", BENCH_FIGURE, claimed_speedup),
};
static const bench_field of_gpu[] = {
    FIELD("memcpy_seconds", BENCH_SECONDS, result.memcpy_seconds),
    FIELD("gb_s", BENCH_FIGURE, rate),
    FIELD("of_peak", BENCH_FIGURE, of_peak),
    FIELD("of_memcpy", BENCH_FIGURE, of_memcpy),
    FIELD("speedup", BENCH_FIGURE, speedup),
    FIELD("sets", BENCH_COUNT, result.sets),
    FIELD("launches", BENCH_COUNT, result.launches),
};

static json_t *result_json(const vector_report *r, int32_t i)
{
    const vector_case *const c = &vector_cases[i];
    const int64_t elements = r->result[i].elements;
    const double rate = vector_rate(r, i);
    const row row = {.result = r->result[i],
                     .group = c->group,
                     .kernel = c->kernel,
                     .about = c->about,
                     .access = c->access,
                     .array_bytes = elements * vector_elem_bytes(c),
                     .moved_bytes = vector_moved_bytes(c, elements),
                     .rate = rate,
                     .of_peak = bench_over(1e9 * rate, r->is.device.peak),
                     .of_memcpy = bench_over(rate, vector_memcpy_rate(r, i)),
                     .speedup = vector_speedup(r, i),
                     .claimed = c->claimed_gb_s,
                     .claimed_speedup = vector_claimed_speedup(i)};
    json_t *const o = json_object();
    if (bench_json_add(o, all, COUNT_OF(all), &row) == 0 &&
        bench_json_add_result(o, &row.result.is, r->is.on_gpu) == 0 &&
        bench_json_add(o, of_gpu, r->is.on_gpu ? COUNT_OF(of_gpu) : 0, &row) == 0)
        return o;
    json_decref(o);
    return NULL;
}

json_t *vector_json(const vector_report *r)
{
    json_t *const results = json_array();
    for (int32_t i = 0; i < vector_case_count; ++i) {
        if (r->result[i].is.status == BENCH_NOT_RUN) continue;
        if (json_array_append_new(results, result_json(r, i))) {
            json_decref(results);
            return NULL;
        }
    }
    json_t *const o = bench_json_run("vector", &r->is, results);
    if (o && json_object_set_new(o, "shift_bytes", json_integer(r->shift)) == 0 &&
        (!r->cub[0] || json_object_set_new(o, "cub", json_string(r->cub)) == 0))
        return o;
    json_decref(o);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The case of that group and kernel, or -1. */
static int32_t find_case(const char *group, const char *kernel)
{
    for (int32_t i = 0; i < vector_case_count; ++i)
        if (strcmp(vector_cases[i].group, group) == 0 &&
            strcmp(vector_cases[i].kernel, kernel) == 0)
            return i;
    return -1;
}

static int read_result(vector_report *r, json_t *from)
{
    char group[64], kernel[64];
    row row;
    memset(&row, 0, sizeof row);
    if (!json_is_object(from) || bench_json_text(from, "group", group, sizeof group) ||
        bench_json_text(from, "kernel", kernel, sizeof kernel))
        return -1;
    const int32_t i = find_case(group, kernel);
    if (i < 0 || bench_json_read(from, all, COUNT_OF(all), &row) ||
        bench_json_read(from, of_gpu, COUNT_OF(of_gpu), &row) ||
        bench_json_read_result(from, &row.result.is) || row.result.is.status == BENCH_NOT_RUN)
        return -1;
    r->result[i] = row.result;
    return 0;
}

int vector_read(vector_report *r, json_t *from, char error[CT_MESSAGE_BYTES])
{
    const bench_field shift = {"shift_bytes", BENCH_COUNT, offsetof(vector_report, shift)};
    memset(r, 0, sizeof *r);
    json_t *const results = bench_json_read_run(from, &r->is, error);
    if (!results) return -1;
    if (bench_json_text(from, "cub", r->cub, sizeof r->cub) || bench_json_read(from, &shift, 1, r))
        return bench_fail(error, "\"cub\" or \"shift_bytes\" is wrong");
    for (size_t i = 0; i < json_array_size(results); ++i)
        if (read_result(r, json_array_get(results, i)))
            return bench_fail(error, "result %zu is not of this command", i);
    return 0;
}
