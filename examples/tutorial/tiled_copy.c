#include "tiled_copy.cu"
#include "run.h"
#include <string.h>

enum { M = 256, N = 128 };
static _Alignas(256) uint16_t src[M * N], dst[M * N];

/* Copies an m x n matrix whose columns lie ld elements apart; 1 where an element is wrong. */
static int copy(const ct_grid_kernel *kernel, int64_t m, int64_t n, int64_t ld)
{
    const ct_layout columns = ct_layout2(m, n, 1, ld);
    const matrix_args args = {ct_make_global(src, 16, columns), ct_make_global(dst, 16, columns)};
    const ct_dim3 grid = {(uint32_t)(m + 63) / 64, (uint32_t)(n + 63) / 64, 1};
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    memset(dst, 0, sizeof dst);
    if (run(kernel, grid, 128, 0, &args, sizeof args, buffers)) return 1;
    for (int64_t j = 0; j < n; ++j)
        if (memcmp(src + j * ld, dst + j * ld, 2 * (size_t)m) != 0) return 1;
    return 0;
}

int main(void)
{
    for (int i = 0; i < M * N; ++i) src[i] = (uint16_t)(i + 1);
    printf("256 x 128\n");
    int wrong = copy(&printed, M, N, M) + copy(&transposed, M, N, M);
    printf("250 x 100, columns 252 apart\n");
    wrong += copy(&transposed, 250, 100, 252);
    return wrong;
}
