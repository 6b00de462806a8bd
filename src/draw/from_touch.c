/* Who touches what: the elements of a matrix that an instruction moves, and their sectors. */
#include <stdlib.h>

#include "base/refuse.h"
#include <cutlet/host/text.h>
#include "from_access.h"
#include "excerpt.h"

/* A matrix with the sectors of its elements. */
typedef struct memory {
    const ct_touch *touch;
    int64_t rows, cols, sector_bytes;
    int64_t *used;                   /* the sectors that are touched, ascending */
    int64_t sectors, elems, threads; /* how many of each are touched */
} memory;

static int64_t sector_of(const memory *m, int64_t row, int64_t col)
{
    const int64_t bytes =
        m->touch->first_byte + ct_eval2(m->touch->matrix, row, col) * m->touch->elem_bytes;
    return bytes / m->sector_bytes - (bytes % m->sector_bytes < 0);
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int is_used(const memory *m, int64_t sector)
{
    return bsearch(&sector, m->used, (size_t)m->sectors, sizeof sector, by_number) != NULL;
}

/* Lists the sectors that the instruction touches. */
static ct_status find_sectors(memory *m)
{
    int64_t count = 0, last = -1;
    m->used = malloc((size_t)(m->rows * m->cols) * sizeof *m->used);
    if (!m->used) return CT_E_MEMORY;
    for (int64_t c = 0; c < m->cols; ++c)
        for (int64_t r = 0; r < m->rows; ++r) {
            const int32_t thread = m->touch->thread[r + m->rows * c];
            if (thread < 0) continue;
            m->used[m->elems++] = sector_of(m, r, c);
            if (thread > last) last = thread;
        }
    qsort(m->used, (size_t)m->elems, sizeof *m->used, by_number);
    for (int64_t i = 0; i < m->elems; ++i)
        if (i == 0 || m->used[i] != m->used[i - 1]) m->used[count++] = m->used[i];
    m->sectors = count;
    m->threads = last + 1;
    return 0;
}

/* Fills the grid; across = 1 when the rows of the matrix run to the right. */
static void fill_memory(ct_panel *g, const memory *m, int across, int64_t rows, int64_t cols)
{
    char label[32];
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < cols; ++c) {
            const int64_t i = across ? r : c, j = across ? c : r;
            const int32_t thread = m->touch->thread[i + m->rows * j];
            const int64_t sector = sector_of(m, i, j);
            snprintf(label, sizeof label, "%d", thread);
            const int moved = is_used(m, sector);
            ct_panel_cell(g, r, c, thread >= 0 ? label : NULL, NULL,
                          thread >= 0 ? thread
                          : moved     ? CT_COLOR_MUTED
                                      : CT_COLOR_NONE,
                          sector);
        }
    for (int64_t r = 0; r < rows; ++r) {
        snprintf(label, sizeof label, "%lld", (long long)r);
        ct_panel_row_head(g, r, label, NULL);
    }
    for (int64_t c = 0; c < cols; ++c) {
        snprintf(label, sizeof label, "%lld", (long long)c);
        ct_panel_col_head(g, c, label, NULL);
    }
    ct_panel_axes(g, across ? "m" : "n", across ? "n" : "m");
}

static ct_status check_touch(const ct_touch *touch, char *message)
{
    if (touch->matrix.err.status) return ct_refuse_error(message, touch->matrix.err);
    if (ct_layout_rank(touch->matrix) != 2 || !ct_is_integral(touch->matrix))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the matrix is a layout of two modes with integer strides");
    if (touch->elem_bytes < 1 || touch->sector_bytes < 0)
        return ct_refuse(message, CT_E_ARGUMENT, "elements of %d bytes, sectors of %d",
                         touch->elem_bytes, touch->sector_bytes);
    return 0;
}

ct_picture *ct_picture_touch(const ct_touch *touch, const ct_draw_options *options,
                             char message[CT_MESSAGE_BYTES])
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_excerpt v;
    char words[256];
    if (check_touch(touch, message)) return NULL;
    memory m = {touch,
                ct_size(ct_mode(touch->matrix, 0)),
                ct_size(ct_mode(touch->matrix, 1)),
                touch->sector_bytes ? touch->sector_bytes : 32,
                NULL,
                0,
                0,
                0};
    const int64_t down = m.rows > 1 ? ct_abs(ct_eval2(touch->matrix, 1, 0)) : INT64_MAX;
    const int64_t right = m.cols > 1 ? ct_abs(ct_eval2(touch->matrix, 0, 1)) : INT64_MAX;
    const int across = right <= down;
    const ct_tuple shape = across ? ct_tuple2(m.rows, m.cols) : ct_tuple2(m.cols, m.rows);
    if (ct_excerpt_make(&v, shape, &o, message)) return NULL;
    if (find_sectors(&m)) return ct_no_memory(NULL, message);
    snprintf(words, sizeof words,
             "%lld element%s of %d bytes in %lld sector%s of %lld bytes: %lld of %lld bytes used.",
             (long long)m.elems, m.elems == 1 ? "" : "s", touch->elem_bytes, (long long)m.sectors,
             m.sectors == 1 ? "" : "s", (long long)m.sector_bytes,
             (long long)(m.elems * touch->elem_bytes), (long long)(m.sectors * m.sector_bytes));
    ct_picture *p = ct_picture_new(touch->title ? touch->title : "Who touches what", words);
    ct_panel *g = p ? ct_picture_panel(p, v.show_rows, v.show_cols, NULL) : NULL;
    if (g) fill_memory(g, &m, across, v.show_rows, v.show_cols);
    free(m.used);
    if (!g) return ct_no_memory(p, message);
    ct_picture_legend(p, 0, "the thread that touches the element");
    ct_picture_legend(p, CT_COLOR_MUTED, "moved with its sector, not used by this instruction");
    ct_picture_legend(p, CT_COLOR_NONE, "not touched");
    ct_picture_note(p, "Memory runs to the right; outlines are sectors of %lld bytes.",
                    (long long)m.sector_bytes);
    ct_excerpt_note(p, &v, &o);
    return p;
}
