/**
 * Moving a box of a copy between two layouts of any rank.
 *
 * A copy is a set of modes, each with a step in the source and one in the destination. A block takes
 * a box: of each mode a tile, 1 where it has none. The box is divided among the threads as a tile of
 * either tensor is (cutlet/copy_sides.h), by one partition or by two:
 *
 *     in     from the source, along what is contiguous there
 *     out    to the destination, along what is contiguous there
 *
 * Where both are the same order, `in` goes straight from one to the other. Where they differ, the
 * box is turned in shared memory, and as far as accesses are several elements wide in registers.
 *
 * The box is plain data, worked out by the host. A kernel that is compiled for one has it as a
 * constant, and nothing of it is left; the kernel for all of them is told it at its launch.
 *
 * No access reaches over the end of a mode, and each is aligned: the host sees to it.
 */
#ifndef CUTLET_DEVICE_BOX_H
#define CUTLET_DEVICE_BOX_H

#include "load_store.h"
#include "plan_args.h"
#include "tile_view.h"
#include "turn.h"

/* What a box may have at most. A kernel that is compiled for one defines what that has: all that the
 * compiler spreads out for less takes its time. */
#ifndef CT_BOX_MODES
#define CT_BOX_MODES 16
#define CT_BOX_WORDS 64    /* of registers, loaded and not yet stored */
#define CT_BOX_CONVERTS 1  /* whether elements may change on the way */
#define CT_BOX_LOOP CT_ROLL /* what goes through the accesses of a thread */
#endif

#if CT_BOX_CONVERTS
#include "convert.h"
#endif

typedef struct ct_box {
    int32_t src_bits;            /* of an element of the source; the partitions have what is stored */
    int32_t from, to, has_scale; /* CT_TYPE_..., raw on both sides where nothing is converted */
    int32_t staged;              /* whether the box is turned in shared memory */
    int32_t threads;             /* of a block: at least those of either partition */
    int32_t in_part, out_part;   /* a bit for each axis of which a partition may lack some */
    int32_t group, group_mode;   /* blocks take so many tiles of this mode before they go on */
    int32_t modes;
    ct_box_mode mode[CT_BOX_MODES]; /* in the order in which blocks go along them */
    ct_partition in, out;
    ct_plan_args at; /* of the kernel for all boxes */
} ct_box;

/** Takes both views to the box of this block. 0: it has none. */
CT_DEVICE int ct_box_place(const ct_box *box, ct_view *src, ct_view *dst)
{
    const uint32_t group = (uint32_t)box->group, in_group = blockIdx.x % group;
    uint32_t rest = blockIdx.x / group;
    CT_UNROLL for (int k = 0; k < CT_BOX_MODES; ++k) if (k < box->modes) {
        const ct_box_mode *const m = &box->mode[k];
        const int grouped = k == box->group_mode && group > 1;
        const uint32_t tiles = (uint32_t)((m->extent + m->tile - 1) / m->tile);
        const uint32_t steps = grouped ? (tiles + group - 1) / group : tiles;
        uint32_t at = k + 1 < box->modes ? rest % steps : rest;
        rest /= steps;
        if (grouped) at = at * group + in_group;
        if (grouped && at >= tiles) return 0;
        const int64_t first = (int64_t)at * m->tile;
        src->at += first * m->src;
        dst->at += first * m->dst;
        CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a == m->axis) {
            src->step[a] = m->src;
            dst->step[a] = m->dst;
            src->left[a] = dst->left[a] = m->extent - first < m->tile ? m->extent - first : m->tile;
        }
    }
    return 1;
}

/** Whether access i of a side is one: all of its elements are in the box, or none. */
CT_DEVICE int ct_box_has(const ct_side *side, const ct_view *v, const int part, const int i)
{
    int on = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
        if (part >> a & 1) on = on && v->mine[a] + side->coord[i][a] < (int32_t)v->left[a];
    return on;
}

/** The words of registers that so many bits take. */
CT_FN int32_t ct_box_words(int32_t bits) { return bits < 32 ? 1 : bits / 32; }

/** Where access i of a side in global memory lies. */
CT_DEVICE unsigned char *ct_box_at(const ct_side *side, const ct_view *v, const int i)
{
    int64_t at = 0;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) at += side->coord[i][a] * v->step[a];
    return v->at + at;
}

/** Loads the accesses of block b of a partition. */
CT_DEVICE void ct_box_load(const ct_box *box, const ct_partition *P, const int part,
                           const ct_view *v, uint32_t *held, const int b)
{
    const ct_side *const s = &P->src;
    const int bits = s->width * (s->space == CT_GLOBAL ? box->src_bits : P->elem_bits);
    const int words = ct_box_words(bits);
    CT_UNROLL for (int k = 0; k < P->src_block; ++k) {
        const int i = b * P->src_block + k, on = ct_box_has(s, v, part, i);
        CT_UNROLL for (int w = 0; w < 4; ++w) if (w < words) held[k * words + w] = 0;
        if (s->space == CT_SHARED) ct_load_shared_if(on, held + k * words, v->at + v->own + s->add[i], bits);
        else ct_load_global_if(on, held + k * words, ct_box_at(s, v, i), bits);
    }
}

/** The words of a block as they are stored: converted, or the same. */
CT_DEVICE const uint32_t *ct_box_convert(const ct_box *box, const ct_partition *P, uint32_t *out,
                                         const uint32_t *in, const double scale)
{
#if CT_BOX_CONVERTS
    const int width = P->src.width, bits = width * P->elem_bits, raw = width * box->src_bits;
    if (box->to == CT_TYPE_RAW || P->src.space != CT_GLOBAL) return in;
    CT_UNROLL for (int k = 0; k < P->src_block; ++k)
        CT_UNROLL for (int v = 0; v < width; ++v)
            ct_convert(out + k * ct_box_words(bits), v, in + k * ct_box_words(raw), v, box->from, box->to,
                       box->has_scale, scale);
    return out;
#else
    return in;
#endif
}

/** Stores the accesses of block b of a partition from its words. */
CT_DEVICE void ct_box_store(const ct_partition *P, const int part, const ct_view *v,
                            const uint32_t *in, const int b)
{
    const ct_side *const s = &P->dst;
    const int bits = s->width * P->elem_bits, words = ct_box_words(bits);
    const int same = !P->turned && P->src.width == s->width;
    CT_UNROLL for (int k = 0; k < P->dst_block; ++k) {
        const int i = b * P->dst_block + k, on = ct_box_has(s, v, part, i);
        CT_FRAGMENT(uint32_t, out, 4);
        CT_UNROLL for (int w = 0; w < 4; ++w)
            if (w < words) out[w] = same ? in[k * words + w] : ct_turn(P, in, k * words + w);
        if (s->space == CT_SHARED) ct_store_shared_if(on, v->at + v->own + s->add[i], out, bits);
        else ct_store_global_if(on, ct_box_at(s, v, i), out, bits);
    }
}

/** Copies what this thread has of the box by one of its partitions: as many loads as P->in_flight
 *  words take, then their stores, and so on. */
CT_DEVICE void ct_box_copy(const ct_box *box, const ct_partition *P, const int part,
                           const ct_view from, const ct_view to, const double scale)
{
    if (P->threads < box->threads && threadIdx.x >= (uint32_t)P->threads) return;
    const ct_view src = ct_view_src(P, from, threadIdx.x), dst = ct_view_dst(P, to, threadIdx.x);
    const int bits = P->src.width * (P->src.space == CT_GLOBAL ? box->src_bits : P->elem_bits);
    const int words = P->src_block * ct_box_words(bits);
    const int group = P->in_flight < 2 * words ? 1 : P->in_flight / words;
    CT_BOX_LOOP for (int b = 0; b < P->blocks; b += group) {
        CT_FRAGMENT(uint32_t, held, CT_BOX_WORDS);
        CT_UNROLL for (int k = 0; k < group; ++k)
            if (b + k < P->blocks) ct_box_load(box, P, part, &src, held + k * words, b + k);
        CT_UNROLL for (int k = 0; k < group; ++k) if (b + k < P->blocks) {
            CT_FRAGMENT(uint32_t, out, CT_BOX_WORDS);
            ct_box_store(P, part, &dst, ct_box_convert(box, P, out, held + k * words, scale), b + k);
        }
    }
}

/** Moves the box of this block. memory: the bytes of shared memory that the box takes. */
CT_DEVICE void ct_box_move(const ct_box *box, const ct_plan_args *args, unsigned char *memory)
{
    ct_view src = CT_ZERO, dst = CT_ZERO;
    src.at = (unsigned char *)args->src;
    dst.at = (unsigned char *)args->dst;
    if (!ct_box_place(box, &src, &dst)) return;
    if (!box->staged) {
        ct_box_copy(box, &box->in, box->in_part, src, dst, args->scale);
        return;
    }
    ct_view shared = src;
    shared.at = memory;
    ct_box_copy(box, &box->in, box->in_part, src, shared, args->scale);
    __syncthreads();
    ct_box_copy(box, &box->out, box->out_part, shared, dst, args->scale);
}

#endif
