/* The placement of everything in a picture. */
#include "placement.h"
#include "base/utf8.h"

#include <string.h>

/* Widths of a character, as parts of the size: fixed-width and running text. */
#define MONO 0.61
#define SANS 0.54
#define BOLD 0.60

/* The gap between labels of adjacent dense cells: more than a blank of theirs. */
#define BLANK_PX 8.0

#define LINE_PX 17.0
#define TITLE_LINE_PX 22.0
#define GAP_PX 30.0
#define WIDE_PX 1180.0

static double larger(double a, double b) { return a > b ? a : b; }

/* The widest heading, and the widest second one. */
static double head_width(const ct_axis *a)
{
    double width = 0;
    for (int64_t i = 0; i < a->count; ++i)
        width = larger(width, ct_text_width(a->head[i]) * CT_HEAD_PX * MONO);
    return width;
}

static double sub_width(const ct_axis *a)
{
    double width = 0;
    for (int64_t i = 0; i < a->count; ++i)
        width = larger(width, ct_text_width(a->sub[i]) * CT_SUB_PX * MONO);
    return width;
}

/* The names of the axes, in the corner between the headings. */
static double corner_width(const ct_panel *g)
{
    if (!g->row.name || !g->col.name) return 0;
    return (ct_text_width(g->row.name) + 1 + ct_text_width(g->col.name)) * CT_HEAD_PX * MONO;
}

/* One size of cells for all grids, so that they compare by eye. */
static void place_cells(ct_placement *at, const ct_picture *p)
{
    double text = 0, corner = 0;
    int sub = 0, col_sub = 0, row_head = 0, col_head = 0;
    for (int k = 0; k < p->grids; ++k) {
        const ct_panel *g = p->grid[k];
        for (int64_t i = 0; i < g->row.count * g->col.count; ++i) {
            text = larger(text, ct_text_width(g->cell[i].label) * CT_LABEL_PX * MONO);
            text = larger(text, ct_text_width(g->cell[i].sub) * CT_SUB_PX * MONO);
        }
        sub |= ct_panel_has_sub(g);
        col_sub |= ct_axis_has_sub(&g->col);
        row_head |= ct_axis_has_head(&g->row);
        col_head |= ct_axis_has_head(&g->col);
        at->row_sub_w = larger(at->row_sub_w, sub_width(&g->row));
        at->head_w = larger(at->head_w, head_width(&g->row) + 12);
        corner = larger(corner, corner_width(g));
        if (g->caption) at->caption_h = 24;
    }
    at->cell_w = at->cell_h = 14;
    if (text > 0) {
        double heads = 0;
        for (int k = 0; k < p->grids; ++k) {
            heads = larger(heads, head_width(&p->grid[k]->col));
            heads = larger(heads, sub_width(&p->grid[k]->col));
        }
        at->cell_w = p->dense ? larger(20, larger(text, heads) + BLANK_PX)
                              : larger(30, larger(text, heads) + 10);
        at->cell_h = (sub ? 33 : 27) - (!p->dense ? 0 : sub ? 3 : 8);
    }
    if (!row_head) at->head_w = 0;
    else if (at->head_w < 26) at->head_w = 26;
    if (at->row_sub_w > 0) {
        at->row_sub_w += 6;
        at->head_w += at->row_sub_w;
    }
    if (row_head && col_head) at->head_w = larger(at->head_w, corner + 2);
    at->head_h = col_head ? (col_sub ? 32 : 19) : 0;
}

static double grid_width(const ct_placement *at, const ct_panel *g)
{
    double width = at->head_w + at->cell_w * (double)g->col.count;
    if (g->caption)
        width = larger(width, at->head_w + ct_text_width(g->caption) * CT_TEXT_PX * BOLD);
    return width;
}

static double grid_height(const ct_placement *at, const ct_panel *g)
{
    return at->caption_h + at->head_h + at->cell_h * (double)g->row.count;
}

/* The widest grid of a column of grids, the highest of a row of them. */
static double column_width(const ct_placement *at, const ct_picture *p, int column)
{
    double width = 0;
    for (int k = column; k < p->grids; k += at->across)
        width = larger(width, grid_width(at, p->grid[k]));
    return width;
}

static double row_height(const ct_placement *at, const ct_picture *p, int row)
{
    double height = 0;
    for (int k = row * at->across; k < p->grids && k < (row + 1) * at->across; ++k)
        height = larger(height, grid_height(at, p->grid[k]));
    return height;
}

static double total_width(const ct_placement *at, const ct_picture *p)
{
    double width = 0;
    for (int c = 0; c < at->across && c < p->grids; ++c)
        width += column_width(at, p, c) + (c ? GAP_PX : 0);
    return width;
}

static double total_height(const ct_placement *at, const ct_picture *p)
{
    double height = 0;
    const int rows = (p->grids + at->across - 1) / at->across;
    for (int r = 0; r < rows; ++r) height += row_height(at, p, r) + (r ? GAP_PX * 0.7 : 0);
    return height;
}

static int fits(ct_placement *at, const ct_picture *p, int across)
{
    at->across = across;
    return total_width(at, p) <= WIDE_PX;
}

/* Rows that end with the grids of a period, or with a part of it that is not much shorter than the
 * preferred length. At least, rows hold full pairs. */
static void place_period(ct_placement *at, const ct_picture *p)
{
    const int found = at->across, pair = p->pair > 1 ? p->pair : 1;
    const int period = p->period > pair ? p->period : pair;
    if (period > 1 && fits(at, p, found < period ? period : found - found % period)) return;
    for (int n = found; 2 * n >= found; --n) {
        at->across = n;
        if (period % n == 0 && n % pair == 0) return;
    }
    at->across = found - found % pair;
    if (at->across == 0 && !fits(at, p, pair)) at->across = 1;
}

/* As many grids side by side as make the picture about as wide as high, or a little wider. */
static void place_across(ct_placement *at, const ct_picture *p)
{
    if (p->across > 0) {
        at->across = p->across;
        return;
    }
    for (at->across = 1; at->across < p->grids; ++at->across) {
        if (total_width(at, p) >= 1.3 * total_height(at, p)) break;
        ++at->across;
        const int too_wide = total_width(at, p) > WIDE_PX;
        --at->across;
        if (too_wide) break;
    }
    if (p->period > 1 || p->pair > 1) {
        place_period(at, p);
        return;
    }
    /* no row of grids that is nearly empty: 3 + 1 becomes 2 + 2 */
    const int rows = (p->grids + at->across - 1) / at->across;
    at->across = (p->grids + rows - 1) / rows;
}

ct_paragraph ct_break_lines(const char *text, int chars)
{
    ct_paragraph l;
    memset(&l, 0, sizeof l);
    if (!text) return l;
    if (chars < 8) chars = 8;
    while (*text && l.count < CT_LINES_MAX) {
        int bytes = 0, width = 0, space = 0, comma = 0;
        while (text[bytes] && width <= chars) {
            if (text[bytes] == ' ') space = bytes;
            if (text[bytes] == ',' && width < chars) comma = bytes + 1;
            ++bytes;
            while (((unsigned char)text[bytes] & 0xc0) == 0x80) ++bytes;
            ++width;
        }
        if (width > chars) bytes = space > 0 ? space : comma > 0 ? comma : bytes - 1;
        while (bytes > 0 && ((unsigned char)text[bytes] & 0xc0) == 0x80) --bytes;
        l.text[l.count] = text;
        l.length[l.count++] = bytes;
        text += bytes;
        while (*text == ' ') ++text;
    }
    return l;
}

int ct_place_chars(const ct_placement *at)
{
    return (int)((at->width - 2 * CT_MARGIN_PX) / (CT_TEXT_PX * SANS));
}

ct_placement ct_place_picture(const ct_picture *p, const ct_draw_options *o)
{
    ct_placement at;
    memset(&at, 0, sizeof at);
    const char *title = o->title ? o->title : p->title;
    place_cells(&at, p);
    place_across(&at, p);
    double width = total_width(&at, p);
    double wish = ct_text_width(title) * CT_TITLE_PX * BOLD;
    const double words = ct_text_width(p->subtitle) * CT_TEXT_PX * SANS;
    wish = larger(wish, words < 420 ? words : 420);
    for (int i = 0; i < p->legends; ++i)
        wish = larger(wish, 24 + ct_text_width(p->legend[i].text) * CT_TEXT_PX * SANS);
    width = larger(width, wish < 560 ? wish : 560);
    at.width = width + 2 * CT_MARGIN_PX;

    at.title = ct_break_lines(title, (int)(width / (CT_TITLE_PX * BOLD)));
    at.subtitle = ct_break_lines(p->subtitle, ct_place_chars(&at));
    at.title_y = CT_MARGIN_PX + CT_TITLE_PX - 2;
    at.subtitle_y = at.title_y + TITLE_LINE_PX * at.title.count - 2;
    double y = at.subtitle_y + LINE_PX * at.subtitle.count - 4;
    y += total_height(&at, p) + 26;
    at.legend_y = y;
    y += LINE_PX * p->legends + (p->legends ? 3 : 0);
    at.notes_y = y;
    for (int i = 0; i < p->notes; ++i)
        y += LINE_PX * ct_break_lines(p->note[i], ct_place_chars(&at)).count;
    at.height = p->legends || p->notes ? y - 4 : y - 10;
    return at;
}

void ct_place_grid(const ct_placement *at, const ct_picture *p, int k, double *x, double *y)
{
    const int column = k % at->across, row = k / at->across;
    *x = CT_MARGIN_PX + at->head_w;
    *y = at->subtitle_y + LINE_PX * at->subtitle.count - 4 + at->caption_h + at->head_h;
    for (int c = 0; c < column; ++c) *x += column_width(at, p, c) + GAP_PX;
    for (int r = 0; r < row; ++r) *y += row_height(at, p, r) + GAP_PX * 0.7;
}

int ct_line_weight(const ct_panel *g, int64_t r, int64_t c, int vertical)
{
    static const ct_cell nothing = {NULL, NULL, CT_COLOR_ABSENT, -1};
    const int inside = r < g->row.count && c < g->col.count;
    const int64_t r0 = vertical ? r : r - 1, c0 = vertical ? c - 1 : c;
    const ct_cell *here = inside ? ct_cell_at(g, r, c) : &nothing;
    const ct_cell *there = r0 >= 0 && c0 >= 0 ? ct_cell_at(g, r0, c0) : &nothing;
    if (here->color == CT_COLOR_ABSENT && there->color == CT_COLOR_ABSENT) return -1;
    if (ct_box_edge(here, there))
        return here->color == CT_COLOR_NONE && there->color == CT_COLOR_NONE ? 5 : 4;
    if (here->color == CT_COLOR_ABSENT || there->color == CT_COLOR_ABSENT) return 1;
    return vertical ? g->col.rule[c] : g->row.rule[r];
}

int64_t ct_picture_fills(const ct_picture *p, char used[CT_FILLS])
{
    int64_t cells = 0;
    memset(used, 0, CT_FILLS);
    for (int k = 0; k < p->grids; ++k) {
        const ct_panel *g = p->grid[k];
        cells += g->row.count * g->col.count;
        for (int64_t i = 0; i < g->row.count * g->col.count; ++i)
            if (ct_fill_of(g->cell[i].color) >= 0) used[ct_fill_of(g->cell[i].color)] = 1;
    }
    for (int i = 0; i < p->legends; ++i)
        if (ct_fill_of(p->legend[i].color) >= 0) used[ct_fill_of(p->legend[i].color)] = 1;
    return cells;
}
