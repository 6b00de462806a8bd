/**
 * @internal What a skewed tile (copy_skew.h) copies element by element: the ends of its lines, or
 * all of it if elements are misaligned.
 */
#ifndef CUTLET_DEVICE_SKEW_ENDS_H
#define CUTLET_DEVICE_SKEW_ENDS_H

#include "load_store.h"
#include "skew_tile.h"

/** The address of an element of the source: element i of a line. */
CT_DEVICE const unsigned char *ct_skew_from(const ct_skew *K, const ct_skew_tile *t,
                                            const int32_t line, const int32_t i)
{
    return t->src + (K->turned ? i : line) * t->row_step + (K->turned ? line : i) * K->elem_bytes;
}

/** Copies a piece of a line at byte `byte`: a word of elements, or one that is larger. The loads are
 *  all in flight before the first store. */
CT_DEVICE void ct_skew_piece(const ct_skew *K, const ct_skew_tile *t, const ct_line_part *part,
                             const int32_t line, const int32_t byte)
{
    const int e = K->elem_bytes, n = e < 4 ? 4 / e : 1;
    unsigned char *const to = t->dst + line * t->line_step + byte;
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    int all = 1, has[4] = {0, 0, 0, 0};
    CT_UNROLL for (int j = 0; j < 4; ++j) if (j < n) {
        has[j] = line < t->left_lines && ct_part_has(part, byte + j * e);
        all = all && has[j];
        ct_load_global_if(has[j], (unsigned char *)x + j * e,
                          ct_skew_from(K, t, line, byte / e + j), 8 * e);
    }
    ct_store_global_if(all, to, x, 8 * n * e);
    CT_UNROLL for (int j = 0; j < 4; ++j)
        if (n > 1 && j < n)
            ct_store_global_if(has[j] && !all, to + j * e, (const unsigned char *)x + j * e, 8 * e);
}

/** Copies the elements of the lines before and after the tile's vectors, if lines begin or end in
 *  the tile. */
CT_DEVICE void ct_skew_ends(const ct_skew *K, const ct_skew_tile *t)
{
    const int e = K->elem_bytes, bytes = e < 4 ? 4 : e, n = CT_VECTOR_BYTES / bytes;
    const int32_t span = K->tile[K->along] * e, most = span + CT_SECTOR_BYTES;
    const int32_t left = t->left_along < most / e ? t->left_along * e : most;
    const int32_t slots = left < most ? ct_end_slots(bytes) : ct_head_slots(bytes);
    CT_ROLL for (int32_t slot = t->first ? 0 : ct_head_slots(bytes); slot < slots; slot += n)
        CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < K->tile[1 - K->along] * n;
                     i += K->threads) {
            const int32_t line = i / n, by = (int32_t)ct_skew_by(t, line);
            const ct_line_part part = {by, left < by + span ? left : by + span, t->first ? 0 : by};
            ct_skew_piece(K, t, &part, line, ct_end_piece(&part, slot + i % n, bytes));
        }
}

/** Copies the whole tile if its elements are misaligned, by accesses of `unit` bytes. */
CT_DEVICE void ct_skew_units(const ct_skew *K, const ct_skew_tile *t, const int32_t unit)
{
    const int32_t along = K->tile[K->along], all = K->tile[0] * K->tile[1];
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += K->threads) {
        const int32_t line = i / along, at = i % along;
        const int on = line < t->left_lines && at < t->left_along;
        const unsigned char *const from = ct_skew_from(K, t, line, at);
        unsigned char *const to = t->dst + line * t->line_step + at * K->elem_bytes;
        CT_ROLL for (int k = 0; k < K->elem_bytes; k += unit) {
            CT_FRAGMENT(uint32_t, x, 2) = {0, 0};
            CT_UNROLL for (int u = 1; u <= 8; u *= 2)
                if (u < K->elem_bytes) ct_load_global_if(on && u == unit, x, from + k, 8 * u);
            CT_UNROLL for (int u = 1; u <= 8; u *= 2)
                if (u < K->elem_bytes) ct_store_global_if(on && u == unit, to + k, x, 8 * u);
        }
    }
}

#endif
