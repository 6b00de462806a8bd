/* The copy of device/copy/copy.h on the CPU grid: random cases against the definition. CUTLET_SEED repeats a run. */
#include "copy_cases.h"
#include "on_grid.h"

/* clang-format off */
static void through_shared(void **state) { (void)state; many(0, 1500, on_grid); }
static void through_registers(void **state) { (void)state; many(1, 1000, on_grid); }
static void in_order(void **state) { (void)state; many(2, 1000, on_grid); }
/* clang-format on */

int main(void)
{
    seed_rolls();
    widest_log = 4; /* the grid has every architecture's accesses */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_shared),
        cmocka_unit_test(through_registers),
        cmocka_unit_test(in_order),
    };
    return cmocka_run_group_tests(tests, NULL, free_report);
}
