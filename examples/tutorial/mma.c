#include "mma.cu"
#include "run.h"
#include <cutlet/device/element/element.h>
#include <string.h>

enum { M = 64, N = 64, K = 32 };
static _Alignas(256) uint16_t ab[(M + N) * K]; /* A, and B after it */
static _Alignas(256) float c[M * N];

/* Small integers: every product and sum of theirs is exact. */
static int a_of(int m, int k) { return (m * 7 + k * 3) % 11 - 5; }
static int b_of(int n, int k) { return (n * 5 + k) % 13 - 6; }

/* The elements of C that differ from those of three loops. */
static int wrong_sums(void)
{
    int wrong = 0;
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n) {
            int sum = 0;
            for (int k = 0; k < K; ++k) sum += a_of(m, k) * b_of(n, k);
            wrong += c[m * N + n] != (float)sum;
        }
    return wrong;
}

int main(void)
{
    const ct_grid_kernel *const kernels[] = {&plain, &swizzled};
    const ct_grid_buffer buffers[2] = {{"ab", ab, sizeof ab, 0, 0}, {"c", c, sizeof c, 1, 0}};
    const ct_dim3 one = {1, 1, 1};
    const mma_args args = {ct_make_global(ab, 16, ct_layout2(M, K, K, 1)),
                           ct_make_global(ab + M * K, 16, ct_layout2(N, K, K, 1)),
                           ct_make_global(c, 32, ct_layout2(M, N, N, 1))};
    for (int i = 0; i < M * K; ++i) ab[i] = (uint16_t)ct_half_of_float((float)a_of(i / K, i % K));
    for (int i = 0; i < N * K; ++i)
        ab[M * K + i] = (uint16_t)ct_half_of_float((float)b_of(i / K, i % K));
    int wrong = 0;
    for (int i = 0; i < 2; ++i) {
        memset(c, 0xff, sizeof c); /* no sum: NaN */
        wrong += run(kernels[i], one, 128, 0, &args, sizeof args, buffers) || wrong_sums();
    }
    printf("%d x %d sums, %d kernels wrong\n", M, N, wrong);
    return wrong != 0;
}
