/**
 * The compiled kernels inside libcutlet. The build writes the table: one image for each source file
 * and each architecture that it was compiled for. Without nvcc there are no images.
 */
#ifndef CUTLET_SRC_DRIVER_CUDA_IMAGES_H
#define CUTLET_SRC_DRIVER_CUDA_IMAGES_H

#include <cutlet/host/cuda.h>

/** What this libcutlet has inside. */
extern const ct_cuda_images ct_cuda_inside;

/** The image of a source for a device: its own major version, else one that has PTX; or NULL. */
const ct_cuda_image *ct_cuda_image_for(const ct_cuda_images *images, const char *source,
                                       int32_t major, int32_t minor);

/** Whether a device has an image of that source. */
int ct_cuda_has(const ct_cuda *gpu, const char *source);

/** Loads a kernel and has its multiprocessors keep as much shared memory as they can: for several resident blocks. */
ct_status ct_cuda_prefer_shared(ct_cuda *gpu, const char *kernel);

#endif
