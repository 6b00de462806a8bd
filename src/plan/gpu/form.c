/* What engines share: of a form, of its blocks, and of the structures that sources have as constants. */
#include <stddef.h>

#include "gpu.h"

int ct_gpu_is_transpose(const ct_plan_form *f)
{
    const ct_plan_mode *const m = f->mode;
    return f->kind == CT_FORM_TILES && f->modes == 2 && m[0].src == f->src_bytes &&
           m[1].dst == f->dst_bytes && m[1].src >= m[0].extent * f->src_bytes &&
           m[0].dst >= m[1].extent * f->dst_bytes;
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

int64_t ct_gpu_blocks_times(int64_t blocks, int64_t coordinates)
{
    return blocks < 0 || blocks > INT32_MAX / coordinates ? -1 : blocks * coordinates;
}

const ct_gpu_field ct_gpu_mode_fields[] = {
    CT_GPU_NUMBERS(ct_box_mode, extent, dst), CT_GPU_NUMBERS(ct_box_mode, tile, axis), {0}};
const ct_gpu_field ct_gpu_conversion_fields[] = {CT_GPU_NUMBERS(ct_conversion, from, has_scale),
                                                 {0}};
