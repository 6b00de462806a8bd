/* What the kernel of the traffic tests is told. */
#ifndef CUTLET_TESTS_TRAFFIC_ARGS_H
#define CUTLET_TESTS_TRAFFIC_ARGS_H

#include <cutlet/device/kernel/kernel.h>

#include <cutlet/device/arch/atoms.h>

enum { TRAFFIC_OFF = -1 };

typedef struct traffic_args {
    unsigned char *global;
    const int32_t *own;    /* [count][threads]: the byte that a thread's access begins at, or
                              TRAFFIC_OFF */
    const int32_t *shared; /* the same for the shared side of a cp.async */
    int32_t count;         /* of accesses */
    int32_t kind, bits;    /* CT_ACCESS_...; bits of an access */
    int32_t matrices, trans;
    int32_t bytes; /* of shared memory, a multiple of 16 */
} traffic_args;

#endif
