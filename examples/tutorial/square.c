#include "square.cu"
#include "run.h"

enum { N = 32 * TILE };
static _Alignas(256) float src[N], dst[N];

int main(void)
{
    static const struct {
        const ct_grid_kernel *kernel;
        uint32_t threads;
    } runs[] = {{&four_stores, TILE}, {&one_store, TILE}, {&no_tile, TILE / 4}};
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    const ct_layout line = ct_layout1(N, 1);
    const square_args args = {ct_make_global(src, 32, line), ct_make_global(dst, 32, line)};
    const ct_dim3 blocks = {N / TILE, 1, 1};
    int wrong = 0;
    for (int i = 0; i < N; ++i) src[i] = (float)i / 64;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < N; ++i) dst[i] = -1;
        wrong += run(runs[k].kernel, blocks, runs[k].threads, 0, &args, sizeof args, buffers);
        for (int i = 0; i < N; ++i) wrong += dst[i] != src[i] * src[i];
    }
    return wrong != 0;
}
