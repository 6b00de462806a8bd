/* Transposes through shared memory, swizzled and padded, for each size of elements. A kernel is a
 * row of transposes.h, which says how it is launched. */
#include "../transpose.h"
#include "transposes.h"

CT_TRANSPOSES(CT_TRANSPOSE_KERNEL)
