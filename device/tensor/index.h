/**
 * Indices of tiles and elements: a number for each axis of a tensor.
 *
 * Cost:     No memory traffic; nvcc keeps the numbers in registers.
 * In C:     const ct_index x = ct_index2(3, 4);
 *           assert(x.at[0] == 3 && x.at[1] == 4);
 */
#ifndef CUTLET_DEVICE_TENSOR_INDEX_H
#define CUTLET_DEVICE_TENSOR_INDEX_H

#include <cutlet/copy/copy_sides.h>
#include <cutlet/device/kernel/kernel.h>

/** A tile: its number along each axis. */
typedef struct ct_index {
    int64_t at[CT_AXES];
} ct_index;

/** In an index of ct_global_slice: the whole axis, `_` in CuTe. */
#define CT_ALL INT64_MIN

#if CT_AXES >= 4 /* a kernel of fewer axes defines CT_AXES */
/**
 * The index i: of a tile along one axis, or of an element.
 * In C:     assert(ct_index1(5).at[0] == 5 && ct_index1(5).at[1] == 0);
 */
CT_FN ct_index ct_index1(int64_t i)
{
    ct_index x = {{i}};
    return x;
}
/** The index (i,j): of a tile along two axes, or of an element. */
CT_FN ct_index ct_index2(int64_t i, int64_t j)
{
    ct_index x = {{i, j}};
    return x;
}
/**
 * The index (i,j,k): of a tile along three axes, or of an element.
 * Used by:  examples/batched_transpose.cu
 */
CT_FN ct_index ct_index3(int64_t i, int64_t j, int64_t k)
{
    ct_index x = {{i, j, k}};
    return x;
}
/**
 * The index (i,j,k,l): of a tile along four axes, or of an element.
 * In C:     assert(ct_index4(2, 3, 4, 5).at[3] == 5 && ct_index4(2, 3, 4, 5).at[4] == 0);
 */
CT_FN ct_index ct_index4(int64_t i, int64_t j, int64_t k, int64_t l)
{
    ct_index x = {{i, j, k, l}};
    return x;
}
#endif
#if CT_AXES >= 5
/**
 * The index (i,j,k,l,m): of a tile along five axes, or of an element.
 * In C:     assert(ct_index5(2, 3, 4, 5, 6).at[4] == 6);
 */
CT_FN ct_index ct_index5(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m)
{
    ct_index x = {{i, j, k, l, m}};
    return x;
}
#endif
#if CT_AXES >= 6
/**
 * The index (i,j,k,l,m,n): of a tile along six axes, or of an element.
 * In C:     assert(ct_index6(2, 3, 4, 5, 6, 7).at[5] == 7);
 */
CT_FN ct_index ct_index6(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n)
{
    ct_index x = {{i, j, k, l, m, n}};
    return x;
}
#endif
#if CT_AXES >= 7
/**
 * The index (i,j,k,l,m,n,o): of a tile along seven axes, or of an element.
 * In C:     assert(ct_index7(2, 3, 4, 5, 6, 7, 8).at[6] == 8);
 */
CT_FN ct_index ct_index7(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n,
                         int64_t o)
{
    ct_index x = {{i, j, k, l, m, n, o}};
    return x;
}
#endif
#if CT_AXES >= 8
/**
 * The index (i,j,k,l,m,n,o,p): of a tile along eight axes, or of an element.
 * In C:     assert(ct_index8(2, 3, 4, 5, 6, 7, 8, 9).at[7] == 9);
 */
CT_FN ct_index ct_index8(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n,
                         int64_t o, int64_t p)
{
    ct_index x = {{i, j, k, l, m, n, o, p}};
    return x;
}
#endif

#endif
