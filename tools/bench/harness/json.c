/* What all runs have in JSON. */
#include "json.h"

#include <string.h>

#include "base/refuse.h"

#define MOST (INT64_C(1) << 50)

json_t *bench_json_load(const char *path, const char *bench, char error[CT_MESSAGE_BYTES])
{
    json_error_t why;
    json_t *const root = json_load_file(path, 0, &why);
    const char *const found = json_string_value(json_object_get(root, "bench"));
    if (!root && why.line < 1) ct_one_line(error, CT_MESSAGE_BYTES, "%.200s", why.text);
    else if (!root)
        ct_one_line(error, CT_MESSAGE_BYTES, "%.200s: line %d: %s", path, why.line, why.text);
    else if (!found)
        ct_one_line(error, CT_MESSAGE_BYTES,
                    "%.200s: is not what `cutlet-bench %s --json` prints: it has no string "
                    "\"bench\"", path, bench);
    else if (strcmp(found, bench) != 0)
        ct_one_line(error, CT_MESSAGE_BYTES, "%.200s: is a run of `cutlet-bench %.40s`, not of %s",
                    path, found, bench);
    else return root;
    json_decref(root);
    return NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static json_t *field_json(int kind, const void *at)
{
    if (kind == BENCH_COUNT) return json_integer(*(const int32_t *)at);
    if (kind == BENCH_LONG) return json_integer(*(const int64_t *)at);
    const char *const words = kind == BENCH_WORDS ? *(const char *const *)at : NULL;
    const double number = kind == BENCH_WORDS ? 0 : *(const double *)at;
    return words && *words ? json_string(words) : number > 0 ? json_real(number) : json_null();
}

int bench_json_add(json_t *object, const bench_field *fields, int count, const void *row)
{
    for (int i = 0; i < count; ++i)
        if (json_object_set_new(object, fields[i].name,
                                field_json(fields[i].kind, (const char *)row + fields[i].at)))
            return -1;
    return 0;
}

/* A number of an object, 0 where it is null or missing. */
static double number(json_t *object, const char *key, int *bad)
{
    json_t *const value = json_object_get(object, key);
    if (!value || json_is_null(value)) return 0;
    const double x = json_number_value(value);
    if (json_is_number(value) && x >= 0 && x <= (double)MOST) return x;
    *bad = -1;
    return 0;
}

static int64_t integer(json_t *object, const char *key, int64_t most, int *bad)
{
    const double x = number(object, key, bad); /* exact up to 2^50 */
    if (json_is_real(json_object_get(object, key)) || x > (double)most) *bad = -1;
    return *bad ? 0 : (int64_t)x;
}

int bench_json_read(json_t *object, const bench_field *fields, int count, void *row)
{
    int bad = 0;
    for (int i = 0; i < count && !bad; ++i) {
        const bench_field *const f = &fields[i];
        void *const at = (char *)row + f->at;
        if (f->kind == BENCH_COUNT)
            *(int32_t *)at = (int32_t)integer(object, f->name, MOST >> 20, &bad);
        if (f->kind == BENCH_LONG) *(int64_t *)at = integer(object, f->name, MOST, &bad);
        if (f->kind != BENCH_SECONDS) continue;
        const double seconds = *(double *)at = number(object, f->name, &bad);
        if (seconds > 0 && seconds < 1e-12) bad = -1;
    }
    return bad;
}

int bench_json_text(json_t *object, const char *key, char *text, size_t size)
{
    json_t *const value = json_object_get(object, key);
    text[0] = 0;
    if (!value || json_is_null(value)) return 0;
    if (!json_is_string(value)) return -1;
    ct_one_line(text, size, "%s", json_string_value(value));
    return 0;
}

/* ---- results --------------------------------------------------------------------------------- */

static const bench_field times[] = {
    {"seconds", BENCH_SECONDS, offsetof(bench_result, seconds.median)},
    {"seconds_least", BENCH_SECONDS, offsetof(bench_result, seconds.least)},
    {"seconds_most", BENCH_SECONDS, offsetof(bench_result, seconds.most)},
};
static const bench_field counts[] = {
    {"instructions", BENCH_LONG, offsetof(bench_result, instructions)},
    {"requests", BENCH_LONG, offsetof(bench_result, requests)},
    {"sectors", BENCH_LONG, offsetof(bench_result, sectors)},
};

int bench_json_add_result(json_t *object, const bench_result *result, int on_gpu)
{
    json_t *const verified = result->status == BENCH_NOT_RUN
                                 ? json_null()
                                 : json_boolean(result->status == BENCH_IS_RIGHT);
    if (json_object_set_new(object, "verified", verified)) return -1;
    return bench_json_add(object, on_gpu ? times : counts, 3, result);
}

int bench_json_read_result(json_t *object, bench_result *result)
{
    json_t *const verified = json_object_get(object, "verified");
    result->status = json_is_true(verified)    ? BENCH_IS_RIGHT
                     : json_is_false(verified) ? BENCH_IS_WRONG
                                               : BENCH_NOT_RUN;
    return bench_json_read(object, times, 3, result) || bench_json_read(object, counts, 3, result)
               ? -1
               : 0;
}

/* ---- the device ------------------------------------------------------------------------------ */

#define ABOUT(name, kind, member) {name, kind, offsetof(bench_device, about.member)}
static const bench_field device[] = {
    ABOUT("major", BENCH_COUNT, major),
    ABOUT("minor", BENCH_COUNT, minor),
    ABOUT("driver_cuda", BENCH_COUNT, driver),
    ABOUT("processors", BENCH_COUNT, processors),
    ABOUT("memory_bytes", BENCH_LONG, memory_bytes),
    ABOUT("l2_bytes", BENCH_LONG, l2_bytes),
};
enum { NEEDED = 4, DEVICE = sizeof device / sizeof *device };

static json_t *device_json(const bench_device *d)
{
    json_t *const peak = d->peak > 0 ? json_real(1e-9 * d->peak) : json_null();
    json_t *const o = json_pack("{s:s, s:o}", "name", d->about.name, "peak_gb_s", peak);
    if (bench_json_add(o, device, DEVICE, d) == 0) return o;
    json_decref(o);
    return NULL;
}

/* 0, or -1 where it is something else. */
static int read_device(bench_device *d, json_t *from)
{
    int bad = json_is_string(json_object_get(from, "name")) ? 0 : -1;
    for (int i = 0; i < NEEDED; ++i)
        if (!json_is_integer(json_object_get(from, device[i].name))) bad = -1;
    if (bad || bench_json_text(from, "name", d->about.name, sizeof d->about.name) ||
        bench_json_read(from, device, DEVICE, d))
        return -1;
    d->peak = 1e9 * number(from, "peak_gb_s", &bad);
    return bad;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static const bench_field runs[] = {{"runs", BENCH_COUNT, offsetof(bench_about, runs)}};

json_t *bench_json_run(const char *bench, const bench_about *about, json_t *results)
{
    return json_pack("{s:s, s:o, s:s?, s:i, s:s?, s:o}", "bench", bench, "device",
                     about->on_gpu ? device_json(&about->device) : json_null(), "reason",
                     about->reason[0] ? about->reason : NULL, "runs", about->runs, "left_out",
                     about->left_out[0] ? about->left_out : NULL, "results", results);
}

json_t *bench_json_read_run(json_t *from, bench_about *about, char error[CT_MESSAGE_BYTES])
{
    json_t *const device = json_object_get(from, "device");
    json_t *const results = json_object_get(from, "results");
    about->on_gpu = json_is_object(device);
    if (about->on_gpu && read_device(&about->device, device)) {
        ct_one_line(error, CT_MESSAGE_BYTES, "\"device\" lacks something");
        return NULL;
    }
    if (bench_json_text(from, "reason", about->reason, sizeof about->reason) == 0 &&
        bench_json_text(from, "left_out", about->left_out, sizeof about->left_out) == 0 &&
        bench_json_read(from, runs, 1, about) == 0 && json_is_array(results))
        return results;
    ct_one_line(error, CT_MESSAGE_BYTES,
                "\"reason\", \"left_out\", \"runs\" or \"results\" are wrong or missing");
    return NULL;
}
