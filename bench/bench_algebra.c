/* How fast the algebra runs on this machine: each result is checked before it is timed. */
#define _POSIX_C_SOURCE 200809L
#include "cutlet/cutlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 21, CALLS = 20000 };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static volatile int64_t sink; /* keeps the compiler from dropping the calls */

typedef struct {
    ct_layout a, b;
} operands;

static void composition(operands o, int i)
{
    o.a.stride[1] += i & 1;
    sink += ct_composition(o.a, o.b).stride[0];
}

static void logical_divide(operands o, int i)
{
    o.a.stride[1] += i & 1;
    sink += ct_logical_divide(o.a, o.b).stride[0];
}

static void complement(operands o, int i)
{
    o.b.shape[2] += i & 1;
    sink += ct_complement(o.b, 512).stride[0];
}

static void logical_product(operands o, int i)
{
    o.a.stride[1] += i & 1;
    sink += ct_logical_product(o.b, o.a).stride[0];
}

/* The loop over the calls is part of each case, so that the case of one offset is not a call more. */
static void many(void (*call)(operands, int), operands o)
{
    for (int i = 0; i < CALLS; ++i) call(o, i);
}

static void many_offsets(operands o)
{
    int64_t sum = 0;
    for (int i = 0; i < CALLS; ++i) sum += ct_offset(&o.a, i & 511);
    sink += sum;
}

static void report(const char *name, void (*call)(operands, int), operands o)
{
    double t[ROUNDS];
    for (int r = 0; r < ROUNDS; ++r) {
        const double start = now_ns();
        if (call) many(call, o);
        else many_offsets(o);
        t[r] = (now_ns() - start) / CALLS;
    }
    qsort(t, ROUNDS, sizeof t[0], by_value);
    printf("%-34s %8.1f ns   (%.1f to %.1f)\n", name, t[ROUNDS / 2], t[0], t[ROUNDS - 1]);
}

int main(void)
{
    operands o;
    o.a = ct_make_layout(ct_tuple3(8, 16, 4), ct_tuple3(4, 32, 1));
    o.b = ct_make_layout(ct_tuple3(4, 8, 2), ct_tuple3(2, 8, 64));
    operands tile = o;
    tile.b = ct_make_layout(ct_tuple3(2, 4, 2), ct_tuple3(1, 8, 256));
    const ct_layout r = ct_composition(o.a, o.b);
    for (int64_t i = 0; i < 64; ++i) {
        if (ct_offset(&r, i) != ct_offset(&o.a, ct_offset(&o.b, i))) {
            fprintf(stderr, "bench_algebra: the composition is wrong at index %d\n", (int)i);
            return 1;
        }
    }
    if (ct_size(ct_logical_divide(tile.a, tile.b)) != 512) {
        fprintf(stderr, "bench_algebra: the divide is wrong\n");
        return 1;
    }
    printf("layouts of rank 3, median of %d rounds of %d calls\n", ROUNDS, CALLS);
    report("composition", composition, o);
    report("logical_divide", logical_divide, tile);
    report("complement", complement, tile);
    report("logical_product", logical_product, tile);
    report("one offset (ct_offset)", NULL, o);
    return 0;
}
