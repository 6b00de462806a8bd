/**
 * Misaligned accesses, cut out of the two aligned accesses that hold them.
 *
 *     ct_cut(v, w, from, bytes, unit)              out of two accesses in registers
 *     ct_load_cut(words, at, bytes, unit)          out of two accesses that it loads
 *     ct_load_cut_if(on, words, at, bytes, unit)   the same if `on` is not 0, to words that are 0
 *     ct_cut_shared(v, from, past, first, end, unit) out of two vectors of shared memory
 *     ct_join(v, w, bytes)                         the first bytes of v, then those of w
 *
 * The address is a multiple of unit, a constant.
 *
 * Fails:    The CPU grid ends the launch if an aligned access is out of bounds. Wrong constants
 *           give wrong bytes.
 * In a kernel:
 *           // 16 bytes of each lane, from the second float of its four on
 *           const int i = (int)threadIdx.x;
 *           const unsigned char *const at = (const unsigned char *)(in + 4 * i + 1);
 *           CT_FRAGMENT(uint32_t, v, 4);
 *           CT_FRAGMENT(uint32_t, some, 4) = {0, 0, 0, 0};
 *           ct_load_cut(v, at, 16, 4);
 *           assert(ct_get_float(v, 0) == (float)(4 * i + 1));
 *           assert(ct_get_float(v, 3) == (float)(4 * i + 4));
 *           ct_load_cut_if(i < 8, some, at, 16, 4);
 *           assert(some[3] == (i < 8 ? v[3] : 0));
 *           CT_FRAGMENT(uint32_t, w, 8) = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
 *                                          0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c};
 *           ct_cut(v, w, 5, 16, 1); // bytes 5 to 20
 *           assert(v[0] == 0x08070605 && v[3] == 0x14131211);
 *           CT_SHARED(float, tile, 132);
 *           ct_load_global(some, in + 4 * i, 128), ct_store_shared(tile + 4 * i, some, 128);
 *           ct_load_global(some, in + 128, 128), ct_store_shared_if(i == 0, tile + 128, some, 128);
 *           __syncthreads();
 *           const unsigned char *const own = (const unsigned char *)(tile + 4 * i);
 *           ct_cut_shared(v, own, 8, 0, 16, 4); // from the third float on
 *           assert(ct_get_float(v, 0) == (float)(4 * i + 2));
 *           ct_cut_shared(some, own, 8, 8, 16, 4); // the last two of these
 *           assert(some[0] == 0 && ct_get_float(some, 3) == (float)(4 * i + 5));
 *           ct_join(v, w, 4); // one float, then bytes of w
 *           assert(ct_get_float(v, 0) == (float)(4 * i + 2) && v[1] == w[1]);
 * Source:   NVIDIA, PTX ISA 9.0, shf.
 */
#ifndef CUTLET_DEVICE_ELEMENT_FUNNEL_SHIFT_H
#define CUTLET_DEVICE_ELEMENT_FUNNEL_SHIFT_H

#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/element/permute.h>

/**
 * v = `bytes` bytes of w from byte `from` on. w holds two accesses of `bytes` bytes, each in its
 * own words. from is a multiple of unit, less than bytes; bytes is 1, 2, 4, 8 or 16. bytes and unit
 * are constants.
 *
 * Cost:     registers only. For 16 bytes 11 selections, and 4 funnel shifts if unit is less than 4;
 *           fewer if unit is 8 or 16.
 */
CT_DEVICE void ct_cut(uint32_t *v, const uint32_t *w, uint32_t from, const int bytes,
                      const int unit)
{
    if (bytes == 16) {
        CT_FRAGMENT(uint32_t, half, 6);
        CT_FRAGMENT(uint32_t, word, 5);
        CT_UNROLL for (int i = 0; i < 6; ++i) half[i] = unit < 16 && from & 8 ? w[i + 2] : w[i];
        CT_UNROLL for (int i = 0; i < 5; ++i) word[i] =
            unit < 8 && from & 4 ? half[i + 1] : half[i];
        CT_UNROLL for (int i = 0; i < 4; ++i) v[i] =
            unit < 4 ? ct_funnel(word[i], word[i + 1], 8 * (from & 3)) : word[i];
    } else if (bytes == 8) {
        CT_FRAGMENT(uint32_t, word, 3);
        CT_UNROLL for (int i = 0; i < 3; ++i) word[i] = unit < 8 && from & 4 ? w[i + 1] : w[i];
        CT_UNROLL for (int i = 0; i < 2; ++i) v[i] =
            unit < 4 ? ct_funnel(word[i], word[i + 1], 8 * (from & 3)) : word[i];
    } else if (bytes == 4) {
        v[0] = unit < 4 ? ct_funnel(w[0], w[1], 8 * from) : w[0];
    } else {
        v[0] = bytes == 2 && unit < 2 ? (w[0] | w[1] << 16) >> 8 * from : w[0];
    }
}

/**
 * Loads an access at an element's address if `on` is not 0. Both aligned accesses that hold it
 * must be in memory that may be read. words must be 0: the bytes are combined by OR.
 *
 * Cost:     two loads of `bytes` bytes, the second off in lanes whose address is aligned; then
 *           ct_cut. The sectors of neighbouring lanes' second loads are those of first loads.
 */
CT_DEVICE void ct_load_cut_if(const int on, uint32_t *words, const unsigned char *at,
                              const int bytes, const int unit)
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

/**
 * ct_load_cut_if for every lane; the words need no initial value.
 * Cost:     as ct_load_cut_if.
 */
CT_DEVICE void ct_load_cut(uint32_t *words, const unsigned char *at, const int bytes,
                           const int unit)
{
    CT_UNROLL for (int i = 0; i < 4; ++i) if (4 * i < bytes) words[i] = 0;
    ct_load_cut_if(1, words, at, bytes, unit);
}

/**
 * v = the 16 bytes of shared memory that begin `past` bytes, 0 to 15, after the vector at `from`;
 * of them those from byte `first` to `end`. A vector that has none of these is not read, and counts
 * as 0; with first = 16 and end = 0 none is.
 *
 * Cost:     two loads of 128 bits, the second off in lanes whose past is 0; then ct_cut.
 */
CT_DEVICE void ct_cut_shared(uint32_t *v, const unsigned char *from, const int32_t past,
                             const int32_t first, const int32_t end, const int unit)
{
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    ct_load_shared_if(past + first < 16, w, from, 128);
    ct_load_shared_if(past + end > 16, w + 4, from + 16, 128);
    ct_cut(v, w, (uint32_t)past, 16, unit);
}

/**
 * v = the first `bytes` bytes of v, 0 to 16, then those of w.
 * Cost:     registers only.
 */
CT_DEVICE void ct_join(uint32_t *v, const uint32_t *w, const int32_t bytes)
{
    CT_UNROLL for (int i = 0; i < 4; ++i)
    {
        const int32_t n = bytes - 4 * i;
        const uint32_t keep = n >= 4 ? ~0u : n <= 0 ? 0 : (1u << 8 * n) - 1;
        v[i] = (v[i] & keep) | (w[i] & ~keep);
    }
}

#endif
