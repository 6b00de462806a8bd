/**
 * A fake CUDA driver: a shared object with the driver's functions over host memory, which a
 * test sets up and looks into through `fake_cuda`.
 *
 * An image is a text, the names of its kernels between blanks. A kernel does what ct_plain_copy
 * does, whatever its name; with `tiled` set, ct_copy_... and ct_best_copy_... copy their matrix. The
 * kernels that cutlet-bench runs do what they say (fake_vector.h), but nothing while they are timed;
 * those of `cutlet gemm` multiply (fake_gemm.h).
 * With `plans` set, so do those of copy plans, on the CPU grid. An image that was compiled at run time
 * is refused, or with `own` set taken: its kernel is ct_own, which does nothing but be counted.
 *
 * With `deferred` set, streams are queues: what is put in one runs when somebody waits or asks, one
 * piece at a time, of a stream picked by chance among those that may go on. A kernel then reaches the
 * memory of its own device, and of those whose memory its context was given access to.
 *
 * Images that fake_nvrtc.c made of the host's compiler run on the CPU grid, but not while they are timed:
 * then each takes a little less than the one that was loaded before it.
 *
 * A program that only loads it sets it up by its environment: FAKE_CUDA_ARCH (90), FAKE_CUDA_TILED, FAKE_CUDA_PLANS
 * and FAKE_CUDA_OWN (any value), FAKE_CUDA_WRONG, FAKE_CUDA_MEMORY, FAKE_CUDA_L2 (bytes of the cache) and FAKE_CUDA_FAIL (a function, and after a blank how many calls
 * succeed; the result is 2, out of memory).
 */
#ifndef CUTLET_TESTS_FAKE_CUDA_H
#define CUTLET_TESTS_FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

typedef struct fake_cuda_state {
    /* set by the test */
    int version, devices, major, minor;
    const char *fail;   /* the function that fails, or NULL ... */
    int result;         /* ... with this result ... */
    int calls_before;   /* ... after this many calls that succeed ... */
    void *fail_context; /* ... by threads of this context, or that push it; NULL: by all */
    int deferred;       /* whether work runs when its stream comes to it (fake_streams.c) ... */
    uint64_t order;     /* ... in an order that this number decides */
    size_t args_bytes;  /* of every kernel */
    size_t memory;      /* bytes that the device says it has; 0: 40 GiB */
    int tiled;          /* whether tiled copies copy */
    int plans;          /* whether the kernels of copy plans copy */
    int own;            /* whether images compiled at run time are taken */
    int own_refused;    /* of those this many are refused first */
    int shared;         /* whether memory is shared with processes that are forked later */
    int separate;       /* whether no device reaches the memory of another */
    int captures;       /* whether a stream is being captured: images are refused */
    int captures_separately; /* the same, of a stream that takes no part in the default one */
    void *pinned;            /* host memory that the driver knows, of this many bytes; or NULL */
    size_t pinned_bytes;
    double (*takes)(void); /* milliseconds of a launch, already written down; NULL: 2 */
    const char *wrong; /* part of the name of kernels that leave out the last byte of a line ... */
    int beside;        /* ... or change the one behind it instead */
    /* counted */
    int contexts, pushed, modules, streams, events, memories; /* alive now */
    int launches, waits, context_waits;
    int opened;               /* memory of other processes that is open */
    int rows;                 /* copies of rows */
    int own_launches, copies; /* of ct_own; inside the device */
    void *stream, *context;   /* of the last launch or copy */
    char loaded[256];         /* the images that were loaded, one after another */
    char launched[64];        /* the last kernel */
    unsigned grid[3], block[3], shared_bytes;
    int timing;        /* events were recorded, and nobody has waited since */
    int dynamic_bytes; /* what a kernel was allowed last */
    int carveout;      /* what one was given last, in per cent */
    double clock;      /* milliseconds; each copy takes 3 */
} fake_cuda_state;

extern fake_cuda_state fake_cuda;

/** The context of device d is FAKE_CONTEXT + d; the first device is FAKE_DEVICE. */
enum { FAKE_CONTEXT = 1000, FAKE_DEVICE = 40 };

#endif
