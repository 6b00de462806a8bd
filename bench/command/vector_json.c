/* The results of `cutlet bench vector` as JSON, written and read. */
#include <string.h>

#include "copy/whole_file.h"
#include "json_read.h"
#include "vector_run.h"

static json_t *number_json(double x) { return x > 0 ? json_real(x) : json_null(); }

static double over(double rate, double base) { return rate > 0 && base > 0 ? rate / base : 0; }

/* What a GPU gave. */
static int set_times(json_t *o, const vector_run *r, int32_t i)
{
    const vector_result *const result = &r->result[i];
    const double rate = vector_rate(r, i);
    return bench_json_times(o, &result->seconds) ||
           json_object_set_new(o, "memcpy_seconds", number_json(result->memcpy_seconds.median)) ||
           json_object_set_new(o, "gb_s", number_json(rate)) ||
           json_object_set_new(o, "of_peak", number_json(over(1e9 * rate, r->device.peak))) ||
           json_object_set_new(o, "of_memcpy", number_json(over(rate, vector_memcpy_rate(r, i)))) ||
           json_object_set_new(o, "speedup", number_json(vector_speedup(r, i))) ||
           json_object_set_new(o, "sets", json_integer(result->sets)) ||
           json_object_set_new(o, "launches", json_integer(result->launches));
}

static json_t *result_json(const vector_run *r, int32_t i)
{
    const vector_case *const c = &vector_cases[i];
    const vector_result *const result = &r->result[i];
    json_t *const o =
        json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:I, s:b, s:o, s:o}", "group", c->group, "kernel",
                  c->kernel, "about", c->about, "access_bytes", c->access, "elements",
                  (json_int_t)result->elements, "array_bytes",
                  (json_int_t)result->elements * vector_elem_bytes(c), "moved_bytes",
                  (json_int_t)vector_moved_bytes(c, result->elements), "verified",
                  result->status == VECTOR_RIGHT, "claimed_gb_s", number_json(c->claimed_gb_s),
                  "claimed_speedup", number_json(vector_claimed_speedup(i)));
    if (!o) return NULL;
    const int bad =
        r->on_gpu ? set_times(o, r, i)
                  : json_object_set_new(o, "instructions", json_integer(result->instructions)) ||
                        json_object_set_new(o, "requests", json_integer(result->requests)) ||
                        json_object_set_new(o, "sectors", json_integer(result->sectors));
    if (bad) json_decref(o);
    return bad ? NULL : o;
}

json_t *vector_json(const vector_run *r)
{
    json_t *const results = json_array();
    for (int32_t i = 0; i < vector_case_count; ++i) {
        if (r->result[i].status == VECTOR_NOT_RUN) continue;
        if (json_array_append_new(results, result_json(r, i))) {
            json_decref(results);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o, s:s?, s:i, s:i, s:s?, s:s*, s:o}", "bench", "vector", "device",
                     r->on_gpu ? bench_device_json(&r->device) : json_null(), "reason",
                     r->reason[0] ? r->reason : NULL, "runs", r->runs, "shift_bytes", r->shift,
                     "left_out", r->left_out[0] ? r->left_out : NULL, "cub",
                     r->cub[0] ? r->cub : NULL, "results", results);
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

static int read_result(vector_run *r, json_t *from)
{
    char group[64], kernel[64];
    int bad = json_is_object(from) ? 0 : -1;
    bench_json_text(from, "group", group, sizeof group, &bad);
    bench_json_text(from, "kernel", kernel, sizeof kernel, &bad);
    const int32_t i = bad ? -1 : find_case(group, kernel);
    if (i < 0 || !json_is_boolean(json_object_get(from, "verified"))) return -1;
    vector_result *const result = &r->result[i];
    result->status = json_is_true(json_object_get(from, "verified")) ? VECTOR_RIGHT : VECTOR_WRONG;
    result->elements = bench_json_integer(from, "elements", &bad);
    result->sets = bench_json_count(from, "sets", &bad);
    result->launches = bench_json_count(from, "launches", &bad);
    result->seconds = bench_json_read_times(from, &bad);
    result->memcpy_seconds.median = bench_json_seconds(from, "memcpy_seconds", &bad);
    result->instructions = bench_json_integer(from, "instructions", &bad);
    result->requests = bench_json_integer(from, "requests", &bad);
    result->sectors = bench_json_integer(from, "sectors", &bad);
    return bad;
}

int vector_read(vector_run *r, json_t *from, char error[CT_CUDA_LINE])
{
    json_t *const device = json_object_get(from, "device");
    json_t *const results = json_object_get(from, "results");
    int bad = 0;
    memset(r, 0, sizeof *r);
    r->on_gpu = json_is_object(device);
    if (r->on_gpu && bench_device_read(&r->device, device))
        return ct_one_line(error, CT_CUDA_LINE, "\"device\" lacks something");
    bench_json_text(from, "reason", r->reason, sizeof r->reason, &bad);
    bench_json_text(from, "left_out", r->left_out, sizeof r->left_out, &bad);
    bench_json_text(from, "cub", r->cub, sizeof r->cub, &bad);
    r->runs = bench_json_count(from, "runs", &bad);
    r->shift = bench_json_count(from, "shift_bytes", &bad); /* 0 where it is missing */
    if (bad || !json_is_array(results))
        return ct_one_line(error, CT_CUDA_LINE,
                           "\"reason\", \"cub\", \"runs\", \"shift_bytes\" or \"results\" are "
                           "wrong or missing");
    for (size_t i = 0; i < json_array_size(results); ++i)
        if (read_result(r, json_array_get(results, i)))
            return ct_one_line(error, CT_CUDA_LINE, "result %zu is none of this command", i);
    return 0;
}
