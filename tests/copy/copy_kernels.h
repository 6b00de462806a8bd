/* What the kernels of copy_kernels.cu are told. */
#ifndef TESTS_COPY_KERNELS_H
#define TESTS_COPY_KERNELS_H

#include <cutlet/device/tensor/global.h>

typedef struct copy_case_args {
    ct_partition in, out;
    ct_global src, dst;
} copy_case_args;

#endif
