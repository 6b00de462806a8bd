/* Plans run on slabs, which lie in memory of the host. */
#include "plan/cuda/cuda.h"
#include "job.h"

/* The backend copies memory of the host. */
static int on_host(const ct_plan *plan, const ct_relayout_slab *slab, char *error)
{
    return ct_plan_run(plan, slab->dst, slab->src, NULL, error);
}

/* Memory of the device for either side, as large as the largest slab until now. It is kept until the
 * command ends. */
typedef struct room {
    void *at;
    int64_t bytes;
} room;

static int make_room(ct_cuda *gpu, room *r, int64_t bytes)
{
    if (bytes <= r->bytes) return 0;
    if (ct_cuda_free(gpu, r->at)) return -1;
    r->bytes = 0;
    r->at = ct_cuda_alloc(gpu, (size_t)bytes);
    if (!r->at) return -1;
    r->bytes = bytes;
    return 0;
}

/* The backend copies memory of a device, to which the slab goes, and from where it comes back: all in
 * the order of one stream. */
static int on_device(const ct_plan *plan, const ct_relayout_slab *slab, char *error)
{
    static room src, dst;
    ct_plan_device *const device = ct_plan_device_open(error);
    if (!device) return -1;
    ct_cuda *const gpu = device->gpu;
    int bad = make_room(gpu, &src, slab->src_bytes) || make_room(gpu, &dst, slab->dst_bytes) ||
              ct_cuda_upload(gpu, src.at, slab->src, (size_t)slab->src_bytes) ||
              (slab->keeps && ct_cuda_upload(gpu, dst.at, slab->dst, (size_t)slab->dst_bytes));
    if (!bad && ct_plan_run(plan, dst.at, src.at, gpu->stream, error)) return -1;
    if (!bad) bad = ct_cuda_download(gpu, slab->dst, dst.at, (size_t)slab->dst_bytes) != 0;
    return bad ? ct_one_line(error, CT_MESSAGE_BYTES, "%s", ct_cuda_error(gpu)) : 0;
}

ct_relayout_mover ct_relayout_mover_of(int32_t backend)
{
    return backend == CT_BACKEND_CUDA ? on_device : on_host;
}
