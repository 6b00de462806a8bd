/* Stored runs: what the readers of both kinds share. */
#include "json_read.h"

#include <stdio.h>
#include <string.h>

#include "copy/whole_file.h"

#define MOST (INT64_C(1) << 50)

json_t *bench_json_load(const char *path, const char *bench, char error[CT_CUDA_LINE])
{
    json_error_t why;
    json_t *const root = json_load_file(path, 0, &why);
    const char *const found = json_string_value(json_object_get(root, "bench"));
    if (!root && why.line < 1) ct_one_line(error, CT_CUDA_LINE, "%.200s", why.text);
    else if (!root)
        ct_one_line(error, CT_CUDA_LINE, "%.200s: line %d: %s", path, why.line, why.text);
    else if (!found)
        ct_one_line(error, CT_CUDA_LINE,
                    "%.200s: is not what `cutlet bench --json` writes: it has no string \"bench\"",
                    path);
    else if (strcmp(found, bench) != 0)
        ct_one_line(error, CT_CUDA_LINE, "%.200s: is a run of `cutlet bench %.40s`, not of %s",
                    path, found, bench);
    else return root;
    json_decref(root);
    return NULL;
}

double bench_json_number(json_t *object, const char *key, int *bad)
{
    json_t *const value = json_object_get(object, key);
    if (!value || json_is_null(value)) return 0;
    const double number = json_number_value(value);
    if (json_is_number(value) && number >= 0 && number <= (double)MOST) return number;
    *bad = -1;
    return 0;
}

int64_t bench_json_integer(json_t *object, const char *key, int *bad)
{
    json_t *const value = json_object_get(object, key);
    if (!value || json_is_null(value)) return 0;
    const int64_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && number <= MOST) return number;
    *bad = -1;
    return 0;
}

int32_t bench_json_count(json_t *object, const char *key, int *bad)
{
    const int64_t number = bench_json_integer(object, key, bad);
    if (number <= MOST >> 20) return (int32_t)number;
    *bad = -1;
    return 0;
}

double bench_json_seconds(json_t *object, const char *key, int *bad)
{
    const double seconds = bench_json_number(object, key, bad);
    if (seconds > 0 && seconds < 1e-12) *bad = -1;
    return seconds;
}

bench_times bench_json_read_times(json_t *object, int *bad)
{
    const bench_times times = {bench_json_seconds(object, "seconds", bad),
                               bench_json_seconds(object, "seconds_least", bad),
                               bench_json_seconds(object, "seconds_most", bad)};
    return times;
}

static json_t *seconds_json(double seconds)
{
    return seconds > 0 ? json_real(seconds) : json_null();
}

int bench_json_times(json_t *object, const bench_times *times)
{
    return json_object_set_new(object, "seconds", seconds_json(times->median)) ||
                   json_object_set_new(object, "seconds_least", seconds_json(times->least)) ||
                   json_object_set_new(object, "seconds_most", seconds_json(times->most))
               ? -1
               : 0;
}

void bench_json_text(json_t *object, const char *key, char *text, size_t size, int *bad)
{
    json_t *const value = json_object_get(object, key);
    text[0] = 0;
    if (!value || json_is_null(value)) return;
    if (json_is_string(value)) ct_one_line(text, size, "%s", json_string_value(value));
    else *bad = -1;
}
