/**
 * The kernels of this folder, by name: compiled for the CPU grid, and for the GPU where nvcc was
 * found.
 */
#ifndef CUTLET_EXAMPLES_VECTOR_KERNELS_H
#define CUTLET_EXAMPLES_VECTOR_KERNELS_H

#include <cutlet/host/cuda.h>
#include <cutlet/host/grid.h>

/** The kernel for the grid, or NULL. */
const ct_grid_kernel *vector_kernel(const char *name);

/** All of them, one after another; the last is NULL. */
extern const ct_grid_kernel *const vector_kernels[];

/** The images for the GPU, which ct_cuda_open_with takes; none without nvcc. */
extern const ct_cuda_images vector_images;

#endif
