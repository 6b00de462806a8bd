/* The kernels that the command carries: those of libcutlet, examples/vector and examples/gemm. */
#include "disassemble.h"

extern const ct_cuda_images vector_images, gemm_images;

const ct_cuda_images *const ct_carried_kernels[] = {&ct_cuda_inside, &vector_images,
                                                     &gemm_images, NULL};
