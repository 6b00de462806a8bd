/* What the kernels of tensors are told. */
#ifndef TESTS_TENSOR_KERNELS_H
#define TESTS_TENSOR_KERNELS_H

#include <cutlet/device/tensor/global.h>

typedef struct tensor_args {
    ct_global src, dst;
} tensor_args;

#endif
