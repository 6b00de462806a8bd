/* Tests the swizzle of a project that takes no dependencies: by a header that it has a copy of, and by a table. */
#include "cutlet_algebra.h"
#include "tile.h"
#include <stdio.h>

/* The function under test, as the kernel has it: where element (i,j) of a 64 x 64 tile of halves lies. */
static int place(int i, int j) { return 64 * i + (j ^ (i % 8) * 8); }

/* Whether ldmatrix reads an 8x8 matrix without a bank conflict: its 8 rows of 16 bytes take all 32 banks. */
static int is_conflict_free(int i, int j)
{
    unsigned banks = 0;
    for (int row = 0; row < 8; ++row) banks |= 0xfu << place(i + row, j) * 2 / 4 % 32;
    return banks == 0xffffffffu;
}

int main(void)
{
    const ct_tensor tile = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(64, 64, 64, 1));
    int wrong = 0;
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {
            wrong += place(i, j) != ct_tensor_eval(tile, i + 64 * j);
            wrong += place(i, j) != tile_at[i][j / TILE_RUN] + j % TILE_RUN;
            if (i % 8 == 0 && j % 8 == 0) wrong += !is_conflict_free(i, j);
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
