/* What the kernels of gemm_calls.cu are told, and the numbers that they multiply. */
#ifndef CUTLET_TESTS_GEMM_CALLS_H
#define CUTLET_TESTS_GEMM_CALLS_H

#include <cutlet/device/tensor/global.h>

/* out: (m,n) of floats, contiguous along n, for each part of k. in: of the pipeline. */
typedef struct gemm_call_args {
    float *out;
    ct_global in;
} gemm_call_args;

/* The stages of k that a kernel sums. */
enum { GEMM_CALL_STAGES = 2 };

/* Small integers, which every type has: elements of A (m,k) and B (n,k). */
CT_FN float gemm_call_a(int32_t m, int32_t k) { return (float)((3 * m + 5 * k + m / 8) % 7 - 3); }
CT_FN float gemm_call_b(int32_t n, int32_t k) { return (float)((2 * n + 3 * k + n / 4) % 5 - 2); }

#endif
