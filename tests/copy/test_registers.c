/* Register tensors in kernels on the CPU grid. What is refused of them is in test_grid_lines.c. */
#include "on_grid.h"
#include "register_cases.h"

TEST(registers) { every_register(on_grid); }

/* What was never written is a NaN. */
TEST(poison) { check_registers(&unwritten_registers, on_grid); }

GROUP("register tensors", NULL, NULL)
