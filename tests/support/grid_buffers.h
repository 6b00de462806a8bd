/* Two buffers for the grid's tests, which touch where the kernel may use all of the first. */
#ifndef CUTLET_TESTS_GRID_BUFFERS_H
#define CUTLET_TESTS_GRID_BUFFERS_H

#include <string.h>

#include "grid_expect.h"

enum { BUFFER_BYTES = 65536 };

static _Alignas(256) unsigned char arrays[2 * BUFFER_BYTES];
static unsigned char *const src = arrays, *const dst = arrays + BUFFER_BYTES;

/* Launches a kernel that may use this many bytes of each. */
static inline int launch_with(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                              size_t shared_bytes, const void *args, size_t args_bytes,
                              size_t src_bytes, size_t dst_bytes)
{
    const ct_grid_buffer buffers[] = {{"src", src, src_bytes, 0, 0}, {"dst", dst, dst_bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, &options, &report);
}

static inline int setup(void **state)
{
    (void)state;
    for (int i = 0; i < BUFFER_BYTES; ++i)
        src[i] = (unsigned char)((uint32_t)i * 2654435761u >> 13);
    memset(dst, 0xee, BUFFER_BYTES);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    ct_grid_report_free(&report);
    return 0;
}

#endif
