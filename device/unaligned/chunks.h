/**
 * @internal Staging of rows that begin anywhere: the aligned chunks that hold a row, by cp.async.
 *
 * A chunk has 4, 8 or 16 bytes, and one as aligned in shared memory holds it there. So a row lies
 * as many bytes past a chunk in shared memory as it does in global memory, its `past`. No access is
 * misaligned, and a chunk is read only as far as the source has bytes.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_CHUNKS_H
#define CUTLET_DEVICE_UNALIGNED_CHUNKS_H

#include <cutlet/device/arch/prefetch.h>

/** The bytes from the start of the aligned chunk that holds an address to the address. */
CT_DEVICE uint32_t ct_chunk_past(const void *at, const int chunk)
{
    return (uint32_t)(uintptr_t)at & (uint32_t)(chunk - 1);
}

/** Copies a chunk that is in the source if `on` is not 0. One of 16 bytes brings its line of 128
 *  bytes into L2, because neighbours read the rest. */
CT_DEVICE void ct_chunk_in(const int on, unsigned char *to, const unsigned char *at,
                           const int chunk)
{
    if (chunk < 16) ct_cp_async_ca_if(on, to, at, chunk);
    else if (on) ct_cp_async_cg_l2(to, at, 16, 128);
}

/** Copies the bytes of a chunk that the source, from `first` to `end`, has; zeros follow its end.
 *  All are zeros if `on` is 0. A chunk that begins before the source goes byte by byte. */
CT_DEVICE void ct_chunk_in_edge(const int on, unsigned char *to, const unsigned char *at,
                                const int chunk, const unsigned char *first,
                                const unsigned char *end)
{
    if (on && at < first) {
        CT_ROLL for (int i = 0; i < chunk; ++i)
        {
            uint8_t x = 0;
            ct_load_global_if(at + i >= first && at + i < end, &x, at + i, 8);
            ct_store_shared(to + i, &x, 8);
        }
        return;
    }
    const int n = !on ? 0 : end - at < chunk ? (int)(end - at) : chunk;
    if (chunk == 16) ct_cp_async_cg_fill(to, at, 16, n);
    else ct_cp_async_ca_fill(to, at, chunk, n);
}

#endif
