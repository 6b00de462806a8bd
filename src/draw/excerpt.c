/* The placement of the coordinates of a shape in a picture. */
#include "excerpt.h"

#include <string.h>

#include "base/refuse.h"
#include <cutlet/algebra/coord.h>
#include <cutlet/host/text.h>

/* A single mode longer than this is broken into rows. */
#define ROW_CELLS 32

/* The size of mode k; 1 where the shape has no such mode. */
static int64_t mode_size(ct_tuple shape, int k)
{
    return k < ct_rank(shape) ? ct_product(ct_get(shape, k)) : 1;
}

/* The longest run of full leaves of at most ROW_CELLS, so that rows end where groups end. */
static int64_t row_cells(ct_tuple shape, int64_t size)
{
    int64_t run = 1, best = ROW_CELLS;
    if (size <= ROW_CELLS) return size;
    for (int i = 0; i < shape.profile.leaves; ++i) {
        if (shape.value[i] > ROW_CELLS / run) break;
        run *= shape.value[i];
        if (run >= ROW_CELLS / 4) best = run;
    }
    return best;
}

static void shrink(ct_excerpt *v, int64_t limit)
{
    int64_t side = 1;
    if (v->wrapped && v->cols <= limit) {
        v->show_rows = limit / v->cols;
        return;
    }
    while ((side + 1) * (side + 1) <= limit) ++side;
    v->show_rows = ct_min(v->rows, side);
    v->show_cols = ct_min(v->cols, limit / v->show_rows);
    v->show_rows = ct_min(v->rows, limit / v->show_cols);
    v->show_grids = ct_min(v->grids, limit / (v->show_rows * v->show_cols));
}

ct_status ct_excerpt_make(ct_excerpt *v, ct_tuple shape, const ct_draw_options *o, char *message)
{
    memset(v, 0, sizeof *v);
    v->shape = shape;
    v->size = ct_product(shape);
    if (v->size < 1) return ct_refuse(message, CT_E_ARGUMENT, "there is nothing to draw");
    v->wrapped = ct_rank(shape) < 2;
    v->grids = 1;
    if (v->wrapped) {
        v->cols = row_cells(shape, v->size);
        v->rows = ct_ceil_div_int(v->size, v->cols);
    } else {
        v->rows = mode_size(shape, 0);
        v->cols = mode_size(shape, 1);
        v->grids = v->size / v->rows / v->cols;
    }
    v->show_rows = v->rows;
    v->show_cols = v->cols;
    v->show_grids = v->grids;
    if (v->size <= o->max_cells) return 0;
    if (!o->truncate)
        return ct_refuse(message, CT_E_CAPACITY,
                         "%lld cells are more than the limit of %lld; truncate draws a part, "
                         "max_cells raises the limit",
                         (long long)v->size, (long long)o->max_cells);
    shrink(v, o->max_cells);
    return 0;
}

int64_t ct_excerpt_index(const ct_excerpt *v, int64_t grid, int64_t row, int64_t col)
{
    if (!v->wrapped) return row + v->rows * (col + v->cols * grid);
    const int64_t index = row * v->cols + col;
    return index < v->size ? index : -1;
}

int ct_excerpt_find(const ct_excerpt *v, int64_t index, int64_t *grid, int64_t *row, int64_t *col)
{
    if (v->wrapped) {
        *grid = 0;
        *row = index / v->cols;
        *col = index % v->cols;
    } else {
        *row = index % v->rows;
        *col = index / v->rows % v->cols;
        *grid = index / v->rows / v->cols;
    }
    return *row < v->show_rows && *col < v->show_cols && *grid < v->show_grids;
}

/* How many groups begin at position i of a mode: its leaves but the last, whose steps end there. */
static int group_weight(ct_tuple mode, int64_t i)
{
    int64_t run = 1;
    int weight = 0;
    for (int k = 0; k + 1 < mode.profile.leaves; ++k) {
        run *= mode.value[k];
        if (mode.value[k] > 1 && i % run == 0) ++weight;
    }
    return weight;
}

/* The headings and rules along one mode. */
static void head_mode(ct_panel *g, ct_tuple mode, int64_t count, int along_cols)
{
    char index[32], coord[CT_TEXT_BYTES];
    for (int64_t i = 0; i < count; ++i) {
        const int nested = mode.profile.leaves > 1;
        snprintf(index, sizeof index, "%lld", (long long)i);
        if (nested) ct_format_tuple(coord, sizeof coord, ct_idx2crd(i, mode));
        const int weight = nested && i > 0 ? group_weight(mode, i) : 0;
        if (along_cols) {
            ct_panel_col_head(g, i, index, nested ? coord : NULL);
            ct_panel_col_rule(g, i, weight);
        } else {
            ct_panel_row_head(g, i, index, nested ? coord : NULL);
            ct_panel_row_rule(g, i, weight);
        }
    }
}

/* Rows of a single mode: the index that each begins with, and the step within it. */
static void head_wrapped(ct_panel *g, const ct_excerpt *v)
{
    char index[32];
    const ct_tuple mode = ct_get(v->shape, 0);
    for (int64_t c = 0; c < v->show_cols; ++c) {
        snprintf(index, sizeof index, "%s%lld", v->rows > 1 ? "+" : "", (long long)c);
        ct_panel_col_head(g, c, index, NULL);
        ct_panel_col_rule(g, c, c > 0 && v->shape.profile.leaves > 1 ? group_weight(mode, c) : 0);
    }
    for (int64_t r = 0; v->rows > 1 && r < v->show_rows; ++r) {
        snprintf(index, sizeof index, "%lld", (long long)(r * v->cols));
        ct_panel_row_head(g, r, index, NULL);
    }
}

/* `(_,_,2)`: which coordinates of the further modes a grid belongs to. */
static void name_grid(char *text, size_t size, const ct_excerpt *v, int64_t grid)
{
    ct_tuple slice = ct_append(ct_append(ct_tuple0(), ct_any()), ct_any());
    for (int k = 2; k < ct_rank(v->shape); ++k) {
        const ct_tuple mode = ct_get(v->shape, k);
        const int64_t n = ct_product(mode);
        slice = ct_append(slice, ct_idx2crd(grid % n, mode));
        grid /= n;
    }
    ct_format_tuple(text, size, slice);
}

ct_panel *ct_excerpt_grid(ct_picture *p, const ct_excerpt *v, int64_t k, const char *caption)
{
    char name[CT_TEXT_BYTES + 64];
    name[0] = 0;
    if (caption) snprintf(name, 64, "%s%s", caption, v->grids > 1 ? " " : "");
    if (ct_rank(v->shape) > 2) name_grid(name + strlen(name), CT_TEXT_BYTES, v, k);
    ct_panel *g = ct_picture_panel(p, v->show_rows, v->show_cols, name[0] ? name : NULL);
    if (!g) return NULL;
    if (v->wrapped) {
        head_wrapped(g, v);
    } else {
        head_mode(g, ct_get(v->shape, 0), v->show_rows, 0);
        head_mode(g, ct_get(v->shape, 1), v->show_cols, 1);
    }
    return g;
}

int32_t ct_excerpt_period(const ct_excerpt *v)
{
    const int several = ct_rank(v->shape) > 3 && v->show_grids == v->grids;
    return several ? (int32_t)mode_size(v->shape, 2) : 0;
}

ct_status ct_excerpt_grids(ct_picture *p, const ct_excerpt *v)
{
    p->period = ct_excerpt_period(v);
    for (int64_t k = 0; k < v->show_grids; ++k)
        if (!ct_excerpt_grid(p, v, k, NULL)) return CT_E_MEMORY;
    return 0;
}

void ct_excerpt_note(ct_picture *p, const ct_excerpt *v, const ct_draw_options *o)
{
    if (v->grids > 1)
        ct_picture_note(p,
                        "Each grid is a slice: mode 0 runs down, mode 1 to the right, the further "
                        "modes stand above.");
    if (v->show_rows == v->rows && v->show_cols == v->cols && v->show_grids == v->grids) return;
    if (v->wrapped)
        ct_picture_note(p, "Only the first %lld of %lld cells are drawn; the limit is %lld.",
                        (long long)(v->show_rows * v->show_cols), (long long)v->size,
                        (long long)o->max_cells);
    else if (v->grids == 1)
        ct_picture_note(p,
                        "Only the first %lld of %lld rows and %lld of %lld columns are drawn; the "
                        "limit is %lld cells.",
                        (long long)v->show_rows, (long long)v->rows, (long long)v->show_cols,
                        (long long)v->cols, (long long)o->max_cells);
    else
        ct_picture_note(p,
                        "Only the first %lld of %lld rows, %lld of %lld columns and %lld of %lld "
                        "grids are drawn; the limit is %lld cells.",
                        (long long)v->show_rows, (long long)v->rows, (long long)v->show_cols,
                        (long long)v->cols, (long long)v->show_grids, (long long)v->grids,
                        (long long)o->max_cells);
}
