/* Copies matrices on the CPU grid, and prints what it took. */
#include "copy.cu"
#include "run.h"

enum { ROWS = 64, FLOATS = ROWS * 100 };
static _Alignas(256) float src[FLOATS], dst[FLOATS];

/* part: launch */
/* dst(i,j) = from(i,j) for ROWS x columns floats; dst is row-major. Returns whether it is so. */
static int copy_matrix(const char *what, int columns, const float *from, ct_layout from_layout)
{
    const ct_layout rows = ct_make_row_major(ct_tuple2(ROWS, columns));
    const copy_args args = {ct_make_global(from, 32, from_layout), ct_make_global(dst, 32, rows)};
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    const ct_dim3 blocks = {(uint32_t)(columns + 31) / 32, ROWS / 32, 1}; /* one for each tile */
    printf("%s: ", what);
    int right = run(&copy, blocks, 64, 0, &args, sizeof args, buffers) == 0;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < columns; ++j)
            right &= dst[ct_eval2(rows, i, j)] == from[ct_eval2(from_layout, i, j)];
    return right;
}
/* part: matrices */
int main(void)
{
    for (int i = 0; i < FLOATS; ++i) src[i] = (float)i;
    int right = copy_matrix("rows of 96", 96, src, ct_layout2(ROWS, 96, 96, 1));
    right &= copy_matrix("rows of 93", 93, src, ct_layout2(ROWS, 93, 93, 1));
    right &= copy_matrix("one float further", 96, src + 1, ct_layout2(ROWS, 96, 96, 1));
    right &= copy_matrix("columns", 96, src, ct_layout2(ROWS, 96, 1, ROWS));
    return right ? 0 : 1;
}
/* end */
