/* Transposing copies to destinations at any alignment, by skewed tiles. */
#include <string.h>

#include "gpu.h"
#include "plan/kernels/skewed.h"

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define ROW(bytes, along, across, threads, blocks)                                                 \
    {TEXT(CT_SKEWED_NAME(bytes, along, across, threads, blocks)), {bytes, along, across, threads}},

/* The kernels that libcutlet has inside. */
static const struct {
    const char *name;
    int32_t
        tile[4]; /* bytes of an element; elements along the destination, and across it; threads */
} kernels[] = {CT_SKEWED_TILES(ROW)};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Adds the tiles of a mode; axis: of the tile, or -1. */
static void add_mode(ct_skewed *s, const ct_plan_mode *m, int32_t tile, int32_t axis)
{
    const int64_t tiles = ct_ceil_div_int(m->extent, tile), step = tiles > 1 ? tile : 0;
    s->mode[s->modes++] = (ct_box_mode){tiles, m->src * step, m->dst * step, tile, axis};
    if (axis >= 0) s->axis[axis] = (ct_box_mode){m->extent, m->src, m->dst, 1, axis};
}

int ct_gpu_skewed(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch)
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
    i += nth;
    if (row < 0 || line < 0 || row == line || i >= KERNELS || kernels[i].tile[0] != bytes)
        return -1;
    /* neighbours share sectors on both sides: blocks go along the lines first, then along the rows */
    add_mode(s, &form->mode[line], kernels[i].tile[1], 0);
    add_mode(s, &form->mode[row], kernels[i].tile[2], 1);
    for (int k = 0; k < form->modes; ++k)
        if (k != line && k != row) add_mode(s, &form->mode[k], 1, -1);
    for (int k = 0; k < s->modes; ++k) {
        if (blocks > INT32_MAX / s->mode[k].extent) return -1;
        blocks *= s->mode[k].extent;
    }
    launch->kind = CT_GPU_SKEWED;
    launch->kernel = kernels[i].name;
    launch->src_base = form->src_base;
    launch->dst_base = form->dst_base;
    launch->grid[0] = (uint32_t)blocks;
    launch->grid[1] = launch->grid[2] = 1;
    launch->threads = (uint32_t)kernels[i].tile[3];
    launch->shared_bytes =
        ct_skewed_tile(bytes, kernels[i].tile[1], kernels[i].tile[2], kernels[i].tile[3])
            .shared_bytes;
    return 0;
}
