#include "banks.cu"
#include "run.h"

enum { SIDE = 32 };
static _Alignas(256) float src[SIDE * SIDE], dst[SIDE * SIDE];

int main(void)
{
    const ct_grid_kernel *const kernels[] = {&plain, &padded, &swizzled};
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    const banks_args args = {ct_make_global(src, 32, ct_layout2(SIDE, SIDE, SIDE, 1)),
                             ct_make_global(dst, 32, ct_layout2(SIDE, SIDE, 1, SIDE))};
    const ct_dim3 one = {1, 1, 1};
    int wrong = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) src[i] = (float)i;
    for (int k = 0; k < 3; ++k) {
        wrong += run(kernels[k], one, 32, 0, &args, sizeof args, buffers);
        for (int i = 0; i < SIDE * SIDE; ++i) wrong += dst[i] != src[i % SIDE * SIDE + i / SIDE];
    }
    return wrong != 0;
}
