/**
 * Tensor maps for kernels: made by the CUDA driver for the GPU, by the library for the CPU grid;
 * and the sentence that says which rule an illegal descriptor breaks.
 *
 *     ct_tma_desc d = ct_make_tma_desc(layout, box, CT_ELEM_F16, CT_TMA_SWIZZLE_128B, address);
 *     char message[CT_MESSAGE_BYTES];
 *     if (ct_cuda_tma_map(gpu, &d, &args.map)) fprintf(stderr, "%s\n", ct_cuda_error(gpu));
 *     if (ct_grid_tma_map(&d, &args.map, message)) fprintf(stderr, "%s\n", message);
 */
#ifndef CUTLET_HOST_TMA_H
#define CUTLET_HOST_TMA_H

#include "../copy/tma.h"
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes which rule the descriptor breaks, empty where it is legal; returns message. */
const char *ct_tma_explain(const ct_tma_desc *desc, char message[CT_MESSAGE_BYTES]);

/**
 * The map of a legal descriptor for kernels on the grid.
 * Fails:   CT_E_ARGUMENT: the rule of ct_tma_explain.
 */
ct_status ct_grid_tma_map(const ct_tma_desc *desc, ct_tma_map *map, char message[CT_MESSAGE_BYTES]);

/**
 * The map of a legal descriptor for kernels on the GPU; the address is one of its memory.
 * Fails:   CT_E_ARGUMENT and the rule in ct_cuda_error; otherwise as every function of cuda.h.
 */
ct_status ct_cuda_tma_map(ct_cuda *gpu, const ct_tma_desc *desc, ct_tma_map *map);

#ifdef __cplusplus
}
#endif

#endif
