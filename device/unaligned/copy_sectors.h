/**
 * Copies between rows at any addresses with aligned accesses only: tiles are sector-aligned to fit the
 * destination.
 *
 *     CT_STATIC(ct_sector_copy, sector, ct_make_sector_copy(4, 32, 64, 128, 1, 1, 16));
 *     CT_SHARED_DYNAMIC(unsigned char, tile); // sector.shared_bytes
 *     ct_copy_sectors(&sector, &args.src, &args.dst, ct_index2(blockIdx.y, blockIdx.x), tile);
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
 *
 * In a kernel:
 *           // args.src and args.dst: in and out as matrices (32,32):(32,1) of floats, 32 threads
 *           CT_STATIC(ct_sector_copy, sector, ct_make_sector_copy(4, 32, 32, 32, 1, 1, 16));
 *           CT_SHARED(unsigned char, tile, 32 * 144);
 *           assert(sector.shared_bytes == 32 * 144); // 9 chunks of 16 bytes hold any 32 floats
 *           ct_global from = args.src, to = args.dst; // the columns from 1 on; those from 0 on
 *           from.at += 4;
 *           from.align = 4;
 *           from.extent[1] = to.extent[1] = 31;
 *           ct_copy_sectors(&sector, &from, &to, ct_index2(0, 0), tile);
 *           __syncthreads();
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               const int column = threadIdx.x < 31 ? (int)threadIdx.x : 30;
 *               ct_load_global(&x, out + 32 * row + column, 32);
 *               assert(x == (float)(32 * row + column + 1));
 *           }
 * Source:   NVIDIA, PTX ISA 9.0, ld, st, cp.async and shf.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_COPY_SECTORS_H
#define CUTLET_DEVICE_UNALIGNED_COPY_SECTORS_H

#include <cutlet/device/unaligned/sector_ends.h>
#include <cutlet/device/unaligned/sector_in.h>
#include <cutlet/device/unaligned/sector_out.h>

/* ---- the tile -------------------------------------------------------------------------------- */

/** @internal Copies a tile through `tile`. fast: whether tiles that reach no edge have their own code
 *  without bounds checks. unit: bytes that divide all addresses. */
CT_DEVICE void ct_copy_sector_tile(const ct_sector_copy *K, const ct_sector_tile *t,
                                   unsigned char *tile, const int32_t unit, const int fast)
{
    if (unit < K->elem_bytes) {
        ct_sector_units(K, t, unit);
        return;
    }
    if (fast && ct_sector_inside(K, t)) {
        ct_sector_in(K, t, tile, 0);
        __syncthreads();
        if (K->transposed) ct_sector_out_transposed(K, t, tile, 0);
        else ct_sector_out_in_order(K, t, tile, 0);
    } else {
        ct_sector_in(K, t, tile, 1);
        __syncthreads();
        if (K->transposed) ct_sector_out_transposed(K, t, tile, 1);
        else ct_sector_out_in_order(K, t, tile, 1);
    }
    if (t->first || t->left_along < K->tile[K->along] + CT_SECTOR_BYTES / K->elem_bytes)
        ct_sector_ends(K, t, unit);
}

/** @internal ct_copy_sectors. mask: bytes less one by which lines are sector-aligned; 0: not at all. */
CT_DEVICE void ct_copy_sectors_by(const ct_sector_copy *K, const ct_global *src,
                                  const ct_global *dst, const ct_index x, unsigned char *tile,
                                  const uint32_t mask, const int fast)
{
    CT_REFUSE("sector-aligned copy", ct_block_refusal(K->threads));
    CT_REFUSE("sector-aligned copy", ct_index_refusal(x.at, 2, 0));
    const ct_sector_tile t = ct_sector_tile_at(K, src, dst, x, mask);
    ct_copy_sector_tile(K, &t, tile, (int32_t)ct_min(src->align, dst->align), fast);
}

/**
 * Copies tile x from src to dst by all K->threads threads of the block. Both tensors have elements
 * of K->elem_bytes bytes and the same extents along axes 0 and 1. src is contiguous along K->inner,
 * dst along K->along. tile: shared memory of K->shared_bytes bytes, aligned to 16.
 *
 * Tiles of a line meet at multiples of 32 bytes of the destination: all tiles together copy all
 * elements, each once. No extent, step or address makes it fault.
 *
 * Fails:    as its accesses: the CPU grid ends the launch at memory outside of the buffers. It also
 *           does at a race, if a second call has no barrier before it.
 * Cost:     one barrier. For each 16 bytes of a tile that reaches no edge a cp.async and a store;
 *           straight tiles take two loads from shared memory and ct_cut, turned ones a load for
 *           each element. Addresses that an element does not divide are copied in pieces.
 */
CT_DEVICE void ct_copy_sectors(const ct_sector_copy *K, const ct_global *src, const ct_global *dst,
                               const ct_index x, unsigned char *tile)
{
    ct_copy_sectors_by(K, src, dst, x, tile, CT_SECTOR_BYTES - 1, 1);
}

#define ct_copy_sector_tile(...) CT_CALL(ct_copy_sector_tile, __VA_ARGS__)
#define ct_copy_sectors_by(...) CT_CALL(ct_copy_sectors_by, __VA_ARGS__)
#define ct_copy_sectors(...) CT_CALL(ct_copy_sectors, __VA_ARGS__)

#endif
