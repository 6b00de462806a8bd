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

TEST(laws) { check_laws(SEED, CASES); }

TEST(law_faults_are_found) { check_law_fault(SEED, CASES); }

GROUP("device laws on the grid", NULL, NULL)
