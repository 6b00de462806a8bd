/**
 * The kernels of mma_sync.cu, simt.cu and wgmma.cu for programs that launch them. They are compiled
 * for the CPU grid, and for GPUs if nvcc was found.
 */
#ifndef CUTLET_EXAMPLES_GEMM_KERNELS_H
#define CUTLET_EXAMPLES_GEMM_KERNELS_H

#include <cutlet/host/cuda.h>
#include <cutlet/host/grid.h>

#include "mma_sync.h"
#include "simt.h"

extern const ct_grid_kernel gemm_half, gemm_bfloat16, gemm_float, gemm_int8, gemm_simt;

/** The kernels by wgmma of each form, of half, bfloat16 and e4m3, and the helpers around them; gemm_wgmma_plan plans
 *  their launches. */
extern const ct_grid_kernel *const gemm_wgmma_kernels[][3];
extern const ct_grid_kernel gemm_repack_8, gemm_repack_16, gemm_repack_rows, gemm_sum_splits;

/** The images for a GPU, for ct_cuda_open_with; empty without nvcc. The kernels by wgmma are for sm_90a only. */
extern const ct_cuda_images ct_gemm_images;

#endif
