/* The results of `cutlet compare --copy` as a table and as JSON. */
#include <jansson.h>
#include <string.h>

#include "../common/json.h"
#include "compare.h"
#include <cutlet/host/text.h>

enum { TEXT = 96, COLUMNS = 100 };

void ct_print_wrapped(FILE *stream, const char *text, int indent)
{
    int at = 0; /* the column */
    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (at > 0 && at + 1 + n > COLUMNS) {
            fputc('\n', stream);
            at = 0;
        }
        at += fprintf(stream, "%*s%.*s", at > 0 ? 1 : indent, "", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', stream);
}

/* Sectors over the fewest that hold the matrix, read and written. */
static double excess(const ct_own_ranking *k, const ct_own_result *r)
{
    return (double)r->sectors / (double)k->least;
}

/* Executions by a warp, as instructions of a thread for each element. */
static double per_element(const ct_own_ranking *k, const ct_own_result *r)
{
    return 32.0 * (double)r->instructions / (double)k->elements;
}

static void width_text(const ct_own_result *r, char *text, size_t size)
{
    if (r->load_bits == r->store_bits) snprintf(text, size, "%d", r->load_bits / 8);
    else snprintf(text, size, "%d, %d", r->load_bits / 8, r->store_bits / 8);
}

/* Which copies coalesce: those that move each sector once, and what the worst does. */
static void verdict(const ct_own_ranking *k, char *text, size_t size)
{
    const ct_own_result *const best = &k->of[0], *const worst = &k->of[k->count - 1];
    if (k->count == 1 || worst->sectors == best->sectors)
        snprintf(text, size,
                 best->sectors <= k->least
                     ? "%s: each sector moves once, in %.2f times the cache lines."
                     : "%s: %.2f times the sectors that hold the matrix.",
                 k->count == 1               ? best->text
                 : best->sectors <= k->least ? "All coalesce alike"
                                             : "None coalesces, all alike",
                 best->sectors <= k->least ? (double)best->lines * 4 / (double)k->least
                                           : excess(k, best));
    else
        snprintf(text, size, "%s %s: %s. %s moves %.3g times as many sectors: %s.", best->text,
                 best->sectors <= k->least ? "coalesces" : "comes closest", best->first.reason,
                 worst->text, (double)worst->sectors / (double)best->sectors, worst->first.reason);
}

static void print_row(const ct_own_ranking *k, const ct_own_result *r, int rank, int wide,
                      FILE *stream)
{
    char width[24];
    width_text(r, width, sizeof width);
    fprintf(stream, "%2d  %-*s  %-6s %11lld %6.2f %11lld %6.3f %11lld %11lld\n", rank, wide,
            r->text, width, (long long)r->sectors, excess(k, r), (long long)r->lines,
            per_element(k, r), (long long)r->wavefronts, (long long)r->conflicts);
    ct_print_wrapped(stream, r->first.reason, 4);
}

/* A layout without an offset of 0 in front. */
static void memory_text(const ct_tensor *t, char *text, size_t size)
{
    if (t->swizzle.bits || t->offset.value[0]) ct_format_tensor(text, size, *t);
    else ct_format_layout(text, size, t->layout);
}

void ct_own_print(const ct_own_ranking *k, FILE *stream)
{
    char src[TEXT], shared[TEXT], words[2048];
    int wide = 4;
    for (int i = 0; i < k->count; ++i) wide = (int)ct_max(wide, (int64_t)strlen(k->of[i].text));
    ct_format_layout(src, sizeof src, k->src);
    memory_text(&k->shared, shared, sizeof shared);
    fprintf(stream, "%s of %s, through tiles %s of shared memory and back to global memory.\n\n",
            src, k->type, shared);
    verdict(k, words, sizeof words);
    ct_print_wrapped(stream, words, 0);
    fprintf(stream, "\n #  %-*s  %-6s %11s %6s %11s %6s %11s %11s\n", wide, "copy", "bytes",
            "sectors", "/least", "lines", "instr", "wavefronts", "conflicts");
    for (int i = 0; i < k->count; ++i) print_row(k, &k->of[i], i + 1, wide, stream);
    fputs(
        "\nbytes: of one access to global memory. sectors: of 32 bytes, read and written; /least: over the\n"
        "fewest that hold the matrix. lines: of 128 bytes, summed over the accesses. instr: memory\n"
        "instructions of a thread for each element. wavefronts: passes through the banks of shared memory;\n"
        "conflicts: those beyond the fewest.\n",
        stream);
}

void ct_own_print_time(const ct_own_ranking *k, const ct_own_result *r, FILE *stream)
{
    const int rank = (int)(r - k->of) + 1;
    if (k->no_gpu[0]) {
        fprintf(stream, "%s\n", k->no_gpu);
        return;
    }
    if (rank == 1)
        fprintf(stream,
                "\nOne matrix on %s: the median, after every element was compared.\n"
                " #         us  GB/s  copy\n",
                k->device[0] ? k->device : "a GPU");
    if (r->seconds > 0)
        fprintf(stream, "%2d  %9.1f %5.0f  %s\n", rank, 1e6 * r->seconds,
                1e-9 * 2 * (double)k->elements * k->elem_bits / 8 / r->seconds, r->text);
    else fprintf(stream, "%2d  not timed: %s\n", rank, r->untimed);
    fflush(stream);
}

static json_t *json_result(const ct_own_ranking *k, const ct_own_result *r)
{
    json_t *o = json_pack("{s:s, s:i, s:i, s:i, s:I, s:f, s:I, s:I, s:f, s:I, s:I, s:s}", "copy",
                          r->text, "threads", (int)r->threads, "load_bytes", (int)r->load_bits / 8,
                          "store_bytes", (int)r->store_bits / 8, "sectors", (json_int_t)r->sectors,
                          "sectors_over_least", excess(k, r), "cache_lines", (json_int_t)r->lines,
                          "instructions", (json_int_t)r->instructions, "instructions_per_element",
                          per_element(k, r), "shared_wavefronts", (json_int_t)r->wavefronts,
                          "bank_conflicts", (json_int_t)r->conflicts, "reason", r->first.reason);
    if (!o) return NULL;
    json_object_set_new(o, "gpu_seconds", r->seconds > 0 ? json_real(r->seconds) : json_null());
    if (r->untimed[0]) json_object_set_new(o, "not_timed", json_string(r->untimed));
    return o;
}

int ct_own_json(const ct_own_ranking *k, FILE *stream)
{
    char src[TEXT], shared[TEXT], words[2048];
    ct_format_layout(src, sizeof src, k->src);
    memory_text(&k->shared, shared, sizeof shared);
    verdict(k, words, sizeof words);
    json_t *results = json_array();
    for (int i = 0; i < k->count; ++i) json_array_append_new(results, json_result(k, &k->of[i]));
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:o}", "src", src, "type", k->type, "shared",
                  shared, "verdict", words, "device", k->device[0] ? k->device : NULL, "no_gpu",
                  k->no_gpu[0] ? k->no_gpu : NULL, "results", results);
    const int bad = ct_json_write(stream, root, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(root);
    return bad;
}
