/* Register tensors on the CPU grid: their kernels, and what is refused of them, by its message. */
#include "register_cases.h"

#include <stdio.h>

static ct_grid_report report;

static void on_grid(const example *e)
{
    const ct_grid_options options = {.buffers = e->buffers, .buffer_count = e->count};
    if (ct_grid_launch(e->kernel, e->grid, e->block, e->shared_bytes, e->args, e->args_bytes,
                       &options, &report))
        fail_msg("%s: %s", e->kernel->name, report.message);
    ct_grid_report_free(&report);
}

static void reductions(void **state)
{
    (void)state;
    check_registers(&register_reductions, on_grid);
}

static void operands(void **state)
{
    (void)state;
    check_registers(&register_operands, on_grid);
}

static void types(void **state)
{
    (void)state;
    check_registers(&register_types, on_grid);
}

static void orders(void **state)
{
    (void)state;
    check_registers(&register_orders, on_grid);
}

/* What was never written is a NaN. */
static void poison(void **state)
{
    (void)state;
    check_registers(&register_poison, on_grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reductions), cmocka_unit_test(operands),
                                       cmocka_unit_test(types), cmocka_unit_test(orders),
                                       cmocka_unit_test(poison)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
