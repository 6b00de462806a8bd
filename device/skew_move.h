/**
 * @internal A plan's copy by skewed tiles: lines at any addresses, and any other modes around them.
 * device/copy_skew.h describes skewed tiles. The tile is a constant; the modes are arguments of the
 * launch.
 */
#ifndef CUTLET_DEVICE_SKEW_MOVE_H
#define CUTLET_DEVICE_SKEW_MOVE_H

#include "copy_skew.h"
#include "plan_args.h"

typedef struct ct_skewed {
    int32_t modes;
    ct_box_mode mode[CT_BOX_MODES]; /* axis: of the tile; a block has one of any other mode */
    ct_plan_args at;
} ct_skewed;

/** Copies the tile of this block. memory: K->shared_bytes bytes of shared memory. */
CT_DEVICE void ct_skewed_move(const ct_skew *K, const ct_skewed *plan, unsigned char *memory)
{
    ct_skew_tile t = CT_ZERO;
    uint32_t rest = blockIdx.x;
    t.src = (const unsigned char *)plan->at.src;
    t.dst = (unsigned char *)plan->at.dst;
    t.begin = (const unsigned char *)plan->at.first;
    t.end = (const unsigned char *)plan->at.end;
    t.mask = CT_SECTOR_BYTES - 1;
    CT_ROLL for (int k = 0; k < plan->modes; ++k) {
        const ct_box_mode *const m = &plan->mode[k];
        const uint32_t tiles = (uint32_t)((m->extent + m->tile - 1) / m->tile);
        const uint32_t at = k + 1 < plan->modes ? rest % tiles : rest;
        const int64_t first = (int64_t)at * m->tile;
        rest /= tiles;
        t.src += first * m->src;
        t.dst += first * m->dst;
        if (m->axis == 1 - K->inner) t.row_step = m->src;
        if (m->axis == 1 - K->along) {
            t.line_step = m->dst;
            t.left_lines = ct_clamp32(m->extent - first);
        }
        if (m->axis == K->along) {
            t.left_along = ct_clamp32(m->extent - first);
            t.first = at == 0;
        }
    }
    ct_copy_skew(K, &t, memory, K->elem_bytes, 1);
}

#define ct_skewed_move(...) CT_CALL(ct_skewed_move, __VA_ARGS__)

#endif
