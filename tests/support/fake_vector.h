/**
 * The kernels that cutlet-bench runs, in plain C: for the fake CUDA driver.
 */
#ifndef CUTLET_TESTS_FAKE_VECTOR_H
#define CUTLET_TESTS_FAKE_VECTOR_H

/** Whether there is a kernel of that name. */
int fake_vector_is(const char *kernel);

/** Runs a kernel of that name over this many blocks; with `wrong`, the last byte that it writes is
 * another one. 0 where no kernel has that name. */
int fake_vector_run(const char *kernel, const void *args, int blocks, int wrong);

#endif
