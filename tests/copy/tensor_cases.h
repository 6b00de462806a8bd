/**
 * Kernels on tensors with nested modes and on slices, against dst(c) = src(c), for whoever runs kernels.
 */
#ifndef TESTS_TENSOR_CASES_H
#define TESTS_TENSOR_CASES_H

#include "harness.h"
#include "tensor_kernels.cu"

/* One launch: dst(c) = src(c), at addresses this many bytes past a multiple of 256. */
static void check_tensors(const ct_grid_kernel *kernel, ct_dim3 grid, ct_layout src, ct_layout dst,
                          int bits, int shift, run_launch *run)
{
    const tensor from = random_tensor(src, bits, shift), to = make_tensor(dst, bits, shift);
    tensor_args args = {global_of(&from), global_of(&to)};
    launch l = make_launch(kernel, grid, kernel->max_threads, 0, &args);
    add_sides(&l, &from, &args.src, &to, &args.dst);
    check_copy(&l, run, from, to);
}

/* Rows in groups of `inner`, the groups `apart` columns' worth apart: the first mode is nested, no one step. */
static void every_nested(run_launch *run)
{
    static const int64_t cases[][4] = {/* inner, outer, columns, elements between columns' ends */
                                       {4, 2, 64, 0}, {4, 6, 128, 8}, {4, 5, 100, 12},
                                       {3, 4, 70, 2}, {6, 3, 65, 7},  {1, 1, 1, 0}};
    for (int k = 0; k < LENGTH(cases); ++k) {
        const int64_t inner = cases[k][0], outer = cases[k][1], n = cases[k][2],
                      ld = n + cases[k][3];
        const ct_layout columns = ct_layout1(n, 1);
        const ct_layout src =
            ct_make_layout2(ct_layout2(inner, outer, outer * ld + 16, ld), columns);
        const ct_layout dst = ct_make_layout2(ct_layout2(inner, outer, ld, -inner * ld), columns);
        const ct_dim3 grid =
            grid_of(ct_ceil_div_int(inner, 4), ct_ceil_div_int(outer, 2), ct_ceil_div_int(n, 64));
        check_tensors(&tensor_nested, grid, src, dst, 16, 2 * (k % 3), run);
    }
}

/* Batches, whose matrices lie in any order, and of which the source's may be one and the same. */
static void every_slice(const ct_grid_kernel *kernel, run_launch *run)
{
    static const int64_t cases[][3] = {
        {64, 64, 1}, {64, 128, 3}, {70, 65, 2}, {5, 3, 4}, {130, 100, 2}};
    for (int k = 0; k < LENGTH(cases); ++k) {
        const int64_t m = cases[k][0], n = cases[k][1], b = cases[k][2];
        const ct_tuple shape = ct_tuple3(m, n, b);
        const ct_dim3 grid = grid_of(ct_ceil_div_int(n, 64), ct_ceil_div_int(m, 64), b);
        const ct_layout src = ct_make_layout(shape, ct_tuple3(b * n, 1, k % 2 ? n : 0));
        const ct_layout dst = ct_make_layout(shape, ct_tuple3(n + 4, 1, -m * (n + 4)));
        check_tensors(kernel, grid, src, dst, 32, 4 * (k % 3), run);
    }
}

/* Parts of a tile in shared memory: one launch of four blocks deep, each of which takes them in its own way. */
static void every_part(run_launch *run)
{
    static const ct_grid_kernel *const kernels[] = {
        &parts_of_rows,         &parts_padded,     &parts_of_columns, &parts_swizzled,
        &parts_inside_a_period, &parts_not_folded, &parts_in_blocks};
    static const int64_t cases[][2] = {{32, 64}, {64, 128}, {37, 70}};
    for (int k = 0; k < LENGTH(kernels); ++k)
        for (int c = 0; c < LENGTH(cases); ++c) {
            const int64_t m = cases[c][0], n = cases[c][1];
            const ct_tuple shape = ct_tuple3(m, n, 4);
            const ct_dim3 grid = grid_of(ct_ceil_div_int(n, 64), ct_ceil_div_int(m, 32), 4);
            const ct_layout src = ct_make_layout(shape, ct_tuple3(n, 1, m * n));
            const ct_layout dst = ct_make_layout(shape, ct_tuple3(n + 4, 1, m * (n + 4)));
            check_tensors(kernels[k], grid, src, dst, 32, 4 * (c % 3), run);
        }
}

#endif
