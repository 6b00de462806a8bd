/* What the kernels that test the algebra take; for them and for those who launch them. */
#ifndef CUTLET_TESTS_DEVICE_ARGS_H
#define CUTLET_TESTS_DEVICE_ARGS_H

/* Functions that are called, and layouts of few coordinates: a thread's stack is small. */
#ifdef CUTLET_TESTS_ORACLE_H
#error "device_args.h comes before oracle.h, whose size it chooses"
#endif
#define CT_CALLS
#define ORACLE_LIMIT 512

#include "law_cases.h"
#include "rows.h"

enum { DEVICE_HOLDS = 1, DEVICE_BROKEN = 2, DEVICE_POISON = 0xee, DEVICE_THREADS = 32 };

/** What became of a case. */
typedef struct law_outcome {
    uint64_t print;   /* of the operands: the host draws them once more */
    uint64_t verdict; /* DEVICE_HOLDS or DEVICE_BROKEN */
} law_outcome;

/** Case number block.x * DEVICE_THREADS + thread of law number block.y. */
typedef struct law_args {
    uint64_t seed;
    law_outcome *out; /* cases for each law, one law after the other */
    int32_t cases;
    int32_t fault; /* see law_fault */
} law_args;

/** Row number block.x * DEVICE_THREADS + thread. */
typedef struct row_args {
    const row_record *rows;
    const ct_value *pool;
    uint32_t *out; /* DEVICE_HOLDS or DEVICE_BROKEN for each row */
    int32_t count;
} row_args;

#endif
