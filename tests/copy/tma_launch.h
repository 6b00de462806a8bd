/* How the tests with tile copies launch a kernel on two buffers and compare what it says. */
#ifndef CUTLET_TESTS_TMA_LAUNCH_H
#define CUTLET_TESTS_TMA_LAUNCH_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include <cutlet/host/grid.h>
#include <cutlet/host/tma.h>

#include "tma_args.h"

enum { BUFFER_BYTES = 65536 };

static _Alignas(256) unsigned char src[BUFFER_BYTES], dst[BUFFER_BYTES];
static ct_grid_report report;

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

static inline void pass(int status)
{
    if (status) fail_msg("%s", report.message);
    assert_int_equal(report.message[0], 0);
}

/* Compares the message; the line numbers in it read "N", and must be there. */
static inline void expect(int status, int wanted, const char *message)
{
    char text[sizeof report.message];
    const char *from = report.message;
    size_t n = 0;
    while (*from) {
        text[n++] = *from;
        if (*from++ != ':' || n < 4 || memcmp(text + n - 4, ".cu:", 4) != 0) continue;
        assert_true(isdigit((unsigned char)*from) && *from != '0');
        while (isdigit((unsigned char)*from)) ++from;
        text[n++] = 'N';
    }
    text[n] = 0;
    assert_string_equal(text, message);
    assert_int_equal(status, wanted);
    assert_int_equal(report.status, wanted);
}

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
