// Copies between any matrices: 16 bytes a load whatever the address is, by cp.async where it fits or by two
// loads that an access is cut out of; stores of 16, 8 and 4 bytes as the address allows.
// arch sm_80

#include "../../tools/bench/kernels/view_copy.cu"

#include "../../examples/copy_tiles.cu"
#include "../../examples/local_partition.cu"

// gate ct_view_copy_2
// gate ct_view_copy_2, registers <= 32
// gate ct_view_copy_2, count cp\.async\.cg\.shared\.global.*, 16 >= 2
// gate ct_view_copy_2, count ^@on ld\.global\.v4 >= 2
// gate ct_view_copy_2, count ld\.global\.u16 >= 2
// gate ct_view_copy_2, count st\.global\.v4 >= 2
// gate ct_view_copy_2, count st\.global\.v2 >= 2
// gate ct_view_copy_16
// gate ct_view_copy_with_2
// gate ct_view_copy_with_2, registers <= 64
// gate copy_tiles
// gate copy_tiles, count cp\.async\.cg\.shared\.global.*, 16 >= 2
// gate copy_partitioned
// gate copy_partitioned, count ^ld\.global\.u16 == 32
