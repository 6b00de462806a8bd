/**
 * Results of `cutlet bench vector` compared with what they have to be, part by part.
 */
#ifndef CUTLET_BENCH_COMMAND_VECTOR_CHECK_H
#define CUTLET_BENCH_COMMAND_VECTOR_CHECK_H

#include "vector_values.h"

enum { VECTOR_WRONG_TEXT = 200, VECTOR_BEFORE = 0xff /* each byte before: NaN */ };

/** Where results come from: reads `bytes` bytes from `at` on. 0 or -1. */
typedef struct vector_source {
    int (*read)(void *user, int64_t at, int64_t bytes, unsigned char *to);
    void *user;
} vector_source;

/**
 * Compares all results of `elements` elements, the first of which is element `first` of the values.
 *
 * Ensures:  1 when all are right; 0 and in wrong the first that is not; -1 when they cannot be
 * read, or memory runs out.
 */
int vector_check(const vector_values *v, int64_t first, int64_t elements, const vector_source *from,
                 char wrong[VECTOR_WRONG_TEXT]);

/** Whether bytes [at, at + bytes) still are VECTOR_BEFORE; as vector_check. */
int vector_check_untouched(int64_t at, int64_t bytes, const vector_source *from,
                           char wrong[VECTOR_WRONG_TEXT]);

#endif
