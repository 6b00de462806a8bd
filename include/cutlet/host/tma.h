/**
 * Tensor maps for kernels, made by the CUDA driver for the GPU and by the library for the CPU grid.
 * A message names the rule that an illegal descriptor breaks.
 *
 *     ct_tma_desc d = ct_make_tma_desc(layout, box, CT_ELEM_F16, CT_TMA_SWIZZLE_128B, address);
 *     char message[CT_MESSAGE_BYTES];
 *     if (ct_cuda_tma_map(gpu, &d, &args.map)) fprintf(stderr, "%s\n", ct_cuda_error(gpu));
 *     if (ct_grid_tma_map(&d, &args.map, message)) fprintf(stderr, "%s\n", message);
 *
 * Cost:     O(1), no allocation.
 * In C:     static _Alignas(16) uint16_t matrix[64 * 64];
 *           ct_tma_desc d = ct_make_tma_desc(ct_layout2(64, 64, 64, 1), ct_tuple2(8, 32),
 *                                            CT_ELEM_F16, CT_TMA_SWIZZLE_64B, (uintptr_t)matrix);
 *           ct_tma_map map;
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_grid_tma_map(&d, &map, message) == CT_OK);
 *           assert(strcmp(ct_tma_explain(&d, message), "") == 0);
 *           d = ct_make_tma_desc(ct_layout2(64, 60, 60, 1), ct_tuple2(8, 32), // rows of 120 bytes
 *                                CT_ELEM_F16, CT_TMA_SWIZZLE_64B, (uintptr_t)matrix);
 *           assert(ct_grid_tma_map(&d, &map, message) == CT_E_ARGUMENT);
 *           assert(strcmp(ct_tma_explain(&d, message),
 *                         "dimension 1 has stride 120 bytes, not a multiple of 16") == 0);
 * Used by:  tests/cuda/test_cuda_tma.c
 */
#ifndef CUTLET_HOST_TMA_H
#define CUTLET_HOST_TMA_H

#include <cutlet/copy/tma.h>
#include <cutlet/host/cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes the rule that the descriptor breaks, empty if it is legal; returns message. */
const char *ct_tma_explain(const ct_tma_desc *desc, char message[CT_MESSAGE_BYTES]);

/**
 * The map of a legal descriptor for kernels on the grid.
 * Fails:   CT_E_ARGUMENT, the rule of ct_tma_explain in message, and a map of zeros.
 */
ct_status ct_grid_tma_map(const ct_tma_desc *desc, ct_tma_map *map, char message[CT_MESSAGE_BYTES]);

/**
 * The map of a legal descriptor for kernels on the GPU; the address is one of its memory.
 * Fails:   CT_E_ARGUMENT and the rule in ct_cuda_error; CT_E_BACKEND before sm_90, for the swizzles
 *          128B_ATOM before sm_100, and where the driver has no tensor maps; otherwise as every
 *          function of cuda.h.
 */
ct_status ct_cuda_tma_map(ct_cuda *gpu, const ct_tma_desc *desc, ct_tma_map *map);

#ifdef __cplusplus
}
#endif

#endif
