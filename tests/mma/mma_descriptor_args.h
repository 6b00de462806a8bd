/**
 * What the kernel that reads by matrix descriptors and its test share.
 */
#ifndef CUTLET_TESTS_MMA_DESCRIPTOR_ARGS_H
#define CUTLET_TESTS_MMA_DESCRIPTOR_ARGS_H

#include <stdint.h>

/** The instructions, by which B is read: n x k elements, K-major or N-major. */
enum { MD_HALF_K, MD_HALF_N, MD_HALF_K_8, MD_HALF_N_8, MD_TF32, MD_S8, MD_KINDS };

/** The shared memory that is filled, from a multiple of 1024 on. */
enum { MD_WINDOW = 160 * 1024, MD_MOST = 128 * 32 };

/** For each descriptor, whose start counts from the window, the byte of the window that each
 *  element was read from: element (n,k) at n + columns * k. */
typedef struct md_args {
    const uint64_t *descriptor;
    int32_t *address; /* MD_MOST each, 0 at first */
    int32_t count, kind;
} md_args;

#endif
