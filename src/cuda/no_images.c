/* A libcutlet that was built without nvcc: no kernels. */
#include <stddef.h>

#include "images.h"

const ct_cuda_images ct_cuda_inside = {0, 0, NULL};
