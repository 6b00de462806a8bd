/**
 * Kernels that check register tensors, for whoever runs kernels.
 */
#ifndef TESTS_REGISTER_CASES_H
#define TESTS_REGISTER_CASES_H

#include "harness.h"
#include "register_kernels.cu"

/* What register_orders leaves at (i,j): the tile from (40,28) on. */
static float of_orders(int i, int j)
{
    return i + 40 < 64 && j + 28 < 64 ? (float)(64 * (i + 40) + j + 28) : -1.0f;
}

/* One launch, in which no thread finds anything wrong. */
static void check_registers(const ct_grid_kernel *kernel, run_launch *run)
{
    const ct_layout square = ct_layout2(64, 64, 64, 1);
    const tensor x = make_tensor(square, 32, 0), h = make_tensor(square, 16, 0),
                 out = make_tensor(ct_layout2(66, 64, 64, 1), 32, 0);
    register_args args = {global_of(&x), global_of(&h), global_of(&out)};
    const float *const left = (const float *)(const void *)begin(&out);
    launch l = make_launch(kernel, grid_of(1, 1, 1), 128, 0, &args);
    for (int i = 0; i < 64 * 64; ++i) {
        const float whole = (float)i, low = (float)(i % 256);
        memcpy(begin(&x) + 4 * i, &whole, 4);
        memcpy(begin(&h) + 2 * i, (const char *)&low + 2, 2); /* a bfloat16 is the upper half */
    }
    add_sides(&l, &x, &args.x, &out, &args.out);
    add_buffer(&l, "h", &h, 0, &args.h.at);
    run_well(&l, run);
    for (int t = 0; t < 128; ++t) {
        int32_t wrong;
        memcpy(&wrong, &left[64 * 64 + t], 4);
        if (wrong) fail_msg("%s: thread %d finds %d values wrong", kernel->name, t, (int)wrong);
    }
    for (int i = 0; i < 64 * 64 && kernel == &register_orders; ++i)
        if (left[i] != of_orders(i / 64, i % 64))
            fail_msg("element %d: %g, not %g", i, left[i], of_orders(i / 64, i % 64));
    drop(&x);
    drop(&h);
    drop(&out);
}

/* All of them that a GPU runs too. */
static void every_register(run_launch *run)
{
    check_registers(&register_reductions, run);
    check_registers(&register_operands, run);
    check_registers(&register_types, run);
    check_registers(&register_unpacked, run);
    check_registers(&register_orders, run);
}

#endif
