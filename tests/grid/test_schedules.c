/* The CPU grid: launches in several orders. Each planted mistake passes in the fixed order and is
 * found in 16, from any seed; its correct twin passes all. */
#include "grid_buffers.h"

#include "all_cases.h"
#include "schedule_kernels.cu"

enum { SCHEDULES = 16 };

static int launch(const ct_grid_kernel *kernel, uint32_t blocks, uint32_t threads, int wrong,
                  int32_t schedules, uint64_t seed)
{
    const copy_args args = {src, dst, 0, wrong};
    const ct_grid_buffer buffers[] = {{"src", src, 4096, 0, 0}, {"dst", dst, 4096, 1, 0}};
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = 2, .schedules = schedules, .seed = seed};
    const ct_dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    memset(dst, 0, 4096);
    ct_grid_report_free(&report);
    return ct_grid_launch(kernel, grid, block, 0, &args, sizeof args, &options, &report);
}

typedef struct planted {
    const ct_grid_kernel *kernel;
    uint32_t blocks, threads;
    int status; /* or 0: several are possible */
} planted;

static const planted all[] = {
    {&gs_first, 1, 160, CT_GRID_E_ORDER},
    {&gs_crossed, 1, 160, 0},
    {&gs_once, 1, 64, CT_GRID_E_ORDER},
    {&gs_twice, 1, 32, 0},
    {&gs_twice, 1, 96, 0},
    {&gs_sum, 8, 32, CT_GRID_E_ORDER},
    {&gs_sum, 1, 128, CT_GRID_E_ORDER},
};

/* A mistake is found from a seed on; its message says in which schedule, which finds it alone. */
static void check_found(const planted *p, uint64_t seed)
{
    char message[sizeof report.message];
    const int status = launch(p->kernel, p->blocks, p->threads, 1, SCHEDULES, seed);
    const char *const named = strstr(report.message, "; in schedule ");
    if (!status || (p->status && status != p->status))
        fail_msg("%s of %u, seed %d: status %d %s", p->kernel->name, (unsigned)p->threads,
                 (int)seed, status, report.message);
    if (status == CT_GRID_E_ORDER) return;
    assert_non_null(named);
    memcpy(message, report.message, sizeof message);
    const uint64_t schedule = strtoull(named + sizeof "; in schedule " - 1, NULL, 10);
    assert_true(schedule >= seed && schedule < seed + SCHEDULES);
    assert_int_equal(report.schedules, schedule - seed + 1);
    assert_int_equal(launch(p->kernel, p->blocks, p->threads, 1, 1, schedule), status);
    assert_string_equal(report.message, message);
}

TEST(test_planted)
{
    const int seeds = all_cases() ? 200 : 4;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        const planted *const p = &all[i];
        pass(launch(p->kernel, p->blocks, p->threads, 1, 1, 0));
        for (int seed = 0; seed < seeds; ++seed) {
            if (launch(p->kernel, p->blocks, p->threads, 0, SCHEDULES, 1000 * (uint64_t)seed))
                fail_msg("%s, seed %d: %s", p->kernel->name, 1000 * seed, report.message);
            check_found(p, 1000 * (uint64_t)seed);
        }
    }
}

TEST(test_report)
{
    unsigned char sums[16];
    pass(launch(&gs_sum, 8, 32, 0, 0, 0));
    assert_int_equal(report.schedules, 1);
    const int64_t wavefronts = report.shared.wavefronts;
    memcpy(sums, dst, sizeof sums);
    assert_int_equal(launch(&gs_sum, 8, 32, 0, 5, 3), CT_GRID_OK);
    assert_string_equal(report.message, "kernel gs_sum: 5 schedules from 3 on make no mistake; "
                                        "others may");
    assert_int_equal(report.schedules, 5);
    assert_int_equal(report.shared.wavefronts, wavefronts);
    assert_memory_equal(sums, dst, sizeof sums); /* each schedule adds to the same memory */
    expect(
        launch(&gs_sum, 8, 32, 1, SCHEDULES, 0), CT_GRID_E_ORDER,
        "kernel gs_sum: the results of schedules 0 and 1 differ at byte 0 of dst: they depend on "
        "the order of threads");
    expect(launch(&gs_sum, 8, 32, 0, -1, 0), CT_GRID_E_LAUNCH,
           "kernel gs_sum: -1 schedules; 1 or more are allowed");
}

GROUP_OF_EACH("schedules", setup, teardown)
