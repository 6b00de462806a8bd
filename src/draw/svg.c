/* Pictures as SVG: self-contained, scalable, in the reader's light or dark colours. */
#include <string.h>

#include "base/utf8.h"
#include "palette.h"
#include "placement.h"

/* A tip for each cell where they are few enough to keep the file small. */
#define TIP_CELLS 1024

/* Text as XML; bytes that are no UTF-8 become `?`, as a file with them could not be read. */
static void put_escaped(ct_builder *b, const char *text, int length)
{
    for (int i = 0, bytes = 1; i < length && text[i]; i += bytes) {
        const unsigned char c = (unsigned char)text[i];
        bytes = ct_text_char(text + i);
        if (bytes == 0 || i + bytes > length) {
            bytes = 1;
            ct_put(b, "?");
        } else if (c == '&') ct_put(b, "&amp;");
        else if (c == '<') ct_put(b, "&lt;");
        else if (c == '>') ct_put(b, "&gt;");
        else if (c == '"') ct_put(b, "&quot;");
        else if (c < 0x20 || c == 0x7f) ct_put(b, " ");
        else ct_put_bytes(b, text + i, (size_t)bytes);
    }
}

static void put_xml(ct_builder *b, const char *text) { put_escaped(b, text, (int)strlen(text)); }

/* A name that differs between pictures, so that one document can contain several. */
static uint32_t picture_id(const ct_picture *p, const char *title)
{
    ct_builder words = {0};
    uint32_t hash = 2166136261u;
    ct_put(&words, "%s %s ", title, p->subtitle ? p->subtitle : "");
    for (int k = 0; k < p->grids; ++k) {
        const ct_panel *g = p->grid[k];
        for (int64_t i = 0; i < g->row.count * g->col.count; ++i)
            ct_put(&words, "%s %d ", g->cell[i].label ? g->cell[i].label : "", g->cell[i].color);
    }
    for (size_t i = 0; i < words.length; ++i) hash = (hash ^ (uint8_t)words.text[i]) * 16777619u;
    ct_builder_free(&words);
    return hash;
}

/* ---- colours ---------------------------------------------------------------------------------- */

static void put_rules(ct_builder *b, uint32_t id, const char *used, int dark)
{
    const ct_page_colors c = ct_page(dark);
    ct_put(b, "#p%08x .page{fill:#%06x}#p%08x .panel{fill:#%06x}", id, c.page, id, c.panel);
    ct_put(b, "#p%08x text{fill:#%06x}#p%08x .h text,#p%08x text.h{fill:#%06x}\n", id, c.ink, id,
           id, c.faint);
    ct_put(b, "#p%08x .thin{stroke:#%06x}#p%08x .rule{stroke:#%06x}#p%08x .soft{stroke:#%06x}\n",
           id, c.line, id, c.strong, id, c.faint);
    ct_put(b, "#p%08x .n path,#p%08x .n rect{fill:#%06x}\n", id, id, c.panel);
    for (int f = 0; f < CT_FILLS; ++f) {
        if (!used[f]) continue;
        const uint32_t fill = ct_fill_rgb(f, dark);
        ct_put(b, "#p%08x .f%d path,#p%08x .f%d rect{fill:#%06x}#p%08x .f%d text{fill:#%06x}\n", id,
               f, id, f, fill, id, f, ct_text_rgb(fill));
    }
}

static void put_style(ct_builder *b, uint32_t id, const char *used, int theme)
{
    ct_put(b, "<style>\n");
    ct_put(b,
           "#p%08x text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',"
           "'Liberation Mono',monospace;font-size:%gpx;text-anchor:middle}\n",
           id, CT_LABEL_PX);
    ct_put(b, "#p%08x text.s,#p%08x .s{font-size:%gpx}#p%08x .h text{font-size:%gpx}", id, id,
           CT_SUB_PX, id, CT_HEAD_PX);
    ct_put(b, "#p%08x .h text.s{font-size:%gpx}#p%08x .h .e{text-anchor:end}\n", id, CT_SUB_PX, id);
    ct_put(b,
           "#p%08x text.r{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',"
           "sans-serif;text-anchor:start}\n",
           id);
    ct_put(b, "#p%08x text.t{font-size:%gpx;font-weight:600}#p%08x text.c{font-weight:600}\n", id,
           CT_TITLE_PX, id);
    ct_put(b, "#p%08x path{fill:none}\n", id);
    put_rules(b, id, used, theme == CT_THEME_DARK);
    if (theme == CT_THEME_AUTO) {
        ct_put(b, "@media (prefers-color-scheme:dark){\n");
        put_rules(b, id, used, 1);
        ct_put(b, "}\n");
    }
    ct_put(b, "</style>\n");
}

/* ---- cells ------------------------------------------------------------------------------------ */

static void put_tip(ct_builder *b, const ct_panel *g, int64_t r, int64_t c)
{
    const ct_cell *cell = ct_cell_at(g, r, c);
    const char *row = g->row.name ? g->row.name : "row",
               *col = g->col.name ? g->col.name : "column";
    if (!cell->label) return;
    ct_put(b, "<title>");
    if (g->row.head[r])
        put_xml(b, row), ct_put(b, " "), put_xml(b, g->row.head[r]), ct_put(b, ", ");
    if (g->col.head[c])
        put_xml(b, col), ct_put(b, " "), put_xml(b, g->col.head[c]), ct_put(b, ": ");
    put_xml(b, cell->label);
    if (cell->sub) ct_put(b, " "), put_xml(b, cell->sub);
    ct_put(b, "</title>");
}

/* The text of a cell at (x,y); its tip gets the position of the text. */
static void put_label(ct_builder *b, const ct_placement *at, const ct_panel *g, int64_t r,
                      int64_t c, double x, double y, int tip)
{
    const ct_cell *cell = ct_cell_at(g, r, c);
    const double middle = x + at->cell_w / 2, centre = y + at->cell_h / 2;
    if (cell->label) {
        ct_put(b, "<text x=\"%.6g\" y=\"%.6g\">", middle, centre + (cell->sub ? -2.0 : 4.2));
        put_xml(b, cell->label);
        if (tip) put_tip(b, g, r, c);
        ct_put(b, "</text>");
    }
    if (cell->sub) {
        ct_put(b, "<text class=\"s\" x=\"%.6g\" y=\"%.6g\">", middle,
               centre + (cell->label ? 10.5 : 4));
        put_xml(b, cell->sub);
        ct_put(b, "</text>");
    }
}

/* Whether a cell of the panel has this fill; -1: none. */
static int has_fill(const ct_panel *g, int64_t r, int64_t c, int fill)
{
    const int color = ct_cell_at(g, r, c)->color;
    return color != CT_COLOR_ABSENT && ct_fill_of(color) == fill;
}

/* The cells of a row that have a fill: a subpath for each run of them, one step for each cell. */
static int put_runs(ct_builder *b, const ct_placement *at, const ct_panel *g, int64_t r, double x,
                    double y, int fill)
{
    int runs = 0;
    for (int64_t c = 0; c < g->col.count; ++c) {
        if (!has_fill(g, r, c, fill)) continue;
        const double left = x + (double)c * at->cell_w;
        ct_put(b, "%sM%.6g %.6g", runs++ ? "" : "<path d=\"", left, y);
        do ct_put(b, "h%.6g", at->cell_w);
        while (++c < g->col.count && has_fill(g, r, c, fill));
        ct_put(b, "v%.6gH%.6gz", at->cell_h, left);
    }
    if (runs) ct_put(b, "\"/>");
    return runs;
}

/* All cells, one group for each fill and in it a line for each row; fill -1: the cells without one. */
static void put_cells(ct_builder *b, const ct_placement *at, const ct_panel *g, double x, double y,
                      int tip, const char *used)
{
    for (int f = -1; f < CT_FILLS; ++f) {
        ct_builder rows = {0};
        if (f >= 0 && !used[f]) continue;
        for (int64_t r = 0; r < g->row.count; ++r) {
            const double top = y + (double)r * at->cell_h;
            if (!put_runs(&rows, at, g, r, x, top, f)) continue;
            for (int64_t c = 0; c < g->col.count; ++c)
                if (has_fill(g, r, c, f))
                    put_label(&rows, at, g, r, c, x + (double)c * at->cell_w, top, tip);
            ct_put(&rows, "\n");
        }
        b->failed |= rows.failed;
        if (rows.length && f < 0) ct_put(b, "<g class=\"n\">\n");
        else if (rows.length) ct_put(b, "<g class=\"f%d\">\n", f);
        if (rows.length) ct_put_bytes(b, rows.text, rows.length), ct_put(b, "</g>\n");
        ct_builder_free(&rows);
    }
}

/* ---- lines ------------------------------------------------------------------------------------ */

/* The lines of one weight in one direction, runs of cells drawn in one stroke. */
static void put_strokes(ct_builder *b, const ct_placement *at, const ct_panel *g, double x,
                        double y, int weight, int vertical)
{
    const int64_t lines = vertical ? g->col.count : g->row.count;
    const int64_t steps = vertical ? g->row.count : g->col.count;
    for (int64_t i = 0; i <= lines; ++i) {
        int64_t start = -1;
        for (int64_t k = 0; k <= steps; ++k) {
            const int on = k < steps && ct_line_weight(g, vertical ? k : i, vertical ? i : k,
                                                       vertical) == weight;
            if (on && start < 0) start = k;
            if (on || start < 0) continue;
            const double run = (double)(k - start);
            if (vertical)
                ct_put(b, "M%.6g %.6gv%.6g", x + (double)i * at->cell_w,
                       y + (double)start * at->cell_h, run * at->cell_h);
            else
                ct_put(b, "M%.6g %.6gh%.6g", x + (double)start * at->cell_w,
                       y + (double)i * at->cell_h, run * at->cell_w);
            start = -1;
        }
    }
}

static void put_lines(ct_builder *b, const ct_placement *at, const ct_panel *g, double x, double y)
{
    static const double width[CT_LINE_WEIGHTS] = {0.75, 1.25, 2, 2.75, 1.75, 1};
    static const int order[CT_LINE_WEIGHTS] = {0, 5, 1,
                                               2, 3, 4}; /* the strongest above the others */
    for (int i = 0; i < CT_LINE_WEIGHTS; ++i) {
        const int weight = order[i];
        ct_builder path = {0};
        put_strokes(&path, at, g, x, y, weight, 0);
        put_strokes(&path, at, g, x, y, weight, 1);
        b->failed |= path.failed;
        if (path.length)
            ct_put(b,
                   "<path class=\"%s\" stroke-width=\"%g\" stroke-linecap=\"square\" d=\"%s\"/>\n",
                   weight == 0   ? "thin"
                   : weight == 5 ? "soft"
                                 : "rule",
                   width[weight], path.text);
        ct_builder_free(&path);
    }
}

/* ---- headings and text ------------------------------------------------------------------------ */

static void put_text(ct_builder *b, const char *class, double x, double y, const char *text,
                     int length)
{
    ct_put(b, "<text%s%s%s x=\"%.6g\" y=\"%.6g\">", class ? " class=\"" : "", class ? class : "",
           class ? "\"" : "", x, y);
    put_escaped(b, text, length);
    ct_put(b, "</text>\n");
}

static void put_heads(ct_builder *b, const ct_placement *at, const ct_panel *g, double x, double y)
{
    ct_put(b, "<g class=\"h\">\n");
    for (int64_t r = 0; r < g->row.count; ++r) {
        const double centre = y + ((double)r + 0.5) * at->cell_h;
        const char *sub = g->row.sub[r], *head = g->row.head[r];
        if (head) put_text(b, "e", x - 7 - at->row_sub_w, centre + 3.6, head, (int)strlen(head));
        if (sub) put_text(b, "s e", x - 7, centre + 3.6, sub, (int)strlen(sub));
    }
    for (int64_t c = 0; c < g->col.count; ++c) {
        const double middle = x + ((double)c + 0.5) * at->cell_w;
        const char *sub = g->col.sub[c], *head = g->col.head[c];
        if (head) put_text(b, NULL, middle, y - (sub ? 18 : 7), head, (int)strlen(head));
        if (sub) put_text(b, "s", middle, y - 7, sub, (int)strlen(sub));
    }
    if (g->row.name && g->col.name && at->head_h > 0 && at->head_w > 0) {
        ct_builder both = {0};
        ct_put(&both, "%s\\%s", g->row.name, g->col.name);
        b->failed |= both.failed;
        if (!both.failed) put_text(b, "e", x - 7, y - 7, both.text, (int)both.length);
        ct_builder_free(&both);
    }
    ct_put(b, "</g>\n");
}

static void put_paragraph(ct_builder *b, const char *class, double *y, double step, ct_paragraph l)
{
    for (int i = 0; i < l.count; ++i, *y += step)
        put_text(b, class, CT_MARGIN_PX, *y, l.text[i], l.length[i]);
}

static void put_legend(ct_builder *b, const ct_placement *at, const ct_picture *p)
{
    for (int i = 0; i < p->legends; ++i) {
        const double y = at->legend_y + 17 * i;
        const int fill = ct_fill_of(p->legend[i].color);
        if (fill < 0) ct_put(b, "<g class=\"n\">");
        else ct_put(b, "<g class=\"f%d\">", fill);
        ct_put(b, "<rect class=\"thin\" x=\"%.6g\" y=\"%.6g\" width=\"16\" height=\"11\"/></g>\n",
               CT_MARGIN_PX, y - 10);
        put_text(b, "r", CT_MARGIN_PX + 23, y, p->legend[i].text, (int)strlen(p->legend[i].text));
    }
}

void ct_render_svg(ct_builder *out, const ct_picture *p, const ct_draw_options *o)
{
    const ct_placement at = ct_place_picture(p, o);
    const char *title = o->title ? o->title : p->title;
    const uint32_t id = picture_id(p, title);
    char used[CT_FILLS];
    const int64_t cells = ct_picture_fills(p, used);

    ct_put(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"p%08x\" role=\"img\" "
           "aria-labelledby=\"p%08x-t p%08x-d\" viewBox=\"0 0 %.6g %.6g\" width=\"%.6g\" "
           "height=\"%.6g\">\n",
           id, id, id, at.width, at.height, at.width, at.height);
    ct_put(out, "<title id=\"p%08x-t\">", id);
    put_xml(out, title);
    ct_put(out, "</title>\n<desc id=\"p%08x-d\">", id);
    ct_builder words = {0};
    ct_put_words(&words, p);
    out->failed |= words.failed;
    if (words.text) put_xml(out, words.text);
    ct_builder_free(&words);
    ct_put(out, "</desc>\n");
    put_style(out, id, used, o->theme);

    ct_put(out, "<rect class=\"page\" width=\"%.6g\" height=\"%.6g\" rx=\"6\"/>\n", at.width,
           at.height);
    double y = at.title_y;
    put_paragraph(out, "r t", &y, 22, at.title);
    y = at.subtitle_y;
    put_paragraph(out, "r h", &y, 17, at.subtitle);
    for (int k = 0; k < p->grids; ++k) {
        const ct_panel *g = p->grid[k];
        double x, top;
        ct_place_grid(&at, p, k, &x, &top);
        if (g->caption)
            put_text(out, "r c", x, top - at.head_h - 7, g->caption, (int)strlen(g->caption));
        put_cells(out, &at, g, x, top, cells <= TIP_CELLS, used);
        put_lines(out, &at, g, x, top);
        put_heads(out, &at, g, x, top);
    }
    put_legend(out, &at, p);
    y = at.notes_y;
    for (int i = 0; i < p->notes; ++i)
        put_paragraph(out, "r h", &y, 17, ct_break_lines(p->note[i], ct_place_chars(&at)));
    ct_put(out, "</svg>\n");
}
