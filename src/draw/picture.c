/* Pictures: made from grids of cells. */
#include "picture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The most cells that the picture's words list one by one. */
#define WORDS_CELLS 128

ct_draw_options ct_draw_defaults(const ct_draw_options *options)
{
    ct_draw_options o;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    if (o.max_cells <= 0) o.max_cells = CT_DRAW_CELLS;
    if (o.max_cells > CT_DRAW_CELLS_MAX) o.max_cells = CT_DRAW_CELLS_MAX;
    return o;
}

/* A copy of text for p. NULL stays NULL; p notes when memory runs out. */
static char *keep(ct_picture *p, const char *text)
{
    if (!text) return NULL;
    const size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy) memcpy(copy, text, bytes);
    else p->failed = 1;
    return copy;
}

/* Replaces *place by a copy of text. */
static void set(ct_picture *p, char **place, const char *text)
{
    free(*place);
    *place = keep(p, text);
}

/* One more item in an array that holds `count` of `bytes` each; NULL when memory runs out. */
static void *grow(ct_picture *p, void *array, int32_t count, size_t bytes)
{
    void *larger = realloc(array, ((size_t)count + 1) * bytes);
    if (!larger) p->failed = 1;
    return larger;
}

ct_picture *ct_picture_new(const char *title, const char *subtitle)
{
    ct_picture *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->title = keep(p, title ? title : "");
    p->subtitle = keep(p, subtitle);
    return p;
}

static void axis_free(ct_axis *a)
{
    for (int64_t i = 0; i < a->count; ++i) {
        if (a->head) free(a->head[i]);
        if (a->sub) free(a->sub[i]);
    }
    free(a->name);
    free(a->head);
    free(a->sub);
    free(a->rule);
}

static void grid_free(ct_panel *g)
{
    if (!g) return;
    for (int64_t i = 0; g->cell && i < g->row.count * g->col.count; ++i) {
        free(g->cell[i].label);
        free(g->cell[i].sub);
    }
    axis_free(&g->row);
    axis_free(&g->col);
    free(g->caption);
    free(g->cell);
    free(g);
}

void ct_picture_free(ct_picture *p)
{
    if (!p) return;
    for (int32_t i = 0; i < p->grids; ++i) grid_free(p->grid[i]);
    for (int32_t i = 0; i < p->legends; ++i) free(p->legend[i].text);
    for (int32_t i = 0; i < p->notes; ++i) free(p->note[i]);
    free(p->title);
    free(p->subtitle);
    free(p->grid);
    free(p->legend);
    free(p->note);
    free(p);
}

void ct_picture_note(ct_picture *p, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    char **larger = grow(p, p->note, p->notes, sizeof *larger);
    if (!larger) return;
    p->note = larger;
    p->note[p->notes] = keep(p, line);
    if (p->note[p->notes]) ++p->notes;
}

void ct_picture_legend(ct_picture *p, int color, const char *text)
{
    ct_legend *larger = grow(p, p->legend, p->legends, sizeof *larger);
    if (!larger) return;
    p->legend = larger;
    p->legend[p->legends].color = color;
    p->legend[p->legends].text = keep(p, text ? text : "");
    if (p->legend[p->legends].text) ++p->legends;
}

void ct_picture_across(ct_picture *p, int grids) { p->across = grids; }

void ct_picture_dense(ct_picture *p, int dense) { p->dense = dense != 0; }

static int axis_new(ct_axis *a, int64_t count)
{
    a->count = count;
    a->head = calloc((size_t)count, sizeof *a->head);
    a->sub = calloc((size_t)count, sizeof *a->sub);
    a->rule = calloc((size_t)count, sizeof *a->rule);
    return a->head && a->sub && a->rule;
}

ct_panel *ct_picture_panel(ct_picture *p, int64_t rows, int64_t cols, const char *caption)
{
    if (rows < 1 || cols < 1 || rows > CT_DRAW_CELLS_MAX || cols > CT_DRAW_CELLS_MAX / rows) {
        p->failed = 1;
        return NULL;
    }
    ct_panel **larger = grow(p, p->grid, p->grids, sizeof *larger);
    if (!larger) return NULL;
    p->grid = larger;
    ct_panel *g = calloc(1, sizeof *g);
    const int made = g && axis_new(&g->row, rows) && axis_new(&g->col, cols);
    if (made) g->cell = calloc((size_t)(rows * cols), sizeof *g->cell);
    if (!made || !g->cell) {
        grid_free(g);
        p->failed = 1;
        return NULL;
    }
    for (int64_t i = 0; i < rows * cols; ++i) {
        g->cell[i].color = CT_COLOR_NONE;
        g->cell[i].box = -1;
    }
    g->picture = p;
    g->caption = keep(p, caption);
    p->grid[p->grids++] = g;
    return g;
}

void ct_panel_axes(ct_panel *g, const char *row, const char *col)
{
    if (!g) return;
    set(g->picture, &g->row.name, row);
    set(g->picture, &g->col.name, col);
}

static void set_head(ct_picture *p, ct_axis *a, int64_t at, const char *head, const char *sub)
{
    if (at < 0 || at >= a->count) return;
    set(p, &a->head[at], head);
    set(p, &a->sub[at], sub);
}

void ct_panel_row_head(ct_panel *g, int64_t row, const char *head, const char *sub)
{
    if (g) set_head(g->picture, &g->row, row, head, sub);
}

void ct_panel_col_head(ct_panel *g, int64_t col, const char *head, const char *sub)
{
    if (g) set_head(g->picture, &g->col, col, head, sub);
}

static void set_rule(ct_axis *a, int64_t at, int weight)
{
    if (at > 0 && at < a->count && weight >= 0) a->rule[at] = (uint8_t)(weight > 3 ? 3 : weight);
}

void ct_panel_row_rule(ct_panel *g, int64_t row, int weight)
{
    if (g) set_rule(&g->row, row, weight);
}

void ct_panel_col_rule(ct_panel *g, int64_t col, int weight)
{
    if (g) set_rule(&g->col, col, weight);
}

void ct_panel_cell(ct_panel *g, int64_t row, int64_t col, const char *label, const char *sub,
                   int color, int64_t box)
{
    if (!g || row < 0 || col < 0 || row >= g->row.count || col >= g->col.count) return;
    ct_cell *c = &g->cell[row * g->col.count + col];
    set(g->picture, &c->label, label);
    set(g->picture, &c->sub, sub);
    c->color = color;
    c->box = box;
}

int ct_panel_has_sub(const ct_panel *g)
{
    for (int64_t i = 0; i < g->row.count * g->col.count; ++i)
        if (g->cell[i].sub) return 1;
    return 0;
}

int ct_axis_has_sub(const ct_axis *a)
{
    for (int64_t i = 0; i < a->count; ++i)
        if (a->sub[i]) return 1;
    return 0;
}

int ct_axis_has_head(const ct_axis *a)
{
    for (int64_t i = 0; i < a->count; ++i)
        if (a->head[i]) return 1;
    return 0;
}

void ct_put_words(ct_builder *b, const ct_picture *p)
{
    int64_t cells = 0;
    for (int32_t i = 0; i < p->grids; ++i) cells += p->grid[i]->row.count * p->grid[i]->col.count;
    if (p->subtitle) ct_put(b, "%s ", p->subtitle);
    for (int32_t i = 0; i < p->grids; ++i) {
        const ct_panel *g = p->grid[i];
        if (g->caption) ct_put(b, "%s: ", g->caption);
        ct_put(b, "%lld row%s, %lld column%s. ", (long long)g->row.count,
               g->row.count == 1 ? "" : "s", (long long)g->col.count, g->col.count == 1 ? "" : "s");
        for (int64_t r = 0; cells <= WORDS_CELLS && r < g->row.count; ++r) {
            if (g->row.head[r]) ct_put(b, "Row %s:", g->row.head[r]);
            else ct_put(b, "Row:");
            for (int64_t c = 0; c < g->col.count; ++c) {
                const ct_cell *cell = ct_cell_at(g, r, c);
                if (cell->label) ct_put(b, " %s", cell->label);
                if (cell->sub) ct_put(b, " %s", cell->sub);
                if (cell->label && c + 1 < g->col.count) ct_put(b, ",");
            }
            ct_put(b, ". ");
        }
    }
    for (int32_t i = 0; i < p->notes; ++i) ct_put(b, "%s ", p->note[i]);
}
