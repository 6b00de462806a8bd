/* Elements of matrix instructions as numbers, and back. */
#ifndef CUTLET_SRC_GRID_RUN_MMA_VALUES_H
#define CUTLET_SRC_GRID_RUN_MMA_VALUES_H

#include <stdint.h>

/* Whether there is a number for elements of that type, CT_MMA_...: not for complex ones. */
int ct_mma_is_number(int32_t type);

/* Element i of those packed into words: as many bits to each as its type has. Of TF32 the 13 lowest bits
 * count as zero. */
double ct_mma_value(int32_t type, const void *words, int i);

/* Element i becomes x: rounded to the nearest, ties to even; of integers the lowest 32 bits, or the
 * nearest of those there are. */
void ct_mma_set_value(int32_t type, int saturate, void *words, int i, double x);

/* That value: x as F16, F32 or S32 has it. */
double ct_mma_rounded(int32_t type, int saturate, double x);

#endif
