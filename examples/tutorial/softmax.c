#include "softmax.cu"
#include "run.h"

enum { M = 100, N = 1000 };
static _Alignas(256) float x[M * N], y[M * N];

/* 1 where an element is wrong: n values, the i-th at i * step, from each of m places on. */
static int wrong_along(int m, int n, int step, int next)
{
    for (int k = 0; k < m; ++k) {
        double max = -INFINITY, sum = 0;
        for (int i = 0; i < n; ++i) max = fmax(max, x[k * next + i * step]);
        for (int i = 0; i < n; ++i) sum += exp(x[k * next + i * step] - max);
        for (int i = 0; i < n; ++i) {
            const double want = exp(x[k * next + i * step] - max) / sum;
            if (fabs(want - y[k * next + i * step]) > 1e-5 * want) return 1;
        }
    }
    return 0;
}

static int launch(const ct_grid_kernel *kernel, uint32_t blocks)
{
    const ct_layout rows = ct_layout2(M, N, N, 1);
    const softmax_args args = {ct_make_global(x, 32, rows), ct_make_global(y, 32, rows)};
    const ct_grid_buffer buffers[2] = {{"x", x, sizeof x, 0, 0}, {"y", y, sizeof y, 1, 0}};
    return run(kernel, (ct_dim3){blocks, 1, 1}, 256, 0, &args, sizeof args, buffers);
}

int main(void)
{
    for (int i = 0; i < M * N; ++i) x[i] = (float)(i * 37 % 101) / 16;
    int wrong = launch(&softmax_rows, (M + 7) / 8) || wrong_along(M, N, 1, N);
    wrong |= launch(&softmax_columns, (N + 31) / 32) || wrong_along(N, M, N, 1);
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
