/* The CPU grid: every mistake of a kernel or a launch stops it with its own message, and the
 * correct twin of each kernel passes. */
#include "grid_launch.h"

#include <stdio.h>

#include "grid_mistakes.cu"

typedef struct mistake {
    const ct_grid_kernel *kernel;
    uint32_t blocks, threads;
    int shared_bytes, src_bytes, dst_bytes, wrong, status;
    const char *message;
} mistake;

#define AT "at grid_mistakes.cu:N: "
#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "

static const mistake mistakes[] = {
    {&gk_past_end, 1, 64, 0, 1024, 0, 1, CT_GRID_E_BOUNDS,
     THREAD("gk_past_end", "63") "128-bit load from global memory " AT
                                 "bytes 1024 to 1039 of src, which has 1024 bytes"},
    {&gk_before_begin, 1, 32, 0, 0, 512, 1, CT_GRID_E_BOUNDS,
     THREAD("gk_before_begin", "0") "64-bit store to global memory " AT
                                    "bytes -16 to -9 of dst, which has 512 bytes"},
    {&gk_past_shared, 1, 32, 0, 0, 0, 1, CT_GRID_E_BOUNDS,
     THREAD("gk_past_shared", "31") "32-bit store to shared memory " AT
                                    "bytes 132 to 135 of first, which has 132 bytes"},
    {&gk_past_dynamic, 1, 32, 128, 0, 0, 1, CT_GRID_E_BOUNDS,
     THREAD("gk_past_dynamic", "31") "32-bit store to shared memory " AT
                                     "bytes 128 to 131 of tile, which has 128 bytes"},
    {&gk_wrong_space, 1, 32, 0, 0, 64, 1, CT_GRID_E_BOUNDS,
     THREAD("gk_wrong_space", "0") "32-bit store to shared memory " AT
                                   "the address is in dst, which is global memory"},
    {&gk_misaligned, 1, 32, 0, 512, 0, 1, CT_GRID_E_MISALIGNED,
     THREAD("gk_misaligned", "0") "128-bit load from global memory " AT
                                  "misaligned: offset 8 of src is not a multiple of 16"},
    {&gk_misaligned_shared, 1, 32, 0, 0, 0, 1, CT_GRID_E_MISALIGNED,
     THREAD("gk_misaligned_shared", "0") "64-bit store to shared memory " AT
                                         "misaligned: offset 4 of tile is not a multiple of 8"},
    {&gk_read_only, 1, 32, 0, 128, 128, 1, CT_GRID_E_READ_ONLY,
     THREAD("gk_read_only", "0") "32-bit store to global memory " AT "src is not writable"},
    {&gk_unwritten, 1, 32, 0, 0, 0, 1, CT_GRID_E_UNWRITTEN,
     THREAD(
         "gk_unwritten",
         "9") "32-bit load from shared memory " AT
              "byte 36 of tile is not written: never, or by a thread that no barrier puts before this one"},
    {&gk_no_wait, 1, 32, 0, 128, 0, 1, CT_GRID_E_IN_FLIGHT,
     THREAD(
         "gk_no_wait",
         "0") "32-bit load from shared memory " AT
              "byte 128 of tile: the cp.async of thread (0,0,0) at grid_mistakes.cu:N was not waited for"},
    {&gk_no_wait, 1, 32, 0, 128, 0, 2, CT_GRID_E_IN_FLIGHT,
     THREAD(
         "gk_no_wait",
         "0") "32-bit load from shared memory " AT
              "byte 128 of tile: the cp.async of thread (0,0,0) at grid_mistakes.cu:N was not waited for"},
    {&gk_no_wait, 1, 32, 0, 128, 0, 3, CT_GRID_E_IN_FLIGHT,
     THREAD(
         "gk_no_wait",
         "0") "32-bit load from shared memory " AT
              "byte 4 of tile: the cp.async of thread (1,0,0) at grid_mistakes.cu:N was not waited for"},
    {&gk_stage_readers, 1, 128, 0, 0, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_stage_readers",
            "0") "32-bit store to shared memory " AT
                 "race: byte 0 of tile was read by thread (125,0,0) with no barrier since"},
    {&gk_stage_readers, 1, 128, 0, 0, 0, 2, CT_GRID_E_RACE,
     THREAD("gk_stage_readers",
            "0") "32-bit store to shared memory " AT
                 "race: byte 0 of tile was read by thread (63,0,0) with no barrier since"},
    {&gk_stage_readers, 1, 128, 0, 0, 0, 3, CT_GRID_E_RACE,
     THREAD("gk_stage_readers",
            "0") "32-bit store to shared memory " AT
                 "race: byte 0 of tile was read by thread (125,0,0) with no barrier since"},
    {&gk_source_written, 1, 32, 0, 0, 128, 1, CT_GRID_E_IN_FLIGHT,
     THREAD(
         "gk_source_written",
         "0") "32-bit store to global memory " AT
              "byte 0 of dst is the source of this thread's cp.async at grid_mistakes.cu:N, which was not "
              "waited for"},
    {&gk_source_written, 1, 32, 0, 0, 128, 2, CT_GRID_E_RACE,
     THREAD(
         "gk_source_written",
         "0") "cp.async from global memory " AT
              "race: byte 0 of dst was written by thread (1,0,0) before the copy was waited for"},
    {&gk_source_written, 1, 32, 0, 0, 128, 3, CT_GRID_E_RACE,
     THREAD("gk_source_written",
            "1") "32-bit store to global memory " AT
                 "race: byte 0 of dst was read by thread (0,0,0) with no barrier since"},
    {&gk_wait_no_barrier, 1, 32, 0, 128, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_wait_no_barrier",
            "1") "32-bit load from shared memory " AT
                 "race: byte 0 of tile was written by thread (0,0,0) with no barrier since"},
    {&gk_read_after_write, 1, 64, 0, 0, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_read_after_write",
            "63") "32-bit load from shared memory " AT
                  "race: byte 124 of tile was written by thread (31,0,0) with no barrier since"},
    {&gk_half_warps, 1, 32, 0, 0, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_half_warps",
            "20") "32-bit load from shared memory " AT
                  "race: byte 12 of tile was written by thread (3,0,0) with no barrier since"},
    {&gk_half_warps, 1, 32, 0, 0, 0, 2, CT_GRID_E_RACE,
     THREAD("gk_half_warps",
            "20") "32-bit store to shared memory " AT
                  "race: byte 12 of tile was written by thread (3,0,0) with no barrier since"},
    {&gk_write_after_read, 1, 32, 0, 0, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_write_after_read",
            "1") "32-bit store to shared memory " AT
                 "race: byte 4 of tile was read by thread (0,0,0) with no barrier since"},
    {&gk_warp_scan, 1, 32, 0, 0, 128, 1, CT_GRID_E_RACE,
     THREAD("gk_warp_scan",
            "1") "32-bit load from shared memory " AT
                 "race: byte 0 of tile was written by thread (0,0,0) with no barrier since"},
    {&gk_write_after_reads, 1, 64, 0, 0, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_write_after_reads",
            "40") "32-bit store to shared memory " AT
                  "race: byte 0 of tile was read by thread (0,0,0) with no barrier since"},
    {&gk_write_write, 1, 32, 0, 0, 0, 1, CT_GRID_E_RACE,
     THREAD("gk_write_write",
            "1") "32-bit store to shared memory " AT
                 "race: byte 0 of tile was written by thread (0,0,0) with no barrier since"},
    {&gk_global_race, 1, 32, 0, 0, 128, 1, CT_GRID_E_RACE,
     THREAD("gk_global_race",
            "1") "32-bit store to global memory " AT
                 "race: byte 4 of dst was read by thread (0,0,0) with no barrier since"},
    {&gk_block_race, 2, 32, 0, 0, 256, 1, CT_GRID_E_RACE,
     "kernel gk_block_race, block (1,0,0), thread (0,0,0): 32-bit store to global memory " AT
     "race: byte 0 of dst was written by another block of this launch"},
    {&gk_block_race, 2, 32, 0, 0, 256, 2, CT_GRID_E_RACE,
     "kernel gk_block_race, block (1,0,0), thread (0,0,0): 32-bit load from global memory " AT
     "race: byte 0 of dst was written by another block of this launch"},
    {&gk_block_race, 2, 32, 0, 0, 256, 3, CT_GRID_E_RACE,
     "kernel gk_block_race, block (1,0,0), thread (0,0,0): 32-bit store to global memory " AT
     "race: byte 128 of dst was read by another block of this launch"},
    {&gk_neighbour_block, 2, 32, 0, 512, 512, 1, CT_GRID_E_RACE,
     "kernel gk_neighbour_block, block (1,0,0), thread (0,0,0): 32-bit store to global memory " AT
     "race: byte 128 of dst was read by another block of this launch"},
    {&gk_early_exit, 1, 40, 0, 0, 0, 1, CT_GRID_E_DIVERGENCE,
     THREAD("gk_early_exit", "30") "warp shuffle " AT "lane 5 reads from lane 3, which has ended"},
    {&gk_early_exit, 1, 40, 0, 0, 0, 2, CT_GRID_E_DIVERGENCE,
     THREAD("gk_early_exit",
            "36") "warp shuffle " AT
                  "lane 0 reads from lane 8 of a warp of which the block has only 8 lanes"},
    {&gk_early_exit, 1, 40, 0, 0, 0, 3, CT_GRID_E_DIVERGENCE,
     THREAD("gk_early_exit",
            "0") "divergence: waits for __syncthreads at grid_mistakes.cu:N, but "
                 "not so thread (5,0,0), which waits for __syncthreads at grid_mistakes.cu:N"},
    {&gk_matrix_exit, 1, 32, 0, 0, 0, 1, CT_GRID_E_DIVERGENCE,
     THREAD("gk_matrix_exit", "0") "divergence: waits for its warp at grid_mistakes.cu:N, but not "
                                   "so thread (7,0,0), which has ended"},
    {&gk_matrix_exit, 1, 40, 0, 0, 0, 0, CT_GRID_E_DIVERGENCE,
     THREAD("gk_matrix_exit", "32") "divergence: waits at grid_mistakes.cu:N for all 32 lanes of "
                                    "a warp of which the block has only 8"},
    {&gk_two_barriers, 1, 64, 0, 0, 0, 1, CT_GRID_E_DIVERGENCE,
     THREAD("gk_two_barriers",
            "0") "divergence: waits for __syncthreads at grid_mistakes.cu:N, "
                 "but not so thread (32,0,0), which waits for __syncthreads at grid_mistakes.cu:N"},
    {&gk_bad_shuffle, 1, 64, 0, 0, 256, 1, CT_GRID_E_DIVERGENCE,
     THREAD("gk_bad_shuffle", "30") "warp shuffle " AT
                                    "lane 30 reads from lane 31, which has ended"},
    {&gk_bad_shuffle, 1, 64, 0, 0, 256, 2, CT_GRID_E_DIVERGENCE,
     THREAD("gk_bad_shuffle",
            "16") "warp shuffle " AT
                  "divergence: the mask 0x0000ffff leaves out lane 16, which executes it"},
    {&gk_bad_shuffle, 1, 64, 0, 0, 256, 3, CT_GRID_E_DIVERGENCE,
     THREAD("gk_bad_shuffle",
            "15") "warp shuffle " AT
                  "lane 0 reads from lane 16, which the mask 0x0000ffff leaves out"},
    {&gk_shuffles_diverged, 1, 32, 0, 0, 128, 1, CT_GRID_E_DIVERGENCE,
     THREAD(
         "gk_shuffles_diverged",
         "16") "warp shuffle " AT
               "divergence: thread (0,0,0) of the same warp waits at grid_mistakes.cu:N instead"},
    {&gk_shuffles_diverged, 1, 32, 0, 0, 128, 2, CT_GRID_E_DIVERGENCE,
     THREAD("gk_shuffles_diverged",
            "5") "warp shuffle " AT
                 "divergence: the mask is 0x0000003f, but 0xffffffff for thread (0,0,0)"},
    {&gk_lanes_diverged, 1, 32, 0, 0, 0, 1, CT_GRID_E_DIVERGENCE,
     THREAD("gk_lanes_diverged",
            "1") "divergence: waits for its warp at grid_mistakes.cu:N, but not "
                 "so thread (0,0,0), which waits for __syncthreads at grid_mistakes.cu:N"},
    {&gk_no_such_atom, 1, 32, 0, 64, 0, 1, CT_GRID_E_ATOM,
     THREAD("gk_no_such_atom", "0") "24-bit load from global memory " AT
                                    "24 bits; an access has 8, 16, 32, 64 or 128"},
    {&gk_no_such_atom, 1, 32, 0, 64, 0, 2, CT_GRID_E_ATOM,
     THREAD("gk_no_such_atom", "0") "96-bit cp.async.ca to shared memory " AT
                                    "12 bytes; it copies 4, 8 or 16"},
    {&gk_no_such_atom, 1, 32, 0, 64, 0, 3, CT_GRID_E_ATOM,
     THREAD("gk_no_such_atom", "0") "64-bit cp.async.ca to shared memory " AT
                                    "9 source bytes; there are 0 to 8"},
    {&gk_no_such_atom, 1, 32, 0, 64, 0, 4, CT_GRID_E_ATOM,
     THREAD("gk_no_such_atom", "0") "warp shuffle " AT "width 3; a width is 1, 2, 4, 8, 16 or 32"},
    {&gk_own_misaligned, 1, 32, 0, 64, 0, 1, CT_GRID_E_MISALIGNED,
     THREAD("gk_own_misaligned", "0") "64-bit load from global memory " AT
                                      "the thread's own variable is not aligned to 4 bytes"},
    {&gk_much_static, 1, 32, 0, 0, 0, 1, CT_GRID_E_LAUNCH,
     THREAD("gk_much_static",
            "0") "more " AT "static shared memory grows to 49280 bytes; the maximum is 49152"},
    {&gk_much_static, 1, 32, 183 * 1024, 0, 0, 0, CT_GRID_E_LAUNCH,
     THREAD("gk_much_static",
            "0") "some " AT
                 "static and dynamic shared memory grow to 236544 bytes; the maximum is 232448"},
    {&gk_past_dynamic, 1, 32, 0, 0, 0, 0, CT_GRID_E_LAUNCH,
     THREAD("gk_past_dynamic", "0") "tile " AT "the launch gives no dynamic shared memory"},
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        const mistake *m = &mistakes[i];
        const ct_dim3 grid = {m->blocks, 1, 1}, block = {m->threads, 1, 1};
        if (m->wrong) /* the correct twin */
            pass(launch(m->kernel, grid, block, (size_t)m->shared_bytes, (size_t)m->src_bytes,
                        (size_t)m->dst_bytes, 0, 0));
        expect(launch(m->kernel, grid, block, (size_t)m->shared_bytes, (size_t)m->src_bytes,
                      (size_t)m->dst_bytes, 0, m->wrong),
               m->status, m->message);
    }
}

/* Lanes that end later than others have begun to wait for them, and lanes that are not there. */
static void test_ended_lanes(void **state)
{
    (void)state;
    pass(launch_block(&gk_late_exit, 40, 0, 0));
    for (int t = 0; t < 20; ++t) {
        uint32_t votes;
        memcpy(&votes, dst + 4 * t, 4);
        assert_int_equal(votes, 0x000ffffd);
    }
    pass(launch_block(&gk_lanes_diverged, 40, 0, 0));
}

/* A base that is not aligned counts as such, and a launch can be told not to look for races. */
static void test_options(void **state)
{
    const copy_args args = {src, dst, 0, 0};
    const ct_dim3 one = {1, 1, 1}, block = {32, 1, 1}, two = {2, 1, 1};
    ct_grid_buffer buffers[] = {{"src", src, 512, 0, 4}, {"dst", dst, 512, 1, 0}};
    ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    (void)state;
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

static void test_refused_launches(void **state)
{
    const ct_dim3 one = {1, 1, 1}, none = {1, 0, 1}, deep = {1, 1, 65}, wide = {65, 1, 1};
    const size_t size = sizeof(copy_args);
    const ct_grid_buffer overlapping[] = {{"a", src, 64, 1, 0}, {"b", src + 63, 8, 1, 0}};
    const ct_grid_buffer missing = {"a", NULL, 64, 1, 0}, skewed = {"a", src, 64, 1, 256};
    (void)state;
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
    refuse(&gk_past_end, one, one, 0, size, overlapping, 33,
           "kernel gk_past_end: 33 buffers; 0 to 32 are allowed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mistakes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ended_lanes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_options, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused_launches, setup, teardown)};
    return cmocka_run_group_tests_name("grid mistakes", tests, NULL, NULL);
}
