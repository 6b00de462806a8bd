/**
 * The hash FNV-1a of 64 bits. One byte that differs always gives another hash, for every step is a
 * bijection. Source: Fowler, Noll, Eastlake, The FNV Non-Cryptographic Hash Algorithm (IETF draft
 * draft-eastlake-fnv): offset basis and prime.
 */
#ifndef CUTLET_SRC_BASE_FNV_H
#define CUTLET_SRC_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define CT_FNV_BEGIN 0xcbf29ce484222325u

/** Extends `hash` by these bytes. */
static inline uint64_t ct_fnv(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *const byte = (const unsigned char *)data;
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

#endif
