/**
 * What the files of the harness share, and benchmarks do not need.
 */
#ifndef CUTLET_BENCH_HARNESS_INSIDE_H
#define CUTLET_BENCH_HARNESS_INSIDE_H

#include "cutlet/base.h"
#include "harness.h"

enum { BENCH_PART = 4 << 20 }; /* bytes that go between host and device at once */

/** The status of a call of ct_cuda_...; keeps the reason where it failed. */
int bench_status(bench_target *t, int status);

/** -1, and the reason. */
int bench_no_memory(bench_target *t);

/** Compares the pattern where it lies on the device. The byte from which the host still has to
 *  compare: 0 where a word is wrong; or -1. */
int64_t bench_pattern_on_device(bench_target *t, unsigned char *bytes, int64_t count);

#endif
