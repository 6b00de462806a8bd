/* Other transposes than those of transpose.cu, for measurements: other tiles, threads, orders of
 * the blocks, and cp.async. */
#include "../transpose.h"
#include "transposes.h"

CT_TRANSPOSES_TUNING(CT_TRANSPOSE_KERNEL)
