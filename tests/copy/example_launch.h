/**
 * A launch of a kernel for whoever runs kernels: on the CPU grid, or on a GPU.
 */
#ifndef TESTS_EXAMPLE_LAUNCH_H
#define TESTS_EXAMPLE_LAUNCH_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/grid.h>

enum { EXAMPLE_POISON = 0xa5 };

/* A launch whose arguments hold addresses of the host: at[i] is where they point into buffers[i]. Whoever
 * runs it elsewhere moves the bytes and the addresses, and keeps what an address leaves of 256. */
typedef struct example {
    const ct_grid_kernel *kernel;
    ct_dim3 grid, block;
    size_t shared_bytes, args_bytes;
    void *args;
    int count;
    ct_grid_buffer buffers[3];
    unsigned char **at[3];
} example;

/* Runs an example where the test runs kernels; fails the test with a sentence. */
typedef void example_run(const example *e);

/* So many bytes at so many behind a multiple of 256, all of them poison; given back by give_bytes. */
static inline unsigned char *take_bytes(size_t bytes, size_t skew)
{
    unsigned char *const memory = aligned_alloc(256, (skew + bytes + 255) / 256 * 256);
    assert_non_null(memory);
    memset(memory, EXAMPLE_POISON, skew + bytes);
    return memory + skew;
}

static inline void give_bytes(unsigned char *at) { free(at - (uintptr_t)at % 256); }

static inline ct_grid_buffer buffer_of(const char *name, void *at, size_t bytes, int writable)
{
    return (ct_grid_buffer){name, at, bytes, writable, (int32_t)((uintptr_t)at % 256)};
}

#endif
