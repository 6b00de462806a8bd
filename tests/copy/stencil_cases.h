/**
 * The stencils of examples/stencil.cu against their definition, for whoever runs kernels.
 */
#ifndef TESTS_STENCIL_CASES_H
#define TESTS_STENCIL_CASES_H

#include "harness.h"

#include "../../examples/stencil.cu"

static float matrix_at(const tensor *t, int64_t i, int64_t j)
{
    const ct_layout *const L = &t->layout;
    if (i < 0 || j < 0 || i >= L->shape[0] || j >= L->shape[1]) return 0;
    return ((const float *)at_zero(t))[i * L->stride[0] + j * L->stride[1]];
}

/* Small integers: sums are exact in any order. */
static void check_stencil(const ct_grid_kernel *kernel, int points, ct_layout from, ct_layout to,
                          int shift, run_launch *run)
{
    const tensor src = make_tensor(from, 32, shift), dst = make_tensor(to, 32, shift);
    const int64_t m = from.shape[0], n = from.shape[1];
    for (int64_t i = 0; i < m * n; ++i)
        ((float *)at_zero(&src))[ct_eval(from, i)] = (float)(random_to(200) - 100);
    stencil_args args = {.weight = {{1, 2, 3}, {4, -5, 6}, {7, 8, 9}}};
    args.src = global_of(&src);
    args.dst = global_of(&dst);
    launch l = make_launch(kernel, grid_of(ct_ceil_div_int(n, 128), ct_ceil_div_int(m, 32), 1), 256,
                           0, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    unsigned char *const right = memory_like(&dst);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            float sum = 0;
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    if (points == 9 || r == 1 || c == 1)
                        sum += args.weight[r][c] * matrix_at(&src, i + r - 1, j + c - 1);
            memcpy(right + GUARD + dst.shift + dst.first +
                       4 * (i * to.stride[0] + j * to.stride[1]),
                   &sum, 4);
        }
    run_well(&l, run);
    if (wrong_byte(&dst, right) != ALL_RIGHT)
        fail_msg("%s of %d x %d: byte %lld", kernel->name, (int)m, (int)n,
                 (long long)wrong_byte(&dst, right));
    free(right);
    drop(&src);
    drop(&dst);
}

static void every_stencil(run_launch *run)
{
    static const struct {
        int64_t m, n, src[2], dst[2];
        int shift;
    } cases[] = {{64, 256, {256, 1}, {256, 1}, 0}, {33, 129, {132, 1}, {136, 1}, 16},
                 {1, 1, {1, 1}, {1, 1}, 0},        {40, 130, {131, 1}, {130, 1}, 4},
                 {35, 140, {1, 36}, {140, 1}, 0},  {31, 127, {-128, 1}, {2, 70}, 8}};
    for (int k = 0; k < LENGTH(cases); ++k)
        for (int points = 5; points <= 9; points += 4)
            check_stencil(points == 9 ? &stencil_3x3 : &stencil_5, points,
                          ct_layout2(cases[k].m, cases[k].n, cases[k].src[0], cases[k].src[1]),
                          ct_layout2(cases[k].m, cases[k].n, cases[k].dst[0], cases[k].dst[1]),
                          cases[k].shift, run);
}

#endif
