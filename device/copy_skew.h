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

#include "skew_ends.h"
#include "skew_in.h"
#include "skew_out.h"

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
    if (t->first || t->left_along < K->tile[K->along] + CT_SECTOR_BYTES / K->elem_bytes)
        ct_skew_ends(K, t, unit);
}

#define ct_copy_skew(...) CT_CALL(ct_copy_skew, __VA_ARGS__)

#endif
