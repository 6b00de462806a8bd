/**
 * The bytes that arrays are filled with: a function of the index, so that whoever knows the index
 * knows the byte, on the host and on the device.
 */
#ifndef CUTLET_TOOLS_BENCH_HARNESS_PATTERN_H
#define CUTLET_TOOLS_BENCH_HARNESS_PATTERN_H

#include <cutlet/algebra/base.h>

/** 64 bits that look random. Source: the mixing function of SplitMix64; Steele, Lea and Flood, Fast
 *  splittable pseudorandom number generators, 2014. */
CT_FN uint64_t bench_hash(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/** Word i of an array: each of its bytes is even. Poison is odd, so no byte that was left out can
 *  look right. */
CT_FN uint64_t bench_word(uint64_t i) { return bench_hash(i) & 0xfefefefefefefefeu; }

enum { PATTERN_THREADS = 256, PATTERN_BLOCKS = 1024 };

/** wrong[block] = how many of the block's words are not those of the pattern, as a float. */
typedef struct pattern_args {
    const uint64_t *words;
    float *wrong;
    int64_t count;
} pattern_args;

#endif
