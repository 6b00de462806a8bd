/* Pictures as TikZ: a complete document, on a page of the picture's size. */
#include <string.h>

#include "palette.h"
#include "placement.h"

/* A pixel of the placement in points. */
#define PT 0.75

static void put_tex(ct_builder *b, const char *text, int length)
{
    static const char special[] = "\\{}_^#&%$~<>|\"";
    static const char *const written[] = {/* characters of the plainest fonts */
                                          "$\\backslash$", "\\{", "\\}", "\\_", "\\^{}",
                                          "\\#",           "\\&", "\\%", "\\$", "$\\sim$",
                                          "$<$",           "$>$", "$|$", "''"};
    for (int i = 0; i < length && text[i]; ++i) {
        const char *at = strchr(special, text[i]);
        if (at) ct_put(b, "%s", written[at - special]);
        else if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) ct_put_bytes(b, " ", 1);
        else ct_put_bytes(b, text + i, 1);
    }
}

/* Text at a place: anchor `base west`, `base` or `base east`; a style from the preamble. */
static void put_node(ct_builder *b, const char *style, double x, double y, const char *text,
                     int length)
{
    ct_put(b, "\\node[%s] at (%.6g,%.6g) {", style, x, y);
    put_tex(b, text, length);
    ct_put(b, "};\n");
}

static void put_fill_name(ct_builder *b, int color)
{
    const int fill = ct_fill_of(color);
    if (fill < 0) ct_put(b, "white");
    else ct_put(b, "f%d", fill);
}

static void put_preamble(ct_builder *b, const ct_placement *at, const char *used)
{
    const ct_page_colors c = ct_page(0);
    ct_put(b,
           "\\documentclass{article}\n"
           "\\usepackage[paperwidth=%.6gpt,paperheight=%.6gpt,margin=0pt]{geometry}\n"
           "\\usepackage{tikz}\n\\pagestyle{empty}\n\\setlength{\\parindent}{0pt}\n"
           "\\setlength{\\topskip}{0pt}\n",
           at->width * PT, at->height * PT);
    ct_put(b,
           "\\definecolor{thin}{HTML}{%06X}\n\\definecolor{rule}{HTML}{%06X}\n"
           "\\definecolor{faint}{HTML}{%06X}\n",
           c.line, c.strong, c.faint);
    for (int f = 0; f < CT_FILLS; ++f)
        if (used[f]) ct_put(b, "\\definecolor{f%d}{HTML}{%06X}\n", f, ct_fill_rgb(f, 0));
    ct_put(b,
           "\\begin{document}\n\\begin{tikzpicture}[x=%gpt,y=-%gpt,inner sep=0pt,outer sep=0pt,\n"
           "  cell/.style={anchor=base,font=\\ttfamily\\fontsize{8}{8}\\selectfont},\n"
           "  sub/.style={anchor=base,font=\\ttfamily\\fontsize{6}{6}\\selectfont},\n"
           "  head/.style={anchor=base,faint,font=\\ttfamily\\fontsize{7}{7}\\selectfont},\n"
           "  words/.style={anchor=base west,faint,font=\\sffamily\\fontsize{8}{8}\\selectfont},\n"
           "  caption/.style={words,black,font=\\sffamily\\bfseries\\fontsize{8}{9}\\selectfont},\n"
           "  title/.style={words,black,font=\\ttfamily\\fontsize{11}{12}\\selectfont}]\n",
           PT, PT);
    ct_put(b, "\\useasboundingbox (0,0) rectangle (%.6g,%.6g);\n", at->width, at->height);
}

static void put_cells(ct_builder *b, const ct_placement *at, const ct_panel *g, double x, double y)
{
    for (int64_t r = 0; r < g->row.count; ++r)
        for (int64_t c = 0; c < g->col.count; ++c) {
            const ct_cell *cell = ct_cell_at(g, r, c);
            const double left = x + (double)c * at->cell_w, top = y + (double)r * at->cell_h;
            const double middle = left + at->cell_w / 2, centre = top + at->cell_h / 2;
            const int fill = ct_fill_of(cell->color);
            const char *ink = fill >= 0 && ct_text_rgb(ct_fill_rgb(fill, 0)) ? ",white" : "";
            char style[32];
            if (cell->color == CT_COLOR_ABSENT) continue;
            ct_put(b, "\\filldraw[draw=thin,line width=0.4pt,fill=");
            put_fill_name(b, cell->color);
            ct_put(b, "] (%.6g,%.6g) rectangle +(%.6g,%.6g);\n", left, top, at->cell_w, at->cell_h);
            snprintf(style, sizeof style, "cell%s", ink);
            if (cell->label)
                put_node(b, style, middle, centre + (cell->sub ? -1.0 : 4.0), cell->label,
                         (int)strlen(cell->label));
            snprintf(style, sizeof style, "sub%s", ink);
            if (cell->sub)
                put_node(b, style, middle, centre + 10.5, cell->sub, (int)strlen(cell->sub));
        }
}

static void put_line(ct_builder *b, double width, double x, double y, double right, double down)
{
    ct_put(b, "\\draw[rule,line width=%gpt,line cap=rect] (%.6g,%.6g) -- +(%.6g,%.6g);\n", width, x,
           y, right, down);
}

/* The rules between groups, the edges of boxes, and the edge of the grid. */
static void put_rules(ct_builder *b, const ct_placement *at, const ct_panel *g, double x, double y)
{
    static const double width[CT_LINE_WEIGHTS] = {0, 0.9, 1.4, 1.9, 0.9, 0.5};
    for (int64_t r = 0; r < g->row.count; ++r)
        for (int64_t c = 0; c < g->col.count; ++c)
            for (int vertical = 0; vertical < 2; ++vertical) {
                const int weight = ct_line_weight(g, r, c, vertical);
                if (weight > 0)
                    put_line(b, width[weight], x + (double)c * at->cell_w,
                             y + (double)r * at->cell_h, vertical ? 0 : at->cell_w,
                             vertical ? at->cell_h : 0);
            }
    for (int64_t c = 0; c < g->col.count; ++c) {
        const int weight = ct_line_weight(g, g->row.count, c, 0);
        if (weight > 0)
            put_line(b, width[weight], x + (double)c * at->cell_w,
                     y + (double)g->row.count * at->cell_h, at->cell_w, 0);
    }
    for (int64_t r = 0; r < g->row.count; ++r) {
        const int weight = ct_line_weight(g, r, g->col.count, 1);
        if (weight > 0)
            put_line(b, width[weight], x + (double)g->col.count * at->cell_w,
                     y + (double)r * at->cell_h, 0, at->cell_h);
    }
}

static void put_heads(ct_builder *b, const ct_placement *at, const ct_panel *g, double x, double y)
{
    for (int64_t r = 0; r < g->row.count; ++r) {
        const double centre = y + ((double)r + 0.5) * at->cell_h;
        const char *head = g->row.head[r], *sub = g->row.sub[r];
        if (head)
            put_node(b, "head,anchor=base east", x - 7 - at->row_sub_w, centre + 3.6, head,
                     (int)strlen(head));
        if (sub)
            put_node(b, "sub,faint,anchor=base east", x - 7, centre + 3.6, sub, (int)strlen(sub));
    }
    for (int64_t c = 0; c < g->col.count; ++c) {
        const double middle = x + ((double)c + 0.5) * at->cell_w;
        const char *head = g->col.head[c], *sub = g->col.sub[c];
        if (head) put_node(b, "head", middle, y - (sub ? 18 : 7), head, (int)strlen(head));
        if (sub) put_node(b, "sub,faint", middle, y - 7, sub, (int)strlen(sub));
    }
    if (g->row.name && g->col.name && at->head_h > 0 && at->head_w > 0) {
        char both[64];
        snprintf(both, sizeof both, "%.30s\\%.30s", g->row.name, g->col.name);
        put_node(b, "head,anchor=base east", x - 7, y - 7, both, (int)strlen(both));
    }
}

static void put_paragraph(ct_builder *b, const char *style, double *y, double step, ct_paragraph l)
{
    for (int i = 0; i < l.count; ++i, *y += step)
        put_node(b, style, CT_MARGIN_PX, *y, l.text[i], l.length[i]);
}

void ct_render_tex(ct_builder *out, const ct_picture *p, const ct_draw_options *o)
{
    const ct_placement at = ct_place_picture(p, o);
    char used[CT_FILLS];
    ct_picture_fills(p, used);
    put_preamble(out, &at, used);
    double y = at.title_y;
    put_paragraph(out, "title", &y, 22, at.title);
    y = at.subtitle_y;
    put_paragraph(out, "words", &y, 17, at.subtitle);
    for (int k = 0; k < p->grids; ++k) {
        const ct_panel *g = p->grid[k];
        double x, top;
        ct_place_grid(&at, p, k, &x, &top);
        if (g->caption)
            put_node(out, "caption", x, top - at.head_h - 7, g->caption, (int)strlen(g->caption));
        put_cells(out, &at, g, x, top);
        put_rules(out, &at, g, x, top);
        put_heads(out, &at, g, x, top);
    }
    for (int i = 0; i < p->legends; ++i) {
        y = at.legend_y + 17 * i;
        ct_put(out, "\\filldraw[draw=thin,line width=0.4pt,fill=");
        put_fill_name(out, p->legend[i].color);
        ct_put(out, "] (%.6g,%.6g) rectangle +(16,11);\n", CT_MARGIN_PX, y - 10);
        put_node(out, "words", CT_MARGIN_PX + 23, y, p->legend[i].text,
                 (int)strlen(p->legend[i].text));
    }
    y = at.notes_y;
    for (int i = 0; i < p->notes; ++i)
        put_paragraph(out, "words", &y, 17, ct_break_lines(p->note[i], ct_place_chars(&at)));
    ct_put(out, "\\end{tikzpicture}\n\\end{document}\n");
}
