/* Pictures as text, with colours where the terminal has them. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "palette.h"
#include "picture.h"

typedef struct screen {
    ct_builder *out;
    int format, dark;
    int32_t columns; /* 0: as wide as it needs */
} screen;

/* ---- colours ---------------------------------------------------------------------------------- */

/* The nearest of the 216 colours of the cube, its number and what it looks like. */
static int cube_color(uint32_t rgb, uint32_t *seen)
{
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    int number = 16;
    *seen = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int want = (int)(rgb >> shift & 255);
        int best = 0;
        for (int i = 1; i < 6; ++i)
            if (abs(level[i] - want) < abs(level[best] - want)) best = i;
        number += best * (shift == 16 ? 36 : shift == 8 ? 6 : 1);
        *seen |= (uint32_t)level[best] << shift;
    }
    return number;
}

/* Text in the colours of a cell. */
static void put_colored(const screen *s, int color, const char *text)
{
    const int fill = ct_fill_of(color);
    if (fill < 0 || s->format == CT_DRAW_PLAIN) {
        ct_put(s->out, "%s", text);
        return;
    }
    const uint32_t rgb = ct_fill_rgb(fill, s->dark);
    if (s->format == CT_DRAW_ANSI24) {
        const uint32_t ink = ct_text_rgb(rgb) & 255;
        ct_put(s->out, "\x1b[48;2;%u;%u;%um\x1b[38;2;%u;%u;%um%s\x1b[0m", rgb >> 16 & 255,
               rgb >> 8 & 255, rgb & 255, ink, ink, ink, text);
    } else {
        uint32_t seen;
        const int number = cube_color(rgb, &seen);
        ct_put(s->out, "\x1b[48;5;%dm\x1b[38;5;%dm%s\x1b[0m", number, ct_text_rgb(seen) ? 231 : 16,
               text);
    }
}

static void put_styled(const screen *s, const char *style, const char *text)
{
    if (s->format == CT_DRAW_PLAIN) ct_put(s->out, "%s", text);
    else ct_put(s->out, "\x1b[%sm%s\x1b[0m", style, text);
}

/* ---- cells ------------------------------------------------------------------------------------ */

/* The text of a cell. A cell that has a colour and no label is a dot, for those without colours. */
static void cell_text(char *text, size_t size, const ct_cell *c)
{
    if (c->color == CT_COLOR_ABSENT) text[0] = 0;
    else if (!c->label && !c->sub) snprintf(text, size, "%s", c->color == CT_COLOR_NONE ? "" : ".");
    else
        snprintf(text, size, "%s%s%s", c->label ? c->label : "", c->label && c->sub ? " " : "",
                 c->sub ? c->sub : "");
}

/* The widest text of a column's cells and headings: one width for all columns of a grid. */
static int cell_width(const ct_panel *g)
{
    char text[1024];
    int width = 1;
    for (int64_t i = 0; i < g->row.count * g->col.count; ++i) {
        cell_text(text, sizeof text, &g->cell[i]);
        if (ct_text_width(text) > width) width = ct_text_width(text);
    }
    for (int64_t c = 0; c < g->col.count; ++c) {
        const int head = ct_text_width(g->col.head[c]), sub = ct_text_width(g->col.sub[c]);
        if (head > width) width = head;
        if (sub > width) width = sub;
    }
    return width;
}

static void head_text(char *text, size_t size, const ct_axis *a, int64_t i)
{
    snprintf(text, size, "%s%s%s", a->head[i] ? a->head[i] : "", a->sub[i] ? " " : "",
             a->sub[i] ? a->sub[i] : "");
}

/* Text with spaces before it up to the width. */
static void put_right(ct_builder *b, const char *text, int width)
{
    ct_put_repeat(b, ' ', width - ct_text_width(text));
    ct_put(b, "%s", text);
}

/* Whether a bar is left of the cell. */
static int bar_at(const ct_panel *g, int64_t r, int64_t c)
{
    if (c == 0) return 0;
    return g->col.rule[c] || ct_box_edge(ct_cell_at(g, r, c - 1), ct_cell_at(g, r, c));
}

/* Whether any row has a bar left of the column: then all rows leave a place for it. */
static int bar_in(const ct_panel *g, int64_t c)
{
    for (int64_t r = 0; r < g->row.count; ++r)
        if (bar_at(g, r, c)) return 1;
    return 0;
}

static int all_edges_above(const ct_panel *g, int64_t r)
{
    for (int64_t c = 0; c < g->col.count; ++c)
        if (!ct_box_edge(ct_cell_at(g, r - 1, c), ct_cell_at(g, r, c))) return 0;
    return 1;
}

/* Whether a line of dashes is above the row. Boxes that end at every row need none. */
static int dashes_above(const ct_panel *g, int64_t r)
{
    if (r == 0) return 0;
    if (g->row.rule[r]) return 1;
    if (!all_edges_above(g, r)) return 0;
    for (int64_t i = 1; i < g->row.count; ++i)
        if (!all_edges_above(g, i)) return 1;
    return 0;
}

/* ---- grids ------------------------------------------------------------------------------------ */

/* One line of headings above the columns [first, last). */
static void put_col_heads(const screen *s, const ct_panel *g, int64_t first, int64_t last,
                          int head_width, int width, int sub)
{
    ct_builder line = {0};
    char corner[64];
    snprintf(corner, sizeof corner, "%.30s\\%.30s", g->row.name ? g->row.name : "",
             g->col.name ? g->col.name : "");
    put_right(&line, !sub && g->row.name && g->col.name ? corner : "", head_width);
    ct_put_repeat(&line, ' ', head_width > 0);
    for (int64_t c = first; c < last; ++c) {
        const char *text = sub ? g->col.sub[c] : g->col.head[c];
        ct_put_repeat(&line, ' ', 1 + (c > first && bar_in(g, c)));
        put_right(&line, text ? text : "", width);
        ct_put_bytes(&line, " ", 1);
    }
    while (line.length && line.text[line.length - 1] == ' ') line.text[--line.length] = 0;
    s->out->failed |= line.failed;
    if (line.text) put_styled(s, "2", line.text);
    ct_put(s->out, "\n");
    ct_builder_free(&line);
}

static void put_dashes(const screen *s, const ct_panel *g, int64_t first, int64_t last,
                       int head_width, int width)
{
    ct_put_repeat(s->out, ' ', head_width + (head_width > 0));
    for (int64_t c = first; c < last; ++c) {
        if (c > first && bar_in(g, c)) ct_put(s->out, "+");
        ct_put_repeat(s->out, '-', width + 2);
    }
    ct_put(s->out, "\n");
}

static void put_row(const screen *s, const ct_panel *g, int64_t r, int64_t first, int64_t last,
                    int head_width, int width)
{
    char text[1024];
    head_text(text, sizeof text, &g->row, r);
    ct_builder head = {0};
    put_right(&head, text, head_width);
    s->out->failed |= head.failed;
    if (head.text) put_styled(s, "2", head.text);
    ct_builder_free(&head);
    if (head_width > 0) ct_put(s->out, " ");
    for (int64_t c = first; c < last; ++c) {
        const ct_cell *cell = ct_cell_at(g, r, c);
        ct_builder padded = {0};
        if (c > first && bar_in(g, c)) ct_put(s->out, bar_at(g, r, c) ? "|" : " ");
        cell_text(text, sizeof text, cell);
        ct_put(&padded, " ");
        put_right(&padded, text, width);
        ct_put(&padded, " ");
        s->out->failed |= padded.failed;
        if (padded.text) put_colored(s, cell->color, padded.text);
        ct_builder_free(&padded);
    }
    if (s->format == CT_DRAW_PLAIN) /* no spaces at the end of a line */
        while (s->out->length && s->out->text[s->out->length - 1] == ' ')
            s->out->text[--s->out->length] = 0;
    ct_put(s->out, "\n");
}

static void put_grid(const screen *s, const ct_panel *g)
{
    char text[1024];
    const int width = cell_width(g);
    int head_width = 0;
    if (g->row.name && g->col.name)
        head_width = ct_text_width(g->row.name) + ct_text_width(g->col.name) + 1;
    for (int64_t r = 0; r < g->row.count; ++r) {
        head_text(text, sizeof text, &g->row, r);
        if (ct_text_width(text) > head_width) head_width = ct_text_width(text);
    }
    if (head_width > 0) head_width += 1;
    int64_t step = g->col.count;
    if (s->columns > 0) step = ct_max(1, (s->columns - head_width) / (width + 3));
    if (step > g->col.count) step = g->col.count;
    if (g->caption) {
        put_styled(s, "1", g->caption);
        ct_put(s->out, "\n");
    }
    for (int64_t first = 0; first < g->col.count; first += step) {
        const int64_t last = ct_min(first + step, g->col.count);
        if (first > 0) ct_put(s->out, "\n");
        if (ct_axis_has_head(&g->col)) put_col_heads(s, g, first, last, head_width, width, 0);
        if (ct_axis_has_sub(&g->col)) put_col_heads(s, g, first, last, head_width, width, 1);
        for (int64_t r = 0; r < g->row.count; ++r) {
            if (dashes_above(g, r)) put_dashes(s, g, first, last, head_width, width);
            put_row(s, g, r, first, last, head_width, width);
        }
    }
    ct_put(s->out, "\n");
}

static const char *swatch(int color)
{
    return color >= 0 ? " 0 " : color == CT_COLOR_NONE ? "   " : " . ";
}

void ct_render_text(ct_builder *out, const ct_picture *p, int format, const ct_draw_options *o)
{
    const screen s = {out, format, o->theme == CT_THEME_DARK, o->text_columns};
    const char *title = o->title ? o->title : p->title;
    if (*title) {
        put_styled(&s, "1", title);
        ct_put(out, "\n");
    }
    if (p->subtitle) ct_put(out, "%s\n", p->subtitle);
    ct_put(out, "\n");
    for (int k = 0; k < p->grids; ++k) put_grid(&s, p->grid[k]);
    for (int i = 0; i < p->legends; ++i) {
        put_colored(&s, p->legend[i].color, swatch(p->legend[i].color));
        ct_put(out, " %s\n", p->legend[i].text);
    }
    for (int i = 0; i < p->notes; ++i) ct_put(out, "%s\n", p->note[i]);
}
