/* The CPU grid: barriers of some warps of a block. */
#include "test.h"

#include <cutlet/host/grid.h>

#include "named_barriers.cu"

static int32_t out;
static ct_grid_report report;

static int launch(int wrong)
{
    const ct_grid_buffer buffer = {"out", &out, sizeof out, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1};
    const ct_dim3 one = {1, 1, 1}, block = {128, 1, 1};
    const named_args args = {&out, wrong};
    ct_grid_report_free(&report);
    return ct_grid_launch(&named_turns, one, block, 0, &args, sizeof args, &options, &report);
}

TEST(test_turns)
{
    if (launch(WRONG_NOTHING)) fail_msg("%s", report.message);
    assert_int_equal(out, 6);
    ct_grid_report_free(&report);
}

/* The launch ends with an error whose message has these words. */
static void expect(int wrong, int status, const char *words)
{
    assert_int_equal(launch(wrong), status);
    if (!strstr(report.message, words)) fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

TEST(test_mistakes)
{
    expect(WRONG_ID, CT_GRID_E_MBARRIER,
           "barrier 16; they are 1 to 15, and 0 is that of __syncthreads");
    expect(WRONG_COUNT, CT_GRID_E_MBARRIER,
           "barrier 2 of 128 threads, to which others came as one of 96");
    expect(WRONG_NO_ARRIVAL, CT_GRID_E_DEADLOCK,
           " for barrier 2, to which 64 of 128 threads have come");
    expect(WRONG_THREADS, CT_GRID_E_MBARRIER,
           "100 threads; they are a multiple of 32, of the 128 of the block");
    expect(WRONG_GROUPS, CT_GRID_E_MBARRIER,
           "barrier 1: no order puts this arrival after others have passed the barrier; another "
           "group of threads needs another number");
    expect(WRONG_NO_BARRIER, CT_GRID_E_DEADLOCK, "for barrier ");
    expect(WRONG_EARLY, CT_GRID_E_RACE, "race: byte 0 of word was written by thread (0,0,0)");
}

GROUP("named barriers on the CPU grid", NULL, NULL)
