/* The laws and the shared tables inside kernels, on the CPU grid; test_cuda_laws runs the same on a
 * GPU. */
#include "device_laws.cu"

#include "device_checks.h"

#include <cutlet/host/grid.h>
#include "grid_memory.h"

enum { CASES = 1024, SEED = 1 };

static void device_run(const char *kernel, uint32_t x, uint32_t y, const void *args,
                       size_t args_bytes, void *out, size_t out_bytes)
{
    const ct_grid_kernel *const found =
        strcmp(kernel, ct_test_laws.name) == 0 ? &ct_test_laws : &ct_test_rows;
    const ct_grid_buffer buffer = {"out", out, out_bytes, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1, .no_records = 1};
    const ct_dim3 grid = {x, y, 1}, block = {DEVICE_THREADS, 1, 1};
    ct_grid_report report;
    if (ct_grid_launch(found, grid, block, 0, args, args_bytes, &options, &report))
        fail_msg("%s: %s", kernel, report.message);
    ct_grid_report_free(&report);
}

static void laws(void **state)
{
    (void)state;
    check_laws(SEED, CASES);
}

static void law_faults_are_found(void **state)
{
    (void)state;
    check_law_fault(SEED, CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(law_faults_are_found),
        cmocka_unit_test(conformance_rows),
        cmocka_unit_test(edge_rows),
        cmocka_unit_test(source_rows),
        cmocka_unit_test(row_faults_are_found),
    };
    return cmocka_run_group_tests_name("device laws on the grid", tests, NULL, NULL);
}
