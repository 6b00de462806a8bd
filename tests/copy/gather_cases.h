/**
 * The paged gather of examples/paged_gather.cu against its definition, for whoever runs kernels.
 */
#ifndef TESTS_GATHER_CASES_H
#define TESTS_GATHER_CASES_H

#include "harness.h"

#include "../../examples/paged_gather.cu"

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

#endif
