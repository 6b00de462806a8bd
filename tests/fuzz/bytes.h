/**
 * Choices that the fuzzer makes: each takes bytes of its input, so that a changed byte changes one
 * choice. Behind the last byte every choice is the first one.
 */
#ifndef CUTLET_TESTS_FUZZ_BYTES_H
#define CUTLET_TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The claim must hold; the fuzzer keeps the input where it does not. */
static inline void require(int holds)
{
    if (!holds) abort();
}

typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

/** How many bytes are left. */
static inline size_t fuzz_left(const fuzz_bytes *b) { return (size_t)(b->end - b->at); }

/** A number from low to high, of one byte where that is enough, else of two or of eight. */
static inline int64_t fuzz_int(fuzz_bytes *b, int64_t low, int64_t high)
{
    const uint64_t range = (uint64_t)high - (uint64_t)low;
    const int bytes = range < 256 ? 1 : range < 65536 ? 2 : 8;
    uint64_t x = 0;
    for (int k = 0; k < bytes; ++k) x |= (uint64_t)(b->at < b->end ? *b->at++ : 0) << (8 * k);
    return (int64_t)((uint64_t)low + (range == UINT64_MAX ? x : x % (range + 1)));
}

/** One of n. */
static inline int fuzz_pick(fuzz_bytes *b, int n) { return (int)fuzz_int(b, 0, n - 1); }

/** Text that is put together; what does not fit is left out. */
typedef struct fuzz_text {
    char at[8192];
    size_t length;
} fuzz_text;

static inline void fuzz_put(fuzz_text *t, const char *text)
{
    const size_t n = strlen(text);
    if (t->length + n >= sizeof t->at) return;
    memcpy(t->at + t->length, text, n + 1);
    t->length += n;
}

static inline void fuzz_put_int(fuzz_text *t, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    fuzz_put(t, digits);
}

#endif
