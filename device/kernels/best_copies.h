/**
 * The best copies, one row each. Kernels, tests and measurements are made from this list.
 *
 * B(threads, accesses, how)
 *
 * how is the kind of loads: async (cp.async) or reg (registers). The columns together are the
 * kernel's name, such as ct_best_copy_128x1_async. A launch has the grid of ct_best_copy_grid_of
 * and ct_best_copy_shared_bytes of dynamic shared memory. CT_BEST_COPY_CHOSEN is the one to use.
 *
 * Only async loads from shared memory: if a thread stores registers and then loads the same
 * address, ptxas forwards the value and removes the load.
 */
#ifndef CUTLET_DEVICE_KERNELS_BEST_COPIES_H
#define CUTLET_DEVICE_KERNELS_BEST_COPIES_H

/** The one to use. */
#define CT_BEST_COPY_CHOSEN(B) B(128, 1, async)

/** Other copies, for measurements. */
#define CT_BEST_COPIES_OTHER(B)                                                        \
    B(128, 1, reg)                                                                     \
    B(64, 1, async) B(64, 1, reg) B(256, 1, async) B(256, 1, reg) B(512, 1, async)     \
    B(64, 2, async) B(64, 2, reg) B(128, 2, async) B(128, 2, reg) B(256, 2, async)     \
    B(256, 2, reg) B(128, 4, async) B(128, 4, reg)

/** All best copies. */
#define CT_BEST_COPIES(B) CT_BEST_COPY_CHOSEN(B) CT_BEST_COPIES_OTHER(B)

#endif
