/* Runs the three kernels of port.cu on the CPU grid; each must be right. */
#include <string.h>

#include "../tutorial/run.h"
#include "port.cu"

enum { M = 100, N = 200 };
static _Alignas(256) float src[M * N], dst[M * N];

/* Launches a kernel with 256 threads for each tile of `rows` x 32; returns whether dst is right. */
static int is_right(const ct_grid_kernel *kernel, int rows, const void *args, size_t bytes)
{
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    const ct_dim3 blocks = {(N + 31) / 32, (uint32_t)((M + rows - 1) / rows), 1};
    memset(dst, 0, sizeof dst);
    int right = run(kernel, blocks, 256, 0, args, bytes, buffers) == 0;
    for (int i = 0; i < M * N; ++i) right &= dst[i] == 3 * src[i];
    return right;
}

int main(void)
{
    for (int i = 0; i < M * N; ++i) src[i] = (float)i;
    const ct_layout rows = ct_make_row_major(ct_tuple2(M, N));
    const pointer_args pointers = {src, dst, M, N, 3};
    const tensor_args tensors = {ct_make_global(src, 32, rows), ct_make_global(dst, 32, rows), 3};
    int right = is_right(&by_pointers, 8, &pointers, sizeof pointers);
    right &= is_right(&by_atoms, 8, &pointers, sizeof pointers);
    right &= is_right(&by_partitions, 32, &tensors, sizeof tensors);
    return right ? 0 : 1;
}
