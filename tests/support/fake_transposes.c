/* The transposes for the fake driver. They have a file of their own: the kernels of plans are compiled
 * without what these need (CT_OF_PLAN). */
#include "fake_inside.h"

#include <stddef.h>

#include "kernels/transpose.cu"

#define ADDRESS_OF(...) &CT_TRANSPOSE_NAME(__VA_ARGS__),
const ct_grid_kernel *const fake_transposes[] = {CT_TRANSPOSES(ADDRESS_OF) NULL};
