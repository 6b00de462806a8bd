/* The copy of device/copy/copy.h on the CPU grid: random cases against the definition. CUTLET_SEED repeats a run. */
#include "all_cases.h"
#include "copy_cases.h"
#include "on_grid.h"

/* clang-format off */
TEST(through_shared) { many(0, all_cases() ? 1500 : 700, on_grid); }
TEST(through_registers) { many(1, all_cases() ? 1000 : 500, on_grid); }
TEST(in_order) { many(2, all_cases() ? 1000 : 500, on_grid); }
/* clang-format on */

int main(void)
{
    seed_rolls();
    widest_log = 4; /* the grid has every architecture's accesses */
    return run_registered("copy", NULL, free_report);
}
