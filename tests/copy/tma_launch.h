/* How the tests with tile copies launch a kernel on two buffers and compare what it says. */
#ifndef CUTLET_TESTS_TMA_LAUNCH_H
#define CUTLET_TESTS_TMA_LAUNCH_H

#include <cutlet/host/tma.h>

#include "grid_buffers.h"
#include "tma_args.h"

/* Launches a kernel on src and dst; fills in where they are. bytes 0 counts as n. */
static inline int launch(const ct_grid_kernel *kernel, ct_dim3 grid, uint32_t threads,
                         size_t shared_bytes, tma_args args)
{
    const ct_dim3 block = {threads, 1, 1};
    args.src = src;
    args.dst = dst;
    if (args.bytes == 0) args.bytes = args.n;
    return launch_with(kernel, grid, block, shared_bytes, &args, sizeof args, BUFFER_BYTES,
                       BUFFER_BYTES);
}

static const ct_dim3 one = {1, 1, 1};

/* The map of a descriptor that is legal. */
static inline ct_tma_map map_of(ct_tma_desc d)
{
    ct_tma_map map;
    char text[CT_MESSAGE_BYTES];
    if (ct_grid_tma_map(&d, &map, text)) fail_msg("%s", text);
    return map;
}

#endif
