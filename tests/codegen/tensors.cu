// Slices at blockIdx, tiles of tiles, partitions at threadIdx and the copy that knows its partition: as
// few accesses as the partitions say, and nothing of the tensor in local memory.
// arch sm_90

#include "../copy/tensor_kernels.cu"

// gate tensor_nested
// gate tensor_nested, registers <= 48
// gate tensor_nested, count ^(@%p[0-9]+ )?ld\.global\.v4 >= 1
// gate tensor_slices
// gate tensor_slices, registers <= 64
// gate tensor_parts
// gate tensor_parts, registers <= 48
// gate parts_inside_a_period
// gate parts_not_folded
