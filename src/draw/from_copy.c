/* Pictures of copies: which thread holds which element of a tile. */
#include <stdlib.h>

#include "base/refuse.h"
#include <cutlet/algebra/coord.h>
#include <cutlet/copy/thread_values.h>
#include <cutlet/host/text.h>
#include "from_access.h"
#include "from_copy.h"

/* The most (thread, value) pairs that are drawn, and the most elements of their tile. */
#define PAIRS_MAX ((int64_t)1 << 20)
#define TILE_MAX ((int64_t)1 << 24)

/* Who holds one element: the first thread and value, and how many pairs hold it at all. */
typedef struct holder {
    int32_t thread, value, count;
} holder;

/* The index of a thread's value in the tile; -1 and one line if it is outside. */
static int64_t tile_index(ct_layout tv, ct_tuple tile, int64_t thread, int64_t value, char *message)
{
    char where[CT_TEXT_BYTES];
    const int64_t size = ct_product(tile);
    ct_tuple at = ct_int(0);
    if (ct_is_integral(tv)) {
        at.value[0] = ct_eval2(tv, thread, value);
        if (at.value[0] >= 0 && at.value[0] < size) return at.value[0];
    } else {
        at = ct_at(tv, ct_tuple2(thread, value));
        const ct_tuple index = ct_crd2idx(at, tile);
        if (!index.err.status) return index.value[0];
    }
    ct_format_tuple(where, sizeof where, at);
    ct_refuse(message, CT_E_DOMAIN,
              "value %lld of thread %lld is element %.80s, outside the tile of %lld elements",
              (long long)value, (long long)thread, where, (long long)size);
    return -1;
}

/* Follows every pair of the thread-value layout to the element that it holds. */
static ct_status find_holders(ct_layout tv, ct_tuple tile, holder *of, char *message)
{
    const int64_t threads = ct_size(ct_mode(tv, 0)), values = ct_size(ct_mode(tv, 1));
    for (int64_t v = 0; v < values; ++v)
        for (int64_t t = 0; t < threads; ++t) {
            const int64_t index = tile_index(tv, tile, t, v, message);
            if (index < 0) return CT_E_DOMAIN;
            if (of[index].count++ == 0) {
                of[index].thread = (int32_t)t;
                of[index].value = (int32_t)v;
            }
        }
    return 0;
}

ct_status ct_check_tv(ct_layout tv, ct_tuple tile, char *message)
{
    const ct_error e = tv.err.status ? tv.err : tile.err;
    if (e.status) return ct_refuse_error(message, e);
    if (ct_layout_rank(tv) != 2)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a thread-value layout has two modes, (thread, value); this one has %d",
                         ct_layout_rank(tv));
    if (ct_product(tile) > TILE_MAX)
        return ct_refuse(message, CT_E_CAPACITY,
                         "a tile of %lld elements; at most %lld are followed",
                         (long long)ct_product(tile), (long long)TILE_MAX);
    if (ct_size(tv) > PAIRS_MAX)
        return ct_refuse(message, CT_E_CAPACITY,
                         "%lld pairs of thread and value; at most %lld are followed",
                         (long long)ct_size(tv), (long long)PAIRS_MAX);
    return 0;
}

ct_status ct_fill_tile(ct_picture *p, ct_layout tv, const ct_excerpt *v, int first, int step,
                       const char *caption, char *message)
{
    int64_t missing = 0, twice = 0;
    char label[32], sub[48];
    holder *of = calloc((size_t)v->size, sizeof *of);
    if (!of) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    const ct_status bad = find_holders(tv, v->shape, of, message);
    if (bad) {
        free(of);
        return bad;
    }
    for (int64_t i = 0; i < v->size; ++i) {
        int64_t k, r, c;
        missing += of[i].count == 0;
        twice += of[i].count > 1;
        if (!ct_excerpt_find(v, i, &k, &r, &c)) continue;
        snprintf(label, sizeof label, "T%d", of[i].thread);
        snprintf(sub, sizeof sub, of[i].count > 1 ? "V%d +%d" : "V%d", of[i].value,
                 of[i].count - 1);
        ct_panel *g = p->grid[first + step * k];
        if (of[i].count) ct_panel_cell(g, r, c, label, sub, of[i].thread, of[i].thread);
    }
    if (v->wrapped) /* beyond the end of the last row there is no cell */
        for (int64_t c = v->size - (v->rows - 1) * v->cols; c < v->cols; ++c)
            ct_panel_cell(p->grid[first], v->rows - 1, c, NULL, NULL, CT_COLOR_ABSENT, -1);
    free(of);
    for (int k = first; k < p->grids && !v->wrapped; k += step) ct_panel_axes(p->grid[k], "m", "n");
    if (missing)
        ct_picture_note(p, "%s%sNo thread holds %lld of the %lld elements.", caption ? caption : "",
                        caption ? ": " : "", (long long)missing, (long long)v->size);
    if (twice)
        ct_picture_note(p, "%s%s%lld elements are held more than once (+ how many more).",
                        caption ? caption : "", caption ? ": " : "", (long long)twice);
    return 0;
}

void ct_explain_colors(ct_picture *p, int64_t threads)
{
    if (threads > CT_DRAW_THREADS)
        ct_picture_note(p, "Colours repeat every %d threads, so each warp shows the same ones.",
                        CT_DRAW_THREADS);
}

ct_picture *ct_picture_tv(ct_layout tv, ct_tuple tile, const ct_draw_options *options,
                          char message[CT_MESSAGE_BYTES])
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_excerpt v;
    char name[CT_TEXT_BYTES], shape[CT_TEXT_BYTES], words[2 * CT_TEXT_BYTES + 128];
    if (ct_check_tv(tv, tile, message) || ct_excerpt_make(&v, tile, &o, message)) return NULL;
    const int64_t threads = ct_size(ct_mode(tv, 0)), values = ct_size(ct_mode(tv, 1));
    ct_format_layout(name, sizeof name, tv);
    ct_format_tuple(shape, sizeof shape, tile);
    snprintf(words, sizeof words,
             "%lld thread%s (T), %lld value%s each (V), over a tile of shape %s.",
             (long long)threads, threads == 1 ? "" : "s", (long long)values, values == 1 ? "" : "s",
             shape);
    ct_picture *p = ct_picture_new(name, words);
    if (!p) return ct_no_memory(p, message);
    if (ct_excerpt_grids(p, &v)) return ct_no_memory(p, message);
    if (ct_fill_tile(p, tv, &v, 0, 1, NULL, message)) {
        ct_picture_free(p);
        return NULL;
    }
    ct_explain_colors(p, threads);
    ct_excerpt_note(p, &v, &o);
    return p;
}

ct_picture *ct_picture_copy(ct_layout src_tv, ct_layout dst_tv, ct_tuple tile,
                            const ct_draw_options *options, char message[CT_MESSAGE_BYTES])
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_excerpt v;
    char shape[CT_TEXT_BYTES], words[CT_TEXT_BYTES + 128];
    if (ct_check_tv(src_tv, tile, message) || ct_check_tv(dst_tv, tile, message) ||
        ct_excerpt_make(&v, tile, &o, message))
        return NULL;
    const int64_t threads = ct_size(ct_mode(src_tv, 0)), values = ct_size(ct_mode(src_tv, 1));
    ct_format_tuple(shape, sizeof shape, tile);
    snprintf(words, sizeof words,
             "%lld threads (T) of %lld values (V) each move a tile of shape %s: the reads of the "
             "source, the writes of the destination.",
             (long long)threads, (long long)values, shape);
    ct_picture *p = ct_picture_new("Tiled copy", words);
    if (!p) return ct_no_memory(p, message);
    for (int64_t k = 0; k < v.show_grids; ++k) /* each slice of source and destination */
        if (!ct_excerpt_grid(p, &v, k, "source") || !ct_excerpt_grid(p, &v, k, "destination"))
            return ct_no_memory(p, message);
    if (ct_fill_tile(p, src_tv, &v, 0, 2, "source", message) ||
        ct_fill_tile(p, dst_tv, &v, 1, 2, "destination", message)) {
        ct_picture_free(p);
        return NULL;
    }
    p->pair = 2;
    p->period = 2 * ct_excerpt_period(&v);
    ct_explain_colors(p, threads);
    ct_excerpt_note(p, &v, &o);
    return p;
}

ct_picture *ct_picture_tiled_copy(ct_tiled_copy copy, const ct_draw_options *options,
                                  char message[CT_MESSAGE_BYTES])
{
    return ct_picture_copy(ct_tiled_copy_tv(copy, copy.atom.src_tv),
                           ct_tiled_copy_tv(copy, copy.atom.dst_tv), ct_tiled_copy_shape(copy),
                           options, message);
}
