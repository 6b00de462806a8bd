/* The plain copy on the CPU grid, for every kind of end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <cutlet/host/grid.h>
#include "tools/bench/kernels/plain_copy.cu"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void test_plain_copy(void **state)
{
    static _Alignas(256) unsigned char src[8192], dst[8192];
    static const size_t sizes[] = {1, 15, 16, 17, 2047, 2048, 2049, 4096 + 127, 8176};
    for (size_t i = 0; i < sizeof src; ++i) src[i] = (unsigned char)(i * 131 >> 3);
    for (size_t s = 0; s < LENGTH(sizes); ++s) {
        const size_t bytes = sizes[s];
        const ct_plain_copy_args args = {src, dst, (int64_t)bytes};
        const ct_grid_buffer buffers[] = {{"src", src, bytes, 0, 0}, {"dst", dst, bytes, 1, 0}};
        const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
        const ct_dim3 grid = {(uint32_t)(bytes + 2047) / 2048, 1, 1};
        const ct_dim3 block = {CT_PLAIN_COPY_THREADS, 1, 1};
        ct_grid_report report;
        memset(dst, 0xEE, sizeof dst);
        const int status =
            ct_grid_launch(&ct_plain_copy, grid, block, 0, &args, sizeof args, &options, &report);
        if (status) fail_msg("%zu bytes: %s", bytes, report.message);
        ct_grid_report_free(&report);
        assert_memory_equal(dst, src, bytes);
        for (size_t i = bytes; i < sizeof dst; ++i) assert_int_equal(dst[i], 0xEE);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain_copy)};
    return cmocka_run_group_tests_name("plain_copy", tests, NULL, NULL);
}
