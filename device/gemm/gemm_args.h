/* The arguments of the GEMM kernels. */
#ifndef CUTLET_EXAMPLES_GEMM_ARGS_H
#define CUTLET_EXAMPLES_GEMM_ARGS_H

#include <cutlet/device/tensor/global.h>

#include "epilogue_args.h"

/* D = alpha A B + beta C. A is (m,k), B (n,k), C and D are (m,n). C is read unless beta is 0. */
typedef struct gemm_args {
    ct_global a, b, c, d;
    float alpha, beta;
    gemm_epilogue own;
} gemm_args;

#endif
