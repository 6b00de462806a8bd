/* The results of `cutlet compare` as a table. */
#include <inttypes.h>
#include <string.h>

#include "compare.h"
#include <cutlet/host/text.h>

enum { COLUMNS = 100, REASON = 4 /* columns before it */ };

int ct_ranking_part(const ct_ranking *c, int row_major, int *first)
{
    int begin = 0, n = 0;
    while (begin < c->count && c->results[begin].row_major != row_major) ++begin;
    while (begin + n < c->count && c->results[begin + n].row_major == row_major) ++n;
    *first = begin;
    return n;
}

void ct_ranking_access(const ct_compare_result *r, char *text, size_t size)
{
    const char *how = r->async ? "cp.async " : "";
    if (r->load_bytes == r->store_bytes) snprintf(text, size, "%s%d", how, r->load_bytes);
    else snprintf(text, size, "%s%d, %d", how, r->load_bytes, r->store_bytes);
}

double ct_ranking_excess(const ct_ranking *c, const ct_compare_result *r)
{
    const int64_t least = 2 * ((c->input->array.data_bytes + 31) / 32);
    return (double)r->sectors / (double)least;
}

void ct_ranking_input(const ct_ranking *c, char *text, size_t size)
{
    const ct_compare_input *s = c->input;
    int n =
        snprintf(text, size, "%" PRId64 " x %" PRId64 " elements of %d byte%s (%.32s)", s->rows,
                 s->cols, s->array.elem_bytes, s->array.elem_bytes == 1 ? "" : "s", s->array.descr);
    if (s->units > 1 && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ", moved as %d x %d bytes", s->units,
                      s->unit_bytes);
    if (n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, s->path ? ", from %.200s" : ", random bits", s->path);
}

void ct_ranking_tiles(const ct_ranking *c, char *text, size_t size)
{
    const ct_compare_result *best = NULL, *tiled = NULL;
    for (int i = c->count - 1; i >= 0; --i)
        *(c->results[i].variant->how == CT_COPY_BEST ? &best : &tiled) = &c->results[i];
    int n = tiled ? snprintf(text, size, "in tiles of %" PRId64 " x %" PRId64, tiled->tile_m,
                             tiled->tile_n)
                  : 0;
    if (best && n >= 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n,
                 tiled ? " (best: %" PRId64 " bytes)" : "in tiles of %" PRId64 " bytes",
                 best->tile_m * best->tile_n * best->elem_bytes);
}

void ct_ranking_verified(const ct_ranking *c, char *text, size_t size)
{
    int64_t fewest = INT64_MAX;
    for (int i = 0; i < c->count; ++i) fewest = ct_min(fewest, c->results[i].verified);
    if (c->count == 0 || fewest == c->results[0].elements)
        snprintf(text, size, "every copy verified bit by bit");
    else
        snprintf(text, size,
                 "every copy verified bit by bit on %" PRId64 " or more of the %" PRId64
                 " elements: a tile of each kind. The other tiles are congruent and cost the same",
                 fewest, c->results[0].elements);
}

/* ---- the table -------------------------------------------------------------------------------- */

/* The columns of the GPU, and the end of the line. */
static void print_figures(const ct_gpu_copy *copy, FILE *stream)
{
    if (copy && copy->status == CT_OK)
        fprintf(stream, " %5.0f %7.3f", ct_gpu_copy_rate(copy), ct_gpu_copy_of_memcpy(copy));
    else if (copy) fprintf(stream, " %5s %7s", copy->status == CT_E_WRONG ? "wrong" : "-", "-");
    fputc('\n', stream);
}

static void print_row(const ct_ranking *c, const ct_compare_result *r, int rank, FILE *stream)
{
    char thr[64], val[64], access[32];
    ct_format_layout(thr, sizeof thr, r->thr);
    ct_format_tuple(val, sizeof val, ct_shape(r->val));
    ct_ranking_access(r, access, sizeof access);
    fprintf(stream, "%2d  %-14s  %-15s  %-6s %-11s %9" PRId64 " %6.2f %4.0f %% %6.3f %9" PRId64,
            rank, r->variant->name, thr, val, access, r->sectors, ct_ranking_excess(c, r),
            100 * ct_compare_used(r), ct_compare_instructions(r), r->conflicts);
    print_figures(ct_ranking_gpu(c, r), stream);
    ct_print_wrapped(stream, r->reason, REASON);
}

void ct_ranking_print(const ct_ranking *c, FILE *stream)
{
    char words[1024], verified[512], line[1024];
    ct_ranking_input(c, words, sizeof words);
    fprintf(stream, "%s.\n", words);
    ct_ranking_tiles(c, words, sizeof words);
    ct_ranking_verified(c, verified, sizeof verified);
    snprintf(line, sizeof line, "Global -> shared -> global %.200s, %.400s.", words, verified);
    ct_print_wrapped(stream, line, 0);
    for (int row_major = 1; row_major >= 0; --row_major) {
        int first = 0;
        const int n = ct_ranking_part(c, row_major, &first);
        if (n == 0) continue;
        fprintf(stream, "\n%s-major\n", row_major ? "Row" : "Column");
        fprintf(stream, " #  %-14s  %-15s  %-6s %-11s %9s %6s %6s %6s %9s%s\n", "variant",
                "threads", "val", "bytes", "sectors", "/least", "used", "instr", "conflicts",
                c->gpu.copies ? "  GB/s /memcpy" : "");
        for (int i = 0; i < n; ++i) print_row(c, &c->results[first + i], i + 1, stream);
    }
    fputs(
        "\nbytes: of one access to global memory. sectors: of 32 bytes, read and written; /least: over the\n"
        "fewest that hold the matrix; used: of the bytes moved. instr: memory instructions of a thread for\n"
        "each element. conflicts: extra passes through the banks of shared memory. Ranked by sectors, then\n"
        "instructions, then cache lines touched.\n",
        stream);
    ct_ranking_gpu_words(c, words, sizeof words);
    if (words[0]) ct_print_wrapped(stream, words, 0);
    if (c->gpu.reason[0]) fprintf(stream, "%s\n", c->gpu.reason);
    if (c->pictures) fprintf(stream, "Pictures: %s/index.html\n", c->pictures);
}
