/* How the grid's tests launch a kernel on two buffers and compare what it says. */
#ifndef CUTLET_TESTS_GRID_LAUNCH_H
#define CUTLET_TESTS_GRID_LAUNCH_H

#include "grid_args.h"
#include "grid_buffers.h"

/* Launches a kernel on src and dst, of which it may use this many bytes. */
static inline int launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, size_t src_bytes, size_t dst_bytes, int n, int wrong)
{
    const copy_args args = {src, dst, n, wrong};
    return launch_with(kernel, grid, block, shared_bytes, &args, sizeof args, src_bytes, dst_bytes);
}

/* One block of this many threads, all of both buffers. */
static inline int launch_block(const ct_grid_kernel *kernel, uint32_t threads, int n, int wrong)
{
    const ct_dim3 one = {1, 1, 1}, block = {threads, 1, 1};
    return launch(kernel, one, block, 0, BUFFER_BYTES, BUFFER_BYTES, n, wrong);
}

#endif
