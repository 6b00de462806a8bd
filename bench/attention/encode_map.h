/**
 * A map for tile copies by the driver's own cuTensorMapEncodeTiled, for programs that have a driver open
 * already.
 */
#ifndef CUTLET_BENCH_ENCODE_MAP_H
#define CUTLET_BENCH_ENCODE_MAP_H

#include <cutlet/copy/tma.h>

/* The driver's cuTensorMapEncodeTiled. */
typedef int encode_tiled(ct_tma_map *, int, uint32_t, uint64_t, const uint64_t *, const uint64_t *,
                         const uint32_t *, const uint32_t *, int, int, int, int);

/* The map of a descriptor, lines of 256 bytes to L2; 0, or what went wrong. */
static inline int encode_map(ct_tma_map *map, encode_tiled *encode, ct_tma_desc d)
{
    uint64_t extents[5], strides[5] = {0};
    uint32_t box[5], steps[5];
    d.l2 = CT_TMA_L2_256;
    d = ct_tma_check(d);
    if (d.rule != CT_TMA_OK) return -1;
    for (int i = 0; i < d.rank; ++i) {
        extents[i] = (uint64_t)d.extent[i];
        box[i] = (uint32_t)d.box[i];
        steps[i] = (uint32_t)d.step[i];
        if (i > 0) strides[i - 1] = (uint64_t)d.stride[i];
    }
    return encode(map, d.elem, (uint32_t)d.rank, d.address, extents, strides, box, steps,
                  d.interleave, d.swizzle, d.l2, d.fill);
}

#endif
