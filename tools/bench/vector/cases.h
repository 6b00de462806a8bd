/**
 * What `cutlet-bench vector` runs: kernels by narrow and by wide accesses, over arrays as large as
 * those for which figures of an A100 were claimed, and those figures.
 */
#ifndef CUTLET_TOOLS_BENCH_VECTOR_CASES_H
#define CUTLET_TOOLS_BENCH_VECTOR_CASES_H

#include "../harness/harness.h"
#include <cutlet/device/elementwise/elementwise_args.h>
#include "vector.h"

/** What is computed; VECTOR_READ: a sum of each piece, one of each block. */
enum { VECTOR_COPY, VECTOR_RELU, VECTOR_GELU, VECTOR_SUM, VECTOR_READ, VECTOR_NORM };
enum { VECTOR_FLOAT, VECTOR_HALF, VECTOR_BFLOAT16 }; /* of what */

/** A group of kernels that compute the same: a part of the table. */
typedef struct vector_group {
    const char *name, *title;
    int64_t elements;   /* of the array for which the figures were claimed */
    int32_t row;        /* elements of a row of layer norm; 0: there are no rows */
    int32_t rows_fixed; /* --mib leaves the size alone */
} vector_group;

typedef struct vector_case {
    const char *group, *kernel, *about;
    int32_t what, type;
    int32_t access;      /* bytes of an access */
    int32_t over;        /* speedup over this many cases before; 0: the others' measure */
    double claimed_gb_s; /* 0: none was claimed */
    double claimed_us;
    int32_t is_peer; /* not a kernel of ours: CUB's, where --cub names it */
} vector_case;

extern const vector_group vector_groups[];
extern const int32_t vector_group_count;
extern const vector_case vector_cases[];
extern const int32_t vector_case_count;

const vector_group *vector_group_of(const vector_case *c);

int32_t vector_elem_bytes(const vector_case *c);

/** Whether a case adds all elements, so that its result is far smaller than its array. */
int vector_adds(const vector_case *c);

/** Bytes past an aligned address by which the source of a case begins: those that are asked for
 *  where it is element-wise, as copies are; 0 else. */
int64_t vector_shift(const vector_case *c, int64_t asked);

/** Where the arrays of a case lie, and how large they are. */
typedef struct vector_arrays {
    const unsigned char *x, *gamma, *beta;
    unsigned char *y;
    float *parts;     /* of a sum: VECTOR_PARTS floats */
    int64_t elements; /* of x */
    int32_t row;      /* of layer norm */
} vector_arrays;

enum { VECTOR_PARTS = 1 << 14 };

/** Bytes of the result of this many elements, and bytes that have to be read and written at least. */
int64_t vector_result_bytes(const vector_case *c, int64_t elements);
int64_t vector_moved_bytes(const vector_case *c, int64_t elements);

/** The launches of a case on a device of this many multiprocessors; how many, 1 or 2. */
int32_t vector_launches(const vector_case *c, const vector_arrays *a, int32_t processors,
                        bench_launch out[2]);

#endif
