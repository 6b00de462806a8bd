/* The kernels, compiled for the CPU grid, and their table. */
#include "kernels.h"

#include <string.h>

#include "elementwise.cu"
#include "layer_norm.cu"
#include "layer_norm_passes.cu"
#include "read.cu"
#include "remainder.cu"
#include "structures.cu"
#include "sum.cu"
#include "width_copy.cu"
#include "width_forms.cu"

const ct_grid_kernel *const vector_kernels[] = {
    &width_copy_1,
    &width_copy_2,
    &width_copy_4,
    &width_copy_8,
    &width_copy_16,
    &width_copy_32,
    &width_one_1,
    &width_one_2,
    &width_one_4,
    &width_one_8,
    &width_one_16,
    &width_loop_1,
    &width_loop_2,
    &width_loop_4,
    &width_loop_8,
    &width_loop_16,
    &scale_float,
    &scale_half,
    &scale_bfloat16,
    &scale_float_scalar,
    &relu_float,
    &relu_half,
    &relu_bfloat16,
    &relu_float_scalar,
    &relu_half_scalar,
    &relu_half_2,
    &gelu_float,
    &gelu_half,
    &gelu_bfloat16,
    &gelu_float_scalar,
    &remainder_bulk,
    &remainder_padded,
    &remainder_width_4,
    &remainder_width_8,
    &remainder_width_16,
    &remainder_any,
    &sum_float,
    &sum_half,
    &sum_bfloat16,
    &sum_float_scalar,
    &sum_half_scalar,
    &read_float,
    &particle_lengths,
    &layer_norm_passes_float,
    &layer_norm_passes_half,
    &layer_norm_passes_bfloat16,
    &layer_norm_passes_float_scalar,
    &layer_norm_passes_half_scalar,
    &layer_norm_float,
    &layer_norm_half,
    &layer_norm_bfloat16,
    NULL,
};

const ct_grid_kernel *vector_kernel(const char *name)
{
    for (int i = 0; vector_kernels[i]; ++i) {
        if (strcmp(vector_kernels[i]->name, name) == 0) return vector_kernels[i];
    }
    return NULL;
}
