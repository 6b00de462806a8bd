#include "wgmma.cu"
#include "run.h"
#include <cutlet/device/element/element.h>
#include <cutlet/host/tma.h>
#include <string.h>

enum { M = 64, N = 64, K = 8 * 64 };
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

/* What the engine is told of 64 rows: tiles of (64,64), swizzled as the kernel's plan says. */
static int describe(const uint16_t *rows, ct_tma_map *map)
{
    const ct_layout matrix = ct_make_row_major(ct_tuple2(64, K));
    const ct_tma_desc desc = ct_make_tma_desc(matrix, ct_tuple2(64, 64), CT_ELEM_F16,
                                              CT_TMA_SWIZZLE_128B, (uintptr_t)rows);
    char text[CT_MESSAGE_BYTES];
    const int refused = ct_grid_tma_map(&desc, map, text);
    if (refused) printf("%s\n", text);
    return refused;
}

static int launch(const ct_grid_kernel *kernel)
{
    const ct_grid_buffer buffers[2] = {{"ab", ab, sizeof ab, 0, 0}, {"c", c, sizeof c, 1, 0}};
    const ct_dim3 one = {1, 1, 1};
    wgmma_args args = {.c = ct_make_global(c, 32, ct_layout2(M, N, N, 1)), .steps = K / 64};
    if (describe(ab, &args.a) || describe(ab + M * K, &args.b)) return 1;
    return run(kernel, one, 256, STAGES * 2 * 64 * 64 * 2, &args, sizeof args, buffers);
}

int main(void)
{
    for (int i = 0; i < M * K; ++i) ab[i] = (uint16_t)ct_half_of_float((float)a_of(i / K, i % K));
    for (int i = 0; i < N * K; ++i)
        ab[M * K + i] = (uint16_t)ct_half_of_float((float)b_of(i / K, i % K));
    memset(c, 0xff, sizeof c); /* no sum: NaN */
    const int refused = launch(&product), wrong = wrong_sums();
    printf("%d x %d sums, %d wrong\n", M, N, wrong);
    return refused || wrong || !launch(&no_wait) || !launch(&too_early); /* these must fail */
}
