/* Plans run on slabs, which are in host memory. */
#include "plan/cuda/cuda.h"
#include "job.h"

/* The backend copies memory of the host. */
static ct_status on_host(const ct_plan *plan, const ct_relayout_slab *slab, char *message)
{
    return ct_plan_run(plan, slab->dst, slab->src, NULL, message);
}

/* Memory of the device for either side, as large as the largest slab until now. It is kept until the
 * command ends. */
typedef struct capacity {
    void *at;
    int64_t bytes;
} capacity;

static ct_status grow(ct_cuda *gpu, capacity *r, int64_t bytes)
{
    if (bytes <= r->bytes) return 0;
    const ct_status bad = ct_cuda_free(gpu, r->at);
    if (bad) return bad;
    r->bytes = 0;
    r->at = ct_cuda_alloc(gpu, (size_t)bytes);
    if (!r->at) return CT_E_MEMORY;
    r->bytes = bytes;
    return 0;
}

/* The backend copies device memory: the slab is copied to the device and back, all in the order of
 * one stream. */
static ct_status on_device(const ct_plan *plan, const ct_relayout_slab *slab, char *message)
{
    static capacity src, dst;
    ct_plan_device *const device = ct_plan_device_open(message);
    if (!device) return CT_E_BACKEND;
    ct_cuda *const gpu = device->gpu;
    ct_status bad = grow(gpu, &src, slab->src_bytes);
    if (!bad) bad = grow(gpu, &dst, slab->dst_bytes);
    if (!bad) bad = ct_cuda_upload(gpu, src.at, slab->src, (size_t)slab->src_bytes);
    if (!bad && slab->keeps) bad = ct_cuda_upload(gpu, dst.at, slab->dst, (size_t)slab->dst_bytes);
    if (bad) return ct_refuse(message, bad, "%s", ct_cuda_error(gpu));
    bad = ct_plan_run(plan, dst.at, src.at, gpu->stream, message);
    if (bad) return bad;
    bad = ct_cuda_download(gpu, slab->dst, dst.at, (size_t)slab->dst_bytes);
    return bad ? ct_refuse(message, bad, "%s", ct_cuda_error(gpu)) : CT_OK;
}

ct_relayout_mover ct_relayout_mover_of(int32_t backend)
{
    return backend == CT_BACKEND_CUDA ? on_device : on_host;
}
