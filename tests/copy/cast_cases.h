/**
 * The cast of examples/cast_transpose.cu against its definition, for whoever runs kernels.
 */
#ifndef TESTS_CAST_CASES_H
#define TESTS_CAST_CASES_H

#include "harness.h"

#include "../../examples/cast_transpose.cu"

static void check_cast(int64_t m, int64_t n, int64_t ld, run_launch *run)
{
    const tensor src = make_tensor(ct_layout2(m, n, ld, 1), 16, 0),
                 dst = make_tensor(ct_layout2(m, n, 1, m), 8, 0),
                 scale = make_tensor(ct_layout1(m, 1), 32, 0);
    unsigned char *const right = memory_like(&dst);
    for (int64_t i = 0; i < m; ++i) {
        const float s = ((float *)at_zero(&scale))[i] = (float)(1 + random_to(1000)) / 64;
        for (int64_t j = 0; j < n; ++j) {
            const float x = (float)(random_to(20000) - 10000) / 256;
            uint16_t *const to = (uint16_t *)at_zero(&src) + i * ld + j;
            *to = (uint16_t)ct_bfloat16_of_float(x);
            right[GUARD + i + j * m] = (uint8_t)ct_fp8_of_float(ct_float_of_bfloat16(*to) * s, 3);
        }
    }
    cast_transpose_args args = {global_of(&src), global_of(&dst), global_of(&scale)};
    launch l =
        make_launch(&cast_transpose, grid_of(ct_ceil_div_int(n, 64), ct_ceil_div_int(m, 128), 1),
                    256, 0, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    add_buffer(&l, "scale", &scale, 0, &args.scale.at);
    run_well(&l, run);
    if (wrong_byte(&dst, right) != ALL_RIGHT)
        fail_msg("cast of %d x %d: byte %lld", (int)m, (int)n, (long long)wrong_byte(&dst, right));
    free(right);
    drop(&src);
    drop(&dst);
    drop(&scale);
}

static void every_cast(run_launch *run)
{
    check_cast(256, 128, 128, run);
    check_cast(130, 70, 72, run);
    check_cast(1, 3, 5, run);
}

#endif
