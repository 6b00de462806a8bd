/* The results of `cutlet-bench width` as a table. */
#include <inttypes.h>
#include <string.h>

#include "../harness/report.h"
#include "run.h"

/* ---- counts ---------------------------------------------------------------------------------- */

static void print_counts(const width_report *r, FILE *stream)
{
    char size[BENCH_SIZE_TEXT], name[32];
    fprintf(stream, "%12s %9s %13s %11s %11s %15s\n", "size", "access", "instructions", "requests",
            "sectors", "bytes/instruct.");
    for (int32_t s = 0; s < r->sizes; ++s) {
        for (int32_t i = 0; i < r->lines; ++i) {
            const bench_result *const p = &r->line[i].at[s].is;
            bench_size_text(size, r->size[s]);
            width_name(name, &r->line[i]);
            fprintf(stream, "%12s %9s", i == 0 ? size : "", name);
            if (p->status != BENCH_IS_RIGHT) fprintf(stream, " %13s\n", "wrong");
            else
                fprintf(stream, " %13" PRId64 " %11" PRId64 " %11" PRId64 " %15.1f\n",
                        p->instructions, p->requests, p->sectors,
                        2.0 * (double)r->size[s] / (double)(p->instructions ? p->instructions : 1));
        }
    }
}

/* Whether at the largest size the widest access moved as many sectors as the narrowest, with fewer
 * instructions. Of a few bytes, those at either end of the array, it does not. */
static int is_wide_better(const width_report *r)
{
    if (r->lines < 2 || r->sizes < 1) return 0;
    const bench_result *const narrow = &r->line[0].at[r->sizes - 1].is;
    const bench_result *const wide = &r->line[r->lines - 1].at[r->sizes - 1].is;
    return narrow->status == BENCH_IS_RIGHT && wide->status == BENCH_IS_RIGHT &&
           wide->sectors == narrow->sectors && wide->instructions < narrow->instructions;
}

static void print_grid(const width_report *r, FILE *stream)
{
    char text[512];
    snprintf(text, sizeof text,
             "Copies by width of access%s on the CPU grid: what they ask of memory, not how fast "
             "they are.",
             width_form_words(r->form));
    bench_print_wrapped(stream, text);
    fputc('\n', stream);
    print_counts(r, stream);
    fputc('\n', stream);
    snprintf(text, sizeof text,
             "size: bytes of one array, each of which was compared after the copy. instructions: "
             "loads and stores of a warp of 32 threads; requests: what they ask of the memory "
             "system; sectors: of 32 bytes, read and written.%s",
             is_wide_better(r) ? " The wide access moves the same sectors with fewer instructions."
                               : "");
    bench_print_wrapped(stream, text);
    if (r->is.reason[0]) fprintf(stream, "%s\n", r->is.reason);
}

/* ---- times ----------------------------------------------------------------------------------- */

/* The widths above their columns, between two words. */
static void print_widths(const width_report *r, const char *first, FILE *stream)
{
    char name[32];
    fprintf(stream, "%12s", first);
    for (int32_t i = 0; i < r->lines; ++i) {
        width_name(name, &r->line[i]);
        fprintf(stream, " %9s", name);
    }
}

/* A rate, or why it is missing. */
static void print_rate(double rate, const char *none, FILE *stream)
{
    if (rate > 0) fprintf(stream, rate < 100 ? " %9.1f" : " %9.0f", rate);
    else fprintf(stream, " %9s", none);
}

static void print_rates(const width_report *r, const width_regions *g, FILE *stream)
{
    char size[BENCH_SIZE_TEXT];
    print_widths(r, "size", stream);
    fprintf(stream, " %9s  %s\n", "us", "region");
    for (int32_t s = 0; s < r->sizes; ++s) {
        bench_size_text(size, r->size[s]);
        fprintf(stream, "%12s", size);
        for (int32_t i = 0; i < r->lines; ++i)
            print_rate(width_rate(r, &r->line[i], s),
                       r->line[i].at[s].is.status == BENCH_IS_WRONG ? "wrong" : "-", stream);
        if (g->widest >= 0)
            fprintf(stream, " %9.2f  %s\n", 1e6 * r->line[g->widest].at[s].is.seconds.median,
                    width_region_name(width_region_of(g, s)));
        else fprintf(stream, " %9s  %s\n", "-", "-");
    }
}

/* What each width gets in a region, and its sizes: at best, or where memory decides, which is a
 * plateau, at the largest size. */
static void print_region(const width_report *r, int region, int32_t first, int32_t count,
                         FILE *stream)
{
    char from[BENCH_SIZE_TEXT], to[BENCH_SIZE_TEXT];
    const int32_t end = first + count;
    const int32_t begin = region == WIDTH_MEMORY && count > 0 ? end - 1 : first;
    fprintf(stream, "%12s", width_region_name(region));
    for (int32_t i = 0; i < r->lines; ++i) {
        double best = 0;
        for (int32_t s = begin; s < end; ++s)
            if (width_rate(r, &r->line[i], s) > best) best = width_rate(r, &r->line[i], s);
        print_rate(best, "-", stream);
    }
    if (count == 0) {
        fprintf(stream, "  none\n");
        return;
    }
    bench_size_text(from, r->size[first]);
    bench_size_text(to, r->size[end - 1]);
    fprintf(stream, "  %s to %s, at %s\n", from, to, region == WIDTH_MEMORY ? to : "best");
}

static void print_regions(const width_report *r, const width_regions *g, FILE *stream)
{
    char rule[512];
    if (g->widest < 0) return;
    print_widths(r, "region", stream);
    fprintf(stream, "  %s\n", "sizes");
    print_region(r, WIDTH_LATENCY, 0, g->latency, stream);
    print_region(r, WIDTH_CACHE, g->latency, g->cache, stream);
    print_region(r, WIDTH_MEMORY, g->latency + g->cache, g->memory, stream);
    fputc('\n', stream);
    width_region_rule(r, g, rule, sizeof rule);
    bench_print_wrapped(stream, rule);
}

static void print_gpu(const width_report *r, FILE *stream)
{
    const width_regions g = width_find_regions(r);
    char text[1024];
    int by_device = 0;
    for (int32_t s = 0; s < r->sizes; ++s)
        for (int32_t i = 0; i < r->lines; ++i)
            by_device |= r->line[i].at[s].checked_by == WIDTH_BY_DEVICE;
    char device[400];
    bench_device_words(&r->is.device, device, sizeof device);
    snprintf(text, sizeof text, "Copies by width of access%s, GB/s read and written by %s",
             width_form_words(r->form), device);
    bench_print_wrapped(stream, text);
    fputc('\n', stream);
    print_rates(r, &g, stream);
    fputc('\n', stream);
    print_regions(r, &g, stream);
    snprintf(text, sizeof text,
             "size: bytes of one array; the same two arrays each time, so that caches keep what "
             "they can. us: of one launch of the widest access. memcpy: the driver's, device to "
             "device. Medians of %d runs, all widths in turn; a run is as many launches back to "
             "back as copy 256 MiB, at most 100, so the smallest sizes show how fast launches "
             "follow each other.",
             r->is.runs);
    bench_print_wrapped(stream, text);
    snprintf(
        text, sizeof text,
        "Before it was timed every byte of each copy was compared%s, and 256 bytes on either side "
        "were found unchanged.",
        by_device
            ? ": up to 64 MiB on the host, above by a kernel on the device, which first had to "
              "find a planted byte"
            : " on the host");
    bench_print_wrapped(stream, text);
    if (r->is.left_out[0]) bench_print_wrapped(stream, r->is.left_out);
}

void width_print(const width_report *r, FILE *stream)
{
    if (r->is.on_gpu) print_gpu(r, stream);
    else print_grid(r, stream);
}
