/**
 * @internal A box that a kernel gets at its launch. Its loops over run-time data keep a thread's
 * part in few bytes of local memory, where ct_view would take many.
 */
#ifndef CUTLET_PLAN_KERNELS_BOX_AT_LAUNCH_H
#define CUTLET_PLAN_KERNELS_BOX_AT_LAUNCH_H

#include <cutlet/device/element/convert.h>
#include "box.h"

/** The most digits of a side's threads: one for each axis, and one for the gap in shared memory. */
#define CT_BOX_DIGITS (CT_AXES + 1)

/** The digits of a side's threads. Step: coordinates; in shared memory bytes. */
typedef struct ct_box_digits {
    int32_t count;
    ct_value_digit digit[CT_BOX_DIGITS];
} ct_box_digits;

/** One side of a partition. */
typedef struct ct_box_side {
    int32_t bits, accesses;
    ct_box_digits digits;
    uint8_t left[CT_AXES], right[CT_AXES]; /* as in ct_side */
    uint32_t coord[CT_ACCESSES];
} ct_box_side;

/** A box as an argument: of its partitions what the kernel reads. */
typedef struct ct_box_args {
    ct_plan_args at;
    ct_conversion by;
    int32_t staged, threads, past, modes;
    int32_t axes, in_threads, out_threads;
    int32_t width, elem_bits, src_bits; /* of an access of `src`, in elements; of an element */
    int32_t permuted, blocks, batch, src_block,
        dst_block; /* of the way in; batch: blocks of a round */
    int32_t in_ends, out_ends;
    int32_t reads, read_bits; /* accesses to shared memory for one to the destination */
    ct_box_mode mode[CT_BOX_MODES], axis[CT_AXES];
    ct_box_side src, kept, dst; /* kept: in shared memory, or of the destination */
    ct_box_digits read;         /* from shared memory, by accesses of read_bits */
    uint16_t kept_at[CT_ACCESSES], read_at[CT_ACCESSES]; /* bytes to a thread's accesses there */
    int64_t src_offset[CT_ACCESSES], dst_offset[CT_ACCESSES];
    uint8_t turn[CT_VALUES + 4]; /* where each byte of a permuted block is among its loaded ones */
} ct_box_args;

/** A thread's part of a box: its first element on either side and in shared memory. left: the
 *  extents of the box along tiled axes; mine: the thread's first coordinate. */
typedef struct ct_box_spot {
    const unsigned char *src;
    unsigned char *dst, *shared;
    int32_t left[CT_AXES], mine[CT_AXES];
} ct_box_spot;

/** Moves a spot to the box of this block. Returns 0 if the block has no box. */
CT_DEVICE int ct_box_block(const ct_box_args *box, ct_box_spot *s)
{
    int64_t first[CT_AXES] = CT_ZERO;
    const ct_place place = ct_place_of(box->mode, 0, box->modes, blockIdx.x, 1, first);
    if (box->past >= 0 && first[box->past] >= box->axis[box->past].extent) return 0;
    s->src += place.src;
    s->dst += place.dst;
    CT_ROLL for (int a = 0; a < box->axes; ++a)
    {
        const int64_t left = box->axis[a].extent - first[a];
        s->left[a] = left < box->axis[a].tile ? (int32_t)left : box->axis[a].tile;
    }
    return 1;
}

/** Moves a spot to this thread's part on a side of a partition of `threads` threads. */
CT_DEVICE void ct_box_thread(const ct_box_args *box, const ct_box_digits *D, const int32_t threads,
                             const int shared, ct_box_spot *s)
{
    uint32_t rest = threadIdx.x; /* threadIdx.x / done */
    int32_t done = 1;
    CT_UNROLL for (int d = 0; d < CT_BOX_DIGITS; ++d) if (d < D->count)
    {
        const ct_value_digit *const g = &D->digit[d];
        if (g->div > done) rest /= (uint32_t)(g->div / done);
        const uint32_t n = g->div * g->mod < threads ? rest % (uint32_t)g->mod : rest;
        rest /= (uint32_t)g->mod;
        done = g->div * g->mod;
        if (shared) {
            s->shared += (int32_t)n * g->step;
        } else {
            s->src += n * (g->step * box->axis[g->axis].src);
            s->dst += n * (g->step * box->axis[g->axis].dst);
            s->mine[g->axis] += (int32_t)n * g->step;
        }
    }
}

/** Whether access i of a side is in the box. Either all of its elements are, or none. */
CT_DEVICE int ct_box_has(const ct_box_side *side, const ct_box_spot *s, const int part, const int i)
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

/** The words of access j of a block as they are stored: transposed, or its bits in the order of the
 *  loads. */
CT_DEVICE const void *ct_box_turn(const ct_box_args *box, uint32_t *out, const uint32_t *in,
                                  const int j)
{
    const int bits = box->kept.bits, words = ct_box_words(bits);
    if (!box->permuted) return (const unsigned char *)in + j * bits / 8;
    CT_UNROLL for (int w = 0; w < 4; ++w) if (w < words)
    {
        const uint8_t *const at = box->turn + j * bits / 8 + 4 * w;
        out[w] = ct_turn_word(in, at[0], at[1], at[2], at[3]);
    }
    return out;
}

/** The words of a block, converted if the copy converts. */
CT_DEVICE const uint32_t *ct_box_convert(const ct_box_args *box, uint32_t *out, const uint32_t *in)
{
    const int bits = box->width * box->elem_bits, raw = box->width * box->src_bits;
    if (box->by.to == CT_TYPE_RAW) return in;
    CT_UNROLL for (int k = 0; k < box->src_block; ++k)
        CT_UNROLL for (int v = 0; v < box->width; ++v)
            ct_convert(out + k * ct_box_words(bits), v, in + k * ct_box_words(raw), v, box->by.from,
                       box->by.to, box->by.has_scale, box->at.scale);
    return out;
}

/** Copies from the source to shared memory, or directly to the destination. Each round loads some
 *  blocks, then stores them. */
CT_DEVICE void ct_box_in(const ct_box_args *box, const ct_box_spot *s)
{
    const int load = box->src.bits, kept = box->kept.bits, words = ct_box_words(load);
    CT_ROLL for (int b = 0; b < box->blocks; b += box->batch)
    {
        CT_FRAGMENT(uint32_t, held, CT_BOX_WORDS);
        CT_UNROLL for (int k = 0; k < box->batch * box->src_block; ++k)
        {
            const int i = b * box->src_block + k;
            if (i >= box->src.accesses) continue;
            CT_UNROLL for (int w = 0; w < 4; ++w) if (w < words) held[k * words + w] = 0;
            ct_load_global_if(ct_box_has(&box->src, s, box->in_ends, i), held + k * words,
                              s->src + box->src_offset[i], load);
        }
        CT_UNROLL for (int k = 0; k < box->batch; ++k)
        {
            if (b + k >= box->blocks) continue;
            CT_FRAGMENT(uint32_t, changed, CT_BOX_WORDS);
            const uint32_t *const in =
                ct_box_convert(box, changed, held + k * box->src_block * words);
            CT_UNROLL for (int j = 0; j < box->dst_block; ++j)
            {
                const int i = (b + k) * box->dst_block + j;
                const int on = ct_box_has(&box->kept, s, box->in_ends, i);
                CT_FRAGMENT(uint32_t, out, 4);
                if (box->staged)
                    ct_store_shared_if(on, s->shared + box->kept_at[i],
                                       ct_box_turn(box, out, in, j), kept);
                else ct_store_global_if(on, s->dst + box->dst_offset[i], in, kept);
            }
        }
    }
}

/** Copies from shared memory to the destination. */
CT_DEVICE void ct_box_out(const ct_box_args *box, const ct_box_spot *s)
{
    CT_ROLL for (int i = 0; i < box->dst.accesses; ++i)
    {
        const int on = ct_box_has(&box->dst, s, box->out_ends, i), bits = box->read_bits;
        CT_FRAGMENT(uint32_t, out, 4) = {0, 0, 0, 0};
        CT_UNROLL for (int k = 0; k < box->reads; ++k)
            ct_load_shared_if(on, (unsigned char *)out + k * bits / 8,
                              s->shared + box->read_at[i * box->reads + k], bits);
        ct_store_global_if(on, s->dst + box->dst_offset[i], out, box->dst.bits);
    }
}

/** Copies the box of this block. memory: shared memory for the box, if it is staged. */
CT_DEVICE void ct_box_move_at_launch(const ct_box_args *box, const ct_plan_args *args,
                                     unsigned char *memory)
{
    ct_box_spot first = CT_ZERO;
    first.src = (const unsigned char *)args->src;
    first.dst = (unsigned char *)args->dst;
    first.shared = memory;
    if (!ct_box_block(box, &first)) return;
    ct_box_spot s = first;
    if (box->in_threads == box->threads || threadIdx.x < (uint32_t)box->in_threads) {
        ct_box_thread(box, &box->src.digits, box->in_threads, 0, &s);
        if (box->staged) ct_box_thread(box, &box->kept.digits, box->in_threads, 1, &s);
        ct_box_in(box, &s);
    }
    if (!box->staged) return;
    __syncthreads();
    if (box->out_threads < box->threads && threadIdx.x >= (uint32_t)box->out_threads) return;
    ct_box_thread(box, &box->read, box->out_threads, 1, &first);
    ct_box_thread(box, &box->dst.digits, box->out_threads, 0, &first);
    ct_box_out(box, &first);
}

#define ct_box_move_at_launch(...) CT_CALL(ct_box_move_at_launch, __VA_ARGS__)

#endif
