/**
 * The elements of a case's array, and what its results have to be, computed in double.
 */
#ifndef CUTLET_TOOLS_BENCH_VECTOR_VALUES_H
#define CUTLET_TOOLS_BENCH_VECTOR_VALUES_H

#include "../harness/pattern.h"
#include "cases.h"

enum { VECTOR_CODES = 1 << 16 };

/**
 * An element is one of at most 2^16 values, its code a function of its index: values between -8 and
 * 8 that its type holds exactly, and of a sum multiples of 1/16, so that a sum of them is exact in
 * float.
 */
typedef struct vector_values {
    const vector_case *c;
    uint32_t mask;               /* of a code */
    double value[VECTOR_CODES];  /* of a code, */
    double result[VECTOR_CODES]; /* what the function makes of it (VECTOR_NORM, _SUM: nothing) */
    uint32_t bits[VECTOR_CODES]; /* and the element */
    double relative, absolute;   /* how far a result may be off: relative |right| + absolute */
    double *gamma, *beta;        /* of layer norm: a row of each */
    double *normed;              /* room for what it makes of a row */
    int32_t row;
} vector_values;

/** Makes the tables; row: elements of a row of layer norm. From malloc, or NULL. */
vector_values *vector_values_make(const vector_case *c, int32_t row);

void vector_values_free(vector_values *v);

/** What the harness knows the arrays of a case by. */
typedef struct vector_operands {
    const vector_values *v;
    int64_t elements; /* of a set; its first is element set * elements of the values */
} vector_operands;

/** Writes the elements. */
bench_put vector_put_x;

/** Writes a row of layer norm's parameters: user is the values. */
bench_put vector_put_gamma, vector_put_beta;

/** What the results have to be; s has to stay. */
bench_right vector_right(const vector_operands *s);

/** How far results may be off, in words. */
void vector_tolerance(const vector_case *c, char *text, size_t size);

#endif
