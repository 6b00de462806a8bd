#include "tma.cu"
#include "run.h"
#include <cutlet/cutlet.h>
#include <cutlet/host/tma.h>

enum { ROWS = 100, COLS = 96 };
static _Alignas(256) uint16_t src[ROWS * COLS];
static int32_t dst[64];

/* part: describe */
/* What the engine is told of the matrix: where it lies, and that tiles are 64 x 64. */
static int describe(int swizzle_mode, ct_tma_map *map)
{
    const ct_layout matrix = ct_make_row_major(ct_tuple2(ROWS, COLS));
    const ct_tma_desc desc =
        ct_make_tma_desc(matrix, ct_tuple2(64, 64), CT_ELEM_U16, swizzle_mode, (uintptr_t)src);
    char text[CT_MESSAGE_BYTES];
    const int refused = ct_grid_tma_map(&desc, map, text);
    if (refused) printf("%s\n", text);
    return refused;
}
/* end */

/* Adds up the rows of tile (row, col), whatever of it lies in the matrix. */
static int sum_rows(const ct_grid_kernel *kernel, int swizzle_mode, int row, int col)
{
    const ct_dim3 one = {1, 1, 1};
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    tma_args args = {.dst = ct_make_global(dst, 32, ct_layout1(64, 1)), .row = row, .col = col};
    if (describe(swizzle_mode, &args.map)) return 1;
    int wrong = run(kernel, one, 64, 64 * 64 * 2, &args, sizeof args, buffers);
    for (int i = 0; i < 64; ++i) {
        int32_t sum = 0;
        for (int j = 64 * col; j < 64 * col + 64 && j < COLS && 64 * row + i < ROWS; ++j)
            sum += src[(64 * row + i) * COLS + j];
        wrong += dst[i] != sum;
    }
    return wrong;
}

int main(void)
{
    for (int i = 0; i < ROWS * COLS; ++i) src[i] = (uint16_t)(i % 1000);
    printf("a tile inside, no swizzle\n");
    int wrong = sum_rows(&row_sums, CT_TMA_SWIZZLE_NONE, 0, 0);
    printf("the same, swizzled\n");
    wrong += sum_rows(&row_sums_swizzled, CT_TMA_SWIZZLE_128B, 0, 0);
    printf("a tile over the edge, swizzled\n");
    wrong += sum_rows(&row_sums_swizzled, CT_TMA_SWIZZLE_128B, 1, 1);
    return wrong != 0;
}
