/* What engines share: of a form, of its blocks, and of the structures that sources have as constants. */
#include <stddef.h>

#include "gpu.h"

int ct_gpu_is_transpose(const ct_plan_form *f)
{
    const ct_plan_mode *const line = &f->mode[0], *const row = &f->mode[1];
    return f->kind == CT_FORM_TILES && f->modes == 2 && row->src == f->src_bytes &&
           line->dst == f->dst_bytes && line->src >= row->extent * f->src_bytes &&
           row->dst >= line->extent * f->dst_bytes;
}

int ct_gpu_contiguous(const ct_plan_form *f, int is_dst)
{
    int found = -1;
    for (int k = 0; k < f->modes; ++k)
        if (is_dst ? f->mode[k].dst == f->dst_bytes : f->mode[k].src == f->src_bytes) found = k;
    return found;
}

int64_t ct_gpu_alignment(const ct_plan_form *f, const ct_gpu_launch *launch)
{
    int64_t all =
        ct_gcd(ct_gcd(f->src_base, f->dst_base), ct_gcd(launch->src_align, launch->dst_align));
    for (int k = 0; k < f->modes; ++k) {
        if (f->mode[k].src != f->src_bytes) all = ct_gcd(all, f->mode[k].src);
        if (f->mode[k].dst != f->dst_bytes) all = ct_gcd(all, f->mode[k].dst);
    }
    return ct_gcd(all, 16);
}

void ct_gpu_add_mode(ct_box_mode *mode, int32_t *modes, const ct_plan_mode *m)
{
    mode[(*modes)++] = (ct_box_mode){m->extent, m->src, m->dst, 1, -1};
}

int ct_gpu_set_blocks(ct_gpu_launch *launch, int64_t blocks, const ct_box_mode *mode, int begin,
                      int end)
{
    for (int k = begin; k < end && blocks <= INT32_MAX; ++k)
        blocks = blocks > INT32_MAX / mode[k].extent ? INT64_MAX : blocks * mode[k].extent;
    launch->grid[0] = (uint32_t)blocks;
    return blocks > INT32_MAX ? -1 : 0;
}

const ct_gpu_field ct_gpu_mode_fields[] = {
    CT_GPU_MEMBERS(ct_box_mode, extent, dst), CT_GPU_MEMBERS(ct_box_mode, tile, axis), {0}};
const ct_gpu_field ct_gpu_conversion_fields[] = {CT_GPU_MEMBERS(ct_conversion, from, has_scale),
                                                 {0}};
