/* The kernels that the command carries: those of libcutlet and of device/gemm. */
#include "disassemble.h"

extern const ct_cuda_images ct_gemm_images;

const ct_cuda_images *const ct_carried_kernels[] = {&ct_cuda_inside, &ct_gemm_images, NULL};
