/* Tiles by the copy engines on the CPU grid; test_cuda_copy runs the same on a GPU. CUTLET_SEED
 * repeats a run. */
#include "engine_cases.h"
#include "on_grid.h"

TEST(every_engine)
{
    static const int swizzles[] = {CT_TMA_SWIZZLE_NONE,          CT_TMA_SWIZZLE_32B,
                                   CT_TMA_SWIZZLE_64B,           CT_TMA_SWIZZLE_128B,
                                   CT_TMA_SWIZZLE_128B_ATOM_32B, CT_TMA_SWIZZLE_128B_ATOM_64B};
    every_tile(1, swizzles, 6, on_grid);
}

int main(void)
{
    seed_rolls();
    return run_registered("copy engine", NULL, free_report);
}
