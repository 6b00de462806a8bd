/* The results of `cutlet compare` as a table and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "cutlet/host/text.h"

enum { COLUMNS = 100, INDENT = 4 };

int ct_comparison_part(const ct_comparison *c, int row_major, int *first)
{
    int begin = 0, n = 0;
    while (begin < c->count && c->results[begin].row_major != row_major) ++begin;
    while (begin + n < c->count && c->results[begin + n].row_major == row_major) ++n;
    *first = begin;
    return n;
}

void ct_comparison_access(const ct_compare_result *r, char *text, size_t size)
{
    const char *how = r->async ? "cp.async " : "";
    if (r->load_bytes == r->store_bytes) snprintf(text, size, "%s%d", how, r->load_bytes);
    else snprintf(text, size, "%s%d, %d", how, r->load_bytes, r->store_bytes);
}

double ct_comparison_excess(const ct_comparison *c, const ct_compare_result *r)
{
    const int64_t least = 2 * ((c->subject->array.data_bytes + 31) / 32);
    return (double)r->sectors / (double)least;
}

void ct_comparison_subject(const ct_comparison *c, char *text, size_t size)
{
    const ct_subject *s = c->subject;
    int n =
        snprintf(text, size, "%" PRId64 " x %" PRId64 " elements of %d byte%s (%.32s)", s->rows,
                 s->cols, s->array.elem_bytes, s->array.elem_bytes == 1 ? "" : "s", s->array.descr);
    if (s->units > 1 && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", moved as %d x %d bytes", s->units,
                      s->unit_bytes);
    if (n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, s->path ? ", from %.200s" : ", random bits", s->path);
}

/* ---- the table -------------------------------------------------------------------------------- */

/* Words broken into lines of COLUMNS, each indented. */
static void print_wrapped(FILE *stream, const char *text)
{
    int at = 0; /* the column */
    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (at > 0 && at + 1 + n > COLUMNS) {
            fputc('\n', stream);
            at = 0;
        }
        at += fprintf(stream, "%*s%.*s", at > 0 ? 1 : INDENT, "", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', stream);
}

static void print_row(const ct_comparison *c, const ct_compare_result *r, int rank, FILE *stream)
{
    char thr[64], val[64], access[32];
    ct_format_layout(thr, sizeof thr, r->variant->thr);
    ct_format_tuple(val, sizeof val, ct_shape(r->variant->val));
    ct_comparison_access(r, access, sizeof access);
    fprintf(stream,
            "%2d  %-14s  %-13s  %-5s  %-11s %10" PRId64 " %6.2f %4.0f %% %8.3f %10" PRId64 "\n",
            rank, r->variant->name, thr, val, access, r->sectors, ct_comparison_excess(c, r),
            100 * ct_compare_used(r), ct_compare_instructions(r), r->conflicts);
    print_wrapped(stream, r->reason);
}

void ct_comparison_print(const ct_comparison *c, FILE *stream)
{
    char words[512];
    ct_comparison_subject(c, words, sizeof words);
    fprintf(stream, "%s.\n", words);
    fprintf(stream,
            "Global -> shared -> global in tiles of %" PRId64 " x %" PRId64
            ", every copy verified bit by bit.\n",
            c->results[0].tile_m, c->results[0].tile_n);
    for (int row_major = 1; row_major >= 0; --row_major) {
        int first = 0;
        const int n = ct_comparison_part(c, row_major, &first);
        if (n == 0) continue;
        fprintf(stream, "\n%s-major\n", row_major ? "Row" : "Column");
        fprintf(stream, " #  %-14s  %-13s  %-5s  %-11s %10s %6s %6s %8s %10s\n", "variant",
                "threads", "val", "bytes", "sectors", "/least", "used", "instr", "conflicts");
        for (int i = 0; i < n; ++i) print_row(c, &c->results[first + i], i + 1, stream);
    }
    fputs(
        "\nbytes: of one access to global memory. sectors: of 32 bytes, read and written; /least: over the\n"
        "fewest that hold the matrix; used: of the bytes moved. instr: memory instructions of a thread for\n"
        "each element. conflicts: extra passes through the banks of shared memory. Ranked by sectors, then\n"
        "instructions, then cache lines touched.\n",
        stream);
    if (c->pictures) fprintf(stream, "Pictures: %s/index.html\n", c->pictures);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static json_t *json_result(const ct_comparison *c, const ct_compare_result *r, int rank)
{
    char thr[64], val[64], picture[96];
    ct_format_layout(thr, sizeof thr, r->variant->thr);
    ct_format_tuple(val, sizeof val, ct_shape(r->variant->val));
    ct_gallery_name(r, picture, sizeof picture);
    json_t *o =
        json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:i, s:[I,I], s:b, s:b, s:i, s:i, s:i}", "order",
                  r->row_major ? "row" : "col", "rank", rank, "variant", r->variant->name, "about",
                  r->variant->about, "threads", thr, "values", val, "block_threads", r->threads,
                  "tile", (json_int_t)r->tile_m, (json_int_t)r->tile_n, "verified",
                  r->status == CT_COMPARE_OK, "cp_async", r->async, "wanted_bytes", r->wanted_bytes,
                  "load_bytes", r->load_bytes, "store_bytes", r->store_bytes);
    json_t *counts =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:s}", "instructions",
                  (json_int_t)r->instructions, "requests", (json_int_t)r->requests, "sectors",
                  (json_int_t)r->sectors, "bytes_used", (json_int_t)r->bytes_used, "cache_lines",
                  (json_int_t)r->lines, "shared_wavefronts", (json_int_t)r->wavefronts,
                  "bank_conflicts", (json_int_t)r->conflicts, "sectors_over_least",
                  ct_comparison_excess(c, r), "used", ct_compare_used(r),
                  "instructions_per_element", ct_compare_instructions(r), "reason", r->reason);
    if (o && counts && json_object_update(o, counts) == 0 && c->pictures)
        json_object_set_new(o, "picture", json_string(picture));
    if (!counts) {
        json_decref(o);
        o = NULL;
    }
    json_decref(counts);
    return o;
}

int ct_comparison_json(const ct_comparison *c, FILE *stream)
{
    const ct_subject *s = c->subject;
    json_t *results = json_array();
    int bad = !results;
    for (int i = 0; i < c->count && !bad; ++i) {
        int first = 0;
        ct_comparison_part(c, c->results[i].row_major, &first);
        bad = json_array_append_new(results, json_result(c, &c->results[i], i - first + 1)) != 0;
    }
    json_t *file = s->path ? json_string(s->path) : json_null();
    if (!file) file = json_null(); /* a name that is no UTF-8 */
    json_t *root = json_pack("{s:{s:I, s:I, s:s, s:i, s:i, s:o}, s:o}", "matrix", "rows",
                             (json_int_t)s->rows, "cols", (json_int_t)s->cols, "type",
                             s->array.descr, "elem_bytes", s->array.elem_bytes, "unit_bytes",
                             s->unit_bytes, "file", file, "results", results);
    bad |= !root;
    if (!bad) {
        json_dumpf(root, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        fputc('\n', stream);
    }
    json_decref(root);
    return bad ? -1 : 0;
}
