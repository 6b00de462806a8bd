/* The order of the indices in a copy that moves index by index. */
#include <string.h>

#include "gpu.h"

/* A side's swizzle and offset, in elements; its modes come from elsewhere. */
static void begin_side(ct_index_side *side, const ct_plan_side *of)
{
    const ct_swizzle s = of->memory.swizzle;
    memset(side, 0, sizeof *side);
    side->offset = of->memory.offset.value[0];
    side->bytes = of->elem_bytes;
    side->mask = s.bits > 0 ? ct_swizzle_source(s) : 0;
    side->shift = s.shift;
}

/* The modes of one side's layout, in the order of the index. */
static void own_modes(ct_index_side *side, const ct_plan_side *of)
{
    const ct_layout L = ct_coalesce(of->memory.layout);
    side->modes = L.profile.leaves;
    for (int k = 0; k < L.profile.leaves; ++k) {
        side->extent[k] = L.shape[k];
        side->step[k] = L.stride[k];
    }
}

/* The common modes of both sides, in the order of the destination's memory. */
static void common_modes(ct_indexed *index, const ct_plan_form *form)
{
    ct_index_side *const src = &index->src, *const dst = &index->dst;
    src->offset = form->src_base / src->bytes;
    dst->offset = form->dst_base / dst->bytes;
    src->modes = dst->modes = form->modes;
    for (int k = 0; k < form->modes; ++k) {
        src->extent[k] = dst->extent[k] = form->mode[k].extent;
        src->step[k] = form->mode[k].src / src->bytes;
        dst->step[k] = form->mode[k].dst / dst->bytes;
    }
}

int ct_gpu_indices(const ct_plan *plan, ct_gpu_launch *launch)
{
    ct_indexed *const index = &launch->index;
    ct_plan_form form;
    memset(index, 0, sizeof *index);
    index->size = plan->size;
    index->from = plan->converts ? plan->desc.src.type : CT_TYPE_RAW;
    index->to = plan->converts ? plan->desc.dst.type : CT_TYPE_RAW;
    index->has_scale = plan->desc.has_scale;
    index->threads = 256;
    index->batch = 4;
    begin_side(&index->src, &plan->desc.src);
    begin_side(&index->dst, &plan->desc.dst);
    if (ct_plan_cut(&form, &plan->desc, 0) && form.modes > 0 && form.modes <= CT_BOX_MODES) {
        common_modes(index, &form);
    } else {
        own_modes(&index->src, &plan->desc.src);
        own_modes(&index->dst, &plan->desc.dst);
    }
    const int64_t blocks = ct_ceil_div_int(index->size, (int64_t)index->threads * index->batch);
    if (blocks > INT32_MAX) return -1;
    launch->kind = CT_GPU_INDICES;
    launch->src_base = launch->dst_base = 0; /* they are in the offsets */
    launch->grid[0] = (uint32_t)blocks;
    launch->grid[1] = launch->grid[2] = 1;
    launch->threads = (uint32_t)index->threads;
    launch->shared_bytes = 0;
    return 0;
}
