/* The kernels that the command carries: libcutlet's, those that `cutlet bench` measures, and those of
 * `cutlet gemm`. */
#include "gemm_kernels.h"
#include "kernels.h"
#include "tools/cutlet/sass/disassemble.h"

const ct_cuda_images *const ct_carried_kernels[] = {&ct_cuda_inside, &vector_images, &gemm_images, NULL};
