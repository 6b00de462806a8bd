/**
 * @internal Copies to rows at any addresses with aligned accesses only: tiles are skewed to fit the
 * destination.
 *
 * The destination is contiguous along one axis of the tile: its lines. In each line the tile starts
 * at the first multiple of 32 bytes at or after its own first byte. It ends where the next tile
 * starts. So every store is aligned, and no two blocks write the same sector of 32 bytes, which L2
 * would write twice. The first tile of a line also copies the elements before it, and the last tile
 * those after it, element by element.
 *
 * The source's rows are staged in shared memory by cp.async, in the aligned chunks that hold them.
 * Each row has its own distance past a chunk, and the copy out of shared memory corrects it:
 *
 *     straight   lines are the source's rows: a vector is cut out of two staged vectors
 *     turned     lines run across the rows: a vector is gathered element by element
 *
 * A turned tile stages up to 32 bytes more of each line, because a line may begin anywhere in them.
 * At each step all threads of a block read rows with one remainder modulo the vector's length.
 * Those rows have one distance past a chunk. So eight lanes along the lines read eight groups of
 * banks, and four lanes across them read the four banks of a group. The values are then rotated in
 * registers.
 *
 * The constant `edge` says whether a tile may reach an edge of the tensor. Other tiles are in the
 * tensor with all chunks that they load, and their accesses are not checked.
 */
#ifndef CUTLET_DEVICE_COPY_SKEW_H
#define CUTLET_DEVICE_COPY_SKEW_H

#include "skew_in.h"
#include "skew_out.h"

/* ---- element by element ---------------------------------------------------------------------- */

/** @internal Copies `bytes` bytes of a line from element i on, by accesses of `unit` bytes. Both
 *  addresses are multiples of unit. */
CT_DEVICE void ct_skew_elements(const ct_skew *K, const ct_skew_tile *t, const int on,
                                const int32_t line, const int32_t i, const int bytes,
                                const int32_t unit)
{
    const int e = K->elem_bytes, most = e < 4 && !K->turned ? 4 : e;
    const unsigned char *const from =
        t->src + (K->turned ? i : line) * t->row_step + (K->turned ? line : i) * e;
    unsigned char *const to = t->dst + line * t->line_step + i * e;
    CT_ROLL for (int k = 0; k < bytes; k += unit) {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        CT_UNROLL for (int u = 1; u <= 16; u *= 2)
            if (u <= most) ct_load_global_if(on && u == unit, x, from + k, 8 * u);
        CT_UNROLL for (int u = 1; u <= 16; u *= 2)
            if (u <= most) ct_store_global_if(on && u == unit, to + k, x, 8 * u);
    }
}

/** @internal Copies the elements of the lines before and after the tile's vectors: one by one, or
 *  up to 4 bytes at once in a straight tile. unit: bytes that divide all addresses. */
CT_DEVICE void ct_skew_ends(const ct_skew *K, const ct_skew_tile *t, const int32_t unit)
{
    const int e = K->elem_bytes;
    const int32_t left = t->left_along, before = CT_SKEW_BYTES / e, slots = before + 16 / e;
    const int32_t wide = e < 4 && !K->turned ? ct_align_of((uint32_t)(unit | left * e | 4)) : e;
    const int32_t all = K->tile[1 - K->along] * slots;
    const int32_t first = (int32_t)threadIdx.x * (wide / e), step = K->threads * (wide / e);
    CT_ROLL for (int32_t i = first; i < all; i += step) {
        const int32_t line = i / slots, slot = i % slots, by = (int32_t)ct_skew_by(t, line) / e;
        const int32_t end = (int32_t)ct_min(left, by + K->tile[K->along]);
        const int32_t tail = by + (end > by ? (end - by) / (16 / e) * (16 / e) : 0);
        const int32_t at = slot < before ? slot : tail + slot - before;
        const int on = slot < before ? t->first && at < by && at < left : at < end;
        ct_skew_elements(K, t, on && line < t->left_lines, line, at, wide, wide);
    }
}

/** @internal Copies the whole tile if its elements are misaligned. */
CT_DEVICE void ct_skew_units(const ct_skew *K, const ct_skew_tile *t, const int32_t unit)
{
    const int32_t along = K->tile[K->along];
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < K->tile[0] * K->tile[1]; i += K->threads) {
        const int32_t line = i / along, at = i % along;
        const int on = line < t->left_lines && at < t->left_along;
        ct_skew_elements(K, t, on, line, at, K->elem_bytes, unit);
    }
}

/* ---- the tile -------------------------------------------------------------------------------- */

/** Copies a tile through `tile`, the shared memory of K, with at most one barrier. fast: whether
 *  tiles that reach no edge have their own code without bounds checks. unit: bytes that divide all
 *  addresses. */
CT_DEVICE void ct_copy_skew(const ct_skew *K, const ct_skew_tile *t, unsigned char *tile,
                            const int32_t unit, const int fast)
{
    if (unit < K->elem_bytes) {
        ct_skew_units(K, t, unit);
        return;
    }
    if (fast && ct_skew_inside(K, t)) {
        ct_skew_in(K, t, tile, 0);
        __syncthreads();
        if (K->turned) ct_skew_out_turned(K, t, tile, 0);
        else ct_skew_out_straight(K, t, tile, 0);
    } else {
        ct_skew_in(K, t, tile, 1);
        __syncthreads();
        if (K->turned) ct_skew_out_turned(K, t, tile, 1);
        else ct_skew_out_straight(K, t, tile, 1);
    }
    if (t->first || t->left_along < K->tile[K->along] + CT_SKEW_BYTES / K->elem_bytes)
        ct_skew_ends(K, t, unit);
}

#define ct_copy_skew(...) CT_CALL(ct_copy_skew, __VA_ARGS__)

#endif
