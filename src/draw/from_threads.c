/* What each thread holds: a row for each thread, a column for each of its values. */
#include <string.h>

#include "base/refuse.h"
#include <cutlet/algebra/coord.h>
#include <cutlet/host/text.h>
#include "from_access.h"

/* The most threads and values that are drawn: a warp, and the values that fit next to it. */
#define VALUES_SHOWN 32

/* The element that a thread's value is, as a coordinate of the tile. */
static ct_tuple element(ct_layout tv, ct_tuple tile, int64_t thread, int64_t value)
{
    return ct_is_integral(tv) ? ct_idx2crd(ct_eval2(tv, thread, value), tile)
                              : ct_at(tv, ct_tuple2(thread, value));
}

static void fill(ct_panel *g, ct_layout tv, ct_tuple tile, int64_t first, int64_t per_access)
{
    char text[CT_TEXT_BYTES];
    ct_panel_axes(g, "thread", "value");
    for (int64_t v = 0; v < g->col.count; ++v) {
        snprintf(text, sizeof text, "V%lld", (long long)v);
        ct_panel_col_head(g, v, text, NULL);
    }
    for (int64_t t = 0; t < g->row.count; ++t) {
        snprintf(text, sizeof text, "T%lld", (long long)(first + t));
        ct_panel_row_head(g, t, text, NULL);
        for (int64_t v = 0; v < g->col.count; ++v) {
            const int64_t access = v / per_access + g->col.count * t;
            ct_format_tuple(text, sizeof text, element(tv, tile, first + t, v));
            ct_panel_cell(g, t, v, text, NULL, (int)((first + t) % CT_DRAW_THREADS), access);
        }
    }
}

ct_picture *ct_picture_threads(ct_layout tv, ct_tuple tile, int64_t first, int64_t per_access,
                               const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    char words[160];
    ct_draw_options o = ct_draw_defaults(options);
    const ct_draw_options one = {.max_cells = 1, .truncate = 1};
    /* whether all values are in the tile */
    ct_picture *const whole = ct_picture_tv(tv, tile, &one, message);
    if (!whole) return NULL;
    ct_picture_free(whole);
    const int64_t threads = ct_size(ct_mode(tv, 0)), values = ct_size(ct_mode(tv, 1));
    if (first < 0 || first >= threads || per_access < 1) {
        ct_refuse(message, CT_E_ARGUMENT, "thread %lld of %lld threads, %lld values an access",
                  (long long)first, (long long)threads, (long long)per_access);
        return NULL;
    }
    const int64_t rows = ct_min(CT_LANES, threads - first);
    const int64_t cols = ct_min(ct_min(VALUES_SHOWN, values), ct_max(1, o.max_cells / rows));
    snprintf(words, sizeof words,
             "Threads %lld to %lld of %lld: the element of the tile that each value is.",
             (long long)first, (long long)(first + rows - 1), (long long)threads);
    ct_picture *p = ct_picture_new("Threads", words);
    ct_panel *g = p ? ct_picture_panel(p, rows, cols, NULL) : NULL;
    if (!g) return ct_no_memory(p, message);
    ct_picture_dense(p, 1);
    fill(g, tv, tile, first, per_access);
    if (per_access > 1)
        ct_picture_note(p, "Outlines are accesses of %lld values of a thread.",
                        (long long)per_access);
    if (cols < values)
        ct_picture_note(p, "The first %lld of %lld values are drawn.", (long long)cols,
                        (long long)values);
    return p;
}
