/* Cache hints, prefetches and 256-bit accesses on the CPU grid: a hint changes neither result nor
 * record; a prefetch checks its address. */
#include "grid_launch.h"

#include "hint_kernels.cu"

TEST(test_hints)
{
    pass(launch_block(&hk_hints, 64, 20, 0));
    for (int k = 0; k < 8; ++k) {
        assert_memory_equal(dst + 2048 * k, src + 2048 * k, 1920 + 20);
        assert_int_equal(dst[2048 * k + 1920 + 20], 0xee);
    }
    assert_int_equal(report.row_count, 80);
    assert_int_equal(report.global.instructions, 8 * 2 * 5 * 2);
    setup(state);
    pass(launch_block(&hk_more_hints, 64, 64, 0));
    for (int k = 0; k < 4; ++k) assert_memory_equal(dst + 2048 * k, src + 2048 * k, 1984);
    assert_memory_equal(dst + 8192, src + 8192, 1536);
}

TEST(test_prefetch)
{
    pass(launch_block(&hk_prefetch, 64, 0, 0));
    assert_memory_equal(dst, src, 28 * 64);
    expect(
        launch_block(&hk_prefetch, 64, 0, 1), CT_GRID_E_BOUNDS,
        "kernel hk_prefetch, block (0,0,0), thread (0,0,0): prefetch into L2 at "
        "hint_kernels.cu:N: bytes 69632 to 69632 of src, which has 65536 bytes; dst begins at byte "
        "65536");
    expect(launch_block(&hk_prefetch, 64, 0, 2), CT_GRID_E_ATOM,
           "kernel hk_prefetch, block (0,0,0), thread (0,0,0): cp.async at hint_kernels.cu:N: "
           "32 bytes into L2; it fetches 64, 128 or 256");
}

TEST(test_wide)
{
    pass(launch_block(&hk_wide, 64, 10, 0));
    assert_memory_equal(dst, src, 2048 + 320);
    for (int t = 10; t < 20; ++t) /* off: the register keeps what the first load left in it */
        assert_memory_equal(dst + 2048 + 32 * t, src + 32 * t, 32);
    assert_int_equal(dst[2048 + 640], 0xee);
    assert_int_equal(report.rows[0].bits, 256);
    assert_int_equal(report.rows[0].sectors, 64);
    assert_int_equal(report.rows[0].bytes_used, 2048);
    assert_int_equal(report.rows[2].lanes, 10);
    expect(launch_block(&hk_wide, 64, 10, 1), CT_GRID_E_MISALIGNED,
           "kernel hk_wide, block (0,0,0), thread (0,0,0): 256-bit load from global memory at "
           "hint_kernels.cu:N: misaligned: offset 16 of src is not a multiple of 32");
}

GROUP_OF_EACH("hints", setup, teardown)
