/* The copy of device/copy/copy.h on the CPU grid: random cases against the definition. CUTLET_SEED repeats a run. */
#include "copy_cases.h"

static ct_grid_report report;

static int on_grid(const copy_case *c, const copy_case_args *args, uint32_t blocks, tensor *src,
                   tensor *dst, char *what, size_t size)
{
    const ct_grid_buffer buffers[] = {{"src", begin(src), src->bytes, 0, src->shift},
                                      {"dst", begin(dst), dst->bytes, 1, dst->shift}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report_free(&report);
    const int status =
        ct_grid_launch(c->kernel, (ct_dim3){blocks, 1, 1}, (ct_dim3){(uint32_t)c->in.threads, 1, 1},
                       c->shared_bytes, args, sizeof *args, &options, &report);
    if (status) snprintf(what, size, "%s", report.message);
    return status;
}

/* clang-format off */
static void through_shared(void **state) { (void)state; many(0, 1500, on_grid); }
static void through_registers(void **state) { (void)state; many(1, 1000, on_grid); }
static void in_order(void **state) { (void)state; many(2, 1000, on_grid); }
/* clang-format on */

int main(void)
{
    const char *given = getenv("CUTLET_SEED");
    seed = given ? strtoull(given, NULL, 0) : 20260101;
    widest_log = 4; /* the grid has every architecture's accesses */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_shared),
        cmocka_unit_test(through_registers),
        cmocka_unit_test(in_order),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ct_grid_report_free(&report);
    return failed;
}
