/* Who sends how many bytes to whom. */
#include "exchange.h"

#include <stdio.h>

#include "base/units.h"

/* A number of bytes in few characters: exact, or in the largest unit below it. */
static void put_bytes(char text[24], int64_t bytes)
{
    static const char *const unit[] = {"", " K", " M", " G", " T", " P"};
    double value = (double)bytes;
    int k = 0;
    for (; value >= 10000 && k < 5; ++k) value /= 1024;
    snprintf(text, 24, k ? "%.4g%s" : "%.0f%s", value, unit[k]);
}

/* What a rank keeps and what it sends: a row of the grid. */
static ct_status draw_rank(ct_panel *grid, const ct_redistribute_desc *desc, int64_t rank,
                           char message[CT_MESSAGE_BYTES])
{
    ct_redistribute *plan;
    const ct_transfer *list;
    const ct_status bad = ct_redistribute_create(desc, rank, &plan, message);
    if (bad) return bad;
    const int32_t count = ct_redistribute_transfers(plan, &list);
    for (int32_t t = 0; t < count; ++t) {
        char bytes[24], round[24];
        if (list[t].from != rank) continue;
        put_bytes(bytes, list[t].bytes);
        snprintf(round, sizeof round, "r%lld", (long long)list[t].round);
        const int stays = list[t].to == rank;
        ct_panel_cell(grid, rank, list[t].to, bytes, stays ? "stays" : round,
                      stays ? CT_COLOR_MUTED : (int)(list[t].round % CT_DRAW_THREADS), -1);
    }
    ct_redistribute_destroy(plan);
    return CT_OK;
}

ct_picture *ct_draw_exchange(const ct_redistribute_desc *desc, const ct_redistribute_info *all,
                             char message[CT_MESSAGE_BYTES])
{
    char text[160];
    if (all->ranks > CT_EXCHANGE_RANKS) {
        snprintf(message, CT_MESSAGE_BYTES, "%lld ranks; up to %d are drawn", (long long)all->ranks,
                 CT_EXCHANGE_RANKS);
        return NULL;
    }
    snprintf(text, sizeof text, "%lld rank%s %lld byte%s, in %lld message%s and %lld round%s.",
             (long long)all->ranks, all->ranks == 1 ? " sends" : "s send",
             (long long)all->all_bytes, ct_plural(all->all_bytes), (long long)all->all_messages,
             ct_plural(all->all_messages), (long long)all->rounds, ct_plural(all->rounds));
    ct_picture *const p = ct_picture_new("Redistribution", text);
    ct_panel *const grid = p ? ct_picture_panel(p, all->ranks, all->ranks, NULL) : NULL;
    ct_status bad = grid ? CT_OK : CT_E_MEMORY;
    if (bad) snprintf(message, CT_MESSAGE_BYTES, "not enough memory");
    ct_panel_axes(grid, "from", "to");
    for (int64_t r = 0; r < all->ranks && !bad; ++r) {
        snprintf(text, sizeof text, "%lld", (long long)r);
        ct_panel_row_head(grid, r, text, NULL);
        ct_panel_col_head(grid, r, text, NULL);
        bad = draw_rank(grid, desc, r, message);
    }
    if (!bad) {
        ct_picture_note(p,
                        "A cell: the bytes that the rank of the row sends to that of the column, "
                        "and the round. A colour is a round; it repeats after %d.",
                        CT_DRAW_THREADS);
        return p;
    }
    if (p) ct_picture_free(p);
    return NULL;
}
