/**
 * @internal The copy by a predicated partition: accesses at once where tile and tensor allow it, or element by element.
 *
 * It is apart from ct_copy's other forms: nvcc inlines what a call may need before it drops what the partition does
 * not, so that a branch in them took up to twice the time to compile every copy.
 */
#ifndef CUTLET_DEVICE_COPY_PREDICATED_COPY_H
#define CUTLET_DEVICE_COPY_PREDICATED_COPY_H

#include <cutlet/device/copy/predicated_access.h>
#include <cutlet/device/copy/through_registers.h>

/** Stores the accesses of block b of the destination from the block's words. */
CT_DEVICE void ct_block_predicated(const ct_partition *P, const ct_view *v, const uint32_t *in,
                                   const int b, unsigned char **at)
{
    if (P->dst.space == CT_SPACE_REGISTERS) {
        ct_copy_store(P, v, in, b, at);
        return;
    }
    CT_UNROLL for (int k = 0; k < P->dst_block; ++k)
    {
        CT_FRAGMENT(uint32_t, permuted, 8);
        ct_store_predicated(P, v, ct_copy_permuted(P, permuted, in, k), b * P->dst_block + k, at);
    }
}

/** Loads access i of the source, access k of those from `in` on; again where one before has its elements and both are
 *  in the tensor alike. */
CT_DEVICE void ct_load_once(const ct_partition *P, const ct_view *v, uint32_t *in, const int k,
                            const int i, const unsigned char **at)
{
    const int back = v->when ? 0 : ct_copy_back(P, k, i);
    const ct_elements has = ct_access_elements(P, &P->src, v, i);
    const ct_elements first = ct_access_elements(P, &P->src, v, i - back);
    if (back > 0 && has.first == first.first && has.end == first.end) {
        (void)ct_access_after(P, &P->src, v, i, at);
        ct_copy_again(P, in, k, back, 1);
    } else {
        ct_load_predicated(P, v, in + k * ct_access_words(P, &P->src), i, at);
    }
}

/** ct_copy_rounds, with a test of each access. */
CT_DEVICE void ct_rounds_predicated(const ct_partition *P, const ct_view *from, const ct_view *to)
{
    const int group = ct_copy_blocks(P), words = P->src_block * ct_access_words(P, &P->src);
    const unsigned char *in = from->at;
    unsigned char *out = to->at;
    CT_UNROLL for (int b = 0; b < P->blocks; b += group)
    {
        CT_FRAGMENT(uint32_t, held, CT_HELD_WORDS);
        CT_UNROLL for (int k = 0; k < group * P->src_block; ++k)
        {
            const int i = b * P->src_block + k;
            if (i >= P->src.accesses) continue;
            ct_load_once(P, from, held, k, i, &in);
        }
        CT_UNROLL for (int k = 0; k < group; ++k)
        {
            if (b + k >= P->blocks) continue;
            ct_block_predicated(P, to, ct_copy_words(P, from, held + k * words, b + k), b + k,
                                &out);
        }
    }
}

/** Copies by a predicated partition: accesses at once where tile and tensor allow it, or
 *  element by element. */
CT_DEVICE void ct_copy_predicated(const ct_partition *P, const ct_view src, const ct_view dst)
{
    ct_view from = ct_view_src(P, src, threadIdx.x), to = ct_view_dst(P, dst, threadIdx.x);
    const int async = ct_atom_is_async(P->atom);
    CT_FRAGMENT(int32_t, src_entry, CT_ACCESSES);
    CT_FRAGMENT(int32_t, dst_entry, CT_ACCESSES);
    ct_load_entries(P, &P->src, &from, src_entry);
    ct_load_entries(P, &P->dst, &to, dst_entry);
    from.entry = src_entry;
    to.entry = dst_entry;
    if (ct_is_in_accesses(P, &P->src, &from, async) && ct_is_in_accesses(P, &P->dst, &to, 0)) {
        from.whole = to.whole = 1;
        if (async) ct_async_predicated(P, &from, &to);
        else ct_rounds_predicated(P, &from, &to);
    } else {
        from.whole = to.whole = 0;
        ct_rounds_predicated(P, &from, &to);
    }
}

#endif
