/* What the kernels of the grid's tests have in common. */
#ifndef CUTLET_TESTS_GRID_ARGS_H
#define CUTLET_TESTS_GRID_ARGS_H

#include <cutlet/device/kernel/kernel.h>

#include <cutlet/device/arch/atoms.h>

/* wrong: 0 for the kernel as it should be, otherwise which mistake it makes. */
typedef struct copy_args {
    const unsigned char *src;
    unsigned char *dst;
    int32_t n;
    int32_t wrong;
} copy_args;

#define ALL_LANES 0xffffffffu

#endif
