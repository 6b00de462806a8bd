/* What the kernels of wgmma_read.cu are told. */
#ifndef CUTLET_TESTS_WGMMA_READ_H
#define CUTLET_TESTS_WGMMA_READ_H

#include <stdint.h>

/* Bytes of the window, which begins where shared memory does; words of D of a thread. */
enum { WGMMA_READ_WINDOW = 160 * 1024, WGMMA_READ_WORDS = 64 };

typedef struct wgmma_read_args {
    const unsigned char *window;
    const uint32_t *a; /* four words of each thread */
    const uint64_t *descriptors;
    uint32_t *d; /* of each descriptor and thread */
    int32_t count;
} wgmma_read_args;

#endif
