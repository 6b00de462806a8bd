/**
 * Tensor maps for kernels: made by the CUDA driver for the GPU, by the library for the CPU grid;
 * and the sentence that says which rule an illegal descriptor breaks.
 *
 *     ct_tma_desc d = ct_make_tma_desc(layout, box, CT_ELEM_F16, CT_TMA_SWIZZLE_128B, address);
 *     char text[CT_TMA_TEXT];
 *     if (ct_cuda_tma_map(gpu, &d, &args.map)) fprintf(stderr, "%s\n", ct_cuda_error(gpu));
 *     if (ct_grid_tma_map(&d, &args.map, text)) fprintf(stderr, "%s\n", text);
 */
#ifndef CUTLET_HOST_TMA_H
#define CUTLET_HOST_TMA_H

#include "../copy/tma.h"
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Room for a sentence about a descriptor, its terminating zero included. */
#define CT_TMA_TEXT 160

/** Writes which rule the descriptor breaks, empty where it is legal; returns text. */
const char *ct_tma_explain(const ct_tma_desc *desc, char text[CT_TMA_TEXT]);

/**
 * The map of a legal descriptor for kernels on the grid.
 * Ensures:  returns 0, or -1 and in text why not.
 */
int ct_grid_tma_map(const ct_tma_desc *desc, ct_tma_map *map, char text[CT_TMA_TEXT]);

/**
 * The map of a legal descriptor for kernels on the GPU; the address is one of its memory.
 * Ensures:  returns 0, or -1 with the reason in ct_cuda_error.
 */
int ct_cuda_tma_map(ct_cuda *gpu, const ct_tma_desc *desc, ct_tma_map *map);

#ifdef __cplusplus
}
#endif

#endif
