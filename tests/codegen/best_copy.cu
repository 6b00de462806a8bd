// The best copies: one 16-byte access on either side, at full occupancy.
// arch sm_90

#include "kernels/best_copies.h"

CT_BEST_COPY_CHOSEN(CT_BEST_COPY_KERNEL)
CT_BEST_COPY_KERNEL(128, 1, reg)
CT_BEST_COPY_KERNEL(128, 4, async)

// gate ct_best_copy_128x1_async
// gate ct_best_copy_128x1_async, registers <= 32
// gate ct_best_copy_128x1_async, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 3
// gate ct_best_copy_128x1_async, count ^st\.global\.v4 == 1
// gate ct_best_copy_128x1_reg
// gate ct_best_copy_128x1_reg, registers <= 32
// gate ct_best_copy_128x1_reg, count ^ld\.global\.v4 == 1
// gate ct_best_copy_128x4_async
// gate ct_best_copy_128x4_async, registers <= 32
