/**
 * Results of `cutlet bench vector` compared with what they have to be.
 */
#ifndef CUTLET_BENCH_COMMAND_VECTOR_CHECK_H
#define CUTLET_BENCH_COMMAND_VECTOR_CHECK_H

#include "harness.h"
#include "vector_values.h"

/** What the harness knows the arrays of a case by. */
typedef struct vector_subject {
    const vector_values *v;
    int64_t elements; /* of a set; its first is element set * elements of the values */
} vector_subject;

/** Writes the elements. */
bench_put vector_put_x;

/** Writes a row of layer norm's parameters: user is the values. */
bench_put vector_put_gamma, vector_put_beta;

/** What the results have to be; s has to stay. */
bench_right vector_right(const vector_subject *s);

#endif
