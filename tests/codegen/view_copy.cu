// Copies between views: every width that a layout may allow is in the code, none of them in pieces.
// arch sm_80

#include "kernels/view_copy.cu"

#include "../../examples/copy_tiles.cu"
#include "../../examples/local_partition.cu"

// gate ct_view_copy_2
// gate ct_view_copy_2, registers <= 32
// gate ct_view_copy_2, count cp\.async\.cg\.shared\.global.*, 16 >= 2
// gate ct_view_copy_2, count cp\.async\.ca\.shared\.global.*, 8 >= 2
// gate ct_view_copy_2, count cp\.async\.ca\.shared\.global.*, 4 >= 2
// gate ct_view_copy_2, count ld\.global\.u16 >= 2
// gate ct_view_copy_2, count st\.global\.v4 >= 2
// gate ct_view_copy_2, count st\.global\.v2 >= 2
// gate ct_view_copy_16
// gate ct_view_copy_with_2
// gate ct_view_copy_with_2, registers <= 64
// gate copy_tiles
// gate copy_tiles, count cp\.async\.cg\.shared\.global.*, 16 >= 2
// gate copy_partitioned
// gate copy_partitioned, count ld\.global\.u16 == 32
