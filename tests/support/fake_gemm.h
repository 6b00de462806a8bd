/**
 * The kernels that `cutlet gemm` runs, in plain C: for the fake CUDA driver.
 */
#ifndef CUTLET_TESTS_FAKE_GEMM_H
#define CUTLET_TESTS_FAKE_GEMM_H

/** Runs a kernel of that name; with `wrong`, the last element of its result is another one. 0 where no
 *  kernel has that name. */
int fake_gemm_run(const char *kernel, const void *args, int wrong);

#endif
