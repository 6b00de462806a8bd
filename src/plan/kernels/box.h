/**
 * @internal Copies a box of a copy plan between two layouts of any rank.
 *
 * A copy is a set of modes, each with a step in the source and one in the destination. A block
 * copies a box: a tile of some modes, its axes, and one coordinate of the others. Both sides are
 * tensors of these axes, and the box is a tile of them that one partition or two divide among the
 * threads (copy/through_registers.h):
 *
 *     in     from the source, along its contiguous axis
 *     out    to the destination, along its contiguous axis
 *
 * If both orders are the same, `in` copies directly from source to destination. Otherwise the
 * box is transposed in shared memory and, when accesses are several elements wide, in registers.
 *
 * The box is plain data that the host computes. A kernel compiled for one box has it as a constant,
 * which the compiler folds. The kernel for all boxes gets what it reads of it at launch (box_at_launch.h).
 *
 * The host ensures that each access is aligned and that none crosses the end of an axis.
 */
#ifndef CUTLET_PLAN_KERNELS_BOX_H
#define CUTLET_PLAN_KERNELS_BOX_H

/* Words of registers that the kernel for all boxes has loaded and not yet stored. */
#define CT_BOX_WORDS 64

#include <cutlet/device/copy/through_registers.h>
#include "plan_args.h"

typedef struct ct_box {
    ct_conversion by;
    int32_t staged;  /* whether the box is transposed in shared memory */
    int32_t threads; /* of a block: at least those of either partition */
    int32_t past;    /* the axis along which a block may be past the last tile; -1: none is */
    int32_t modes;
    ct_box_mode mode[CT_BOX_MODES]; /* of tiles, in the order of blocks, the fastest first */
    ct_box_mode axis[CT_AXES];      /* of the elements */
    ct_partition in, out;           /* out: if the box is staged */
    int64_t src_offset[CT_ACCESSES], dst_offset[CT_ACCESSES]; /* bytes to a thread's accesses */
} ct_box;

/** The part of this thread, on one side of a partition in global memory: of the tile at a place in
 *  the source or the destination, whose element 0 is at `at`. room: what it is to write
 *  (tensor/tile.h); first: the first coordinates of the tile. */
CT_DEVICE void ct_box_global(const ct_box *box, const ct_partition *P, const ct_side *side,
                             const void *at, const ct_place *place, const int64_t *first,
                             int32_t *capacity, ct_view *v)
{
    const int is_dst = side == &P->dst;
    v->at = (unsigned char *)(uintptr_t)at + (is_dst ? place->dst : place->src);
    v->space = CT_SPACE_GLOBAL;
    v->offset = is_dst ? box->dst_offset : box->src_offset;
    *v = ct_view_of_thread(P, side, *v, threadIdx.x);
    CT_UNROLL for (int a = 0; a < P->axes; ++a)
    {
        const ct_box_mode *const m = &box->axis[a];
        const int64_t left = m->extent - first[a];
        v->at += v->mine[a] * (is_dst ? m->dst : m->src);
        capacity[a] = (left < m->tile ? (int32_t)left : m->tile) - v->mine[a];
    }
}

/** Copies the box by one partition: from the source if it is the first of its parts, to the
 * destination if it is the last. Otherwise it copies from or to shared memory. */
CT_DEVICE void ct_box_part(const ct_box *box, const ct_plan_args *args, const ct_place *place,
                           const int64_t *first, unsigned char *memory, const int part)
{
    const ct_conversion by = {box->by.from, box->by.to, box->by.has_scale, args->scale};
    const ct_partition *const P = part == 0 ? &box->in : &box->out;
    int32_t capacity[CT_AXES];
    ct_view from, to;
    if (P->threads < box->threads && threadIdx.x >= (uint32_t)P->threads) return;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) from.mine[a] = to.mine[a] = 0;
    from.space = to.space = CT_SPACE_SHARED;
    from.at = to.at = memory;
    if (part == 0) ct_box_global(box, P, &P->src, args->src, place, first, capacity, &from);
    else from = ct_view_src(P, from, threadIdx.x);
    if (part == 0 && CT_SHARES && box->staged) to = ct_view_dst(P, to, threadIdx.x);
    else ct_box_global(box, P, &P->dst, args->dst, place, first, capacity, &to);
    from.capacity = to.capacity = capacity;
    ct_copy_rounds(P, &from, &to, &by, part == 0);
}

/** Copies the box of this block. memory: shared memory for the box, if it is staged. */
CT_DEVICE void ct_box_move(const ct_box *box, const ct_plan_args *args, unsigned char *memory)
{
    int64_t first[CT_AXES] = CT_ZERO;
    const ct_place place = ct_place_of(box->mode, 0, box->modes, blockIdx.x, 1, first);
    if (box->past >= 0 && first[box->past] >= box->axis[box->past].extent) return;
    ct_box_part(box, args, &place, first, memory, 0);
    if (!CT_SHARES || !box->staged) return;
    __syncthreads();
    ct_box_part(box, args, &place, first, memory, 1);
}

#define ct_box_move(...) CT_CALL(ct_box_move, __VA_ARGS__)

#endif
