// The kernels of examples/vector: accesses as wide as their names say, nothing in local memory. The
// divisions are those of an element-wise kernel over several runs, of a sum's tiles by its blocks, and
// of a layer norm by the size of its rows. A sum has eight loads of a tile, and one of a vector that is
// in none.
// arch sm_90
#include "../../examples/vector/elementwise.cu"
#include "../../examples/vector/layer_norm.cu"
#include "../../examples/vector/layer_norm_passes.cu"
#include "../../examples/vector/read.cu"
#include "../../examples/vector/remainder.cu"
#include "../../examples/vector/structures.cu"
#include "../../examples/vector/sum.cu"
#include "../../examples/vector/width_copy.cu"
#include "../../examples/vector/width_forms.cu"

// gate width_copy_1, division
// gate width_copy_1, count ^ld\.global\.u8 >= 1
// gate width_copy_1, count ^(ld|st)\.global\.(u16|u32|v2|v4) == 0
// gate width_copy_2, division
// gate width_copy_2, count ^ld\.global\.u16 >= 1
// gate width_copy_2, count ^st\.global\.u16 >= 1
// gate width_copy_4, division
// gate width_copy_4, count ^ld\.global\.u32 >= 1
// gate width_copy_4, count ^st\.global\.u32 >= 1
// gate width_copy_8, division
// gate width_copy_8, count ^ld\.global\.v2\.u32 >= 1
// gate width_copy_8, count ^st\.global\.v2\.u32 >= 1
// gate width_copy_16, division
// gate width_copy_16, count ^ld\.global\.v4\.u32 >= 1
// gate width_copy_16, count ^st\.global\.v4\.u32 >= 1
// gate width_copy_16, registers <= 32
// gate width_one_1
// gate width_one_1, count (ld|st)\.global\.(u16|u32|v2|v4) == 0
// gate width_one_4
// gate width_one_4, count (ld|st)\.global\.u32 == 2
// gate width_one_16
// gate width_one_16, count (ld|st)\.global\.v4\.u32 == 2
// gate width_one_16, registers <= 32
// gate width_loop_1
// gate width_loop_1, count (ld|st)\.global\.(u16|u32|v2|v4) == 0
// gate width_loop_4
// gate width_loop_4, count (ld|st)\.global\.u32 == 2
// gate width_loop_16
// gate width_loop_16, count (ld|st)\.global\.v4\.u32 == 2
// gate width_loop_16, registers <= 32
// gate scale_float, division
// gate scale_float, count ^ld\.global\.v4\.u32 >= 1
// gate scale_float, count ^st\.global\.v4\.u32 >= 1
// gate scale_half, division
// gate scale_half, count ^ld\.global\.v4\.u32 >= 1
// gate scale_half, count ^st\.global\.v4\.u32 >= 1
// gate scale_bfloat16, division
// gate scale_bfloat16, count ^ld\.global\.v4\.u32 >= 1
// gate scale_bfloat16, count ^st\.global\.v4\.u32 >= 1
// gate relu_float, division
// gate relu_float, count ^ld\.global\.v4\.u32 >= 1
// gate relu_float, count ^st\.global\.v4\.u32 >= 1
// gate relu_float, registers <= 32
// gate relu_float_scalar, count ^(ld|st)\.global\.v[24] == 0
// gate relu_half, division
// gate relu_half, count ^ld\.global\.v4\.u32 >= 1
// gate relu_half, count ^st\.global\.v4\.u32 >= 1
// gate relu_half, registers <= 32
// gate relu_half_2, count ^ld\.global\.u32 >= 1
// gate relu_half_2, count ^st\.global\.u32 >= 1
// gate relu_half_2, count ^(ld|st)\.global\.v[24] == 0
// gate relu_half_scalar, count ^(ld|st)\.global\.(u32|v2|v4) == 0
// gate relu_bfloat16, division
// gate relu_bfloat16, count ^ld\.global\.v4\.u32 >= 1
// gate relu_bfloat16, count ^st\.global\.v4\.u32 >= 1
// gate gelu_float, division
// gate gelu_float, count ^ld\.global\.v4\.u32 >= 1
// gate gelu_float, count ^st\.global\.v4\.u32 >= 1
// gate gelu_half, division
// gate gelu_half, count ^ld\.global\.v4\.u32 >= 1
// gate gelu_half, count ^st\.global\.v4\.u32 >= 1
// gate gelu_bfloat16, division
// gate gelu_bfloat16, count ^ld\.global\.v4\.u32 >= 1
// gate gelu_bfloat16, count ^st\.global\.v4\.u32 >= 1
// gate remainder_bulk
// gate remainder_bulk, count ^ld\.global\.v4\.u32 == 1
// gate remainder_bulk, count ^ld\.global\.u32 == 1
// gate remainder_padded
// gate remainder_padded, count ^ld\.global\.v4\.u32 >= 1
// gate remainder_padded, count ^st\.global\.v4\.u32 == 1
// gate remainder_padded, count ^(ld|st)\.global\. == 2
// gate remainder_width_4
// gate remainder_width_4, count ^(ld|st)\.global\.u32 == 2
// gate remainder_width_16
// gate remainder_width_16, count ^(ld|st)\.global\.v4\.u32 == 2
// gate remainder_width_8
// gate remainder_width_8, count ^ld\.global\.v2\.u32 >= 1
// gate remainder_width_8, count ^st\.global\.v2\.u32 == 1
// gate remainder_any, division
// gate remainder_any, count ^ld\.global\.v4\.u32 >= 1
// gate remainder_any, count ^st\.global\.v4\.u32 >= 1
// gate sum_float, division
// gate sum_float, count ld\.global\.v4\.u32 == 9
// gate sum_float, registers <= 64
// gate sum_half, division
// gate sum_half, count ld\.global\.v4\.u32 == 9
// gate sum_bfloat16, division
// gate sum_bfloat16, count ld\.global\.v4\.u32 == 9
// gate sum_float_scalar, division
// gate sum_float_scalar, count ld\.global\.v[24] == 0
// gate read_float
// gate read_float, count ld\.global\.v4\.u32 == 8
// gate read_float, registers <= 64
// gate particle_lengths
// gate particle_lengths, count ^ld\.global\.v4\.u32 >= 7
// gate particle_lengths, count ^st\.global\.v4\.u32 == 1
// gate layer_norm_float, division
// gate layer_norm_float, count ld\.global\.v4\.u32 >= 6
// gate layer_norm_float, count st\.global\.v4\.u32 >= 2
// gate layer_norm_half, division
// gate layer_norm_half, count ld\.global\.v4\.u32 >= 6
// gate layer_norm_half, count st\.global\.v4\.u32 >= 2
// gate layer_norm_bfloat16, division
// gate layer_norm_bfloat16, count ld\.global\.v4\.u32 >= 6
// gate layer_norm_bfloat16, count st\.global\.v4\.u32 >= 2
// gate layer_norm_passes_float, division
// gate layer_norm_passes_float, count ^ld\.global\.v4\.u32 >= 5
// gate layer_norm_passes_float, count ^st\.global\.v4\.u32 >= 1
// gate layer_norm_passes_half, division
// gate layer_norm_passes_half, count ^ld\.global\.v4\.u32 >= 5
// gate layer_norm_passes_half, count ^st\.global\.v4\.u32 >= 1
// gate layer_norm_passes_bfloat16, division
// gate layer_norm_passes_bfloat16, count ^ld\.global\.v4\.u32 >= 5
// gate layer_norm_passes_bfloat16, count ^st\.global\.v4\.u32 >= 1
// gate layer_norm_passes_float_scalar, count ^(ld|st)\.global\.v[24] == 0
// gate layer_norm_passes_half_scalar, count ^(ld|st)\.global\.(u32|v2|v4) == 0
