/* Tensor maps, encoded by the driver. */
#include <cutlet/host/tma.h>

#include "gpu.h"

/* The driver numbers types and modes as ct_tma_desc does. */
static int encode(ct_cuda *gpu, const ct_tma_desc *desc, ct_tma_map *map)
{
    uint64_t extents[CT_TMA_RANK], strides[CT_TMA_RANK];
    uint32_t box[CT_TMA_RANK], steps[CT_TMA_RANK];
    for (int32_t i = 0; i < desc->rank; ++i) {
        extents[i] = (uint64_t)desc->extent[i];
        box[i] = (uint32_t)desc->box[i];
        steps[i] = (uint32_t)desc->step[i];
        if (i > 0) strides[i - 1] = (uint64_t)desc->stride[i];
    }
    return gpu->driver.tensor_map(map, desc->elem, (uint32_t)desc->rank, desc->address, extents,
                                  strides, box, steps, desc->interleave, desc->swizzle, desc->l2,
                                  desc->fill);
}

ct_status ct_cuda_tma_map(ct_cuda *gpu, const ct_tma_desc *desc, ct_tma_map *map)
{
    char broken[CT_MESSAGE_BYTES];
    if (desc->rule != CT_TMA_OK)
        return ct_cuda_fail(gpu, CT_E_ARGUMENT, "tensor map: %s", ct_tma_explain(desc, broken));
    if (gpu->about.major < 9)
        return ct_cuda_fail(gpu, CT_E_BACKEND, "tensor map: %s is sm_%d%d; tensor maps need sm_90",
                            gpu->about.name, gpu->about.major, gpu->about.minor);
    if (desc->swizzle >= CT_TMA_SWIZZLE_128B_ATOM_32B && gpu->about.major < 10)
        return ct_cuda_fail(gpu, CT_E_BACKEND,
                            "tensor map: %s is sm_%d%d; the swizzles 128B_ATOM need sm_100",
                            gpu->about.name, gpu->about.major, gpu->about.minor);
    if (!gpu->driver.tensor_map)
        return ct_cuda_fail(gpu, CT_E_BACKEND,
                            "tensor map: the driver is too old: it has no "
                            "cuTensorMapEncodeTiled");
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    return ct_cuda_leave(gpu, ct_cuda_check(gpu, encode(gpu, desc, map), "cuTensorMapEncodeTiled"));
}
