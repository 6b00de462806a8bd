/**
 * @internal The sector-aligned tile of a block (copy_sectors.h): its rows and lines, and how far each is past
 * an aligned address.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_SECTOR_TILE_H
#define CUTLET_DEVICE_UNALIGNED_SECTOR_TILE_H

#include <cutlet/device/unaligned/sector_plan.h>
#include <cutlet/device/tensor/tile.h>

/** The tile of a block. Rows are the source's, lines the destination's. */
typedef struct ct_sector_tile {
    const unsigned char *src; /* the tile's first element, before it is sector-aligned */
    unsigned char *dst;
    int64_t row_step, line_step;      /* bytes from row to row, and from line to line */
    int32_t left_along, left_lines;   /* elements of a line from the tile on, and lines */
    const unsigned char *begin, *end; /* of the source: no access is outside */
    uint32_t mask;                    /* lines begin at multiples of mask + 1 bytes */
    int first;                        /* whether this is the first tile of its lines */
} ct_sector_tile;

/** Tile x of the tensors. mask: 31, or 0 for a tile that is not sector-aligned. */
CT_DEVICE ct_sector_tile ct_sector_tile_at(const ct_sector_copy *K, const ct_global *src,
                                           const ct_global *dst, const ct_index x, uint32_t mask)
{
    const int64_t first[2] = {x.at[0] * K->tile[0], x.at[1] * K->tile[1]};
    const int row = 1 - K->inner, line = 1 - K->along;
    const int64_t down = (src->extent[row] - 1) * src->step[row];
    ct_sector_tile t = CT_ZERO;
    t.row_step = src->step[row];
    t.line_step = dst->step[line];
    t.src = src->at + first[row] * t.row_step + first[K->inner] * K->elem_bytes;
    t.dst = dst->at + first[line] * t.line_step + first[K->along] * K->elem_bytes;
    t.left_along = ct_clamp32(dst->extent[K->along] - first[K->along]);
    t.left_lines = ct_clamp32(dst->extent[line] - first[line]);
    t.begin = src->at + (down < 0 ? down : 0);
    t.end = src->at + (down < 0 ? 0 : down) + src->extent[K->inner] * K->elem_bytes;
    t.mask = mask;
    t.first = first[K->along] == 0;
    return t;
}

/** The bytes of a line before the part that the tile copies. */
CT_DEVICE uint32_t ct_sector_by(const ct_sector_tile *t, const int32_t line)
{
    const uint32_t at = (uint32_t)(uintptr_t)t->dst + (uint32_t)line * (uint32_t)t->line_step;
    return -at & t->mask;
}

/** The address in global memory of a staged row. */
CT_DEVICE const unsigned char *ct_sector_row(const ct_sector_copy *K, const ct_sector_tile *t,
                                             const int32_t row)
{
    return t->src + row * t->row_step + (K->transposed ? 0 : ct_sector_by(t, row));
}

/** Whether the tile and the aligned chunks that hold it are in the tensor. Returns 0 for rows of
 *  negative step. */
CT_DEVICE int ct_sector_inside(const ct_sector_copy *K, const ct_sector_tile *t)
{
    const int32_t more = CT_SECTOR_BYTES / K->elem_bytes, around = CT_SECTOR_BYTES + K->chunk;
    const unsigned char *const last = t->src + (K->rows - 1) * t->row_step;
    return t->left_along >= K->tile[K->along] + more && t->left_lines >= K->tile[1 - K->along] &&
           t->row_step >= 0 && t->src - t->begin >= K->chunk &&
           t->end - last >= K->tile[K->inner] * K->elem_bytes + around;
}

#endif
