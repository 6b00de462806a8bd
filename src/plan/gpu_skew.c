/* Copies that are turned to lines that begin anywhere, by skewed tiles. */
#include <string.h>

#include "gpu.h"
#include "kernels/skewed.h"

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define ROW(bytes, along, across, blocks) \
    {TEXT(CT_SKEWED_NAME(bytes, along, across, blocks)), {bytes, along, across}},

/* The kernels that libcutlet has inside. */
static const struct {
    const char *name;
    int32_t tile[3]; /* bytes of an element; elements along the destination and across it */
} kernels[] = {CT_SKEWED_TILES(ROW)};
enum { KERNELS = sizeof kernels / sizeof *kernels };

int ct_gpu_skewed(const ct_plan *plan, const ct_plan_form *form, int is_short, ct_gpu_launch *launch)
{
    ct_skewed *const s = &launch->skewed;
    const int bytes = form->src_bytes;
    int row = -1, line = -1, i = 0;
    int64_t blocks = 1;
    memset(s, 0, sizeof *s);
    if (plan->converts || form->modes < 2 || form->modes > CT_BOX_MODES) return -1;
    for (int k = 0; k < form->modes; ++k) {
        if (form->mode[k].src == bytes) row = k;
        if (form->mode[k].dst == bytes) line = k;
    }
    while (i < KERNELS && kernels[i].tile[0] != bytes) ++i;
    i += is_short;
    if (row < 0 || line < 0 || row == line || i >= KERNELS) return -1;
    s->modes = form->modes;
    for (int k = 0; k < form->modes; ++k) {
        const ct_plan_mode *const m = &form->mode[k];
        const int axis = k == line ? 0 : k == row ? 1 : -1;
        s->mode[k] = (ct_box_mode){m->extent, m->src, m->dst, axis < 0 ? 1 : kernels[i].tile[1 + axis],
                                   axis};
        const int64_t tiles = ct_ceil_div_int(m->extent, s->mode[k].tile);
        if (blocks > INT32_MAX / tiles) return -1;
        blocks *= tiles;
    }
    launch->kind = CT_GPU_SKEWED;
    launch->kernel = kernels[i].name;
    launch->src_base = form->src_base;
    launch->dst_base = form->dst_base;
    launch->grid[0] = (uint32_t)blocks;
    launch->grid[1] = launch->grid[2] = 1;
    launch->threads = CT_SKEWED_THREADS;
    launch->shared_bytes = ct_skewed_tile(bytes, kernels[i].tile[1], kernels[i].tile[2]).shared_bytes;
    return 0;
}
