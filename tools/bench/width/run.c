/* What a run of `cutlet-bench width` is, and its three regions. */
#include "run.h"

#include <assert.h>
#include <string.h>

#include "../harness/report.h"

void width_start(width_report *r, const width_wish *wish)
{
    r->is.runs = wish->runs;
    r->form = wish->form;
    for (int64_t bytes = wish->from; bytes <= wish->to && r->sizes < WIDTH_SIZES; bytes *= 2)
        r->size[r->sizes++] = bytes;
    for (int32_t i = 0; i < wish->count; ++i) r->line[r->lines++].width = wish->widths[i];
}

double width_rate(const width_report *r, const width_line *line, int32_t size)
{
    return bench_rate(2 * r->size[size], line->at[size].is.seconds.median);
}

void width_name(char text[32], const width_line *line)
{
    if (line->width == 0) snprintf(text, 32, "memcpy");
    else snprintf(text, 32, "%d byte%s", line->width, line->width == 1 ? "" : "s");
}

/* ---- forms ----------------------------------------------------------------------------------- */

const char *width_form_name(int32_t form)
{
    static const char *const names[] = {"many", "one", "loop", NULL};
    return names[form];
}

const char *width_form_words(int32_t form)
{
    static const char *const words[] = {"", ", one access a thread",
                                        ", one access at a time in a loop"};
    return words[form];
}

static bench_launch launch_of(const char *kernel, int64_t blocks, uint32_t threads,
                              const void *args, size_t args_bytes)
{
    return bench_launch_of(kernel, (ct_dim3){(uint32_t)blocks, 1, 1}, (ct_dim3){threads, 1, 1}, 0,
                           args, args_bytes);
}

bench_launch width_make_launch(int32_t form, int32_t width, const void *src, void *dst,
                               int64_t bytes, int32_t processors)
{
    static const char *const kernels[] = {"copy", "one", "loop"};
    const ct_layout all = ct_layout1(bytes, 1);
    const ct_operand from = ct_make_operand(src, all, 1), to = ct_make_operand(dst, all, 1);
    const width_args plain = make_width_args(src, dst, bytes);
    char kernel[32];
    snprintf(kernel, sizeof kernel, "width_%s_%d", kernels[form], width);
    if (form == WIDTH_MANY) {
        const ct_elementwise_args many = ct_make_elementwise(&from, 1, to, width);
        return launch_of(kernel, many.blocks, CT_ELEMENTWISE_THREADS, &many, sizeof many);
    }
    assert(width_is_aligned(&plain, width));
    if (form == WIDTH_IN_LOOP)
        return launch_of(kernel, width_loop_blocks(bytes, width, processors), WIDTH_LOOP_THREADS,
                         &plain, sizeof plain);
    return launch_of(kernel, width_one_blocks(bytes, width), WIDTH_ONE_THREADS, &plain,
                     sizeof plain);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* The widest access that was timed at every size; -1: none was. */
static int32_t widest_line(const width_report *r)
{
    int32_t widest = -1;
    for (int32_t i = 0; i < r->lines; ++i) {
        int all = r->line[i].width > 0;
        for (int32_t s = 0; s < r->sizes; ++s) all &= r->line[i].at[s].is.seconds.median > 0;
        if (all && (widest < 0 || r->line[i].width > r->line[widest].width)) widest = i;
    }
    return widest;
}

width_regions width_find_regions(const width_report *r)
{
    width_regions g = {0, 0, 0, widest_line(r)};
    if (g.widest < 0 || r->sizes < 1) return g;
    const width_point *const at = r->line[g.widest].at;
    const double most = WIDTH_LATENCY_FACTOR * at[0].is.seconds.median;
    while (g.latency < r->sizes && at[g.latency].is.seconds.median <= most) ++g.latency;
    if (g.latency == 1) g.latency = 0; /* twice the bytes took longer: no floor is seen */
    int32_t i = g.latency;
    while (i < r->sizes && 2 * r->size[i] <= r->is.device.about.l2_bytes) ++i;
    g.cache = i - g.latency;
    g.memory = r->sizes - i;
    return g;
}

int width_region_of(const width_regions *g, int32_t size)
{
    if (size < g->latency) return WIDTH_LATENCY;
    return size < g->latency + g->cache ? WIDTH_CACHE : WIDTH_MEMORY;
}

const char *width_region_name(int region)
{
    static const char *const names[WIDTH_REGIONS] = {"latency", "cache", "memory"};
    return names[region];
}

void width_region_rule(const width_report *r, const width_regions *g, char *text, size_t bytes)
{
    char l2[BENCH_SIZE_TEXT], name[32];
    bench_size_text(l2, r->is.device.about.l2_bytes);
    width_name(name, &r->line[g->widest < 0 ? 0 : g->widest]);
    snprintf(text, bytes,
             "Regions: latency, while accesses of %s take at most %.1f times as long as for the "
             "smallest array; then cache, while both arrays fit in L2 (%s); then memory.",
             name, WIDTH_LATENCY_FACTOR, l2);
}
