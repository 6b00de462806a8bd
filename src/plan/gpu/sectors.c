/* Transposing copies to destinations at any alignment, by sector-aligned tiles. */
#include <stdio.h>
#include <string.h>

#include "gpu.h"

#define ROW(bytes, along, across, threads, blocks)                                                 \
    {CT_GPU_TEXT(CT_SECTOR_NAME(bytes, along, across, threads, blocks)),                           \
     {bytes, along, across, threads}},

/* The kernels that libcutlet has inside. */
static const struct {
    char name[32];
    int32_t tile[4]; /* bytes of an element; elements along the destination, across it; threads */
} kernels[] = {CT_SECTOR_TILES(ROW)};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Adds the tiles of a mode; axis: of the tile, or -1. */
static void add_mode(ct_sectors *s, const ct_plan_mode *m, int32_t tile, int32_t axis)
{
    const int64_t tiles = ct_ceil_div_int(m->extent, tile), step = tiles > 1 ? tile : 0;
    s->mode[s->modes++] = (ct_box_mode){tiles, m->src * step, m->dst * step, tile, axis};
    if (axis >= 0) s->axis[axis] = (ct_box_mode){m->extent, m->src, m->dst, 1, axis};
}

static int make(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch)
{
    ct_sectors *const s = &launch->args.sectors;
    const int bytes = form->src_bytes;
    const int row = ct_gpu_contiguous(form, 0), line = ct_gpu_contiguous(form, 1);
    int i = nth;
    memset(s, 0, sizeof *s);
    (void)plan;
    while (i < KERNELS && kernels[i].tile[0] != bytes) i += CT_SECTOR_EACH;
    if (row < 0 || line < 0 || row == line || i >= KERNELS) return -1;
    const int32_t *const tile = kernels[i].tile;
    /* neighbours share sectors on both sides: blocks go along the lines first, then along the rows */
    add_mode(s, &form->mode[line], tile[1], 0);
    add_mode(s, &form->mode[row], tile[2], 1);
    for (int k = 0; k < form->modes; ++k)
        if (k != line && k != row) add_mode(s, &form->mode[k], 1, -1);
    launch->kernel = kernels[i].name;
    launch->threads = (uint32_t)tile[3];
    launch->shared_bytes = ct_sectors_tile(bytes, tile[1], tile[2], tile[3]).shared_bytes;
    return ct_gpu_set_blocks(launch, 1, s->mode, 0, s->modes);
}

/* The time of a copy by the nth sector-aligned tiles, relative to the largest tiles when all are whole. 0:
 * a mode is smaller than its tile, or not much larger. */
static double time_by(const ct_sectors *s, int nth)
{
    static const double longer[CT_SECTOR_EACH] = {1, 1.06, 1.18};
    double whole = 1; /* the part of the elements in whole tiles: others take 1.2 times as long */
    for (int k = 0; k < s->modes; ++k) {
        if (s->mode[k].axis < 0) continue;
        const int64_t n = s->axis[s->mode[k].axis].extent, tile = s->mode[k].tile;
        if (n < tile * (s->mode[k].axis ? 7 : 9) / 8) return 0;
        whole *= (double)(n / tile * tile) / (double)n;
    }
    return longer[nth] * (whole + (1 - whole) * 1.2);
}

/* Transposes of rows or columns at any alignment. Sector-aligned tiles were as fast as boxes or faster in
 * every measured case of matrices of up to four bytes, of elements of two bytes, and of four bytes in
 * compact matrices. Of two tiles the smaller is taken if the larger has fewer than MANY blocks. */
static int choose(const ct_plan *plan, const ct_plan_form *f, ct_gpu_launch *launch)
{
    enum { MANY = 256 };
    if (f->kind != CT_FORM_TILES || f->src_bytes > 4 || ct_gpu_alignment(f, launch) == 16)
        return -1;
    const int r = ct_gpu_contiguous(f, 0), l = ct_gpu_contiguous(f, 1);
    const int is_compact = r >= 0 && l >= 0 && r != l && /* each plane is a compact matrix */
                           f->mode[l].src == f->mode[r].extent * f->src_bytes &&
                           f->mode[r].dst == f->mode[l].extent * f->dst_bytes;
    if (f->src_bytes != 2 && !ct_gpu_is_transpose(f) && !(f->src_bytes == 4 && is_compact))
        return -1;
    double least = 0;
    int best = -1, few = 0;
    for (int i = 0; i < CT_SECTOR_EACH; ++i) {
        const double time = make(plan, f, i, launch) ? 0 : time_by(&launch->args.sectors, i);
        if (time == 0 || (best >= 0 && !few && time >= least)) continue;
        least = time;
        best = i;
        few = launch->grid[0] < MANY;
    }
    return best < 0 ? -1 : make(plan, f, best, launch);
}

static int say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    return snprintf(buf, size, "%s, %u tiles, transposed in shared memory", launch->kernel,
                    launch->grid[0]);
}

const ct_gpu_engine ct_gpu_sectors = {.choose = choose,
                                      .make = make,
                                      .variants = CT_SECTOR_EACH,
                                      .table = kernels,
                                      .table_bytes = sizeof kernels,
                                      .args_bytes = sizeof(ct_sectors),
                                      .say = say};
