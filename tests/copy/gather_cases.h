/**
 * examples/paged_gather.cu and examples/rotary.cu against their definitions, for whoever runs kernels.
 */
#ifndef TESTS_GATHER_CASES_H
#define TESTS_GATHER_CASES_H

#include "harness.h"

#include "../../examples/paged_gather.cu"
#include "../../examples/rotary.cu"

static void check_gather(int64_t pages, int64_t sequences, int64_t of_each, run_launch *run)
{
    const int64_t row = 128, page = 16 * row;
    const tensor src = random_tensor(ct_layout3(pages, 16, row, page, row, 1), 16, 0);
    const tensor dst =
        make_tensor(ct_make_layout(ct_append(ct_tuple3(sequences, of_each, 16), ct_int(row)),
                                   ct_append(ct_tuple3(of_each * page, page, row), ct_int(1))),
                    16, 0);
    const tensor table = make_tensor(ct_layout1(sequences * of_each, 1), 32, 0);
    int32_t *const entry = at_zero(&table);
    unsigned char *const right = memory_like(&dst);
    for (int64_t i = 0; i < sequences * of_each; ++i) {
        const size_t bytes = (size_t)(2 * page);
        unsigned char *const to = right + GUARD + (size_t)i * bytes;
        entry[i] = random_to((int)pages + 2) - 1; /* some are no pages */
        memset(to, 0, bytes);
        if (entry[i] >= 0 && entry[i] < pages)
            memcpy(to, begin(&src) + (size_t)entry[i] * bytes, bytes);
    }
    paged_gather_args args = {global_of(&src), global_of(&dst), entry};
    launch l = make_launch(&paged_gather, grid_of(ct_ceil_div_int(of_each, 4), sequences, 1), 256,
                           0, &args);
    add_sides(&l, &src, &args.pages, &dst, &args.dst);
    add_buffer(&l, "table", &table, 0, (unsigned char **)(void *)&args.table);
    run_well(&l, run);
    if (wrong_byte(&dst, right) != ALL_RIGHT)
        fail_msg("gather of %d x %d pages: byte %lld", (int)sequences, (int)of_each,
                 (long long)wrong_byte(&dst, right));
    free(right);
    drop(&src);
    drop(&dst);
    drop(&table);
}

static void every_gather(run_launch *run)
{
    check_gather(9, 1, 4, run);
    check_gather(20, 3, 7, run);
    check_gather(1, 2, 1, run);
}

/* Every product and sum is exact; each tenth token has no position. */
static void check_rotary(int tokens, int heads, run_launch *run)
{
    const int n = tokens * heads * 128;
    const tensor x = make_tensor(ct_layout4(tokens, heads, 2, 64, 128 * heads, 128, 64, 1), 16, 0),
                 table = make_tensor(ct_layout4(9, heads, 2, 64, 128, 0, 64, 1), 32, 0),
                 position = make_tensor(ct_layout1(tokens, 1), 32, 0);
    rotary_args args = {global_of(&x), global_of(&table), at_zero(&position)};
    uint16_t *const of_x = at_zero(&x);
    float *const by = at_zero(&table);
    int32_t *const at = at_zero(&position);
    for (int i = 0; i < tokens; ++i) at[i] = (i + 5) * 7 % 10;
    for (int i = 0; i < 9 * 128; ++i) by[i] = (float)(i % 7) / 4;
    for (int i = 0; i < n; ++i) of_x[i] = (uint16_t)(0x3f80 + i % 128 + i % 3 % 2 * 0x8000);
    unsigned char *const right = memory_like(&x);
    for (int i = 0; i < n; ++i) {
        const int p = at[i / (heads * 128)], row = 128 * p + i % 64, is = p < 9;
        const float c = is ? by[row] : 0, s = is ? by[row + 64] : 0;
        const float a = ct_float_of_bfloat16(of_x[i]), b = ct_float_of_bfloat16(of_x[i ^ 64]);
        const float v = i & 64 ? a * c + b * s : a * c - b * s;
        ((uint16_t *)(void *)(right + GUARD))[i] = (uint16_t)ct_bfloat16_pair_of_floats(v, 0);
    }
    launch l = make_launch(&rotary, grid_of((tokens + 15) / 16, (heads + 1) / 2, 1), 128, 0, &args);
    add_sides(&l, &table, &args.table, &x, &args.x);
    add_buffer(&l, "position", &position, 0, (unsigned char **)(void *)&args.position);
    run_well(&l, run);
    assert_int_equal(wrong_byte(&x, right), ALL_RIGHT);
    free(right);
    drop(&x);
    drop(&table);
    drop(&position);
}

#endif
