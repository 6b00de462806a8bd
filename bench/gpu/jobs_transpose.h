/**
 * The jobs of the transposes and of the best copies.
 */
#ifndef CUTLET_BENCH_GPU_JOBS_TRANSPOSE_H
#define CUTLET_BENCH_GPU_JOBS_TRANSPOSE_H

#include "bench.h"

/** Every kernel of kernels/transposes.h for the wanted sizes of elements: as it comes, with odd
 *  extents, misaligned. With CUTLET_BENCH_TUNING, and the kernels of transpose_tuning.cu inside,
 *  the group "tuning" too. */
void bench_add_transposes(bench_list *list, const bench_setup *setup);

/** Every kernel of kernels/best_copies.h, both orders; the first on data that does not fit too. */
void bench_add_best_copies(bench_list *list, const bench_setup *setup);

#endif
