/* The transposes that were measured beside those of transpose.cu: other tiles, threads, orders of
 * the blocks, cp.async, cache hints. */
#include "../transpose.h"
#include "transposes.h"

CT_TRANSPOSES_TUNING(CT_TRANSPOSE_KERNEL)
