/* The results of `cutlet sass` as JSON. */
#include <jansson.h>
#include <string.h>

#include "../common/json.h"
#include "sass.h"

/* A string, or null where it is no UTF-8. */
static json_t *string_json(const char *text)
{
    json_t *s = json_string(text);
    return s ? s : json_null();
}

static json_t *known_json(int value)
{
    return value == CT_NOT_KNOWN ? json_null() : json_integer(value);
}

/* What a width measures: bits, matrices, dims; nothing for CT_SASS_NONE. */
static int set_width(json_t *o, ct_sass_width width)
{
    if (width <= CT_SASS_256) return json_object_set_new(o, "bits", json_integer(8 << width));
    if (width <= CT_SASS_X4)
        return json_object_set_new(o, "matrices", json_integer(1 << (width - CT_SASS_X1)));
    if (width <= CT_SASS_5D)
        return json_object_set_new(o, "dims", json_integer(width - CT_SASS_1D + 1));
    return 0;
}

static json_t *accesses_json(const ct_kernel_code *k)
{
    json_t *all = json_array();
    int bad = !all;
    for (int a = 0; a < CT_SASS_ACCESS_COUNT; ++a) {
        for (int width = 0; width < CT_SASS_WIDTH_COUNT; ++width) {
            if (k->count[a][width] == 0) continue;
            json_t *one = json_pack("{s:s, s:I}", "access", ct_sass_access_name(a), "count",
                                    (json_int_t)k->count[a][width]);
            bad |= !one || set_width(one, width) || json_array_append_new(all, one);
        }
    }
    if (!bad) return all;
    json_decref(all);
    return NULL;
}

static json_t *lines_json(const ct_kernel_code *k)
{
    json_t *all = json_array();
    for (int i = 0; i < k->lines && all; ++i)
        json_array_append_new(all, json_pack("{s:s, s:o}", "at", k->line[i].at, "instruction",
                                             string_json(k->line[i].text)));
    return all;
}

/* The expectations that the kernel does not meet, as they were written. */
static json_t *failed_json(const ct_sass_report *report, const ct_kernel_code *k)
{
    json_t *all = json_array();
    for (int i = 0; i < report->expectations->count && all; ++i) {
        const ct_expectation *const e = &report->expectations->item[i];
        if (!ct_expect_holds(e, k)) json_array_append_new(all, json_string(e->text));
    }
    return all;
}

static json_t *kernel_json(const ct_sass_report *report, const ct_kernel_code *k)
{
    json_t *o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", string_json(k->name), "arch",
                          k->arch[0] ? json_string(k->arch) : json_null(), "registers",
                          known_json(k->registers), "stack_bytes", known_json(k->stack_bytes),
                          "accesses", accesses_json(k), "failed", failed_json(report, k));
    if (o && report->lists) json_object_set_new(o, "instructions", lines_json(k));
    return o;
}

int ct_sass_json(const ct_sass_report *report, FILE *stream)
{
    const ct_source *const s = report->source;
    json_t *kernels = json_array();
    int bad = !kernels;
    for (int i = 0; i < s->code.count && !bad; ++i)
        bad = json_array_append_new(kernels, kernel_json(report, &s->code.kernel[i])) != 0;
    json_t *root = json_pack("{s:o, s:s, s:o, s:o}", "source", string_json(report->name), "code",
                             s->is_ptx ? "ptx" : "sass", "by",
                             s->by[0] ? json_string(s->by) : json_null(), "kernels", kernels);
    bad = bad || ct_json_write(stream, root, JSON_INDENT(2));
    json_decref(root);
    return bad ? -1 : 0;
}
