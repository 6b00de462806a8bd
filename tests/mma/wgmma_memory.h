/**
 * What the kernels of wgmma tests bring to shared memory and to registers, and back.
 */
#ifndef CUTLET_TESTS_WGMMA_MEMORY_H
#define CUTLET_TESTS_WGMMA_MEMORY_H

#include <cutlet/device/arch/load_store.h>

/* Brings what shared memory is to hold, byte by byte as the host laid it out. */
CT_DEVICE void fill(unsigned char *memory, const unsigned char *from, const int bytes)
{
    CT_FRAGMENT(uint32_t, words, 4);
    for (int at = 16 * (int)threadIdx.x; at < bytes; at += 16 * 128) {
        ct_load_global(words, from + at, 128);
        ct_store_shared(memory + at, words, 128);
    }
}

/* D before the instruction. */
CT_DEVICE void take(uint32_t *to, const uint32_t *from, const int words)
{
    CT_UNROLL for (int i = 0; i < words; ++i) ct_load_global(to + i, from + i, 32);
}

CT_DEVICE void put(uint32_t *to, const uint32_t *from, const int words)
{
    CT_UNROLL for (int i = 0; i < words; ++i) ct_store_global(to + i, from + i, 32);
}

#endif
