/* How the tests with tile copies launch a kernel on two buffers and compare what it says. */
#ifndef CUTLET_TESTS_TMA_LAUNCH_H
#define CUTLET_TESTS_TMA_LAUNCH_H

#include <string.h>

#include <cutlet/host/tma.h>

#include "grid_expect.h"
#include "tma_args.h"

enum { BUFFER_BYTES = 65536 };

/* They touch, so that the grid moves dst and what points there. */
static _Alignas(256) unsigned char arrays[2 * BUFFER_BYTES];
static unsigned char *const src = arrays, *const dst = arrays + BUFFER_BYTES;

/* Launches a kernel on src and dst; fills in where they are. bytes 0 counts as n. */
static inline int launch(const ct_grid_kernel *kernel, ct_dim3 grid, uint32_t threads,
                         size_t shared_bytes, tma_args args)
{
    const ct_grid_buffer buffers[] = {{"src", src, BUFFER_BYTES, 0, 0},
                                      {"dst", dst, BUFFER_BYTES, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 block = {threads, 1, 1};
    args.src = src;
    args.dst = dst;
    if (args.bytes == 0) args.bytes = args.n;
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, grid, block, shared_bytes, &args, sizeof args, &options, &report);
}

static const ct_dim3 one = {1, 1, 1};

/* The map of a descriptor that is legal. */
static inline ct_tma_map map_of(ct_tma_desc d)
{
    ct_tma_map map;
    char text[CT_TMA_TEXT];
    if (ct_grid_tma_map(&d, &map, text)) fail_msg("%s", text);
    return map;
}

static inline int setup(void **state)
{
    (void)state;
    for (int i = 0; i < BUFFER_BYTES; ++i) src[i] = (unsigned char)((uint32_t)i * 2654435761u >> 13);
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
