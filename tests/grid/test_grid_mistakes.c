/* The CPU grid: every mistake of a kernel or a launch stops it with its own message, and the
 * correct twin of each kernel passes. */
#include "grid_launch.h"
#include "mistakes.h"

#include <stdio.h>

#include "grid_mistakes.cu"

/* A kernel that launches another one, which is refused. */
static ct_grid_report nested;

CT_KERNEL(gk_launches, copy_args, args)
{
    const ct_dim3 one = {1, 1, 1};
    (void)ct_grid_launch(&gk_past_end, one, one, 0, &args, sizeof args, NULL, &nested);
}

#define AT "at grid_mistakes.cu:N: "
#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "

static const ct_grid_kernel *const kernels[] = {
    &gk_past_end,        &gk_before_begin,      &gk_past_shared,       &gk_past_dynamic,
    &gk_wrong_space,     &gk_misaligned,        &gk_misaligned_shared, &gk_read_only,
    &gk_unwritten,       &gk_no_wait,           &gk_stage_readers,     &gk_source_written,
    &gk_wait_no_barrier, &gk_read_after_write,  &gk_half_warps,        &gk_write_after_read,
    &gk_warp_scan,       &gk_write_after_reads, &gk_write_write,       &gk_global_race,
    &gk_block_race,      &gk_neighbour_block,   &gk_early_exit,        &gk_matrix_exit,
    &gk_two_barriers,    &gk_bad_shuffle,       &gk_shuffles_diverged, &gk_lanes_diverged,
    &gk_no_such_atom,    &gk_own_misaligned,    &gk_much_static,       NULL};

static int launch_of(const mistake *m, int wrong)
{
    const int *const n = m->number;
    const ct_dim3 grid = {(uint32_t)n[0], 1, 1}, block = {(uint32_t)n[1], 1, 1};
    return launch(m->kernel, grid, block, (size_t)n[2], (size_t)n[3], (size_t)n[4], 0, wrong);
}

TEST(test_mistakes)
{
    char *const text = table_text("tests/grid/grid_mistakes.txt"), *at = text;
    int rows = 0;
    for (mistake m; next_mistake(&at, kernels, &m); ++rows) {
        if (m.number[5]) pass(launch_of(&m, 0)); /* the correct twin */
        expect(launch_of(&m, m.number[5]), m.status, m.message);
    }
    free(text);
    assert_int_equal(rows, 54);
}

/* Lanes that end later than others have begun to wait for them, and lanes that are not there. */
TEST(test_ended_lanes)
{
    pass(launch_block(&gk_late_exit, 40, 0, 0));
    for (int t = 0; t < 20; ++t) {
        uint32_t votes;
        memcpy(&votes, dst + 4 * t, 4);
        assert_int_equal(votes, 0x000ffffd);
    }
    pass(launch_block(&gk_lanes_diverged, 40, 0, 0));
}

/* A base that is not aligned counts as such, and a launch can be told not to look for races. */
TEST(test_options)
{
    const copy_args args = {src, dst, 0, 0};
    const ct_dim3 one = {1, 1, 1}, block = {32, 1, 1}, two = {2, 1, 1};
    ct_grid_buffer buffers[] = {{"src", src, 512, 0, 4}, {"dst", dst, 512, 1, 0}};
    ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report_free(&report);
    expect(
        ct_grid_launch(&gk_past_end, one, block, 0, &args, sizeof args, &options, &report),
        CT_GRID_E_MISALIGNED,
        THREAD(
            "gk_past_end",
            "0") "128-bit load from global memory " AT
                 "misaligned: offset 0 of src, which begins 4 bytes past a boundary, is not a multiple "
                 "of "
                 "16");
    options.buffer_count = 0;
    ct_grid_report_free(&report);
    expect(ct_grid_launch(&gk_past_end, one, block, 0, &args, sizeof args, &options, &report),
           CT_GRID_E_BOUNDS,
           THREAD("gk_past_end", "0") "128-bit load from global memory " AT
                                      "the launch has no global memory");
    options.buffer_count = 2;
    const copy_args lost = {NULL, dst, 0, 0};
    ct_grid_report_free(&report);
    expect(ct_grid_launch(&gk_past_end, one, block, 0, &lost, sizeof lost, &options, &report),
           CT_GRID_E_BOUNDS,
           THREAD("gk_past_end",
                  "0") "128-bit load from global memory " AT
                       "the address is in none of the launch's buffers: is one missing?");
    const copy_args racing = {src, dst, 0, 1};
    options.no_global_races = 1;
    options.no_records = 1;
    ct_grid_report_free(&report);
    pass(ct_grid_launch(&gk_block_race, two, block, 0, &racing, sizeof racing, &options, &report));
    assert_int_equal(report.row_count, 0);
}

static void refuse(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                   size_t args_bytes, const ct_grid_buffer *buffers, int count, const char *message)
{
    const copy_args args = {src, dst, 0, 0};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count};
    ct_grid_report_free(&report);
    expect(ct_grid_launch(kernel, grid, block, shared_bytes, &args, args_bytes, &options, &report),
           CT_GRID_E_LAUNCH, message);
}

TEST(test_refused_launches)
{
    const ct_dim3 one = {1, 1, 1}, none = {1, 0, 1}, deep = {1, 1, 65}, wide = {65, 1, 1};
    const size_t size = sizeof(copy_args);
    const ct_grid_buffer overlapping[] = {{"a", src, 64, 1, 0}, {"b", src + 63, 8, 1, 0}};
    const ct_grid_buffer large = {"a", src, (size_t)1 << 43, 1, 0};
    ct_grid_kernel clustered = gk_past_end;
    clustered.cluster = 9;
    const ct_grid_buffer missing = {"a", NULL, 64, 1, 0}, skewed = {"a", src, 64, 1, 256};
    refuse(&gk_past_end, one, none, 0, size, NULL, 0,
           "kernel gk_past_end: block (1,0,1): a block of this kernel has 1 to 1024 threads, 64 in "
           "z");
    refuse(&gk_past_end, one, deep, 0, size, NULL, 0,
           "kernel gk_past_end: block (1,1,65): a block of this kernel has 1 to 1024 threads, 64 "
           "in z");
    refuse(&gk_bounded, one, wide, 0, size, NULL, 0,
           "kernel gk_bounded: block (65,1,1): a block of this kernel has 1 to 64 threads, 64 in "
           "z");
    refuse(&gk_past_end, none, one, 0, size, NULL, 0,
           "kernel gk_past_end: grid (1,0,1): a grid has 1 to 2^31 - 1 blocks in x, 1 to 65535 in "
           "y and z");
    refuse(&gk_past_end, one, one, 232449, size, NULL, 0,
           "kernel gk_past_end: 232449 bytes of dynamic shared memory; the maximum is 232448");
    refuse(&gk_past_end, one, one, 0, size - 1, NULL, 0,
           "kernel gk_past_end: the argument has 24 bytes, 23 are given");
    refuse(&gk_past_end, one, one, 0, size, overlapping, 2,
           "kernel gk_past_end: buffers a and b overlap");
    refuse(&gk_past_end, one, one, 0, size, &missing, 1,
           "kernel gk_past_end: buffer a has no memory");
    refuse(&gk_past_end, one, one, 0, size, &skewed, 1,
           "kernel gk_past_end: buffer a: skew 256; a skew is 0 to 255");
    refuse(&gk_past_end, one, one, 0, size, &large, 1,
           "kernel gk_past_end: buffer a: 8796093022208 bytes are too many");
    refuse(&clustered, one, one, 0, size, NULL, 0,
           "kernel gk_past_end: a cluster of 9 blocks; the maximum is 8");
    pass(launch(&gk_launches, one, one, 0, 0, 0, 0, 0));
    assert_string_equal(nested.message, "kernel gk_past_end: a kernel cannot launch a kernel");
    refuse(&gk_past_end, one, one, 0, size, overlapping, 33,
           "kernel gk_past_end: 33 buffers; 0 to 32 are allowed");
}

GROUP_OF_EACH("grid mistakes", setup, teardown)
