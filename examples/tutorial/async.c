#include "async.cu"
#include "run.h"

enum { TILES = 5, ELEMS = 512 * TILES };
static _Alignas(256) float src[ELEMS], dst[ELEMS];

int main(void)
{
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    const ct_dim3 one = {1, 1, 1};
    int wrong = 0;
    for (int i = 0; i < ELEMS; ++i) src[i] = (float)i;
    for (int wait = 0; wait < 2; ++wait) {
        const reverse_args args = {src, dst, wait};
        wrong += run(&reverse, one, 128, 0, &args, sizeof args, buffers) == wait; /* 0 must fail */
    }
    for (int i = 0; i < 512; ++i) wrong += dst[i] != src[511 - i];
    const ct_layout line = ct_layout1(ELEMS, 1);
    const twice_args args = {ct_make_global(src, 32, line), ct_make_global(dst, 32, line)};
    wrong += run(&twice, one, 128, 0, &args, sizeof args, buffers) != 0;
    for (int i = 0; i < ELEMS; ++i) wrong += dst[i] != 2 * src[i];
    return wrong != 0;
}
