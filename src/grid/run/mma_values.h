/* Elements of matrix instructions as numbers, and back. */
#ifndef CUTLET_SRC_GRID_RUN_MMA_VALUES_H
#define CUTLET_SRC_GRID_RUN_MMA_VALUES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <cutlet/mma/mma_op.h>

/* The sum rounded to odd: another rounding of it to fewer bits is right. */
static inline double ct_odd_sum(double a, double b)
{
    const double sum = a + b, from_b = sum - a, error = (a - (sum - from_b)) + (b - from_b);
    int64_t bits;
    double odd;
    memcpy(&bits, &sum, sizeof bits);
    if (!isfinite(sum) || error == 0 || (bits & 1)) return sum;
    bits += (error > 0) == (sum > 0) ? 1 : -1;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

/* The minimum or maximum: of a NaN and a number it is the number; -0 is less than +0. */
static inline double ct_extreme(double a, double b, int is_max)
{
    if (a != a || b != b) return a != a ? b : a;
    if (a == b) return (signbit(a) != 0) == is_max ? b : a;
    return (a > b) == is_max ? a : b;
}

/* Whether elements of a type CT_MMA_... are numbers; complex types are not. */
int ct_mma_is_number(int32_t type);

/* The number of the bits of a small floating-point type CT_MMA_..., TF32 with 19 bits; and the bits of a
 * number, rounded. finite: the largest number stands for what is too large. AWAY: to nearest, ties away from zero. */
enum { CT_MMA_NEAREST, CT_MMA_TO_ZERO, CT_MMA_DOWN, CT_MMA_UP, CT_MMA_FROM_ZERO, CT_MMA_AWAY = 8 };
double ct_mma_number(int32_t type, uint32_t bits);
uint32_t ct_mma_number_bits(int32_t type, double x, int rounding, int finite);

/* Element i of elements packed into words, by the bits of their type. The 13 lowest bits of TF32
 * count as zero. */
double ct_mma_value(int32_t type, const void *words, int i);
void ct_mma_values(int32_t type, const void *words, int count, double *to); /* the first ones */

/* Sets element i to x, rounded to nearest even. An integer gets the lowest 32 bits of x, or with
 * saturate the nearest value in range. */
void ct_mma_set_value(int32_t type, int saturate, void *words, int i, double x);

/* The bytes of a register of an operand, and the registers of a lane that so many elements of it take. */
static inline int ct_mma_register_bytes(int32_t type) { return type == CT_MMA_F64 ? 8 : 4; }
static inline int ct_mma_registers(const ct_mma_op *op, int elements, int32_t type)
{
    const int lanes = op->kind == CT_MMA_WARPGROUP ? 128 : op->kind == CT_MMA_QUAD_PAIR ? 8 : 32;
    return elements * ct_mma_bits(type) / (8 * ct_mma_register_bytes(type)) / lanes;
}

/* The value that F16, F32 or S32 has for x. */
double ct_mma_rounded(int32_t type, int saturate, double x);

#endif
