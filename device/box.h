/**
 * @internal Copies a box of a copy plan between two layouts of any rank.
 *
 * A copy is a set of modes, each with a step in the source and one in the destination. A block
 * copies a box: a tile of each mode, 1 by default. The box is partitioned among the threads
 * like a tile of either tensor (cutlet/copy/copy_sides.h), by one partition or by two:
 *
 *     in     from the source, along its contiguous mode
 *     out    to the destination, along its contiguous mode
 *
 * If both orders are the same, `in` copies directly from source to destination. Otherwise the
 * box is transposed in shared memory and, when accesses are several elements wide, in registers.
 *
 * The box is plain data that the host computes. A kernel compiled for one box has it as a constant,
 * which the compiler folds; the kernel for all boxes gets it at its launch.
 *
 * The host ensures that each access is aligned and that none crosses the end of a mode.
 */
#ifndef CUTLET_DEVICE_BOX_H
#define CUTLET_DEVICE_BOX_H

#include <cutlet/copy/copy_sides.h>

#include "load_store.h"
#include "plan_args.h"
#include "turn.h"

/* What the kernel for all boxes reads at run time, and its limits. A kernel compiled for one box
 * defines these as constants before this header. So the compiler sees no code that the kernel does
 * not need. */
#ifndef CT_BOX_WORDS
#define CT_BOX_WORDS 64      /* words of registers, loaded and not yet stored */
#define CT_BOX_LOOP CT_ROLL  /* of a thread's accesses; a rolled loop reads steps from a table */
#define CT_BOX_CONVERTS 1    /* whether elements may be converted */
#define CT_BOX_STAGED box->staged
#define CT_BOX_TURNED box->in.turned
/* bits of a load from the source, a store to and load from shared memory, a store to the
 * destination */
#define CT_BOX_LOAD (box->in.src.width * box->src_bits)
#define CT_BOX_PUT (box->in.dst.width * box->in.elem_bits)
#define CT_BOX_GET (box->out.src.width * box->out.elem_bits)
#define CT_BOX_STORE ((box->staged ? box->out.dst.width : box->in.dst.width) * box->in.elem_bits)
#endif

#if CT_BOX_CONVERTS
#include "convert.h"
#endif

typedef struct ct_box {
    int32_t src_bits;            /* of a source element; partitions have those of the destination */
    int32_t from, to, has_scale; /* CT_TYPE_..., raw on both sides if nothing is converted */
    int32_t staged;              /* whether the box is transposed in shared memory */
    int32_t threads;             /* of a block: at least those of either partition */
    int32_t in_part, out_part;   /* bit a: boxes may be cut off along axis a of the partition */
    int32_t group, group_mode;   /* consecutive blocks take `group` tiles of mode group_mode */
    int32_t modes;
    ct_box_mode mode[CT_BOX_MODES]; /* in the order of the blocks, the fastest first */
    ct_partition in, out;
    int64_t src_step[CT_AXES], dst_step[CT_AXES];     /* of the axes, in bytes */
    /* bytes from a thread's first element to each of its accesses to the source, and to the
     * destination: coordinates times steps */
    int64_t src_at[CT_ACCESSES], dst_at[CT_ACCESSES];
    ct_plan_args at; /* of the kernel for all boxes */
} ct_box;

/** A thread's part of a box: its first element on either side and in shared memory. left: the
 *  extents of the box along tiled axes; mine: the thread's first coordinate. */
typedef struct ct_box_spot {
    const unsigned char *src;
    unsigned char *dst, *shared;
    int32_t left[CT_AXES], mine[CT_AXES];
} ct_box_spot;

/** Moves a spot to the box of this block. Returns 0 if the block has no box. */
CT_DEVICE int ct_box_block(const ct_box *box, ct_box_spot *s)
{
    const uint32_t group = (uint32_t)box->group;
    uint32_t rest = blockIdx.x / group;
    CT_UNROLL for (int k = 0; k < CT_BOX_MODES; ++k) if (k < box->modes) {
        const ct_box_mode *const m = &box->mode[k];
        const int grouped = k == box->group_mode && group > 1;
        const uint32_t tiles = (uint32_t)((m->extent + m->tile - 1) / m->tile);
        const uint32_t steps = grouped ? (tiles + group - 1) / group : tiles;
        uint32_t at = k + 1 < box->modes ? rest % steps : rest;
        rest /= steps;
        if (grouped) at = at * group + blockIdx.x % group;
        if (grouped && at >= tiles) return 0;
        const int64_t first = (int64_t)at * m->tile;
        s->src += first * m->src;
        s->dst += first * m->dst;
        if (m->axis >= 0)
            s->left[m->axis] = (int32_t)(m->extent - first < m->tile ? m->extent - first : m->tile);
    }
    return 1;
}

/** Moves a spot to this thread's part on a side of a partition. */
CT_DEVICE void ct_box_thread(const ct_box *box, const ct_partition *P, const ct_side *side,
                             ct_box_spot *s)
{
    uint32_t rest = threadIdx.x; /* threadIdx.x / done */
    int32_t done = 1;
    CT_UNROLL for (int d = 0; d < CT_DIGITS; ++d) if (d < side->digits) {
        const ct_digit *const g = &side->digit[d];
        if (g->div > done) rest /= (uint32_t)(g->div / done);
        const uint32_t n = g->div * g->mod < P->threads ? rest % (uint32_t)g->mod : rest;
        rest /= (uint32_t)g->mod;
        done = g->div * g->mod;
        if (side->space == CT_SHARED) {
            s->shared += (int32_t)n * (g->offset * (P->elem_bits / 8));
        } else {
            s->src += n * (g->step * box->src_step[g->axis]);
            s->dst += n * (g->step * box->dst_step[g->axis]);
            s->mine[g->axis] += (int32_t)n * g->step;
        }
    }
}

/** Whether access i of a side is in the box. Either all of its elements are, or none. */
CT_DEVICE int ct_box_has(const ct_side *side, const ct_box_spot *s, const int part, const int i)
{
    int on = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
        if (part >> a & 1) on = on && s->mine[a] + side->coord[i][a] < s->left[a];
    return on;
}

/** The 32-bit registers that an access of `bits` bits occupies. */
CT_FN int32_t ct_box_words(int32_t bits) { return bits < 32 ? 1 : bits / 32; }

/** How many blocks of accesses a thread loads before it stores them. */
CT_FN int32_t ct_box_batch(const ct_partition *P, int32_t bits)
{
    const int32_t words = P->src_block * ct_box_words(bits);
    return P->in_flight < 2 * words ? 1 : P->in_flight / words;
}

/** The words of access j of a block as they are stored: transposed, or `bits` bits in the order of
 *  the loads. */
CT_DEVICE const void *ct_box_turn(const ct_box *box, uint32_t *out, const uint32_t *in,
                                  const int j, const int bits)
{
    const int words = ct_box_words(bits);
    if (!(CT_BOX_TURNED)) return (const unsigned char *)in + j * bits / 8;
    CT_UNROLL for (int w = 0; w < 4; ++w)
        if (w < words) out[w] = ct_turn(&box->in, in, j * words + w);
    return out;
}

/** The words of a block, converted if the copy converts. */
CT_DEVICE const uint32_t *ct_box_convert(const ct_box *box, uint32_t *out, const uint32_t *in,
                                         const double scale)
{
#if CT_BOX_CONVERTS
    const ct_partition *const P = &box->in;
    const int width = P->src.width, bits = width * P->elem_bits, raw = width * box->src_bits;
    if (box->to == CT_TYPE_RAW) return in;
    CT_UNROLL for (int k = 0; k < P->src_block; ++k)
        CT_UNROLL for (int v = 0; v < width; ++v)
            ct_convert(out + k * ct_box_words(bits), v, in + k * ct_box_words(raw), v, box->from,
                       box->to, box->has_scale, scale);
    return out;
#else
    (void)box, (void)out, (void)scale;
    return in;
#endif
}

/** Copies from the source to shared memory, or directly to the destination. Each round loads up to
 *  P->in_flight words, then stores them. */
CT_DEVICE void ct_box_in(const ct_box *box, const ct_box_spot *s, const double scale)
{
    const ct_partition *const P = &box->in;
    const int words = ct_box_words(CT_BOX_LOAD), batch = ct_box_batch(P, CT_BOX_LOAD);
    CT_BOX_LOOP for (int b = 0; b < P->blocks; b += batch) {
        CT_FRAGMENT(uint32_t, held, CT_BOX_WORDS);
        CT_UNROLL for (int k = 0; k < batch * P->src_block; ++k) {
            const int i = b * P->src_block + k;
            if (i >= P->src.accesses) continue;
            CT_UNROLL for (int w = 0; w < 4; ++w) if (w < words) held[k * words + w] = 0;
            ct_load_global_if(ct_box_has(&P->src, s, box->in_part, i), held + k * words,
                              s->src + box->src_at[i], CT_BOX_LOAD);
        }
        CT_UNROLL for (int k = 0; k < batch; ++k) {
            if (b + k >= P->blocks) continue;
            CT_FRAGMENT(uint32_t, changed, CT_BOX_WORDS);
            const uint32_t *const in =
                ct_box_convert(box, changed, held + k * P->src_block * words, scale);
            CT_UNROLL for (int j = 0; j < P->dst_block; ++j) {
                const int i = (b + k) * P->dst_block + j;
                const int on = ct_box_has(&P->dst, s, box->in_part, i);
                CT_FRAGMENT(uint32_t, out, 4);
                if (CT_BOX_STAGED)
                    ct_store_shared_if(on, s->shared + P->dst.add[i],
                                       ct_box_turn(box, out, in, j, CT_BOX_PUT), CT_BOX_PUT);
                else
                    ct_store_global_if(on, s->dst + box->dst_at[i], in, CT_BOX_STORE);
            }
        }
    }
}

/** Copies from shared memory to the destination. */
CT_DEVICE void ct_box_out(const ct_box *box, const ct_box_spot *s)
{
    const ct_partition *const P = &box->out;
    CT_BOX_LOOP for (int i = 0; i < P->dst.accesses; ++i) {
        const int on = ct_box_has(&P->dst, s, box->out_part, i);
        CT_FRAGMENT(uint32_t, out, 4) = {0, 0, 0, 0};
        CT_UNROLL for (int k = 0; k < P->src_block; ++k)
            ct_load_shared_if(on, (unsigned char *)out + k * CT_BOX_GET / 8,
                              s->shared + P->src.add[i * P->src_block + k], CT_BOX_GET);
        ct_store_global_if(on, s->dst + box->dst_at[i], out, CT_BOX_STORE);
    }
}

/** Copies the box of this block. memory: shared memory for the box, if it is staged. */
CT_DEVICE void ct_box_move(const ct_box *box, const ct_plan_args *args, unsigned char *memory)
{
    ct_box_spot first = CT_ZERO;
    first.src = (const unsigned char *)args->src;
    first.dst = (unsigned char *)args->dst;
    first.shared = memory;
    if (!ct_box_block(box, &first)) return;
    ct_box_spot s = first;
    if (box->in.threads == box->threads || threadIdx.x < (uint32_t)box->in.threads) {
        ct_box_thread(box, &box->in, &box->in.src, &s);
        if (CT_BOX_STAGED) ct_box_thread(box, &box->in, &box->in.dst, &s);
        ct_box_in(box, &s, args->scale);
    }
    if (!(CT_BOX_STAGED)) return;
    __syncthreads();
    if (box->out.threads < box->threads && threadIdx.x >= (uint32_t)box->out.threads) return;
    ct_box_thread(box, &box->out, &box->out.src, &first);
    ct_box_thread(box, &box->out, &box->out.dst, &first);
    ct_box_out(box, &first);
}

#define ct_box_move(...) CT_CALL(ct_box_move, __VA_ARGS__)

#endif
