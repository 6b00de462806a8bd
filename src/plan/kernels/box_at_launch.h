/**
 * @internal A box that a kernel gets at its launch. Its loops over run-time data keep a thread's
 * part in few bytes of local memory, where ct_view would take many.
 */
#ifndef CUTLET_PLAN_KERNELS_BOX_AT_LAUNCH_H
#define CUTLET_PLAN_KERNELS_BOX_AT_LAUNCH_H

#include "box.h"
#include <cutlet/device/element/convert.h>

/* Bits of an access of a partition's side. */
#define CT_BOX_BITS(part, side) (8 * ct_access_bytes(&box->part, &box->part.side))

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
    int64_t first[CT_AXES] = CT_ZERO;
    const ct_place place = ct_place_of(box->mode, 0, box->modes, blockIdx.x, 1, first);
    if (box->past >= 0 && first[box->past] >= box->axis[box->past].extent) return 0;
    s->src += place.src;
    s->dst += place.dst;
    CT_LOOP for (int a = 0; a < box->in.axes; ++a)
    {
        const int64_t left = box->axis[a].extent - first[a];
        s->left[a] = left < box->axis[a].tile ? (int32_t)left : box->axis[a].tile;
    }
    return 1;
}

/** Moves a spot to this thread's part on a side of a partition. */
CT_DEVICE void ct_box_thread(const ct_box *box, const ct_partition *P, const ct_side *side,
                             ct_box_spot *s)
{
    uint32_t rest = threadIdx.x; /* threadIdx.x / done */
    int32_t done = 1;
    CT_UNROLL for (int d = 0; d < CT_DIGITS; ++d) if (d < side->digits)
    {
        const ct_digit *const g = &side->digit[d];
        if (g->div > done) rest /= (uint32_t)(g->div / done);
        const uint32_t n = g->div * g->mod < P->threads ? rest % (uint32_t)g->mod : rest;
        rest /= (uint32_t)g->mod;
        done = g->div * g->mod;
        if (side->space == CT_SPACE_SHARED) {
            s->shared += (int32_t)n * (g->offset * (P->elem_bits / 8));
        } else {
            s->src += n * (g->step * box->axis[g->axis].src);
            s->dst += n * (g->step * box->axis[g->axis].dst);
            s->mine[g->axis] += (int32_t)n * g->step;
        }
    }
}

/** Whether access i of a side is in the box. Either all of its elements are, or none. */
CT_DEVICE int ct_box_has(const ct_side *side, const ct_box_spot *s, const int part, const int i)
{
    const uint32_t coord =
        side->coord[i]; /* as ct_access_coord; no coordinate of a box is negative */
    int on = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
    {
        const int32_t at = side->right[a] ? (int32_t)(coord << side->left[a] >> side->right[a]) : 0;
        if (part >> a & 1) on = on && s->mine[a] + at < s->left[a];
    }
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
CT_DEVICE const void *ct_box_turn(const ct_box *box, uint32_t *out, const uint32_t *in, const int j,
                                  const int bits)
{
    const int words = ct_box_words(bits);
    if (!box->in.permuted) return (const unsigned char *)in + j * bits / 8;
    CT_UNROLL for (int w = 0; w < 4; ++w) if (w < words) out[w] =
        ct_turn(&box->in, in, j * words + w);
    return out;
}

/** The words of a block, converted if the copy converts. */
CT_DEVICE const uint32_t *ct_box_convert(const ct_box *box, uint32_t *out, const uint32_t *in,
                                         const double scale)
{
    const ct_partition *const P = &box->in;
    const int width = P->src.width, bits = width * P->elem_bits, raw = width * P->src_bits;
    if (box->by.to == CT_TYPE_RAW) return in;
    CT_UNROLL for (int k = 0; k < P->src_block; ++k) CT_UNROLL for (int v = 0; v < width; ++v)
        ct_convert(out + k * ct_box_words(bits), v, in + k * ct_box_words(raw), v, box->by.from,
                   box->by.to, box->by.has_scale, scale);
    return out;
}

/** Copies from the source to shared memory, or directly to the destination. Each round loads up to
 *  P->in_flight words, then stores them. */
CT_DEVICE void ct_box_in(const ct_box *box, const ct_box_spot *s, const double scale)
{
    const ct_partition *const P = &box->in;
    const int load = CT_BOX_BITS(in, src), words = ct_box_words(load);
    const int batch = ct_box_batch(P, load);
    CT_ROLL for (int b = 0; b < P->blocks; b += batch)
    {
        CT_FRAGMENT(uint32_t, held, CT_BOX_WORDS);
        CT_UNROLL for (int k = 0; k < batch * P->src_block; ++k)
        {
            const int i = b * P->src_block + k;
            if (i >= P->src.accesses) continue;
            CT_UNROLL for (int w = 0; w < 4; ++w) if (w < words) held[k * words + w] = 0;
            ct_load_global_if(ct_box_has(&P->src, s, P->ends, i), held + k * words,
                              s->src + box->src_offset[i], load);
        }
        CT_UNROLL for (int k = 0; k < batch; ++k)
        {
            if (b + k >= P->blocks) continue;
            CT_FRAGMENT(uint32_t, changed, CT_BOX_WORDS);
            const uint32_t *const in =
                ct_box_convert(box, changed, held + k * P->src_block * words, scale);
            CT_UNROLL for (int j = 0; j < P->dst_block; ++j)
            {
                const int i = (b + k) * P->dst_block + j;
                const int on = ct_box_has(&P->dst, s, P->ends, i);
                CT_FRAGMENT(uint32_t, out, 4);
                if (box->staged)
                    ct_store_shared_if(on, s->shared + P->dst.add[i],
                                       ct_box_turn(box, out, in, j, CT_BOX_BITS(in, dst)),
                                       CT_BOX_BITS(in, dst));
                else ct_store_global_if(on, s->dst + box->dst_offset[i], in, CT_BOX_BITS(in, dst));
            }
        }
    }
}

/** Copies from shared memory to the destination. */
CT_DEVICE void ct_box_out(const ct_box *box, const ct_box_spot *s)
{
    const ct_partition *const P = &box->out;
    CT_ROLL for (int i = 0; i < P->dst.accesses; ++i)
    {
        const int on = ct_box_has(&P->dst, s, P->ends, i);
        CT_FRAGMENT(uint32_t, out, 4) = {0, 0, 0, 0};
        CT_UNROLL for (int k = 0; k < P->src_block; ++k)
            ct_load_shared_if(on, (unsigned char *)out + k * CT_BOX_BITS(out, src) / 8,
                              s->shared + P->src.add[i * P->src_block + k], CT_BOX_BITS(out, src));
        ct_store_global_if(on, s->dst + box->dst_offset[i], out, CT_BOX_BITS(out, dst));
    }
}

/** Copies the box of this block. memory: shared memory for the box, if it is staged. */
CT_DEVICE void ct_box_move_at_launch(const ct_box *box, const ct_plan_args *args,
                                     unsigned char *memory)
{
    ct_box_spot first = CT_ZERO;
    first.src = (const unsigned char *)args->src;
    first.dst = (unsigned char *)args->dst;
    first.shared = memory;
    if (!ct_box_block(box, &first)) return;
    ct_box_spot s = first;
    if (box->in.threads == box->threads || threadIdx.x < (uint32_t)box->in.threads) {
        ct_box_thread(box, &box->in, &box->in.src, &s);
        if (box->staged) ct_box_thread(box, &box->in, &box->in.dst, &s);
        ct_box_in(box, &s, args->scale);
    }
    if (!box->staged) return;
    __syncthreads();
    if (box->out.threads < box->threads && threadIdx.x >= (uint32_t)box->out.threads) return;
    ct_box_thread(box, &box->out, &box->out.src, &first);
    ct_box_thread(box, &box->out, &box->out.dst, &first);
    ct_box_out(box, &first);
}

#define ct_box_move_at_launch(...) CT_CALL(ct_box_move_at_launch, __VA_ARGS__)

#endif
