/**
 * The compiled kernels inside libcutlet. The build writes the table: one image for each source file
 * and each architecture that it was compiled for; no images where there is no nvcc.
 */
#ifndef CUTLET_SRC_CUDA_IMAGES_H
#define CUTLET_SRC_CUDA_IMAGES_H

#include <stdint.h>

/** One source file compiled for one architecture, as the driver's loader takes it. */
typedef struct ct_cuda_image {
    const char *source; /* the file's name without its ending */
    int32_t arch;       /* 90 for sm_90 */
    int32_t has_ptx;    /* whether newer architectures can be made from it */
    const void *bytes;
} ct_cuda_image;

typedef struct ct_cuda_images {
    int32_t toolkit; /* the CUDA version of nvcc: 13000 is 13.0 */
    int32_t count;
    const ct_cuda_image *image;
} ct_cuda_images;

/** What this libcutlet has inside. */
extern const ct_cuda_images ct_cuda_inside;

/** The image of a source for a device: its own major version, else one that has PTX; or NULL. */
const ct_cuda_image *ct_cuda_image_for(const ct_cuda_images *images, const char *source,
                                       int32_t major, int32_t minor);

#endif
