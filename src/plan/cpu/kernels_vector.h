/**
 * Vectors of 16 bytes for the inner loops of the CPU backend, by GCC's extension.
 */
#ifndef CUTLET_SRC_PLAN_CPU_KERNELS_VECTOR_H
#define CUTLET_SRC_PLAN_CPU_KERNELS_VECTOR_H

#include <string.h>

#include "kernels.h"

#define INLINE static inline __attribute__((always_inline))

enum { LINE = 64 }; /* bytes of a cache line */

typedef uint8_t bytes16 __attribute__((vector_size(16)));

INLINE bytes16 load(const unsigned char *at)
{
    bytes16 v;
    memcpy(&v, at, sizeof v);
    return v;
}

INLINE void store(unsigned char *at, bytes16 v) { memcpy(at, &v, sizeof v); }

#endif
