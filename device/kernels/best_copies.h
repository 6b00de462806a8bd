/**
 * The kernel of a best copy, and the one to use: a table of one row for kernels, tests and measurements.
 *
 * B(threads, accesses, how)
 *
 * how is the kind of loads: async (cp.async) or reg (registers). The columns together are the
 * kernel's name, such as ct_best_copy_128x1_async. A launch has the grid of ct_staged_grid_of
 * and ct_staged_shared_bytes of dynamic shared memory.
 *
 * Only async loads from shared memory: if a thread stores registers and then loads the same
 * address, ptxas forwards the value and removes the load.
 */
#ifndef CUTLET_DEVICE_KERNELS_BEST_COPIES_H
#define CUTLET_DEVICE_KERNELS_BEST_COPIES_H

#include <cutlet/device/staged/staged_copy.h>

/** The one to use. */
#define CT_BEST_COPY_CHOSEN(B) B(128, 1, async)

/** The kernel of a row. */
#define CT_BEST_COPY_KERNEL(threads, accesses, how)                                                \
    CT_STAGED_KERNEL(ct_best_copy_##threads##x##accesses##_##how, threads, 0,                      \
                     ct_make_line_job(CT_STAGED_##how, threads, accesses))

#endif
