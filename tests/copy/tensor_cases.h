/**
 * Kernels on tensors with nested modes and on slices, against dst(c) = src(c), for whoever runs kernels.
 */
#ifndef TESTS_TENSOR_CASES_H
#define TESTS_TENSOR_CASES_H

#include "example_launch.h"
#include "tensor_kernels.cu"

/* What a copy of elements of so many bytes has to leave. */
static unsigned char *copied(ct_layout src, ct_layout dst, const unsigned char *from,
                             const unsigned char *to, size_t bytes, size_t elem)
{
    unsigned char *const right = take_bytes(bytes, 0);
    memcpy(right, to, bytes);
    for (int64_t i = 0; i < ct_size(src); ++i)
        memcpy(right + (ct_eval(dst, i) - ct_lowest(dst)) * (int64_t)elem,
               from + (ct_eval(src, i) - ct_lowest(src)) * (int64_t)elem, elem);
    return right;
}

/* One launch: dst(c) = src(c), at addresses so many bytes past a multiple of 256. */
static void check_tensors(const ct_grid_kernel *kernel, ct_dim3 grid, ct_layout src, ct_layout dst,
                          size_t elem, size_t skew, example_run *run)
{
    const size_t src_bytes = (size_t)(ct_cosize(src) - ct_lowest(src)) * elem;
    const size_t dst_bytes = (size_t)(ct_cosize(dst) - ct_lowest(dst)) * elem;
    unsigned char *const from = take_bytes(src_bytes, skew), *const to =
                                                                 take_bytes(dst_bytes, skew);
    for (size_t i = 0; i < src_bytes; ++i) from[i] = (unsigned char)(i * 37 + i / 251);
    unsigned char *const right = copied(src, dst, from, to, dst_bytes, elem);
    const int32_t bits = 8 * (int32_t)elem;
    tensor_args args = {ct_make_global(from - ct_lowest(src) * (int64_t)elem, bits, src),
                        ct_make_global(to - ct_lowest(dst) * (int64_t)elem, bits, dst)};
    assert_int_equal(args.src.err.status, CT_OK);
    assert_int_equal(args.dst.err.status, CT_OK);
    run(&(example){
        .kernel = kernel,
        .grid = grid,
        .block = {(uint32_t)kernel->max_threads, 1, 1},
        .args = &args,
        .args_bytes = sizeof args,
        .count = 2,
        .buffers = {buffer_of("src", from, src_bytes, 0), buffer_of("dst", to, dst_bytes, 1)},
        .at = {&args.src.at, &args.dst.at}});
    for (size_t i = 0; i < dst_bytes; ++i)
        if (to[i] != right[i])
            fail_msg("%s: byte %zu of the destination is wrong", kernel->name, i);
    give_bytes(from);
    give_bytes(to);
    give_bytes(right);
}

static uint32_t tiles_of(int64_t extent, int64_t tile)
{
    return (uint32_t)ct_ceil_div_int(extent, tile);
}

/* Rows in groups of `inner`, the groups `apart` columns' worth apart: the first mode is nested, no one step. */
static void every_nested(example_run *run)
{
    static const int64_t cases[][4] = {/* inner, outer, columns, elements between columns' ends */
                                       {4, 2, 64, 0}, {4, 6, 128, 8}, {4, 5, 100, 12},
                                       {3, 4, 70, 2}, {6, 3, 65, 7},  {1, 1, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const int64_t inner = cases[k][0], outer = cases[k][1], n = cases[k][2],
                      ld = n + cases[k][3];
        const ct_layout columns = ct_layout1(n, 1);
        const ct_layout src =
            ct_make_layout2(ct_layout2(inner, outer, outer * ld + 16, ld), columns);
        const ct_layout dst = ct_make_layout2(ct_layout2(inner, outer, ld, -inner * ld), columns);
        const ct_dim3 grid = {tiles_of(inner, 4), tiles_of(outer, 2), tiles_of(n, 64)};
        check_tensors(&tensor_nested, grid, src, dst, 2, 2 * (k % 3), run);
    }
}

/* Batches, whose matrices lie in any order, and of which the source's may be one and the same. */
static void every_slice(const ct_grid_kernel *kernel, example_run *run)
{
    static const int64_t cases[][3] = {
        {64, 64, 1}, {64, 128, 3}, {70, 65, 2}, {5, 3, 4}, {130, 100, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const int64_t m = cases[k][0], n = cases[k][1], b = cases[k][2];
        const ct_tuple shape = ct_tuple3(m, n, b);
        const ct_dim3 grid = {tiles_of(n, 64), tiles_of(m, 64), (uint32_t)b};
        const ct_layout src = ct_make_layout(shape, ct_tuple3(b * n, 1, k % 2 ? n : 0));
        const ct_layout dst = ct_make_layout(shape, ct_tuple3(n + 4, 1, -m * (n + 4)));
        check_tensors(kernel, grid, src, dst, 4, 4 * (k % 3), run);
    }
}

/* Parts of a tile in shared memory: one launch of four blocks deep, each of which takes them in its own way. */
static void every_part(example_run *run)
{
    static const ct_grid_kernel *const kernels[] = {
        &parts_of_rows,         &parts_padded,     &parts_of_columns, &parts_swizzled,
        &parts_inside_a_period, &parts_not_folded, &parts_in_blocks};
    static const int64_t cases[][2] = {{32, 64}, {64, 128}, {37, 70}};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
            const int64_t m = cases[c][0], n = cases[c][1];
            const ct_tuple shape = ct_tuple3(m, n, 4);
            const ct_dim3 grid = {tiles_of(n, 64), tiles_of(m, 32), 4};
            const ct_layout src = ct_make_layout(shape, ct_tuple3(n, 1, m * n));
            const ct_layout dst = ct_make_layout(shape, ct_tuple3(n + 4, 1, m * (n + 4)));
            check_tensors(kernels[k], grid, src, dst, 4, 4 * (c % 3), run);
        }
}

#endif
