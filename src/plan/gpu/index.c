/* The order of the indices in a copy that moves index by index. */
#include <string.h>

#include "gpu.h"

/* A side's swizzle and offset, in elements. */
static ct_index_side side_of(const ct_plan_side *of)
{
    return (ct_index_side){of->memory.offset.value[0], of->memory.swizzle, of->elem_bytes, 0, 0};
}

/* The modes of one side's layout, in the order of the index. */
static void own_modes(ct_indexed *index, ct_index_side *side, const ct_plan_side *of)
{
    const ct_layout L = ct_coalesce(of->memory.layout);
    for (int k = 0; k < L.profile.leaves; ++k)
        index->mode[side->begin + k] = (ct_box_mode){L.shape[k], L.stride[k], L.stride[k], 1, -1};
    side->end = side->begin + L.profile.leaves;
}

/* The common modes of both sides, in the order of the destination's memory. */
static void common_modes(ct_indexed *index, const ct_plan_form *form)
{
    const int32_t from = index->src.bytes, to = index->dst.bytes;
    index->src.offset = form->src_base / from;
    index->dst.offset = form->dst_base / to;
    index->src.end = index->dst.end = form->modes;
    for (int k = 0; k < form->modes; ++k) {
        const ct_plan_mode *const m = &form->mode[k];
        index->mode[k] = (ct_box_mode){m->extent, m->src / from, m->dst / to, 1, -1};
    }
}

int ct_gpu_indices(const ct_plan *plan, ct_gpu_launch *launch)
{
    ct_indexed *const index = &launch->index;
    ct_plan_form form;
    memset(index, 0, sizeof *index);
    index->size = plan->size;
    index->by = ct_plan_conversion(plan);
    index->threads = 256;
    index->batch = 4;
    index->src = side_of(&plan->desc.src);
    index->dst = side_of(&plan->desc.dst);
    if (ct_plan_cut(&form, &plan->desc, 0) && form.modes > 0 && form.modes <= CT_BOX_MODES) {
        common_modes(index, &form);
    } else {
        own_modes(index, &index->src, &plan->desc.src);
        index->dst.begin = index->src.end;
        own_modes(index, &index->dst, &plan->desc.dst);
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
