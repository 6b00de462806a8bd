/**
 * Runs the cases of kernel_cases.h and compares every byte of the destination and around it. The
 * program that includes this defines `run_kernel` and the memory of the device.
 */
#ifndef CUTLET_TESTS_KERNEL_CHECK_H
#define CUTLET_TESTS_KERNEL_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "kernel_launches.h"

enum { GUARD = 256, POISON = 0xa5 };

/** Memory of the device, at a 256-byte boundary. */
static inline void *device_take(size_t bytes);
static inline void device_give(void *memory);
static inline void device_put(void *dst, const void *src, size_t bytes);
static inline void device_get(void *dst, const void *src, size_t bytes);

/** What a kernel may touch: so many bytes of either side. */
typedef struct kernel_sides {
    unsigned char *src, *dst;
    size_t src_bytes, dst_bytes;
    int64_t src_shift, dst_shift; /* from a 256-byte boundary */
} kernel_sides;

/** Launches, waits; 0, or -1 and what went wrong in error, of CT_MESSAGE_BYTES. */
static int run_kernel(const kernel_row *row, const kernel_launch *launch, const kernel_sides *sides,
                      char *error);

/* Runs the case: NULL, or what is wrong. The source ends where its memory ends, the destination
 * lies between guards. All of both has been written before the kernel runs, gaps too. */
static const char *case_failure(const kernel_row *row, const kernel_case *c, uint64_t seed,
                                uint64_t number)
{
    static char text[2048];
    const size_t src_bytes = kernel_bytes(row, c, 0), dst_bytes = kernel_bytes(row, c, 1);
    const size_t from = (size_t)c->src_shift, to = GUARD + (size_t)c->dst_shift;
    const size_t src_all = from + src_bytes, dst_all = to + dst_bytes + GUARD;
    unsigned char *const in = malloc(src_all), *const right = malloc(dst_all);
    unsigned char *const out = malloc(dst_all);
    assert_true(in && right && out);
    dice d = dice_of_case(seed, number + 1000003);
    for (size_t i = 0; i < src_all; ++i) in[i] = (unsigned char)(dice_next(&d) >> 24);
    memset(right, POISON, dst_all);
    unsigned char *const src = device_take(src_all), *const dst = device_take(dst_all);
    device_put(src, in, src_all);
    device_put(dst, right, dst_all);
    kernel_reference(row, c, in + from, right + to);
    char error[CT_MESSAGE_BYTES] = "not the copy";
    kernel_launch launch;
    const kernel_sides sides = {src + from, dst + to,     src_bytes,
                                dst_bytes,  c->src_shift, c->dst_shift};
    const int status = kernel_launch_of(row, c, src + from, dst + to, &launch, error) ||
                       run_kernel(row, &launch, &sides, error);
    size_t wrong = 0;
    if (status == 0) {
        device_get(out, dst, dst_all);
        while (wrong < dst_all && out[wrong] == right[wrong]) ++wrong;
        device_give(src);
        device_give(dst);
    }
    free(in);
    free(right);
    free(out);
    if (status == 0 && wrong == dst_all) return NULL;
    snprintf(text, sizeof text, "%s: %s, byte %lld of %zu", kernel_case_text(row, c, seed, number),
             error, (long long)wrong - (long long)to, dst_bytes);
    return text;
}

/* So many cases of every kernel of a kind. */
static void check_kernels(int32_t kind, uint64_t seed, uint64_t cases, int64_t most)
{
    kernel_row rows[KERNEL_ROWS_MOST];
    const int count = kernel_rows(rows);
    int64_t run = 0;
    assert_true(count <= KERNEL_ROWS_MOST);
    for (int r = 0; r < count; ++r) {
        if (rows[r].kind != kind) continue;
        for (uint64_t number = 0; number < cases; ++number, ++run) {
            const kernel_case c = kernel_case_of(&rows[r], seed, number, most);
            const char *const failure = case_failure(&rows[r], &c, seed, number);
            if (failure) fail_msg("%s", failure);
        }
    }
    assert_true(run > 0);
    print_message("%lld cases, seed %llu\n", (long long)run, (unsigned long long)seed);
}

#endif
