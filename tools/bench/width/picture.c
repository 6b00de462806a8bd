/* The plot of `cutlet-bench width`: rates against sizes, and the three regions. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../harness/report.h"
#include "base/whole_file.h"
#include "plot.h"
#include "run.h"

/* The driver's copy first, so that the widths are drawn above it. */
static void add_lines(plot *p, const width_report *r)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < r->lines; ++i) {
            const width_line *const from = &r->line[i];
            if ((from->width == 0) != (pass == 0)) continue;
            plot_line *const to = &p->line[p->lines++];
            width_name(to->name, from);
            to->dashed = from->width == 0;
            for (int32_t w = from->width; w > 0; w /= 2) ++to->style;
            for (int32_t s = 0; s < r->sizes; ++s) to->y[s] = width_rate(r, from, s);
        }
    }
}

/* Breaks a text into lines of at most `columns`, in place. */
static void break_note(plot *p, char *text, size_t columns)
{
    for (int n = 0; n < 3 && *text; ++n) {
        p->note[n] = text;
        if (strlen(text) <= columns) return;
        char *end = text + columns;
        while (end > text && *end != ' ') --end;
        if (n == 2 || end == text) return;
        *end = 0;
        text = end + 1;
    }
}

static void draw(ct_builder *b, const width_report *r)
{
    const width_regions g = width_find_regions(r);
    const int32_t count[] = {g.latency, g.cache, g.memory};
    char about[512], subtitle[640], note[1024], limit[64], title[96];
    plot *const p = calloc(1, sizeof *p);
    b->failed |= !p;
    if (!p) return;
    bench_device_words(&r->is.device, about, sizeof about);
    snprintf(subtitle, sizeof subtitle, "%s; medians of %d runs", about, r->is.runs);
    note[0] = 0;
    if (g.widest >= 0) width_region_rule(r, &g, note, sizeof note);
    const size_t used = strlen(note);
    snprintf(note + used, sizeof note - used,
             "%sThe same two arrays each time; a run is up to 100 launches back to back. Every "
             "byte of every copy was compared first.",
             used ? " " : "");
    snprintf(limit, sizeof limit, "the memory's peak, %.0f GB/s", 1e-9 * r->is.device.peak);
    snprintf(title, sizeof title, "Copies by width of access%s", width_form_words(r->form));
    p->title = title;
    p->subtitle = subtitle;
    p->x_title = "bytes of one array";
    p->y_title = "GB/s, read and written";
    p->limit = 1e-9 * r->is.device.peak;
    p->limit_name = limit;
    p->points = r->sizes;
    memcpy(p->x, r->size, sizeof p->x);
    add_lines(p, r);
    for (int i = 0, first = 0; i < 3 && g.widest >= 0; first += count[i++])
        p->band[p->bands++] = (plot_band){width_region_name(i), first, count[i]};
    break_note(p, note, 136);
    plot_svg(b, p);
    free(p);
}

int width_svg_check(const char *path, char error[CT_MESSAGE_BYTES])
{
    struct stat there;
    ct_whole_file file;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)) return 0;
    if (ct_whole_open(&file, path, error)) return -1;
    ct_whole_abandon(&file);
    return 0;
}

int width_svg(const width_report *r, const char *path, char error[CT_MESSAGE_BYTES])
{
    ct_builder b = {0};
    ct_whole_file file;
    draw(&b, r);
    int status = b.failed ? ct_refuse(error, CT_E_MEMORY, "out of memory") : 0;
    if (status == 0) status = ct_whole_open(&file, path, error);
    if (status == 0) {
        ct_whole_write(&file, b.text, b.length);
        status = ct_whole_commit(&file, error);
    }
    ct_builder_free(&b);
    return status;
}
