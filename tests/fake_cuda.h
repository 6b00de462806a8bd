/**
 * A CUDA driver that is none: a shared object with the driver's functions over host memory, which a
 * test sets up and looks into through `fake_cuda`.
 *
 * An image is a text, the names of its kernels between blanks. A kernel does what ct_plain_copy
 * does, whatever its name; with `tiled` set, ct_copy_... and ct_best_copy_... copy their matrix. The
 * kernels that `cutlet bench` runs do what they say (fake_vector.h), but nothing while they are timed.
 *
 * A program that only loads it sets it up by its environment: FAKE_CUDA_TILED (any value),
 * FAKE_CUDA_WRONG, FAKE_CUDA_MEMORY and FAKE_CUDA_FAIL (a function, and behind a blank how many calls
 * succeed; the result is 2, out of memory).
 */
#ifndef CUTLET_TESTS_FAKE_CUDA_H
#define CUTLET_TESTS_FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

typedef struct fake_cuda_state {
    /* set by the test */
    int version, devices, major, minor;
    const char *fail; /* the function that fails, or NULL ... */
    int result;       /* ... with this result ... */
    int calls_before; /* ... after so many calls that succeed */
    size_t args_bytes; /* of every kernel */
    size_t memory;     /* bytes that the device says it has; 0: 40 GiB */
    int tiled;         /* whether tiled copies copy */
    const char *wrong; /* part of the name of kernels that leave out the last byte of a line ... */
    int beside;        /* ... or change the one behind it instead */
    /* counted */
    int contexts, pushed, modules, streams, events, memories; /* alive now */
    int launches, waits;
    char loaded[256];   /* the images that were loaded, one after another */
    char launched[64];  /* the last kernel */
    unsigned grid[3], block[3], shared_bytes;
    int timing;         /* events were recorded, and nobody has waited since */
    int dynamic_bytes;  /* what a kernel was allowed last */
    double clock;       /* milliseconds; each launch takes 2, each copy 3 */
} fake_cuda_state;

extern fake_cuda_state fake_cuda;

#endif
