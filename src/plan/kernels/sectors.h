/**
 * @internal A plan's copy by sector-aligned tiles (device/unaligned/copy_sectors.h): lines at any addresses, and any other
 * modes around them. The tile is a constant, of those that libcutlet has for transposing copies: every element
 * size, long and short lines of the destination. The modes are arguments of the launch.
 */
#ifndef CUTLET_PLAN_KERNELS_SECTORS_H
#define CUTLET_PLAN_KERNELS_SECTORS_H

#include <cutlet/device/unaligned/copy_sectors.h>
#include "plan_args.h"

typedef struct ct_sectors {
    ct_plan_args at;
    int32_t modes;
    ct_box_mode mode[CT_BOX_MODES]; /* of the tiles that blocks take: axis 0, axis 1, others */
    ct_box_mode axis[2];            /* of the elements, by the axes of the tile */
} ct_sectors;

/** Copies the tile of this block. memory: K->shared_bytes bytes of shared memory. */
CT_DEVICE void ct_sectors_move(const ct_sector_copy *K, const ct_sectors *plan,
                               unsigned char *memory)
{
    const uint32_t tiles[2] = {(uint32_t)plan->mode[0].extent, (uint32_t)plan->mode[1].extent};
    const int64_t first[2] = {(int64_t)(blockIdx.x % tiles[0]) * K->tile[0],
                              (int64_t)(blockIdx.x / tiles[0] % tiles[1]) * K->tile[1]};
    const ct_box_mode *const line = &plan->axis[1 - K->along];
    const ct_place place = ct_place_of(plan->mode, 0, plan->modes, blockIdx.x, 1, 0);
    ct_sector_tile t = CT_ZERO;
    t.src = (const unsigned char *)plan->at.src + place.src;
    t.dst = (unsigned char *)plan->at.dst + place.dst;
    t.begin = (const unsigned char *)plan->at.first;
    t.end = (const unsigned char *)plan->at.end;
    t.mask = CT_SECTOR_BYTES - 1;
    t.row_step = plan->axis[1 - K->inner].src;
    t.line_step = line->dst;
    t.left_lines = ct_clamp32(line->extent - first[1 - K->along]);
    t.left_along = ct_clamp32(plan->axis[K->along].extent - first[K->along]);
    t.first = first[K->along] == 0;
    ct_copy_sector_tile(K, &t, memory, K->elem_bytes, 1);
}

#define ct_sectors_move(...) CT_CALL(ct_sectors_move, __VA_ARGS__)

/* T(elem_bytes, along, across, threads, blocks): elements of a tile along the destination's lines
 * and across them, and resident blocks of a multiprocessor. Each size has three tiles, the largest
 * first. A row of the source is 16 bytes short of a power of two, so a misaligned row spans a
 * power-of-two number of aligned chunks. */
#define CT_SECTOR_TILES(T)                                                                         \
    T(1, 256, 240, 512, 2)                                                                         \
    T(1, 256, 112, 256, 5)                                                                         \
    T(1, 128, 112, 256, 8)                                                                         \
    T(2, 256, 120, 512, 3)                                                                         \
    T(2, 128, 120, 512, 4)                                                                         \
    T(2, 64, 56, 256, 8)                                                                           \
    T(4, 128, 124, 1024, 2)                                                                        \
    T(4, 128, 60, 256, 6)                                                                          \
    T(4, 32, 60, 256, 8)                                                                           \
    T(8, 64, 62, 512, 4)                                                                           \
    T(8, 64, 30, 256, 8)                                                                           \
    T(8, 32, 30, 256, 8)

enum { CT_SECTOR_EACH = 3 };

#ifndef CT_SECTOR_NAME
#define CT_SECTOR_NAME(bytes, along, across, threads, blocks)                                      \
    ct_sectors_##bytes##_##along##x##across
#endif

/** The constants of a tile. */
CT_FN ct_sector_copy ct_sectors_tile(int32_t bytes, int32_t along, int32_t across, int32_t threads)
{
    return ct_make_sector_copy(bytes, along, across, threads, 1, 0, 16);
}

#endif
