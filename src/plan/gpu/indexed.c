/* The order of the indices in a copy that moves index by index. */
#include <stddef.h>
#include <stdio.h>

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

static int make(const ct_plan *plan, const ct_plan_form *ascending, int nth, ct_gpu_launch *launch)
{
    ct_indexed *const index = &launch->args.indexed;
    ct_plan_form form;
    (void)ascending;
    (void)nth;
    index->size = plan->size;
    index->by = ct_plan_conversion(plan);
    index->threads = 256;
    index->batch = 4;
    index->src = side_of(&plan->desc.src);
    index->dst = side_of(&plan->desc.dst);
    /* the common modes of both sides, in the order of the destination's memory, or each side's own */
    if (ct_plan_cut(&form, &plan->desc, 0) && form.modes > 0 && form.modes <= CT_BOX_MODES) {
        const int32_t from = index->src.bytes, to = index->dst.bytes;
        index->src.offset = form.src_base / from;
        index->dst.offset = form.dst_base / to;
        index->src.end = index->dst.end = form.modes;
        for (int k = 0; k < form.modes; ++k) {
            const ct_plan_mode *const m = &form.mode[k];
            index->mode[k] = (ct_box_mode){m->extent, m->src / from, m->dst / to, 1, -1};
        }
    } else {
        own_modes(index, &index->src, &plan->desc.src);
        index->dst.begin = index->src.end;
        own_modes(index, &index->dst, &plan->desc.dst);
    }
    launch->src_base = launch->dst_base = 0; /* they are in the offsets */
    launch->threads = (uint32_t)index->threads;
    launch->modes = (int32_t)(ct_max(index->src.end, index->dst.end) + 1) / 2;
    const int64_t blocks = ct_ceil_div_int(index->size, (int64_t)index->threads * index->batch);
    return ct_gpu_set_blocks(launch, blocks, NULL, 0, 0);
}

static int say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    return snprintf(buf, size, "%u blocks of %d threads, %d elements a thread", launch->grid[0],
                    launch->args.indexed.threads, launch->args.indexed.batch);
}

static const ct_gpu_field swizzle_fields[] = {
    CT_GPU_ZEROS(ct_swizzle, err), CT_GPU_MEMBERS(ct_swizzle, bits, shift), {0}};
static const ct_gpu_field side_fields[] = {
    CT_GPU_MEMBERS(ct_index_side, offset, offset),
    CT_GPU_STRUCTS(ct_index_side, swizzle, ct_swizzle, swizzle_fields),
    CT_GPU_MEMBERS(ct_index_side, bytes, end),
    {0}};
static const ct_gpu_field fields[] = {
    CT_GPU_ZEROS(ct_indexed, at),
    CT_GPU_MEMBERS(ct_indexed, size, size),
    CT_GPU_STRUCTS(ct_indexed, by, ct_conversion, ct_gpu_conversion_fields),
    CT_GPU_MEMBERS(ct_indexed, threads, batch),
    CT_GPU_STRUCTS(ct_indexed, src, ct_index_side, side_fields),
    CT_GPU_STRUCTS(ct_indexed, dst, ct_index_side, side_fields),
    CT_GPU_STRUCTS(ct_indexed, mode, ct_box_mode, ct_gpu_mode_fields),
    {0}};

const ct_gpu_engine ct_gpu_indexed = {.name = "indexed",
                                      .inside = "ct_indexed_any",
                                      .make = make,
                                      .args_bytes = sizeof(ct_indexed),
                                      .fields = fields,
                                      .say = say};
