/* Register tensors in kernels on the CPU grid. What is refused of them is in test_grid_lines.c. */
#include "on_grid.h"
#include "register_cases.h"

static void registers(void **state)
{
    (void)state;
    every_register(on_grid);
}

/* What was never written is a NaN. */
static void poison(void **state)
{
    (void)state;
    check_registers(&register_poison, on_grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers), cmocka_unit_test(poison)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
