/* The GEMM kernels by wgmma, of all forms, compiled for the CPU grid. */
#include "gemm_kernels.h"
#include "wgmma.cu"

#define OF(rows, columns, cluster)                                                                 \
    {&gemm_wgmma_##rows##x##columns##_##cluster##_half,                                            \
     &gemm_wgmma_##rows##x##columns##_##cluster##_bfloat16,                                        \
     &gemm_wgmma_##rows##x##columns##_##cluster##_e4m3},
const ct_grid_kernel *const gemm_wgmma_kernels[][3] = {GEMM_WGMMA_FORMS(OF)};
