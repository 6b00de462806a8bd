/**
 * Runs: elements side by side in memory, moved in vectors whatever the addresses are.
 *
 *     const ct_run row = {(const unsigned char *)args.src, 4 * args.n};
 *     CT_FRAGMENT(uint32_t, v, 4);
 *     ct_run_load(v, row, 16 * i, 16, 4);        bytes 16 i to 16 i + 15, floats
 *
 * A vector that lies whole in the run, at an address that its size divides, is one access. At
 * another address it is cut in registers out of the two aligned accesses that hold it. What lies
 * outside the run is zero and not touched: there, at the two ends, the elements go one by one. No
 * address of an element faults.
 *
 * Stores do not cut: of vectors, those are wide that begin at an aligned address. So whoever moves
 * a run counts its vectors from an aligned address of the destination: ct_run_skew.
 */
#ifndef CUTLET_DEVICE_RUN_H
#define CUTLET_DEVICE_RUN_H

#include "copy_cut.h"
#include "wide.h"

typedef struct ct_run {
    const unsigned char *at;
    int64_t bytes;
} ct_run;

/** How many bytes the run begins past an address that `bytes`, a power of two, divides. */
CT_DEVICE int32_t ct_run_skew(const unsigned char *at, const int bytes)
{
    return (int32_t)((uint32_t)(uintptr_t)at & (uint32_t)(bytes - 1));
}

/** Whether the bytes [byte, byte + bytes) are in the run. */
CT_DEVICE int ct_run_holds(const ct_run run, int64_t byte, int64_t bytes)
{
    return byte >= 0 && byte + bytes <= run.bytes;
}

/** One access of 1 to 16 bytes, or 32 where the architecture has it (wide.h). */
CT_DEVICE void ct_vector_load(uint32_t *v, const unsigned char *at, const int bytes)
{
#if CT_HAS_256
    if (bytes == 32) {
        ct_load_global_256(v, at);
        return;
    }
#endif
    if (bytes < 4) v[0] = 0;
    ct_load_global(v, at, 8 * bytes);
}

CT_DEVICE void ct_vector_store(unsigned char *at, const uint32_t *v, const int bytes)
{
#if CT_HAS_256
    if (bytes == 32) {
        ct_store_global_256(at, v);
        return;
    }
#endif
    ct_store_global(at, v, 8 * bytes);
}

/** A vector of 1 to 16 bytes at any address: `unit`, the size of an element, divides it. */
CT_DEVICE void ct_vector_load_cut(uint32_t *v, const unsigned char *at, const int bytes,
                                  const int unit)
{
    const int words = ct_copy_planned_words(bytes);
    const int32_t past = ct_run_skew(at, bytes);
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    ct_load_global(w, at - past, 8 * bytes);
    ct_load_global_if(past != 0, w + words, at - past + bytes, 8 * bytes);
    ct_copy_cut(v, w, (uint32_t)past, bytes, unit);
}

/** The elements of a vector one by one; zeros for those outside. */
CT_DEVICE void ct_run_load_elements(uint32_t *v, const ct_run run, int64_t byte, const int bytes,
                                    const int unit)
{
    CT_UNROLL for (int k = 0; k < 32; ++k) if (k * unit < bytes) {
        const int64_t at = byte + k * unit;
        const int on = ct_run_holds(run, at, unit);
        if (unit < 4) {
            CT_FRAGMENT(uint32_t, x, 1) = {0};
            ct_load_global_if(on, x, run.at + at, 8 * unit);
            const int word = k * unit / 4, shift = 8 * (k * unit % 4);
            v[word] = shift ? v[word] | x[0] << shift : x[0];
        } else {
            CT_UNROLL for (int i = 0; i < 4; ++i) if (4 * i < unit) v[k * unit / 4 + i] = 0;
            ct_load_global_if(on, v + k * unit / 4, run.at + at, 8 * unit);
        }
    }
}

/** v = the bytes [byte, byte + bytes) of a run, zeros where it has none. bytes (1 to 16, or 32 as
 *  in wide.h) and unit, the size of an element, are constants; byte is a multiple of unit. */
CT_DEVICE void ct_run_load(uint32_t *v, const ct_run run, int64_t byte, const int bytes,
                           const int unit)
{
    const unsigned char *const at = run.at + byte;
    const int half = bytes == 32 ? 16 : bytes;
    const int32_t past = ct_run_skew(at, bytes), before = ct_run_skew(at, half);
    if (ct_run_holds(run, byte, bytes) && past == 0) {
        ct_vector_load(v, at, bytes);
    } else if (bytes > unit && ct_run_holds(run, byte - before, bytes + (before ? half : 0))) {
        ct_vector_load_cut(v, at, half, unit);
        if (bytes == 32) ct_vector_load_cut(v + 4, at + 16, half, unit);
    } else {
        ct_run_load_elements(v, run, byte, bytes, unit);
    }
}

/** The bytes [byte, byte + bytes) of a run that may be written, as far as it has them, become v. */
CT_DEVICE void ct_run_store(const ct_run run, int64_t byte, const uint32_t *v, const int bytes,
                            const int unit)
{
    unsigned char *const to = (unsigned char *)run.at + byte;
    if (ct_run_holds(run, byte, bytes) && ct_run_skew(to, bytes) == 0) {
        ct_vector_store(to, v, bytes);
        return;
    }
    CT_UNROLL for (int k = 0; k < 32; ++k) if (k * unit < bytes) {
        const int on = ct_run_holds(run, byte + k * unit, unit);
        CT_FRAGMENT(uint32_t, x, 4);
        if (unit < 4) {
            x[0] = v[k * unit / 4] >> 8 * (k * unit % 4);
        } else {
            CT_UNROLL for (int i = 0; i < 4; ++i) if (4 * i < unit) x[i] = v[k * unit / 4 + i];
        }
        ct_store_global_if(on, to + k * unit, x, 8 * unit);
    }
}

#endif
