// The product of the tutorial by TMA and wgmma: four instructions a step, all sums in registers, and stores of
// two neighbours.
// arch sm_90a

#include "../../examples/tutorial/wgmma.cu"

// gate product
// gate product, registers <= 88
// gate product, count wgmma\.mma_async\.sync\.aligned\.m64n64k16\.f32\.f16\.f16 == 4
// gate product, count ^cp\.async\.bulk\.tensor\.2d\.shared == 2
// gate product, count ^st\.global\.v2 == 16
