/* Transposes by sector-aligned tiles, for each element size. A kernel is a row of misaligned_transposes.h. */
#include <cutlet/device/staged/staged_copy.h>

#include "misaligned_transposes.h"

CT_TRANSPOSES_MISALIGNED(CT_TRANSPOSE_KERNEL)
