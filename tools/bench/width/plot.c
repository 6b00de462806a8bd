/* Plots as SVG. */
#include "plot.h"

#include <math.h>
#include <string.h>

#include "../harness/report.h"
#include "base/utf8.h"
#include "draw/palette.h"

/* Pixels. The plot proper lies between LEFT and RIGHT, TOP and BOTTOM. */
enum { WIDTH = 960, LEFT = 84, RIGHT = 800, TOP = 122, BOTTOM = 452, NOTES = 528, NOTE_STEP = 17 };
enum { BAND_ROW = 17, LEGEND = RIGHT + 22, LEGEND_STEP = 25, LABEL_APART = 62 };

/* ---- what lies where ------------------------------------------------------------------------- */

/* The axes: x is spread by its logarithm, with half a step on either side. */
typedef struct axes {
    double first, last; /* log2 of the ends of x */
    double top, step;   /* of y */
} axes;

/* 1, 2 or 5 times a power of ten: at most seven steps up to `most`. */
static double step_for(double most)
{
    double step = pow(10, floor(log10(most > 0 ? most : 1)) - 1);
    static const double next[] = {2, 2.5, 2};
    for (int i = 0; most / step > 7; ++i) step *= next[i % 3];
    return step;
}

static axes axes_for(const plot *p)
{
    double most = p->limit;
    for (int i = 0; i < p->lines; ++i)
        for (int k = 0; k < p->points; ++k) most = fmax(most, p->line[i].y[k]);
    axes a;
    a.step = step_for(most);
    a.top = a.step * ceil(most * 1.04 / a.step);
    if (a.top <= 0) a.top = a.step;
    a.first = log2((double)p->x[0]) - 0.5;
    a.last = log2((double)p->x[p->points - 1]) + 0.5;
    return a;
}

static double x_of(const axes *a, double log_bytes)
{
    return LEFT + (RIGHT - LEFT) * (log_bytes - a->first) / (a->last - a->first);
}

static double y_of(const axes *a, double rate) { return BOTTOM - (BOTTOM - TOP) * rate / a->top; }

/* Where a band ends on the left, and on the right with `end`: halfway between two points. */
static double edge_of(const axes *a, const plot *p, const plot_band *band, int end)
{
    const int at = band->first + (end ? band->count : 0);
    if (at <= 0) return LEFT;
    if (at >= p->points) return RIGHT;
    return x_of(a, 0.5 * (log2((double)p->x[at - 1]) + log2((double)p->x[at])));
}

/* ---- text and colours ------------------------------------------------------------------------ */

static void put_xml(ct_builder *b, const char *text)
{
    while (*text) {
        const int n = ct_text_char(text);
        if (*text == '&') ct_put(b, "&amp;");
        else if (*text == '<') ct_put(b, "&lt;");
        else if (*text == '>') ct_put(b, "&gt;");
        else if (n == 0 || (unsigned char)*text < 0x20) ct_put(b, "?");
        else ct_put_bytes(b, text, (size_t)n);
        text += n ? n : 1;
    }
}

static void put_text(ct_builder *b, const char *class, double x, double y, const char *text)
{
    ct_put(b, "<text class=\"%s\" x=\"%.5g\" y=\"%.5g\">", class, x, y);
    put_xml(b, text);
    ct_put(b, "</text>\n");
}

/* The fill of the palette whose colour a line has: the strong ones, far apart. */
static uint32_t color_of(int style, int dark)
{
    static const int fills[PLOT_LINES] = {25, 31, 29, 26, 28, 24, 30, 27};
    return ct_fill_rgb(fills[style % PLOT_LINES], dark);
}

/* Every rule is for this picture only, so that it can stand in a page with others. */
static void put_rules(ct_builder *b, const plot *p, int dark)
{
    const ct_page_colors c = ct_page(dark);
    ct_put(b, "#plot .page{fill:#%06x}#plot text{fill:#%06x}#plot text.soft{fill:#%06x}\n", c.page,
           c.ink, c.faint);
    ct_put(b, "#plot .grid{stroke:#%06x}#plot .axis{stroke:#%06x}\n", c.line, c.strong);
    ct_put(b, "#plot .edge{stroke:#%06x}#plot .limit{stroke:#%06x}#plot .band{fill:#%06x}\n",
           c.faint, c.faint, ct_fill_rgb(CT_FILLS - 1, dark));
    for (int i = 0; i < p->lines; ++i) {
        const uint32_t rgb = p->line[i].dashed ? c.faint : color_of(p->line[i].style, dark);
        ct_put(b, "#plot .l%d{stroke:#%06x}#plot .m%d{fill:#%06x;stroke:#%06x}\n", i, rgb, i, rgb,
               c.page);
    }
}

static void put_style(ct_builder *b, const plot *p)
{
    ct_put(
        b,
        "<style>\n"
        "#plot text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu "
        "Sans',sans-serif;font-size:12px}\n"
        "#plot text.title{font-size:18px;font-weight:600}#plot text.name{font-weight:600}\n"
        "#plot .mid{text-anchor:middle}#plot .end{text-anchor:end}\n"
        "#plot .grid{stroke-width:.6;stroke-opacity:.6}#plot .band{fill-opacity:.45}\n"
        "#plot .axis{stroke-width:1.2;fill:none}\n"
        "#plot .edge{stroke-width:1;stroke-dasharray:2 3}\n"
        "#plot .limit{stroke-width:1.2;stroke-dasharray:7 4}\n"
        "#plot .line{fill:none;stroke-width:2.2;stroke-linejoin:round}\n"
        "#plot .dashed{stroke-dasharray:5 4;stroke-width:1.6}#plot .mark{stroke-width:.8}\n");
    put_rules(b, p, 0);
    ct_put(b, "@media (prefers-color-scheme:dark){\n");
    put_rules(b, p, 1);
    ct_put(b, "}\n</style>\n");
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* A marker around a point. */
static void put_mark(ct_builder *b, int line, int style, double x, double y, const char *tip)
{
    static const char *const shapes[PLOT_LINES] = {
        "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        "m-4 -4h8v8h-8z",
        "m0 -5.5l5 9h-10z",
        "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
        "m0 5.5l5 -9h-10z",
        "m-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
        "m-5 -2.5h10v5h-10z",
        "m-2.5 -5h5v10h-5z"};
    ct_put(b, "<path class=\"mark m%d\" d=\"M%.5g %.5g%s\">", line, x, y,
           shapes[style % PLOT_LINES]);
    if (tip) {
        ct_put(b, "<title>");
        put_xml(b, tip);
        ct_put(b, "</title>");
    }
    ct_put(b, "</path>\n");
}

/* The bands, their edges, and their names above: in a second row where there is no room in the
 * first. */
static void put_bands(ct_builder *b, const axes *a, const plot *p)
{
    double taken[2] = {0, 0}; /* of either row, up to here */
    for (int i = 0; i < p->bands; ++i) {
        const plot_band *const band = &p->band[i];
        if (band->count == 0) continue;
        const double left = edge_of(a, p, band, 0), right = edge_of(a, p, band, 1);
        const double half = 3.8 * (double)strlen(band->name) + 6;
        const double middle = fmin(fmax(0.5 * (left + right), LEFT + half), RIGHT - half);
        const int row = middle - half < taken[0];
        if (i % 2)
            ct_put(b, "<rect class=\"band\" x=\"%.5g\" y=\"%d\" width=\"%.5g\" height=\"%d\"/>\n",
                   left, TOP, right - left, BOTTOM - TOP);
        if (left > LEFT)
            ct_put(b, "<path class=\"edge\" d=\"M%.5g %dV%d\"/>\n", left, TOP - 4, BOTTOM);
        put_text(b, "name mid", middle, TOP - 8 - BAND_ROW * row, band->name);
        taken[row] = middle + half;
    }
}

static void put_y_axis(ct_builder *b, const axes *a, const plot *p)
{
    for (double y = 0; y <= a->top * 1.0001; y += a->step) {
        char label[32];
        snprintf(label, sizeof label, "%.6g", y);
        ct_put(b, "<path class=\"grid\" d=\"M%d %.5gH%d\"/>\n", LEFT, y_of(a, y), RIGHT);
        put_text(b, "end", LEFT - 9, y_of(a, y) + 4, label);
    }
    ct_put(b, "<text class=\"name mid\" transform=\"translate(22 %d) rotate(-90)\">",
           (TOP + BOTTOM) / 2);
    put_xml(b, p->y_title);
    ct_put(b, "</text>\n");
}

/* A tick for each power of two, a label where there is room. */
static void put_x_axis(ct_builder *b, const axes *a, const plot *p)
{
    const int first = (int)ceil(a->first), last = (int)floor(a->last);
    int every = 1;
    while ((x_of(a, 1) - x_of(a, 0)) * every < LABEL_APART) ++every;
    for (int k = first; k <= last; ++k) {
        const double x = x_of(a, k);
        const int labelled = (k - first) % every == 0;
        char label[BENCH_SIZE_TEXT];
        ct_put(b, "<path class=\"axis\" d=\"M%.5g %dv%d\"/>\n", x, BOTTOM, labelled ? 7 : 4);
        bench_size_text(label, INT64_C(1) << k);
        if (labelled) put_text(b, "mid", x, BOTTOM + 22, label);
    }
    put_text(b, "name mid", 0.5 * (LEFT + RIGHT), BOTTOM + 46, p->x_title);
    ct_put(b, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
}

static void put_line(ct_builder *b, const axes *a, const plot *p, int i)
{
    const plot_line *const line = &p->line[i];
    int open = 0;
    ct_put(b, "<path class=\"line l%d%s\" d=\"", i, line->dashed ? " dashed" : "");
    for (int k = 0; k < p->points; ++k) {
        if (line->y[k] > 0)
            ct_put(b, "%c%.5g %.5g", open ? 'L' : 'M', x_of(a, log2((double)p->x[k])),
                   y_of(a, line->y[k]));
        open = line->y[k] > 0;
    }
    ct_put(b, "\"/>\n");
    for (int k = 0; k < p->points; ++k) {
        char size[BENCH_SIZE_TEXT], tip[96];
        if (line->y[k] <= 0) continue;
        bench_size_text(size, p->x[k]);
        snprintf(tip, sizeof tip, "%s, %s: %.4g GB/s", line->name, size, line->y[k]);
        put_mark(b, i, line->style, x_of(a, log2((double)p->x[k])), y_of(a, line->y[k]), tip);
    }
}

/* The lines' names on the right, the last one on top. */
static void put_legend(ct_builder *b, const plot *p)
{
    for (int i = 0; i < p->lines; ++i) {
        const double y = TOP + 12 + LEGEND_STEP * (p->lines - 1 - i);
        ct_put(b, "<path class=\"line l%d%s\" d=\"M%d %.5gh32\"/>\n", i,
               p->line[i].dashed ? " dashed" : "", LEGEND, y);
        put_mark(b, i, p->line[i].style, LEGEND + 16, y, NULL);
        put_text(b, "legend", LEGEND + 42, y + 4, p->line[i].name);
    }
}

void plot_svg(ct_builder *b, const plot *p)
{
    const axes a = axes_for(p);
    int notes = 0;
    while (notes < 3 && p->note[notes]) ++notes;
    const int height = NOTES + NOTE_STEP * notes + 4;
    ct_put(b,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"plot\" role=\"img\" viewBox=\"0 0 %d "
           "%d\" width=\"%d\" height=\"%d\">\n<title>",
           WIDTH, height, WIDTH, height);
    put_xml(b, p->title);
    ct_put(b, "</title>\n<desc>");
    put_xml(b, p->subtitle);
    ct_put(b, "</desc>\n");
    put_style(b, p);
    ct_put(b, "<rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", WIDTH, height);
    put_text(b, "title", 24, 34, p->title);
    put_text(b, "soft", 24, 56, p->subtitle);
    put_bands(b, &a, p);
    put_y_axis(b, &a, p);
    put_x_axis(b, &a, p);
    if (p->limit > 0) {
        ct_put(b, "<path class=\"limit\" d=\"M%d %.5gH%d\"/>\n", LEFT, y_of(&a, p->limit), RIGHT);
        put_text(b, "soft", LEFT + 8, y_of(&a, p->limit) - 6, p->limit_name);
    }
    for (int i = 0; i < p->lines; ++i) put_line(b, &a, p, i);
    put_legend(b, p);
    for (int i = 0; i < notes; ++i) put_text(b, "soft", 24, NOTES + NOTE_STEP * i, p->note[i]);
    ct_put(b, "</svg>\n");
}
