/**
 * One access of a copy: where it lies on its side of a partition, and how it is made, whole, in
 * part, or cut out of two aligned ones.
 */
#ifndef CUTLET_DEVICE_COPY_ACCESS_H
#define CUTLET_DEVICE_COPY_ACCESS_H

#include "cp_async.h"
#include "load_store.h"
#include "tile_view.h"
#include "turn.h"
#include "wide.h"

/** Bytes of n elements. */
CT_FN int32_t ct_bytes_of(const ct_partition *P, int32_t n) { return n * P->elem_bits / 8; }

/** Bytes of one access of a side, and the words of registers that it takes. */
CT_FN int32_t ct_access_bytes(const ct_partition *P, const ct_side *side)
{
    return ct_bytes_of(P, side->width);
}
CT_FN int32_t ct_access_words(const ct_partition *P, const ct_side *side)
{
    return ct_access_bytes(P, side) < 4 ? 1 : ct_access_bytes(P, side) / 4;
}

/** From access i - 1 of a thread to access i in global memory: bytes, but for those along the
 *  contiguous axis, which ct_along_access adds. */
CT_DEVICE int64_t ct_step_to_access(const ct_partition *P, const ct_side *side, const ct_view *v,
                                    const int i)
{
    int64_t by = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) if (a != side->axis) {
        const int32_t d = side->coord[i][a] - (i > 0 ? side->coord[i > 0 ? i - 1 : 0][a] : 0);
        if (d != 0) by += P->promised ? ct_wide((int32_t)v->step[a], d) : d * v->step[a];
    }
    return P->elem_bits < 8 ? by >> 3 : by;
}

/** Bytes of access i along the contiguous axis. */
CT_DEVICE int32_t ct_along_access(const ct_partition *P, const ct_side *side, const int i)
{
    return side->axis < 0 ? 0 : ct_bytes_of(P, side->coord[i][side->axis]);
}

/** Where access i lies in global memory, whatever the steps are. */
CT_DEVICE unsigned char *ct_access_at(const ct_partition *P, const ct_side *side, const ct_view *v,
                                      const int i)
{
    int64_t at = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) at += side->coord[i][a] * v->step[a];
    return v->at + (P->elem_bits < 8 ? at >> 3 : at);
}

/** Where access i lies in shared memory. */
CT_DEVICE unsigned char *ct_access_in_shared(const ct_partition *P, const ct_side *side,
                                             const ct_view *v, const int i)
{
    if (side->apart) {
        const int32_t at = side->fold[i] == 0 ? v->own : v->own ^ side->fold[i];
        return v->at + at + side->add[i];
    }
    const ct_swizzle sw = side == &P->src ? P->src_swizzle : P->dst_swizzle;
    return v->at + ct_swizzle_apply(sw, v->own + side->add[i]);
}

/** How many elements of access i lie in the tensor, from the first on; 0 or less: none. (Not clamped at
 *  0: ptxas 13.0 compares the clamped number with the width by a wrong predicate of VIMNMX.RELU.) */
CT_DEVICE int32_t ct_access_has(const ct_partition *P, const ct_side *side, const ct_view *v,
                                const int i)
{
    int32_t n = side->width;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) {
        const int32_t left = ct_clamp32(v->left[a]) - v->mine[a] - side->coord[i][a];
        if (a == side->axis) n = left < n ? left : n;
        else if (left <= 0) n = 0;
    }
    return n;
}

/** Stops the launch: there is no such access. */
CT_DEVICE void ct_no_access(const unsigned char *at)
{
    uint32_t none;
    ct_load_global(&none, at, 0);
}

/** Where the element of a coordinate lies in a tensor of elements of whole bytes. */
CT_DEVICE unsigned char *ct_element_at(const ct_global *g, const ct_index x)
{
    unsigned char *at = g->at;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a < g->axes) at += x.at[a] * g->step[a];
    return at;
}

/** One element from or to the thread's own variable; a coordinate outside reads nothing, and is not
 *  written. bits, that of the tensor's elements, is a constant. */
CT_DEVICE int ct_element_is_there(const ct_global *g, const ct_index x)
{
    int there = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
        if (a < g->axes) there = there && x.at[a] >= 0 && x.at[a] < g->extent[a];
    return there;
}
CT_DEVICE void ct_load_element(void *own, const ct_global *g, const ct_index x, const int bits)
{
    ct_load_global_if(ct_element_is_there(g, x), own, ct_element_at(g, x), bits);
}
CT_DEVICE void ct_store_element(const ct_global *g, const ct_index x, const void *own, const int bits)
{
    ct_store_global_if(ct_element_is_there(g, x), ct_element_at(g, x), own, bits);
}

/** One access of 1 to 32 bytes to or from a thread's words. */
CT_DEVICE void ct_load(const int space, uint32_t *words, const unsigned char *at, const int bytes)
{
    if (bytes < 4) words[0] = 0;
    if (space == CT_SHARED) ct_load_shared(words, at, 8 * bytes);
#if CT_HAS_256
    else if (bytes == 32) ct_load_global_256(words, at);
#endif
    else ct_load_global(words, at, 8 * bytes);
}

CT_DEVICE void ct_store(const int space, unsigned char *at, const uint32_t *words, const int bytes)
{
    if (space == CT_SHARED) ct_store_shared(at, words, 8 * bytes);
#if CT_HAS_256
    else if (bytes == 32) ct_store_global_256(at, words);
#endif
    else ct_store_global(at, words, 8 * bytes);
}

/** The same to or from global memory where `on` is not 0; else words and memory keep what they have. */
CT_DEVICE void ct_load_if(const int on, uint32_t *words, const unsigned char *at, const int bytes)
{
#if CT_HAS_256
    if (bytes == 32) {
        ct_load_global_256_if(on, words, at);
        return;
    }
#endif
    ct_load_global_if(on, words, at, 8 * bytes);
}

CT_DEVICE void ct_store_if(const int on, unsigned char *at, const uint32_t *words, const int bytes)
{
#if CT_HAS_256
    if (bytes == 32) {
        ct_store_global_256_if(on, at, words);
        return;
    }
#endif
    ct_store_global_if(on, at, words, 8 * bytes);
}

/** Adds the first `has` elements of an access one by one to words that are zero there; `step` bytes lie between
 *  two. The loop is not spread out: it is for edges and for memory that is not contiguous. */
CT_DEVICE void ct_load_elements_of(const ct_partition *P, const int bytes, uint32_t *words,
                                   const unsigned char *at, const int64_t step, const int32_t has)
{
    const int unit = P->elem_bits < 8 ? 1 : P->elem_bits / 8; /* two or more elements of 4 bits go together */
    const int n = bytes / unit;
    const int each = P->elem_bits < 8 ? 8 / P->elem_bits : 1;
    if (n <= 1) {
        ct_load_global_if(has > 0, words, at, 8 * bytes);
        return;
    }
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    CT_ROLL for (int k = 0; k < n; ++k) {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        ct_load_global_if(k * each < has, x, at + k * step, 8 * unit);
        ct_shift_in(v, x, unit);
    }
    if (bytes < 4) words[0] |= v[3] >> (32 - 8 * bytes);
    CT_UNROLL for (int w = 0; w < 4; ++w)
        if (4 * w < bytes && bytes >= 4) words[w] |= v[w + 4 - bytes / 4];
}

/** The same for the accesses of a side; one of 32 bytes goes in halves. */
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

/** The bits of the byte at `at` from `bits` on take the place of those of v: they belong to no
 *  element. */
CT_DEVICE void ct_keep_bits(uint32_t *v, const unsigned char *at, const int bits)
{
    CT_FRAGMENT(uint32_t, x, 1) = {0};
    const uint32_t own = (1u << bits) - 1;
    ct_load_global(x, at, 8);
    v[0] = (v[0] & (own | 0xffffff00u)) | (x[0] & ~own & 0xffu);
}

CT_DEVICE void ct_store_elements_of(const ct_partition *P, const int bytes, unsigned char *at,
                                    const uint32_t *words, const int64_t step, const int32_t has)
{
    const int unit = P->elem_bits < 8 ? 1 : P->elem_bits / 8;
    const int n = bytes / unit;
    const int each = P->elem_bits < 8 ? 8 / P->elem_bits : 1;
    if (n <= 1 && each == 1) {
        ct_store_global_if(has > 0, at, words, 8 * bytes);
        return;
    }
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, none, 4) = {0, 0, 0, 0};
    CT_UNROLL for (int w = 0; w < 4; ++w) if (4 * w < bytes) v[w] = words[w];
    CT_ROLL for (int k = 0; k < n; ++k) {
        if (each > 1 && k * each < has && has < (k + 1) * each) ct_keep_bits(v, at + k * step, (has - k * each) * P->elem_bits);
        ct_store_global_if(k * each < has, at + k * step, v, 8 * unit);
        ct_shift_in(v, none, unit);
    }
}

/** The same for the accesses of a side; one of 32 bytes goes in halves. */
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

/** The first `has` elements of an access byte by byte, as ct_load_elements does. */
CT_DEVICE void ct_load_bytes(const ct_partition *P, const ct_side *side, uint32_t *words,
                             const unsigned char *at, const int64_t step, const int32_t has)
{
    const uint32_t unit = P->elem_bits < 8 ? 1 : (uint32_t)P->elem_bits / 8;
    const int bytes = ct_access_bytes(P, side);
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    CT_ROLL for (uint32_t k = 0; k < (uint32_t)bytes; ++k) {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        ct_load_global_if((int32_t)(k / unit) < has, x, at + k / unit * step + k % unit, 8);
        ct_shift_in(v, x, 1);
    }
    if (bytes < 4) words[0] |= v[3] >> (32 - 8 * bytes);
    CT_UNROLL for (int w = 0; w < 4; ++w)
        if (4 * w < bytes && bytes >= 4) words[w] |= v[w + 4 - bytes / 4];
}

CT_DEVICE void ct_store_bytes(const ct_partition *P, const ct_side *side, unsigned char *at,
                              const uint32_t *words, const int64_t step, const int32_t has)
{
    const uint32_t unit = P->elem_bits < 8 ? 1 : (uint32_t)P->elem_bits / 8;
    const int bytes = ct_access_bytes(P, side);
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, none, 4) = {0, 0, 0, 0};
    CT_UNROLL for (int w = 0; w < 4; ++w) if (4 * w < bytes || w == 0) v[w] = words[w];
    CT_ROLL for (uint32_t k = 0; k < (uint32_t)bytes; ++k) {
        ct_store_global_if((int32_t)(k / unit) < has, at + k / unit * step + k % unit, v, 8);
        ct_shift_in(v, none, 1);
    }
}

/** An access in equal parts, as wide as the address allows: align, 0 for none of them. */
CT_DEVICE void ct_store_parts(const int32_t align, unsigned char *at, const uint32_t *words,
                              const int bytes, const int unit)
{
    CT_UNROLL for (int part = 4; part <= 8; part *= 2) {
        if (part <= unit || part >= bytes) continue;
        const int on = align >= part && (align < 2 * part || 2 * part >= bytes);
        CT_UNROLL for (int k = 0; k < 4; ++k) if (k * part < bytes)
            ct_store_global_if(on, at + k * part, words + k * part / 4, 8 * part);
    }
}

/** The bytes of an access at any address that elements have, cut out of the two aligned accesses
 *  that hold it, where `on` is not 0; both must be in memory that may be read. */
CT_DEVICE void ct_load_cut_if(const int on, uint32_t *words, const unsigned char *at, const int bytes,
                              const int unit)
{
    const int n = bytes < 4 ? 1 : bytes / 4;
    const uint32_t past = (uint32_t)(uintptr_t)at & (uint32_t)(bytes - 1);
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, v, 4);
    ct_load_global_if(on, w, at - past, 8 * bytes);
    ct_load_global_if(on && past != 0, w + n, at - past + bytes, 8 * bytes);
    ct_cut(v, w, past, bytes, unit);
    CT_UNROLL for (int i = 0; i < 4; ++i) if (i < n) words[i] |= v[i];
}

/** The same for every lane, to words that hold anything. */
CT_DEVICE void ct_load_cut(uint32_t *words, const unsigned char *at, const int bytes, const int unit)
{
    CT_UNROLL for (int i = 0; 4 * i < bytes; ++i) words[i] = 0;
    ct_load_cut_if(1, words, at, bytes, unit);
}

#define ct_load_element(...) CT_CALL(ct_load_element, __VA_ARGS__)
#define ct_store_element(...) CT_CALL(ct_store_element, __VA_ARGS__)

#endif
