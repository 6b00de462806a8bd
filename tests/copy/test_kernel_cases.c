/* Every kernel over random matrices, on the CPU grid; test_cuda_random runs the same on a GPU. */
#include "kernel_check.h"

#include <cutlet/host/grid.h>
#include "grid_memory.h"

enum { SEED = 20261121, MOST = 90 };

/* A byte of the destination that the kernel seems to get wrong, where there is one. */
static int64_t fault_at;
static int fault;

static int run_kernel(const kernel_row *row, const kernel_launch *launch, const kernel_sides *sides,
                      char *error)
{
    const ct_grid_buffer buffers[] = {
        {"src", sides->src, sides->src_bytes, 0, (int32_t)(sides->src_shift % 256)},
        {"dst", sides->dst, sides->dst_bytes, 1, (int32_t)(sides->dst_shift % 256)}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    ct_grid_report report;
    const int status =
        ct_grid_launch(row->kernel, launch->grid, launch->block, launch->shared_bytes,
                       &launch->args, launch->args_bytes, &options, &report);
    if (status) snprintf(error, CT_MESSAGE_BYTES, "%.200s", report.message);
    if (fault) sides->dst[fault_at] ^= 1;
    ct_grid_report_free(&report);
    return status ? -1 : 0;
}

/* clang-format off */
static void tiled_copies(void **state) { (void)state; check_kernels(KERNEL_TILED, SEED, 3, MOST); }
static void best_copies(void **state) { (void)state; check_kernels(KERNEL_BEST, SEED, 12, MOST); }
static void transposes(void **state)
{
    (void)state;
    check_kernels(KERNEL_TRANSPOSE, SEED, 6, MOST);
}

static void plain_copies(void **state) { (void)state; check_kernels(KERNEL_PLAIN, SEED, 20, MOST); }
static void pipelines(void **state) { (void)state; check_kernels(KERNEL_PIPELINE, SEED, 20, 200); }
static void views(void **state) { (void)state; check_kernels(KERNEL_VIEW, SEED, 12, MOST); }
/* clang-format on */

/* The reference against itself by hand: two runs of two elements, one going down, transposed. */
static void reference(void **state)
{
    (void)state;
    kernel_row rows[KERNEL_ROWS_MOST];
    const int count = kernel_rows(rows);
    assert_int_equal(count, 11 * 2 * 5 + 1 + 19 + 18 + 2);
    int r = 0;
    while (rows[r].kind != KERNEL_TRANSPOSE || rows[r].elem_bytes != 1) ++r;
    const kernel_case c = {.inner = 3, .outer = 2, .src_ld = -4, .dst_ld = 3, .elem_bytes = 1};
    const unsigned char src[] = "def.abc";
    unsigned char dst[] = "________";
    assert_int_equal(kernel_bytes(&rows[r], &c, 0), 7);
    assert_int_equal(kernel_bytes(&rows[r], &c, 1), 8);
    kernel_reference(&rows[r], &c, src, dst);
    assert_string_equal((char *)dst, "ad_be_cf");
}

/* A byte before, at either end, in a gap, behind. */
static void faults_are_found(void **state)
{
    (void)state;
    kernel_row rows[KERNEL_ROWS_MOST];
    kernel_rows(rows);
    const kernel_case c = {.inner = 5, .outer = 3, .src_ld = 7, .dst_ld = 8, .elem_bytes = 1};
    static const int64_t places[] = {-GUARD, -1, 0, 4, 6, 20, 21, 20 + GUARD};
    assert_null(case_failure(&rows[0], &c, SEED, 0));
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        char byte[64];
        fault = 1;
        fault_at = places[i];
        const char *const failure = case_failure(&rows[0], &c, SEED, 0);
        fault = 0;
        snprintf(byte, sizeof byte, "not the copy, byte %lld of 21", (long long)places[i]);
        assert_non_null(failure);
        assert_non_null(strstr(failure, byte));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference),    cmocka_unit_test(faults_are_found),
        cmocka_unit_test(plain_copies), cmocka_unit_test(best_copies),
        cmocka_unit_test(transposes),   cmocka_unit_test(pipelines),
        cmocka_unit_test(views),        cmocka_unit_test(tiled_copies),
    };
    return cmocka_run_group_tests_name("kernels, random matrices", tests, NULL, NULL);
}
