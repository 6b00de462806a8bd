/**
 * @internal What a sector-aligned tile (copy_sectors.h) copies element by element: the ends of its lines, or
 * all of it if elements are misaligned.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_SECTOR_ENDS_H
#define CUTLET_DEVICE_UNALIGNED_SECTOR_ENDS_H

#include <cutlet/device/element/move.h>
#include <cutlet/device/unaligned/sector_tile.h>

/** The address in the source of the element at a byte of a line. */
CT_DEVICE const unsigned char *ct_sector_from(const ct_sector_copy *K, const ct_sector_tile *t,
                                              const int32_t line, const int32_t byte)
{
    const int e = K->elem_bytes;
    if (K->transposed) return t->src + byte / e * t->row_step + line * e;
    return t->src + line * t->row_step + byte;
}

/** Copies `bytes` bytes of a line from byte `byte` on, by accesses of `unit` bytes. Both addresses
 *  are multiples of unit. */
CT_DEVICE void ct_sector_elements(const ct_sector_copy *K, const ct_sector_tile *t, const int on,
                                  const int32_t line, const int32_t byte, const int bytes,
                                  const int32_t unit)
{
    const int e = K->elem_bytes, most = e < 4 && !K->transposed ? 4 : e;
    const unsigned char *const from = ct_sector_from(K, t, line, byte);
    unsigned char *const to = t->dst + line * t->line_step + byte;
    CT_ROLL for (int k = 0; k < bytes; k += unit)
        ct_move_if(on, to + k, CT_SPACE_GLOBAL, from + k, unit, most);
}

/** Copies a word of a line of a turned tile: its elements are in as many rows. All loads are in
 *  flight before the store. */
CT_DEVICE void ct_sector_word_out(const ct_sector_copy *K, const ct_sector_tile *t,
                                  const ct_line_part *part, const int32_t line, const int32_t byte)
{
    const int e = K->elem_bytes, n = 4 / e;
    unsigned char *const to = t->dst + line * t->line_step + byte;
    CT_FRAGMENT(uint32_t, x, 1) = {0};
    int all = 1, has[4] = {0, 0, 0, 0};
    CT_UNROLL for (int j = 0; j < 4; ++j) if (j < n)
    {
        has[j] = line < t->left_lines && ct_part_has(part, byte + j * e);
        all = all && has[j];
        ct_load_global_if(has[j], (unsigned char *)x + j * e,
                          ct_sector_from(K, t, line, byte + j * e), 8 * e);
    }
    ct_store_global_if(all, to, x, 32);
    CT_UNROLL for (int j = 0; j < 4; ++j) if (j < n)
        ct_store_global_if(has[j] && !all, to + j * e, (const unsigned char *)x + j * e, 8 * e);
}

/** Copies the elements of the lines before and after the tile's vectors: those of less than 4 bytes
 *  by words, as far as addresses and lines allow. unit: bytes that divide all addresses. */
CT_DEVICE void ct_sector_ends(const ct_sector_copy *K, const ct_sector_tile *t, const int32_t unit)
{
    const int e = K->elem_bytes, words = e < 4 && K->transposed;
    const int32_t left = t->left_along, slots = (CT_SECTOR_BYTES + CT_VECTOR_BYTES) / e;
    const int32_t wide = e >= 4 ? e : words ? 4 : ct_align_of((uint32_t)(unit | left * e | 4));
    const int32_t first = (int32_t)threadIdx.x * (wide / e), step = K->threads * (wide / e);
    CT_ROLL for (int32_t i = first; i < K->tile[1 - K->along] * slots; i += step)
    {
        const int32_t line = i / slots, by = (int32_t)ct_sector_by(t, line);
        const int32_t most = by / e + K->tile[K->along];
        /* the form of the minimum for which ptxas spills no register */
        const int32_t end = (int32_t)(e < 4 ? ct_min(left, most) : left < most ? left : most) * e;
        const ct_line_part part = {by, end, t->first ? 0 : by};
        const int32_t byte = ct_end_piece(&part, i % slots, e);
        const int on = line < t->left_lines && ct_part_has(&part, byte);
        if (words) ct_sector_word_out(K, t, &part, line, byte);
        else ct_sector_elements(K, t, on, line, byte, wide, wide);
    }
}

/** Copies the whole tile if its elements are misaligned. */
CT_DEVICE void ct_sector_units(const ct_sector_copy *K, const ct_sector_tile *t, const int32_t unit)
{
    const int32_t along = K->tile[K->along];
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < K->tile[0] * K->tile[1]; i += K->threads)
    {
        const int32_t line = i / along, at = i % along;
        const int on = line < t->left_lines && at < t->left_along;
        ct_sector_elements(K, t, on, line, at * K->elem_bytes, K->elem_bytes, unit);
    }
}

#endif
