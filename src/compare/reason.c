/* The reasons for a copy's cost: sentences made from the addresses of one load, from the limits of
 * the access width, and from the counts. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/access.h>
#include "launch.h"

enum { SECTOR = 32, LINE = 128, WARP = 32, VECTOR_BYTES = 16 };

/* Adds to the reason, after "; " if it is not empty. */
static void say(ct_compare_result *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(ct_compare_result *r, const char *format, ...)
{
    size_t at = strlen(r->reason);
    if (at) at += (size_t)snprintf(r->reason + at, sizeof r->reason - at, "; ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->reason + at, sizeof r->reason - at, format, arguments);
    va_end(arguments);
}

/* What the lanes of the first load have in common. */
typedef struct pattern {
    int lanes;
    int64_t bytes; /* of one access */
    int64_t step;  /* from a lane to the next, the commonest one */
    int64_t run;   /* the shortest stretch of memory that lanes cover without a gap */
    int runs;      /* how many such stretches */
} pattern;

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t commonest_step(const int64_t *offset, int lanes)
{
    int64_t best = 0;
    int most = 0;
    for (int i = 0; i + 1 < lanes; ++i) {
        int count = 0;
        for (int k = 0; k + 1 < lanes; ++k)
            count += offset[k + 1] - offset[k] == offset[i + 1] - offset[i];
        if (count > most) {
            most = count;
            best = offset[i + 1] - offset[i];
        }
    }
    return best;
}

static pattern pattern_of(const ct_compare_load *load)
{
    pattern p = {0, load->bits / 8, 0, 0, 0};
    int64_t offset[WARP];
    for (int t = 0; t < WARP; ++t) {
        if (load->offset[t] != CT_LANE_OFF) offset[p.lanes++] = load->offset[t];
    }
    p.step = llabs(commonest_step(offset, p.lanes));
    qsort(offset, (size_t)p.lanes, sizeof *offset, by_number);
    for (int i = 0, first = 0; i < p.lanes; ++i) {
        if (i + 1 < p.lanes && offset[i + 1] <= offset[i] + p.bytes) continue;
        const int64_t run = offset[i] + p.bytes - offset[first];
        if (p.runs == 0 || run < p.run) p.run = run;
        ++p.runs;
        first = i + 1;
    }
    return p;
}

/* `all`, or the share as `1/16` if it is one over an integer, otherwise as `62 %`. */
static void share(char *text, size_t size, int64_t part, int64_t whole)
{
    if (part == whole) snprintf(text, size, "all");
    else if (part > 0 && whole % part == 0)
        snprintf(text, size, "1/%lld", (long long)(whole / part));
    else snprintf(text, size, "%lld %%", (long long)(100 * part / whole));
}

/* How much of a cache line a run covers, where that is less than all of it. */
static void part_of_line(char *text, size_t size, int64_t run)
{
    char part[32];
    share(part, sizeof part, run, LINE);
    if (run >= LINE) text[0] = 0;
    else
        snprintf(text, size, ", %s%s a cache line each", 2 * run == LINE ? "half" : part,
                 2 * run == LINE ? "" : " of");
}

/* What one load of a warp reaches. */
static void say_pattern(ct_compare_result *r)
{
    const ct_compare_load *load = &r->first;
    const pattern p = pattern_of(load);
    char used[32], part[64];
    if (p.lanes == 0) return;
    part_of_line(part, sizeof part, p.run);
    share(used, sizeof used, load->bytes_used, SECTOR * load->sectors);
    const char *s = load->sectors == 1 ? "" : "s";
    if (p.runs > 1 && p.run < SECTOR && p.step != p.bytes)
        say(r,
            "neighbouring threads are %lld bytes apart: %d sector%s for %d x %lld bytes, %s used",
            (long long)p.step, load->sectors, s, p.lanes, (long long)p.bytes, used);
    else if (p.runs > 1)
        say(r, "a load reads %d runs of %lld bytes%s: %d sector%s, %s used", p.runs,
            (long long)p.run, part, load->sectors, s, used);
    else
        say(r, "a load reads %lld bytes in a row: %d sector%s, %s used", (long long)p.run,
            load->sectors, s, used);
}

/* Why the values of a thread are moved one by one although the variant asks for more. */
static void say_values(ct_compare_result *r, const ct_copy_launch *l)
{
    const int64_t values = ct_size(r->variant->val);
    const int asks = r->variant->how == CT_COPY_BY_VECTOR || r->variant->how == CT_COPY_BY_CP_ASYNC;
    if (asks && l->access_bytes == r->elem_bytes && r->elem_bytes < VECTOR_BYTES && values > 1)
        say(r, "only 1 of a thread's %lld values is contiguous, hence %d-byte accesses%s",
            (long long)values, l->access_bytes,
            r->variant->how == CT_COPY_BY_CP_ASYNC && l->access_bytes < 4 ? ", no cp.async" : "");
}

/* Misaligned addresses of one side: each access is cut out of two aligned ones, except stores of a
 * tile that is not the kernel's. */
static void say_width(ct_compare_result *r, const char *side, const ct_copy_width_result *w,
                      int64_t ld, int shifts)
{
    const char *const how = shifts ? "shifted in registers" : "element by element";
    if (w->bytes >= r->wanted_bytes) return;
    switch (w->limit) {
        case CT_WIDTH_SRC_STRIDE:
        case CT_WIDTH_DST_STRIDE:
            say(r, "the %s's leading dimension %lld is not a multiple of %d elements: %s", side,
                (long long)ld, r->wanted_bytes / r->elem_bytes, how);
            break;
        case CT_WIDTH_SRC_POINTER:
        case CT_WIDTH_DST_POINTER:
            say(r, "the %s is aligned to only %d bytes: %s", side, w->bytes, how);
            break;
        default: say(r, "only %lld elements are contiguous: %s", (long long)w->n, how);
    }
}

/* What the best copy does with lines that begin anywhere. */
static void say_shift(ct_compare_result *r, const ct_copy_launch *l)
{
    if (r->variant->how != CT_COPY_BEST) return;
    const ct_staged_args *a = &l->args.best;
    if (a->src.align < VECTOR_BYTES || a->dst.align < VECTOR_BYTES)
        say(r, "not every %s is aligned to %d bytes: shifted in registers",
            r->row_major ? "row" : "column", VECTOR_BYTES);
}

void ct_compare_explain_load(ct_compare_result *r, double way)
{
    say_pattern(r);
    /* if every byte is used, only shared memory remains to be explained */
    const int all_used = r->first.bytes_used == SECTOR * r->first.sectors;
    if (all_used && way >= 2) say(r, "%.2g-way conflicts", way);
}

void ct_compare_explain(ct_compare_result *r, const ct_copy_launch *l, double way)
{
    r->reason[0] = 0;
    say_values(r, l);
    say_width(r, "matrix", &l->load, l->src.ld, 1);
    const int is_other = r->tile_m != CT_COPY_TILE || r->tile_n != CT_COPY_TILE;
    if (l->load.bytes >= r->wanted_bytes || is_other)
        say_width(r, "copy", &l->store, l->dst.ld, !is_other);
    say_shift(r, l);
    ct_compare_explain_load(r, way);
}
