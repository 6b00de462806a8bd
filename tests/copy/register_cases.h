/**
 * Kernels that check register tensors, for whoever runs kernels.
 */
#ifndef TESTS_REGISTER_CASES_H
#define TESTS_REGISTER_CASES_H

#include "example_launch.h"
#include "register_kernels.cu"

enum { REGISTER_THREADS = 128, REGISTER_BYTES = 4 * 66 * 64 };

/* One launch, in which no thread finds anything wrong; `out` as the kernel has to leave it. */
static void check_registers(const ct_grid_kernel *kernel, example_run *run)
{
    float *const x = (float *)take_bytes(REGISTER_BYTES, 0), *const out = (float *)take_bytes(
                                                                 REGISTER_BYTES, 0);
    uint16_t *const h = (uint16_t *)take_bytes(REGISTER_BYTES, 0);
    const ct_layout square = ct_layout2(64, 64, 64, 1);
    register_args args = {ct_make_global(x, 32, square), ct_make_global(h, 16, square),
                          ct_make_global(out, 32, ct_layout2(66, 64, 64, 1))};
    for (int i = 0; i < 64 * 64; ++i) {
        const float low = (float)(i % 256);
        uint32_t bits;
        memcpy(&bits, &low, 4);
        x[i] = (float)i;
        h[i] = (uint16_t)(bits >> 16);
    }
    const example e = {kernel,
                       {1, 1, 1},
                       {REGISTER_THREADS, 1, 1},
                       0,
                       sizeof args,
                       &args,
                       3,
                       {buffer_of("x", x, REGISTER_BYTES, 0), buffer_of("h", h, REGISTER_BYTES, 0),
                        buffer_of("out", out, REGISTER_BYTES, 1)},
                       {&args.x.at, &args.h.at, &args.out.at}};
    run(&e);
    for (int t = 0; t < REGISTER_THREADS; ++t) {
        int32_t wrong;
        memcpy(&wrong, &out[64 * 64 + t], 4);
        if (wrong) fail_msg("%s: thread %d finds %d values wrong", kernel->name, t, (int)wrong);
    }
    for (int i = 0; i < 64 * 64 && kernel == &register_orders; ++i) {
        const int row = 40 + i / 64, column = 28 + i % 64;
        const float want = i % 64 == 63              ? (float)(i / 64)
                           : row < 64 && column < 64 ? (float)(64 * row + column)
                                                     : -1.0f;
        if (out[i] != want) fail_msg("element %d of out: %g, not %g", i, out[i], want);
    }
    give_bytes((unsigned char *)x);
    give_bytes((unsigned char *)h);
    give_bytes((unsigned char *)out);
}

/* All of them that a GPU runs too. */
static inline void check_all_registers(example_run *run)
{
    check_registers(&register_reductions, run);
    check_registers(&register_operands, run);
    check_registers(&register_types, run);
    check_registers(&register_orders, run);
}

#endif
