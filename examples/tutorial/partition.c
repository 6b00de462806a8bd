#include "partition.cu"
#include "run.h"
#include <string.h>

enum { ELEMS = 128 * 256 };
static _Alignas(256) float src[ELEMS], dst[ELEMS];

int main(void)
{
    const ct_grid_kernel *const kernels[] = {&one_by_one, &a_column_each, &four_neighbours};
    const ct_grid_buffer buffers[2] = {{"src", src, sizeof src, 0, 0},
                                       {"dst", dst, sizeof dst, 1, 0}};
    const ct_layout tile = ct_layout2(128, 256, 1, 128);
    const tile_args args = {ct_make_global(src, 32, tile), ct_make_global(dst, 32, tile)};
    for (int i = 0; i < ELEMS; ++i) src[i] = (float)i;
    for (int k = 0; k < 3; ++k) {
        const ct_dim3 one = {1, 1, 1};
        memset(dst, 0, sizeof dst);
        run(kernels[k], one, 256, 0, &args, sizeof args, buffers);
        if (memcmp(src, dst, sizeof src) != 0) return 1;
    }
}
