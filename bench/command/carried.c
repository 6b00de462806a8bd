/* The kernels that the command carries: libcutlet's, and those that `cutlet bench` measures. */
#include "kernels.h"
#include "sass/disassemble.h"

const ct_cuda_images *const ct_carried_kernels[] = {&ct_cuda_inside, &vector_images, NULL};
