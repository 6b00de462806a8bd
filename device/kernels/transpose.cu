/* Transposes through shared memory, swizzled and padded, for each element size. A kernel is
 * a row of transposes.h, which describes its launch. */
#include <cutlet/device/staged/staged_copy.h>
#include "transposes.h"

CT_TRANSPOSES(CT_TRANSPOSE_KERNEL)
