/**
 * Matrix loads and stores of a warp (ldmatrix, stmatrix): 8 x 8 matrices of 16-bit elements between
 * shared memory and registers.
 *
 *     ct_ldmatrix_x1(reg, row)
 *           Loads one matrix from shared memory into a register of each lane.
 *     ct_ldmatrix_x2(reg, row)
 *           Loads two matrices from shared memory into two registers of each lane.
 *     ct_ldmatrix_x4(reg, row)
 *           Loads four matrices from shared memory into four registers of each lane.
 *     ct_ldmatrix_x1_trans(reg, row)
 *           Loads one matrix from shared memory, transposed, into a register of each lane.
 *     ct_ldmatrix_x2_trans(reg, row)
 *           Loads two matrices from shared memory, transposed, into two registers of each lane.
 *     ct_ldmatrix_x4_trans(reg, row)
 *           Loads four matrices from shared memory, transposed, into four registers of each lane.
 *     ct_stmatrix_x1(row, reg)
 *           Stores a register of each lane as one matrix in shared memory.
 *     ct_stmatrix_x2(row, reg)
 *           Stores two registers of each lane as two matrices in shared memory.
 *     ct_stmatrix_x4(row, reg)
 *           Stores four registers of each lane as four matrices in shared memory.
 *     ct_stmatrix_x1_trans(row, reg)
 *           Stores a register of each lane, transposed, as one matrix in shared memory.
 *     ct_stmatrix_x2_trans(row, reg)
 *           Stores two registers of each lane, transposed, as two matrices in shared memory.
 *     ct_stmatrix_x4_trans(row, reg)
 *           Stores four registers of each lane, transposed, as four matrices in shared memory.
 *
 * All 32 lanes take part. Lane 8 m + r gives the address of row r of matrix m: 16 bytes, aligned to
 * 16. The addresses of lanes after the last matrix are not used. reg is an array of one uint32_t
 * for each matrix. Lane t holds elements 2 (t mod 4) and 2 (t mod 4) + 1 of row t / 4, or of
 * column t / 4 with _trans. stmatrix needs sm_90; CT_HAS_STMATRIX says whether it is available.
 *
 * Fails:    The CPU grid ends the launch if some lanes of the warp do not arrive. It does so at a
 *           row that is not a multiple of 16 or not in shared memory. A GPU faults or hangs.
 * Cost:     One instruction of a warp, 128 bytes for each matrix. A matrix whose eight rows are in
 *           different banks takes one wavefront. ldmatrix_x4 replaces four loads of 32 bits per
 *           lane, or with _trans eight of 16 bits and their packing.
 * In a kernel:
 *           // tile: element (r,c) of four matrices, 8 m + r rows of 8, is 64 m + 8 r + c
 *           CT_SHARED(uint16_t, tile, 256);
 *           CT_SHARED(uint16_t, copy, 256);
 *           const int lane = (int)threadIdx.x, r = lane / 4, c = lane % 4 * 2;
 *           CT_FRAGMENT(uint16_t, row, 8);
 *           for (int k = 0; k < 8; ++k) row[k] = (uint16_t)(8 * lane + k);
 *           ct_store_shared(tile + 8 * lane, row, 128);
 *           __syncthreads();
 *           const uint16_t *const mine = tile + 8 * lane; // row lane % 8 of matrix lane / 8
 *           uint32_t a[4], b[4];
 *           ct_ldmatrix_x4(a, mine);
 *           for (int m = 0; m < 4; ++m) assert((a[m] & 0xffff) == (uint32_t)(64 * m + 8 * r + c));
 *           for (int m = 0; m < 4; ++m) assert(a[m] >> 16 == (uint32_t)(64 * m + 8 * r + c + 1));
 *           ct_ldmatrix_x4_trans(b, mine);
 *           for (int m = 0; m < 4; ++m) assert((b[m] & 0xffff) == (uint32_t)(64 * m + 8 * c + r));
 *           uint32_t two[2], one[1];
 *           ct_ldmatrix_x1(one, mine), ct_ldmatrix_x2(two, mine);
 *           assert(one[0] == a[0] && two[1] == a[1]);
 *           ct_ldmatrix_x1_trans(one, mine), ct_ldmatrix_x2_trans(two, mine);
 *           assert(one[0] == b[0] && two[1] == b[1]);
 *           #if CT_HAS_STMATRIX // each transposed back
 *           uint16_t *const to = copy + 8 * lane;
 *           ct_stmatrix_x4(to, a), ct_stmatrix_x2(to, a), ct_stmatrix_x1(to, a);
 *           __syncwarp();
 *           ct_load_shared(row, to, 128);
 *           for (int k = 0; k < 8; ++k) assert(row[k] == 8 * lane + k);
 *           __syncwarp();
 *           ct_stmatrix_x4_trans(to, b), ct_stmatrix_x2_trans(to, b), ct_stmatrix_x1_trans(to, b);
 *           __syncwarp();
 *           ct_load_shared(row, to, 128);
 *           for (int k = 0; k < 8; ++k) assert(row[k] == 8 * lane + k);
 *           #endif
 * Source:   NVIDIA, PTX ISA 9.0, ldmatrix and stmatrix.
 */
#ifndef CUTLET_DEVICE_ARCH_LDMATRIX_H
#define CUTLET_DEVICE_ARCH_LDMATRIX_H

#include <cutlet/device/arch/load_store.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define CT_HAS_STMATRIX 1
#else
#define CT_HAS_STMATRIX 0
#endif

#if defined(__CUDACC__)

#define CT_PTX_LDMATRIX(suffix, trans)                                                             \
    CT_DEVICE void ct_ldmatrix_x1##suffix(uint32_t *reg, const void *row)                          \
    {                                                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%1];"               \
                     : "=r"(reg[0])                                                                \
                     : CT_PTX_AT_shared(row)                                                       \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_ldmatrix_x2##suffix(uint32_t *reg, const void *row)                          \
    {                                                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 {%0, %1}, [%2];"           \
                     : "=r"(reg[0]), "=r"(reg[1])                                                  \
                     : CT_PTX_AT_shared(row)                                                       \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_ldmatrix_x4##suffix(uint32_t *reg, const void *row)                          \
    {                                                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];"   \
                     : "=r"(reg[0]), "=r"(reg[1]), "=r"(reg[2]), "=r"(reg[3])                      \
                     : CT_PTX_AT_shared(row)                                                       \
                     : "memory");                                                                  \
    }
CT_PTX_LDMATRIX(, "")
CT_PTX_LDMATRIX(_trans, ".trans")

#if CT_HAS_STMATRIX
#define CT_PTX_STMATRIX(suffix, trans)                                                             \
    CT_DEVICE void ct_stmatrix_x1##suffix(void *row, const uint32_t *reg)                          \
    {                                                                                              \
        asm volatile("stmatrix.sync.aligned.m8n8.x1" trans                                         \
                     ".shared.b16 [%0], {%1};" ::CT_PTX_AT_shared(row),                            \
                     "r"(reg[0])                                                                   \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_stmatrix_x2##suffix(void *row, const uint32_t *reg)                          \
    {                                                                                              \
        asm volatile("stmatrix.sync.aligned.m8n8.x2" trans                                         \
                     ".shared.b16 [%0], {%1, %2};" ::CT_PTX_AT_shared(row),                        \
                     "r"(reg[0]), "r"(reg[1])                                                      \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_stmatrix_x4##suffix(void *row, const uint32_t *reg)                          \
    {                                                                                              \
        asm volatile("stmatrix.sync.aligned.m8n8.x4" trans                                         \
                     ".shared.b16 [%0], {%1, %2, %3, %4};" ::CT_PTX_AT_shared(row),                \
                     "r"(reg[0]), "r"(reg[1]), "r"(reg[2]), "r"(reg[3])                            \
                     : "memory");                                                                  \
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
