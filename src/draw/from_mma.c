/* Pictures of matrix instructions: which thread holds which element of A, B and C. */
#include <cutlet/host/text.h>
#include <cutlet/mma/mma_partition.h>
#include "from_access.h"
#include "from_copy.h"

static void words_of(char *words, size_t size, int64_t threads, int sparse)
{
    snprintf(words, size,
             "%lld thread%s (T): the thread and value (V) that hold each %selement of A (%s), "
             "B (n,k) and C (m,n).",
             (long long)threads, threads == 1 ? "" : "s", sparse ? "stored " : "",
             sparse ? "m,k/2" : "m,k");
}

/* A, B, C and perhaps E, side by side: a panel of each tile with its threads. */
enum { OPERANDS = 4 };
static ct_picture *picture_of_operands(ct_picture *p, const ct_layout tv[], const ct_tuple tile[],
                                       int count, const ct_draw_options *o, char *message)
{
    static const char *const captions[] = {"A", "B", "C", "E"};
    static const char *const rows[] = {"m", "n", "m", "m"}, *const cols[] = {"k", "k", "n", "bit"};
    ct_excerpt view[OPERANDS];
    for (int k = 0; k < count && p; ++k) {
        if (!ct_excerpt_make(&view[k], tile[k], o, message) &&
            !ct_check_tv(tv[k], tile[k], message)) {
            if (!ct_excerpt_grid(p, &view[k], 0, captions[k])) return ct_no_memory(p, message);
            if (!ct_fill_tile(p, tv[k], &view[k], k, count, captions[k], message)) {
                ct_panel_axes(p->grid[k], rows[k], cols[k]);
                continue;
            }
        }
        ct_picture_free(p);
        return NULL;
    }
    if (!p) return ct_no_memory(p, message);
    ct_picture_across(p, count);
    ct_explain_colors(p, ct_size(ct_mode(tv[2], 0)));
    for (int k = 0; k < count; ++k) ct_excerpt_note(p, &view[k], o);
    return p;
}

ct_picture *ct_picture_mma_atom(ct_mma_atom atom, const ct_draw_options *options,
                                char message[CT_MESSAGE_BYTES])
{
    const ct_draw_options o = ct_draw_defaults(options);
    const ct_mma_op op = atom.op;
    const ct_layout tv[OPERANDS] = {atom.a_tv, atom.b_tv, atom.c_tv, ct_mma_tv(atom, CT_MMA_E)};
    const ct_tuple tile[OPERANDS] = {ct_tuple2(op.m, ct_mma_a_columns(op)), ct_tuple2(op.n, op.k),
                                     ct_tuple2(op.m, op.n), ct_tuple2(op.m, ct_mma_row_bits(op))};
    char name[CT_TEXT_BYTES], words[160];
    ct_format_mma_atom(name, sizeof name, atom);
    words_of(words, sizeof words, ct_size(atom.thr_id), op.sparse);
    return picture_of_operands(ct_picture_new(name, words), tv, tile, op.sparse ? 4 : 3, &o,
                               message);
}

ct_picture *ct_picture_tiled_mma(ct_tiled_mma mma, const ct_draw_options *options,
                                 char message[CT_MESSAGE_BYTES])
{
    const ct_draw_options o = ct_draw_defaults(options);
    ct_layout tv[3];
    ct_tuple tile[3];
    char name[CT_TEXT_BYTES], words[160];
    for (int k = 0; k < 3; ++k) {
        tv[k] = ct_tiled_mma_tv(mma, k);
        tile[k] = ct_tiled_mma_tile(mma, k);
    }
    ct_format_tiled_mma(name, sizeof name, mma);
    words_of(words, sizeof words, ct_tiled_mma_threads(mma), mma.atom.op.sparse);
    return picture_of_operands(ct_picture_new(name, words), tv, tile, 3, &o, message);
}
