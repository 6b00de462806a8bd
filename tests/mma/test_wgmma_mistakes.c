/* wgmma on the CPU grid: every mistake in its use stops a kernel with its own message, and the
 * correct kernel passes. */
#include "grid_launch.h"
#include "mistakes.h"

#include "wgmma_mistakes.cu"

#define AT "at wgmma_mistakes.cu:N: "
#define THREAD(kernel, t) "kernel " kernel ", block (0,0,0), thread (" t ",0,0): "

static const ct_grid_kernel *const kernels[] = {&wm_before,  &wm_behind,          &wm_registers,
                                                &wm_stages,  &wm_register_stages, &wm_two_groups,
                                                &wm_unknown, &wm_setmaxnreg,      NULL};

static int run(const ct_grid_kernel *kernel, uint32_t threads, int n, int wrong)
{
    const ct_dim3 one = {1, 1, 1}, block = {threads, 1, 1};
    return launch(kernel, one, block, 0, BUFFER_BYTES, BUFFER_BYTES, n, wrong);
}

TEST(test_mistakes)
{
    char *const text = table_text("tests/mma/wgmma_mistakes.txt"), *at = text;
    int rows = 0;
    for (mistake m; next_mistake(&at, kernels, &m); ++rows) {
        const uint32_t threads = (uint32_t)m.number[0];
        pass(run(m.kernel, threads, m.number[1], 0));
        expect(run(m.kernel, threads, m.number[1], m.number[2]), m.status, m.message);
    }
    free(text);
    assert_int_equal(rows, 60);
}

/* Products without a second fence give their sum if nothing was written, otherwise a message. */
TEST(test_again)
{
    for (int n = 1; n <= 5; ++n) {
        pass(run(&wm_again, 128, n, 0));
        for (int i = 0; i < 128 * D_WORDS; ++i)
            assert_true(((const float *)(const void *)dst)[i] == (float)(16 * (n + 1)));
        expect(run(&wm_again, 128, n, 1), CT_GRID_E_PROXY,
               THREAD("wm_again", "77") "wgmma " AT
                                        "word 3 of D was written, and no ct_wgmma_fence follows");
        assert_int_equal(run(&wm_again, 128, n, 2), CT_GRID_E_IN_FLIGHT);
        expect(run(&wm_again, 128, n, 3), CT_GRID_E_PROXY,
               THREAD("wm_again", "77") "wgmma " AT
                                        "word 3 of A was written, and no ct_wgmma_fence follows");
    }
}

TEST(test_part_of_a_group)
{
    expect(run(&wm_before, 96, 0, 0), CT_GRID_E_DIVERGENCE,
           THREAD("wm_before",
                  "0") "wgmma " AT
                       "a warpgroup has 128 threads, and the block has only 96 of this one");
}

/* A single lane may release a stage for its warpgroup: the instruction is that of all. */
TEST(test_one_releases) { pass(run(&wm_stages, 288, 6, 5)); }

GROUP_OF_EACH("wgmma mistakes", setup, teardown)
