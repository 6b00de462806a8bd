/* The results of `cutlet run` as JSON. */
#include "run.h"

#include <math.h>

#include "../common/json.h"

static json_t *line_json(const ct_run_line *l)
{
    const ct_traffic *const s = &l->sum;
    return json_pack("{s:s, s:i, s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
                     "file", l->at.file, "line", (int)l->at.line, "kind",
                     ct_access_name(l->at.kind), "bits", (int)l->at.bits, "of", l->at.name,
                     "instructions", (json_int_t)s->instructions, "lanes", (json_int_t)s->lanes,
                     "requests", (json_int_t)s->requests, "sectors", (json_int_t)s->sectors,
                     "wavefronts", (json_int_t)s->wavefronts, "ideal", (json_int_t)s->ideal,
                     "conflicts", (json_int_t)s->conflicts, "bytes_used", (json_int_t)s->bytes_used,
                     "bytes_moved", (json_int_t)s->bytes_moved);
}
static json_t *number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *result_json(const ct_run_arg *a)
{
    char at[256];
    ct_run_put_index(&a->array, a->first, at, sizeof at);
    if (!a->expected) return json_pack("{s:s, s:s?}", "name", a->name, "output", a->out_file);
    return json_pack("{s:s, s:s?, s:s, s:I, s:I, s:o, s:s?, s:o, s:o}", "name", a->name, "output",
                     a->out_file, "expected", a->expected, "elements", (json_int_t)a->array.size,
                     "wrong", (json_int_t)a->differ, "largest_difference", number(a->largest),
                     "first", a->differ ? at : NULL, "found", number(a->found), "wanted",
                     number(a->wanted));
}

int ct_run_print_json(const ct_run *run, const ct_grid_report *report, const char *at,
                      ct_run_costs *costs)
{
    static const char *const words[] = {"ok",         "launch",    "bounds",    "read_only",
                                        "misaligned", "unwritten", "in_flight", "race",
                                        "divergence", "atom",      "memory",    "mbarrier",
                                        "deadlock",   "proxy",     "constant",  "order"};
    const ct_run_line *most[CT_RUN_COSTLY];
    char text[512];
    json_t *const lines = json_array(), *const costly = json_array(), *const results = json_array();
    for (int i = 0; i < costs->count; ++i)
        json_array_append_new(lines, line_json(&costs->lines[i]));
    for (int i = 0, n = ct_run_costly(costs, most); i < n; ++i) {
        ct_run_sentence(most[i], text, sizeof text);
        json_array_append_new(costly, json_string(text));
    }
    for (int i = 0; i < run->arg_count; ++i)
        if (run->args[i].is_out) json_array_append_new(results, result_json(&run->args[i]));
    json_t *root = json_pack("{s:s, s:s, s:s, s:s?, s:i, s:I, s:f, s:o, s:o, s:o}", "kernel",
                             run->kernel, "status", words[report->status], "message",
                             report->message, "at", at, "schedules", (int)report->schedules,
                             "instructions", (json_int_t)report->instructions, "seconds",
                             run->seconds, "access", lines, "costly", costly, "results", results);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    return bad || costs->out_of_memory ? -1 : 0;
}

static json_t *kernel_json(const ct_grid_kernel *kernel)
{
    json_t *const params = json_array();
    ct_ptx_param p;
    for (int i = 0; (p = ct_ptx_param_at(kernel, i)).name; ++i)
        json_array_append_new(params,
                              json_pack("{s:s, s:s, s:i, s:i}", "name", p.name, "type", p.type,
                                        "offset", (int)p.offset_bytes, "bytes", (int)p.bytes));
    return json_pack("{s:s, s:i, s:o}", "name", kernel->name, "max_threads",
                     (int)kernel->max_threads, "parameters", params);
}

int ct_run_list(const ct_run *run, const ct_ptx *module)
{
    json_t *const all = json_array();
    const ct_grid_kernel *kernel;
    ct_ptx_param p;
    for (int i = 0; (kernel = ct_ptx_kernel_at(module, i)); ++i) {
        if (run->json) json_array_append_new(all, kernel_json(kernel));
        else printf("%s: up to %d threads\n", kernel->name, (int)kernel->max_threads);
        for (int k = 0; !run->json && (p = ct_ptx_param_at(kernel, k)).name; ++k)
            printf("  %s: %s%s, %d byte%s\n", p.name, p.type, p.is_array ? "[]" : "", (int)p.bytes,
                   p.bytes == 1 ? "" : "s");
    }
    json_t *const root = json_pack("{s:o}", "kernels", all);
    const int bad = run->json ? ct_json_write(stdout, root, JSON_INDENT(2)) : 0;
    json_decref(root);
    return bad;
}
