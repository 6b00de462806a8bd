/**
 * @internal A copy through registers, in blocks: values that are whole accesses on both sides. Each
 * round loads some blocks, then stores them; elements may be converted on the way.
 */
#ifndef CUTLET_DEVICE_COPY_THROUGH_REGISTERS_H
#define CUTLET_DEVICE_COPY_THROUGH_REGISTERS_H

#include <cutlet/algebra/element_type.h>

#include <cutlet/device/copy/access.h>
#include <cutlet/device/element/permute.h>

/* The words of registers of a round; the axes, a bit each, along which a plan's accesses are
 * tested, each whole or out of bounds; whether values change their order; whether elements are
 * converted. A kernel that knows them defines them before this header. */
#ifndef CT_HELD_WORDS
#define CT_HELD_WORDS CT_COPY_WORDS
#endif
#ifndef CT_TESTS
#define CT_TESTS P->ends
#endif
#ifndef CT_PERMUTES
#define CT_PERMUTES 1
#endif
#ifndef CT_CONVERTS
#define CT_CONVERTS 0
#endif
#if CT_CONVERTS
#include <cutlet/device/element/convert.h>
#endif

/** Whether a side decides for the other side too which accesses are in the tensor: in global memory
 *  each of its accesses is a whole block. */
CT_FN int ct_copy_decides(const ct_side *side, int32_t block)
{
    return block == 1 && side->space == CT_SPACE_GLOBAL;
}

/** Whether access i of a side, in block b, is in the tensor: its coordinates from the thread's
 *  first are less than the room. */
CT_DEVICE int ct_copy_is_in(const ct_partition *P, const ct_side *side, const ct_view *v,
                            const int b, const int i)
{
    const int by_src = ct_copy_decides(&P->src, P->src_block);
    const int by_dst = !by_src && ct_copy_decides(&P->dst, P->dst_block);
    const ct_side *const s = by_src ? &P->src : by_dst ? &P->dst : side;
    const int at = by_src || by_dst ? b : i;
    int in = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (CT_TESTS >> a & 1) in =
        in && ct_access_coord(s, at, a) < v->capacity[a];
    return in;
}

/** The address of access i of a plan's view. */
CT_DEVICE unsigned char *ct_copy_at(const ct_partition *P, const ct_side *side, const ct_view *v,
                                    const int i)
{
    (void)P;
    return CT_SHARES && v->space == CT_SPACE_SHARED ? v->at + v->own + side->add[i]
                                                    : v->at + v->offset[i];
}

/** Whether accesses of less than a word are loaded side by side, not each into its own word:
 *  several of them are an access of the destination. */
CT_FN int ct_copy_gathers(const ct_partition *P)
{
    return CT_OF_PLAN && !P->permuted && P->src.width < P->dst.width;
}

/** How many accesses before access i, access k of a round, is the round's one with the same elements; 0: it is the
 *  first of them. */
CT_FN int ct_copy_back(const ct_partition *P, const int k, const int i)
{
    if (CT_OF_PLAN || !P->repeats) return 0;
    return i - P->alike[i] <= k ? i - P->alike[i] : 0;
}

/** The words of access k from those of the access `back` before it, or zeros. */
CT_DEVICE void ct_copy_again(const ct_partition *P, uint32_t *in, const int k, const int back,
                             const int on)
{
    const int words = ct_access_words(P, &P->src);
    CT_UNROLL for (int w = 0; w < 8; ++w) if (w < words) in[k * words + w] =
        on ? in[(k - back) * words + w] : 0;
}

/** Loads access i of the source, access k of those from `in` on. at: the place of the last access
 *  in global memory. */
CT_DEVICE void ct_copy_load(const ct_partition *P, const ct_view *v, uint32_t *in, const int k,
                            const int i, const unsigned char **at)
{
    const ct_side *const s = &P->src;
    const int bytes = ct_access_bytes(P, s), words = ct_access_words(P, s);
    const int back = ct_copy_back(P, k, i);
    if (back > 0) {
        if (s->space == CT_SPACE_GLOBAL) *at += ct_step_to_access(P, s, v, i);
        ct_copy_again(P, in, k, back, 1);
    } else if (CT_OF_PLAN) {
        const int step = ct_copy_gathers(P) ? bytes : 4 * words;
        ct_load_if(v->space, !CT_TESTS || ct_copy_is_in(P, s, v, i / P->src_block, i),
                   (unsigned char *)in + k * step, ct_copy_at(P, s, v, i), bytes);
    } else if (s->space == CT_SPACE_SHARED) {
        ct_load(CT_SPACE_SHARED, in + k * words, ct_access_in_shared(P, s, v, i), bytes);
    } else if (s->space == CT_SPACE_GLOBAL) {
        *at += ct_step_to_access(P, s, v, i);
        ct_load(CT_SPACE_GLOBAL, in + k * words, *at + ct_along_access(P, s, i), bytes);
    }
}

/** The words of access k of a block as the destination has them; `in`: the block's words, each
 *  access of the source in its own. All blocks have their values in the order of block 0. */
CT_DEVICE const uint32_t *ct_copy_permuted(const ct_partition *P, uint32_t *out, const uint32_t *in,
                                           const int k)
{
    const int words = ct_access_words(P, &P->dst);
    const int whole = ct_access_bytes(P, &P->dst) >= 4 && ct_bytes_of(P, P->src.width) >= 4;
    const int same = whole || P->src.width == P->dst.width || ct_copy_gathers(P);
    if (!CT_PERMUTES || (!P->permuted && same)) return in + k * words;
    CT_UNROLL for (int w = 0; w < words; ++w) out[w] = ct_turn(P, in, k * words + w);
    return out;
}

/** Stores the accesses of block b of the destination from the block's words. */
CT_DEVICE void ct_copy_store(const ct_partition *P, const ct_view *v, const uint32_t *in,
                             const int b, unsigned char **at)
{
    const ct_side *const s = &P->dst;
    const int bytes = ct_access_bytes(P, s), words = ct_access_words(P, s);
    CT_UNROLL for (int k = 0; k < P->dst_block; ++k)
    {
        const int i = b * P->dst_block + k;
        CT_FRAGMENT(uint32_t, permuted, 8);
        if (!CT_OF_PLAN && s->space == CT_SPACE_REGISTERS) {
            const uint32_t *const out = ct_copy_permuted(P, (uint32_t *)v->at + i * words, in, k);
            CT_UNROLL for (int w = 0; w < words; ++w)((uint32_t *)v->at)[i * words + w] = out[w];
            continue;
        }
        const uint32_t *const out = ct_copy_permuted(P, permuted, in, k);
        if (CT_OF_PLAN) {
            ct_store_if(v->space, !CT_TESTS || ct_copy_is_in(P, s, v, b, i), ct_copy_at(P, s, v, i),
                        out, bytes);
        } else if (s->space == CT_SPACE_SHARED) {
            ct_store(CT_SPACE_SHARED, ct_access_in_shared(P, s, v, i), out, bytes);
        } else {
            *at += ct_step_to_access(P, s, v, i);
            ct_store(CT_SPACE_GLOBAL, *at + ct_along_access(P, s, i), out, bytes);
        }
    }
}

/** The blocks of values whose loads are in flight at once. */
CT_FN int32_t ct_copy_blocks(const ct_partition *P)
{
    const int32_t words = P->src_block * ct_access_words(P, &P->src);
    return (int32_t)ct_max(1, ct_min(P->blocks, P->in_flight / ct_max(words, 1)));
}

/** The words of a block: those that were loaded, or the thread's own. */
CT_DEVICE const uint32_t *ct_copy_words(const ct_partition *P, const ct_view *from,
                                        const uint32_t *held, const int b)
{
    const int words = P->src_block * ct_access_words(P, &P->src);
    const int own = !CT_OF_PLAN && P->src.space == CT_SPACE_REGISTERS;
    return own ? (const uint32_t *)from->at + b * words : held;
}

/** The words of a block, converted if the copy converts. */
CT_DEVICE const uint32_t *ct_copy_converted(const ct_partition *P, const ct_conversion *by,
                                            uint32_t *out, const uint32_t *in)
{
#if CT_CONVERTS
    const int width = P->src.width, bytes = ct_bytes_of(P, width);
    const int words = bytes < 4 ? 1 : bytes / 4, loaded = ct_access_words(P, &P->src);
    if (by->to == CT_TYPE_RAW) return in;
    CT_UNROLL for (int k = 0; k < P->src_block; ++k) CT_UNROLL for (int v = 0; v < width; ++v)
        ct_convert(out + k * words, v, in + k * loaded, v, by->from, by->to, by->has_scale,
                   by->scale);
    return out;
#else
    (void)P, (void)by, (void)out;
    return in;
#endif
}

/** Copies a thread's part through registers, and converts it if `converts` is not 0. Each round
 *  loads as many blocks of values as P->in_flight allows, then stores them. */
CT_DEVICE void ct_copy_rounds(const ct_partition *P, const ct_view *from, const ct_view *to,
                              const ct_conversion *by, const int converts)
{
    const int group = ct_copy_blocks(P), words = P->src_block * ct_access_words(P, &P->src);
    const unsigned char *in = from->at;
    unsigned char *out = to->at;
    CT_UNROLL for (int b = 0; b < P->blocks; b += group)
    {
        CT_FRAGMENT(uint32_t, held, CT_HELD_WORDS);
        CT_UNROLL for (int w = 0; w < group * words && CT_OF_PLAN; ++w) held[w] = 0;
        CT_UNROLL for (int k = 0; k < group * P->src_block; ++k)
        {
            const int i = b * P->src_block + k;
            if (i < P->src.accesses) ct_copy_load(P, from, held, k, i, &in);
        }
        CT_UNROLL for (int k = 0; k < group; ++k)
        {
            if (b + k >= P->blocks) continue;
            CT_FRAGMENT(uint32_t, changed, CT_HELD_WORDS);
            const uint32_t *block = ct_copy_words(P, from, held + k * words, b + k);
            if (converts) block = ct_copy_converted(P, by, changed, block);
            ct_copy_store(P, to, block, b + k, &out);
        }
    }
}

#endif
