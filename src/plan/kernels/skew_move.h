/**
 * @internal A plan's copy by skewed tiles: lines at any addresses, and any other modes around them.
 * device/unaligned/copy_skew.h describes skewed tiles. The tile is a constant; the modes are arguments of the
 * launch.
 */
#ifndef CUTLET_PLAN_KERNELS_SKEW_MOVE_H
#define CUTLET_PLAN_KERNELS_SKEW_MOVE_H

#include <cutlet/device/unaligned/copy_skew.h>
#include "plan_args.h"

typedef struct ct_skewed {
    ct_plan_args at;
    int32_t modes;
    ct_box_mode mode[CT_BOX_MODES]; /* of the tiles that blocks take: axis 0, axis 1, others */
    ct_box_mode axis[2];            /* of the elements, by the axes of the tile */
} ct_skewed;

/** Copies the tile of this block. memory: K->shared_bytes bytes of shared memory. */
CT_DEVICE void ct_skewed_move(const ct_skew *K, const ct_skewed *plan, unsigned char *memory)
{
    const uint32_t tiles[2] = {(uint32_t)plan->mode[0].extent, (uint32_t)plan->mode[1].extent};
    const int64_t first[2] = {(int64_t)(blockIdx.x % tiles[0]) * K->tile[0],
                              (int64_t)(blockIdx.x / tiles[0] % tiles[1]) * K->tile[1]};
    const ct_box_mode *const line = &plan->axis[1 - K->along];
    const ct_place place = ct_place_of(plan->mode, 0, plan->modes, blockIdx.x, 1, 0);
    ct_skew_tile t = CT_ZERO;
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
    ct_copy_skew(K, &t, memory, K->elem_bytes, 1);
}

#define ct_skewed_move(...) CT_CALL(ct_skewed_move, __VA_ARGS__)

#endif
