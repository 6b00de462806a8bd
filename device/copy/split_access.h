/**
 * @internal Accesses that cannot be made at once: element by element, byte by byte, in aligned
 * parts, or cut out of the two aligned accesses that hold them.
 */
#ifndef CUTLET_DEVICE_COPY_SPLIT_ACCESS_H
#define CUTLET_DEVICE_COPY_SPLIT_ACCESS_H

#include <cutlet/device/copy/access.h>
#include <cutlet/device/element/funnel_shift.h>

/** The bytes of an element; elements of less than a byte are moved in whole bytes. */
CT_FN int32_t ct_unit_of(const ct_partition *P) { return P->elem_bits < 8 ? 1 : P->elem_bits / 8; }

/** Loads the first `has` elements of an access piece by piece into words that are zero. The
 *  elements are `step` bytes apart; a piece is one of them, or a byte of one. The loop is not
 *  unrolled: it is for edges and for memory that is not contiguous. */
CT_DEVICE void ct_load_pieces(const ct_partition *P, const int bytes, const int piece,
                              uint32_t *words, const unsigned char *at, const int64_t step,
                              const int32_t has)
{
    const int n = bytes / piece, each = P->elem_bits < 8 ? 8 / P->elem_bits : 1;
    const uint32_t of_element = (uint32_t)(ct_unit_of(P) / piece);
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    CT_ROLL for (uint32_t k = 0; k < (uint32_t)n; ++k)
    {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        const unsigned char *const from = at + k / of_element * step + k % of_element;
        ct_load_global_if((int32_t)(k / of_element) * each < has, x, from, 8 * piece);
        ct_shift_in(v, x, piece);
    }
    if (bytes < 4) words[0] |= v[3] >> (32 - 8 * bytes);
    CT_UNROLL for (int w = 0; w < 4; ++w) if (4 * w < bytes && bytes >= 4) words[w] |=
        v[w + 4 - bytes / 4];
}

/** Loads the first `has` elements of an access of up to 16 bytes one by one. */
CT_DEVICE void ct_load_elements_of(const ct_partition *P, const int bytes, uint32_t *words,
                                   const unsigned char *at, const int64_t step, const int32_t has)
{
    if (bytes <= ct_unit_of(P)) ct_load_global_if(has > 0, words, at, 8 * bytes);
    else ct_load_pieces(P, bytes, ct_unit_of(P), words, at, step, has);
}

/** ct_load_elements_of for the accesses of a side; an access of 32 bytes is loaded in halves. */
CT_DEVICE void ct_load_elements(const ct_partition *P, const ct_side *side, uint32_t *words,
                                const unsigned char *at, const int64_t step, const int32_t has)
{
    const int bytes = ct_access_bytes(P, side), half = side->width / 2;
    if (bytes <= 16) {
        ct_load_elements_of(P, bytes, words, at, step, has);
        return;
    }
    ct_load_elements_of(P, 16, words, at, step, has < half ? has : half);
    ct_load_elements_of(P, 16, words + 4, at + half * step, step, has - half);
}

/** Loads the first `has` elements of an access of two if `on` is not 0: each by its own access,
 *  without a loop. Elements have 1, 2, 4 or 8 bytes. */
CT_DEVICE void ct_load_pair(const int on, uint32_t *words, const unsigned char *at,
                            const int64_t step, const int32_t has, const int unit)
{
    CT_UNROLL for (int k = 0; k < 2; ++k)
    {
        CT_FRAGMENT(uint32_t, x, 2) = {0, 0};
        const int there = on && k < has;
        ct_load_global_if(there, x, at + k * step, 8 * unit);
        if (unit >= 4) {
            CT_UNROLL for (int w = 0; w < 2; ++w) if (4 * w < unit) words[k * unit / 4 + w] =
                there ? x[w] : words[k * unit / 4 + w];
        } else {
            words[0] |= x[0] << 8 * unit * k; /* x is zero if there is no element */
        }
    }
}

CT_DEVICE void ct_store_pair(const int on, unsigned char *at, const uint32_t *words,
                             const int64_t step, const int32_t has, const int unit)
{
    CT_UNROLL for (int k = 0; k < 2; ++k)
    {
        CT_FRAGMENT(uint32_t, x, 2) = {0, 0};
        if (unit >= 4) {
            CT_UNROLL for (int w = 0; w < 2; ++w) if (4 * w < unit) x[w] = words[k * unit / 4 + w];
        } else {
            x[0] = words[0] >> 8 * unit * k;
        }
        ct_store_global_if(on && k < has, at + k * step, x, 8 * unit);
    }
}

/** Replaces the bits of v's first byte from `bits` on by those in memory: they belong to no element
 *  of the access. */
CT_DEVICE void ct_keep_bits(uint32_t *v, const unsigned char *at, const int bits)
{
    CT_FRAGMENT(uint32_t, x, 1) = {0};
    const uint32_t own = (1u << bits) - 1;
    ct_load_global(x, at, 8);
    v[0] = (v[0] & (own | 0xffffff00u)) | (x[0] & ~own & 0xffu);
}

/** Stores the first `has` elements of an access piece by piece, as ct_load_pieces loads them. */
CT_DEVICE void ct_store_pieces(const ct_partition *P, const int bytes, const int piece,
                               unsigned char *at, const uint32_t *words, const int64_t step,
                               const int32_t has)
{
    const int n = bytes / piece, each = P->elem_bits < 8 ? 8 / P->elem_bits : 1;
    const uint32_t of_element = (uint32_t)(ct_unit_of(P) / piece);
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, none, 4) = {0, 0, 0, 0};
    CT_UNROLL for (int w = 0; w < 4; ++w) if (4 * w < bytes) v[w] = words[w];
    CT_ROLL for (uint32_t k = 0; k < (uint32_t)n; ++k)
    {
        const int32_t first = (int32_t)(k / of_element) * each;
        unsigned char *const to = at + k / of_element * step + k % of_element;
        if (each > 1 && first < has && has < first + each)
            ct_keep_bits(v, to, (has - first) * P->elem_bits);
        ct_store_global_if(first < has, to, v, 8 * piece);
        ct_shift_in(v, none, piece);
    }
}

/** Stores the first `has` elements of an access of up to 16 bytes one by one. */
CT_DEVICE void ct_store_elements_of(const ct_partition *P, const int bytes, unsigned char *at,
                                    const uint32_t *words, const int64_t step, const int32_t has)
{
    const int one = bytes <= ct_unit_of(P) && P->elem_bits >= 8;
    if (one) ct_store_global_if(has > 0, at, words, 8 * bytes);
    else ct_store_pieces(P, bytes, ct_unit_of(P), at, words, step, has);
}

/** ct_store_elements_of for the accesses of a side; an access of 32 bytes is stored in halves. */
CT_DEVICE void ct_store_elements(const ct_partition *P, const ct_side *side, unsigned char *at,
                                 const uint32_t *words, const int64_t step, const int32_t has)
{
    const int bytes = ct_access_bytes(P, side), half = side->width / 2;
    if (bytes <= 16) {
        ct_store_elements_of(P, bytes, at, words, step, has);
        return;
    }
    ct_store_elements_of(P, 16, at, words, step, has < half ? has : half);
    ct_store_elements_of(P, 16, at + half * step, words + 4, step, has - half);
}

/** Stores an access in equal parts, as wide as its alignment `align` allows. Stores nothing if
 *  align is 0. */
CT_DEVICE void ct_store_parts(const int32_t align, unsigned char *at, const uint32_t *words,
                              const int bytes, const int unit)
{
    CT_UNROLL for (int part = 4; part <= 8; part *= 2)
    {
        if (part <= unit || part >= bytes) continue;
        const int on = align >= part && (align < 2 * part || 2 * part >= bytes);
        CT_UNROLL for (int k = 0; k < 4; ++k) if (k * part < bytes)
            ct_store_global_if(on, at + k * part, words + k * part / 4, 8 * part);
    }
}

#endif
