/**
 * A GPU with the kernels of libcutlet and of other tables.
 */
#ifndef CUTLET_TESTS_GPU_IMAGES_H
#define CUTLET_TESTS_GPU_IMAGES_H

#include "driver/cuda/gpu.h"
#include "driver/cuda/images.h"

/** Those that benchmarks and tests alone launch: tools/bench/kernels. */
extern const ct_cuda_images copy_images;

/** Opens the first GPU with libcutlet's kernels, those of tools/bench/kernels and, unless it is NULL, a
 *  test's own table; NULL and the reason where there is none. */
static inline ct_cuda *open_all_images(const ct_cuda_images *own, char reason[CT_MESSAGE_BYTES])
{
    enum { MOST = 128 };
    static ct_cuda_image image[MOST];
    const ct_cuda_images *const tables[] = {own, &copy_images, &ct_cuda_inside};
    ct_cuda_images all = {copy_images.toolkit, 0, image};
    for (int t = own ? 0 : 1; t < 3; ++t)
        for (int i = 0; i < tables[t]->count && all.count < MOST; ++i)
            image[all.count++] = tables[t]->image[i];
    return ct_cuda_open_with(0, &all, reason);
}

#endif
