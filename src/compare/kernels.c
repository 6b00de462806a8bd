/* The kernels, compiled for the CPU grid, and their table. */
#include "kernels.h"

#include "kernels/tiled_copy.cu"

#include "kernels/best_copy.cu"

#define KERNELS_OF(id, order)                                                                      \
    {                                                                                              \
        &ct_copy_##id##_##order##_1, &ct_copy_##id##_##order##_2, &ct_copy_##id##_##order##_4,     \
            &ct_copy_##id##_##order##_8, &ct_copy_##id##_##order##_16                              \
    }
#define ROW(id, name, tm, tn, dm, dn, vm, vn, how, orders, about)                                  \
    {KERNELS_OF(id, col), KERNELS_OF(id, row)},

static const ct_grid_kernel *const kernels[][2][CT_KERNEL_SIZES] = {CT_COPY_VARIANTS(ROW)};

const ct_grid_kernel *ct_copy_kernel(int variant, int axis, int elem_bytes)
{
    return kernels[variant][axis][__builtin_ctz((unsigned)elem_bytes)];
}

#define CHOSEN(threads, accesses, how)                                                             \
    {                                                                                              \
        &ct_best_copy_##threads##x##accesses##_##how, threads, accesses                            \
    }

const ct_best_kernel ct_best_kernel_chosen = CT_BEST_COPY_CHOSEN(CHOSEN);
