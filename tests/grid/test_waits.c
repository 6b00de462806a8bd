/* The CPU grid: waits that only one order of the threads makes right, uses of the memory of an mbarrier,
 * and lanes that have left. Of every combination the wrong ones stop, and the right ones pass. */
#include "grid_buffers.h"

#include <stdio.h>

#include "waits.cu"

static int run(const ct_grid_kernel *kernel, uint32_t threads, int how, int n, int data)
{
    const wait_args args = {src, dst, how, n, data};
    const ct_dim3 one = {1, 1, 1}, block = {threads, 1, 1};
    return launch_with(kernel, one, block, 0, &args, sizeof args, BUFFER_BYTES, BUFFER_BYTES);
}

/* The launch has the status, and its message the words. */
static void check(int status, int wanted, const char *words, int how, int n, int data)
{
    if (status != wanted || !strstr(report.message, words))
        fail_msg("how %d, n %d, data %d: status %d: %s", how, n, data, status, report.message);
}

TEST(test_leader)
{
    for (int how = 0; how < MEETINGS; ++how)
        for (int n = 1; n < 6; ++n)
            for (int data = 0; data < 2; ++data) {
                const int is_right = how < MEET_WARPS_ONLY || n == 1;
                const int wanted = is_right ? CT_GRID_OK
                                   : data   ? CT_GRID_E_RACE
                                            : CT_GRID_E_MBARRIER;
                check(run(&wt_leader, 96, how, n, data), wanted,
                      is_right ? ""
                      : data   ? "race: "
                               : "nothing puts it before the end of the next phase",
                      how, n, data);
            }
}

TEST(test_bytes)
{
    for (int how = 0; how < 3; ++how)
        for (int n = 1; n < 5; ++n) {
            const int is_right = how == 0 || n == 1;
            check(run(&wt_bytes, 64, how, n, 0), is_right ? CT_GRID_OK : CT_GRID_E_MBARRIER,
                  is_right   ? ""
                  : how == 1 ? "thread (1,0,0): wait for an mbarrier at "
                             : "thread (32,0,0): bulk copy to shared memory at ",
                  how, n, 0);
        }
}

TEST(test_turns)
{
    for (int how = 0; how < TURNS; ++how) {
        const int status = how < TURN_SAME    ? CT_GRID_OK
                           : how == TURN_SAME ? CT_GRID_E_MBARRIER
                                              : CT_GRID_E_UNWRITTEN;
        check(run(&wt_turns, 128, how, 0, 0), status,
              how == TURN_SAME ? "thread (64,0,0): barrier.sync at waits.cu" : "", how, 0, 0);
        for (uint32_t t = 0; !status && t < 128; ++t)
            assert_int_equal(((const uint32_t *)(void *)dst)[t], t ^ 32);
    }
}

TEST(test_objects)
{
    for (int how = 0; how < OBJECTS; ++how) {
        check(run(&wt_object, 32, how, 0, 0), CT_GRID_OK, "", how, 0, 0);
        check(run(&wt_object, 32, how, 1, 0), CT_GRID_E_MBARRIER,
              how == OBJECT_INIT
                  ? "initialised already"
                  : "of bars belongs to an mbarrier: "
                    "before another use of its memory it needs ct_mbarrier_invalidate",
              how, 1, 0);
    }
}

TEST(test_tries)
{
    for (int how = 0; how < TRIES; ++how)
        for (int n = 1; n < 5; ++n)
            for (int data = 0; data < 2; ++data) {
                run(&wt_try, 64, how, n, data); /* a mistake is a race, or unwritten or in flight */
                if ((report.status != CT_GRID_OK) != (how >= TRY_IGNORED))
                    fail_msg("how %d, n %d, data %d: %s", how, n, data, report.message);
            }
}

TEST(test_leaving)
{
    const uint32_t *const words = (const uint32_t *)(void *)dst;
    for (int n = 1; n <= 128; ++n) {
        pass(run(&wt_leave, 128, 0, n, 0));
        for (int t = 0; t < n; ++t) {
            const int last = n - t / 32 * 32;
            assert_int_equal(words[t], n - 1 - t);
            assert_int_equal(words[128 + t], last < 32 ? (1u << last) - 1 : UINT32_MAX);
        }
    }
}

GROUP_OF_EACH("waits", setup, teardown)
