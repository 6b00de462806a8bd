/* How the grid's tests launch a kernel on two buffers and compare what it says. */
#ifndef CUTLET_TESTS_GRID_LAUNCH_H
#define CUTLET_TESTS_GRID_LAUNCH_H

#include <string.h>

#include "grid_args.h"
#include "grid_expect.h"

enum { BUFFER_BYTES = 16384 };

static unsigned char src[BUFFER_BYTES + 64], dst[BUFFER_BYTES + 64];

/* Launches a kernel on src and dst, of which it may use so many bytes. */
static inline int launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, size_t src_bytes, size_t dst_bytes, int n, int wrong)
{
    const copy_args args = {src, dst, n, wrong};
    const ct_grid_buffer buffers[] = {{"src", src, src_bytes, 0, 0}, {"dst", dst, dst_bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, grid, block, shared_bytes, &args, sizeof args, &options, &report);
}

/* One block of so many threads, all of both buffers. */
static inline int launch_block(const ct_grid_kernel *kernel, uint32_t threads, int n, int wrong)
{
    const ct_dim3 one = {1, 1, 1}, block = {threads, 1, 1};
    return launch(kernel, one, block, 0, BUFFER_BYTES, BUFFER_BYTES, n, wrong);
}

static inline int setup(void **state)
{
    (void)state;
    for (int i = 0; i < BUFFER_BYTES; ++i) src[i] = (unsigned char)((i * 2654435761u) >> 13);
    memset(dst, 0xee, sizeof dst);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    ct_grid_report_free(&report);
    return 0;
}

#endif
