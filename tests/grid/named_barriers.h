/* What the kernel of named barriers is told. */
#ifndef TESTS_NAMED_BARRIERS_H
#define TESTS_NAMED_BARRIERS_H

#include <stdint.h>

enum {
    WRONG_NOTHING,
    WRONG_ID,
    WRONG_COUNT,
    WRONG_NO_ARRIVAL,
    WRONG_NO_BARRIER,
    WRONG_EARLY,
    WRONG_THREADS,
    WRONG_GROUPS
};

typedef struct named_args {
    int32_t *out;
    int32_t wrong;
} named_args;

#endif
