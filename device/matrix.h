/**
 * Matrix loads and stores of a warp (ldmatrix, stmatrix): 8 x 8 matrices of 16-bit elements between
 * shared memory and registers.
 *
 *     ct_ldmatrix_x1(reg, row)   ct_ldmatrix_x2(reg, row)   ct_ldmatrix_x4(reg, row)
 *     ct_stmatrix_x1(row, reg)   ct_stmatrix_x2(row, reg)   ct_stmatrix_x4(row, reg)
 *     and each with the suffix _trans
 *
 * All 32 lanes take part. Lane 8 m + r gives the address of row r of matrix m: 16 bytes, aligned to
 * 16. The addresses of lanes after the last matrix are not used. reg is an array of one uint32_t
 * for each matrix. Lane t holds elements 2 (t mod 4) and 2 (t mod 4) + 1 of row t / 4, or of
 * column t / 4 with _trans. stmatrix needs sm_90; CT_HAS_STMATRIX says whether it is available.
 */
#ifndef CUTLET_DEVICE_MATRIX_H
#define CUTLET_DEVICE_MATRIX_H

#include "load_store.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define CT_HAS_STMATRIX 1
#else
#define CT_HAS_STMATRIX 0
#endif

#if defined(__CUDACC__)

#define CT_PTX_LDMATRIX(suffix, trans)                                                           \
    CT_DEVICE void ct_ldmatrix_x1##suffix(uint32_t *reg, const void *row)                        \
    {                                                                                            \
        asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%1];"             \
                     : "=r"(reg[0]) : CT_PTX_AT_shared(row) : "memory");                       \
    }                                                                                            \
    CT_DEVICE void ct_ldmatrix_x2##suffix(uint32_t *reg, const void *row)                        \
    {                                                                                            \
        asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 {%0, %1}, [%2];"         \
                     : "=r"(reg[0]), "=r"(reg[1]) : CT_PTX_AT_shared(row) : "memory");         \
    }                                                                                            \
    CT_DEVICE void ct_ldmatrix_x4##suffix(uint32_t *reg, const void *row)                        \
    {                                                                                            \
        asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];" \
                     : "=r"(reg[0]), "=r"(reg[1]), "=r"(reg[2]), "=r"(reg[3])                    \
                     : CT_PTX_AT_shared(row) : "memory");                                      \
    }
CT_PTX_LDMATRIX(, "")
CT_PTX_LDMATRIX(_trans, ".trans")

#if CT_HAS_STMATRIX
#define CT_PTX_STMATRIX(suffix, trans)                                                           \
    CT_DEVICE void ct_stmatrix_x1##suffix(void *row, const uint32_t *reg)                        \
    {                                                                                            \
        asm volatile("stmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 [%0], {%1};"             \
                     :: CT_PTX_AT_shared(row), "r"(reg[0]) : "memory");                        \
    }                                                                                            \
    CT_DEVICE void ct_stmatrix_x2##suffix(void *row, const uint32_t *reg)                        \
    {                                                                                            \
        asm volatile("stmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 [%0], {%1, %2};"         \
                     :: CT_PTX_AT_shared(row), "r"(reg[0]), "r"(reg[1]) : "memory");           \
    }                                                                                            \
    CT_DEVICE void ct_stmatrix_x4##suffix(void *row, const uint32_t *reg)                        \
    {                                                                                            \
        asm volatile("stmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 [%0], {%1, %2, %3, %4};" \
                     :: CT_PTX_AT_shared(row), "r"(reg[0]), "r"(reg[1]), "r"(reg[2]),          \
                        "r"(reg[3]) : "memory");                                                 \
    }
CT_PTX_STMATRIX(, "")
CT_PTX_STMATRIX(_trans, ".trans")
#endif

#else

#define ct_ldmatrix_x1(reg, row) ct_grid_ldmatrix(CT_GRID_SITE, reg, row, 1, 0)
#define ct_ldmatrix_x2(reg, row) ct_grid_ldmatrix(CT_GRID_SITE, reg, row, 2, 0)
#define ct_ldmatrix_x4(reg, row) ct_grid_ldmatrix(CT_GRID_SITE, reg, row, 4, 0)
#define ct_ldmatrix_x1_trans(reg, row) ct_grid_ldmatrix(CT_GRID_SITE, reg, row, 1, 1)
#define ct_ldmatrix_x2_trans(reg, row) ct_grid_ldmatrix(CT_GRID_SITE, reg, row, 2, 1)
#define ct_ldmatrix_x4_trans(reg, row) ct_grid_ldmatrix(CT_GRID_SITE, reg, row, 4, 1)
#define ct_stmatrix_x1(row, reg) ct_grid_stmatrix(CT_GRID_SITE, row, reg, 1, 0)
#define ct_stmatrix_x2(row, reg) ct_grid_stmatrix(CT_GRID_SITE, row, reg, 2, 0)
#define ct_stmatrix_x4(row, reg) ct_grid_stmatrix(CT_GRID_SITE, row, reg, 4, 0)
#define ct_stmatrix_x1_trans(row, reg) ct_grid_stmatrix(CT_GRID_SITE, row, reg, 1, 1)
#define ct_stmatrix_x2_trans(row, reg) ct_grid_stmatrix(CT_GRID_SITE, row, reg, 2, 1)
#define ct_stmatrix_x4_trans(row, reg) ct_grid_stmatrix(CT_GRID_SITE, row, reg, 4, 1)

#endif

#endif
