/* The launch of a plan: what kind of kernel moves it, and how. */
#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "gpu.h"
#include "plan/kernels/skewed.h"
#include "kernels/transposes.h"

/* The variants of boxes. Each name is a choice by measurements on an H200, of all variants over the
 * cases of bench/plan. */
enum { IN_ORDER, VECTORS, GROUPS, BYTES, SHORT, SMALL };
static const ct_gpu_variant variants[] = {
    /* piece, bytes, threads, resident, batch, in, out, group */
    [IN_ORDER] = {256, 4096, 256, 8, 4, 4, 4, 1},
    [VECTORS] = {256, 4096, 256, 6, 8, 16, 16, 1},
    [GROUPS] = {256, 16384, 512, 4, 4, 4, 4, 4},
    [BYTES] = {128, 8192, 256, 8, 8, 4, 4, 1},
    [SHORT] = {256, 4096, 256, 6, 8, 4, 4, 1},
    [SMALL] = {64, 4096, 128, 16, 4, 4, 4, 1},
    {256, 4096, 256, 8, 4, 16, 16, 1},
    {256, 4096, 512, 4, 4, 4, 4, 1},
    {128, 4096, 256, 8, 4, 4, 4, 1},
    {512, 4096, 256, 6, 8, 4, 4, 1},
    {512, 4096, 512, 3, 8, 16, 16, 1},
    {512, 4096, 512, 4, 4, 4, 4, 8},
};
/* Windows; rows and lines at any address; skewed tiles, the largest first. */
enum {
    BOX_WAYS = sizeof variants / sizeof *variants,
    WINDOWS = 1,
    MISALIGNEDS = CT_GPU_MISALIGNEDS,
    SKEWS = CT_SKEWED_EACH
};

/* The transposes inside libcutlet for addresses that are multiples of 16 bytes, by element size. At
 * other addresses a matrix uses skewed tiles, like any transposing copy. */
typedef struct transpose_kernel {
    const char *name;
    ct_transpose_job job;
} transpose_kernel;

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define ROW(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group)              \
    {TEXT(CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep,     \
                            group)),                                                               \
     {bytes, rows, cols, threads, CT_TRANSPOSE_##staging, block, CT_TRANSPOSE_##shared,            \
      CT_TRANSPOSE_##sweep, group}},
static const transpose_kernel transposes[] = {CT_TRANSPOSES(ROW)};
enum { TRANSPOSES = sizeof transposes / sizeof *transposes };

#define TILE_TEXT(bytes, along, across, threads, blocks)                                           \
#bytes " " #along " " #across " " #threads " "
static const char skewed_tiles[] = CT_SKEWED_TILES(TILE_TEXT);

int ct_gpu_variants(void) { return 1 + BOX_WAYS + WINDOWS + MISALIGNEDS + SKEWS + TRANSPOSES; }

uint64_t ct_gpu_variants_fingerprint(void)
{
    uint64_t hash = ct_fnv(CT_FNV_BEGIN, variants, sizeof variants);
    hash = ct_fnv(hash, ct_gpu_misaligned_ways, sizeof ct_gpu_misaligned_ways);
    for (int i = 0; i < TRANSPOSES; ++i)
        hash = ct_fnv(hash, transposes[i].name, strlen(transposes[i].name));
    return ct_fnv(hash, skewed_tiles, sizeof skewed_tiles);
}

/* Whether the copy is a transpose of a matrix: two modes, of which each side has another
 * contiguous. */
static int is_transpose(const ct_plan_form *f)
{
    const ct_plan_mode *const m = f->mode;
    return f->kind == CT_FORM_TILES && f->modes == 2 && m[0].src == f->src_bytes &&
           m[1].dst == f->dst_bytes && m[1].src >= m[0].extent * f->src_bytes &&
           m[0].dst >= m[1].extent * f->dst_bytes;
}

static int transpose(const ct_plan *plan, const transpose_kernel *kernel, ct_gpu_launch *launch)
{
    const ct_plan_form *const f = &plan->form;
    const ct_plan_mode *const m = f->mode;
    const int64_t e = f->src_bytes;
    if (plan->converts || kernel->job.elem_bytes != e || !is_transpose(f)) return -1;
    const ct_transpose_grid g = ct_transpose_grid_of(kernel->job, m[1].extent, m[0].extent);
    if (g.x == 0) return -1;
    launch->kind = CT_GPU_TRANSPOSE;
    launch->kernel = kernel->name;
    launch->job = kernel->job;
    launch->src_base = f->src_base;
    launch->dst_base = f->dst_base;
    launch->transpose = ct_make_transpose_args(NULL, NULL, m[1].src / e, m[0].dst / e, m[1].extent,
                                               m[0].extent, (int32_t)e);
    launch->grid[0] = g.x;
    launch->grid[1] = g.y;
    launch->grid[2] = g.z;
    launch->threads = (uint32_t)kernel->job.threads;
    launch->shared_bytes = ct_transpose_shared_bytes(kernel->job);
    return 0;
}

/* The form with its modes in the order of the destination. */
static ct_plan_form ascending(const ct_plan_form *f)
{
    ct_plan_form out = *f;
    for (int i = 1; i < f->modes; ++i) {
        const ct_plan_mode m = f->mode[i];
        int k = i;
        for (; k > 0 && out.mode[k - 1].dst > m.dst; --k) out.mode[k] = out.mode[k - 1];
        out.mode[k] = m;
    }
    return out;
}

static int boxes(const ct_plan *plan, const ct_gpu_variant *variant, ct_gpu_launch *launch)
{
    const ct_plan_form form = ascending(&plan->form);
    return ct_gpu_boxes(plan, &form, launch->src_align, launch->dst_align, variant, launch);
}

static int windows(const ct_plan *plan, ct_gpu_launch *launch)
{
    const ct_plan_form form = ascending(&plan->form);
    return ct_gpu_windows(plan, &form, launch->src_align, launch->dst_align, launch);
}

static int misaligned(const ct_plan *plan, int nth, ct_gpu_launch *launch)
{
    const ct_plan_form form = ascending(&plan->form);
    return ct_gpu_misaligned(plan, &form, nth, launch);
}

static int skewed(const ct_plan *plan, int nth, ct_gpu_launch *launch)
{
    const ct_plan_form form = ascending(&plan->form);
    return ct_gpu_skewed(plan, &form, nth, launch);
}

/* The time of a copy by the nth skewed tiles, relative to the largest tiles when all are whole. 0:
 * a mode is smaller than its tile, or not much larger. */
static double time_by(const ct_skewed *s, int nth)
{
    static const double longer[SKEWS] = {1, 1.06, 1.18};
    double whole =
        1; /* the part of the elements in whole tiles: those at an edge take 1.2 times as long */
    for (int k = 0; k < s->modes; ++k) {
        if (s->mode[k].axis < 0) continue;
        const int64_t n = s->axis[s->mode[k].axis].extent, tile = s->mode[k].tile;
        if (n < tile * (s->mode[k].axis ? 7 : 9) / 8) return 0;
        whole *= (double)(n / tile * tile) / (double)n;
    }
    return longer[nth] * (whole + (1 - whole) * 1.2);
}

/* Whether the transposed modes are compact on both sides: each plane is a compact matrix. */
static int is_compact(const ct_plan_form *f)
{
    const ct_plan_mode *row = NULL, *line = NULL;
    for (int k = 0; k < f->modes; ++k) {
        if (f->mode[k].src == f->src_bytes) row = &f->mode[k];
        if (f->mode[k].dst == f->dst_bytes) line = &f->mode[k];
    }
    return row && line && row != line && line->src == row->extent * f->src_bytes &&
           row->dst == line->extent * f->dst_bytes;
}

/* What divides every address and step of a form but those of contiguous modes, up to 16. */
static int64_t alignment_of(const ct_plan_form *f, const ct_gpu_launch *launch)
{
    int64_t all =
        ct_gcd(ct_gcd(f->src_base, f->dst_base), ct_gcd(launch->src_align, launch->dst_align));
    for (int k = 0; k < f->modes; ++k) {
        if (f->mode[k].src != f->src_bytes) all = ct_gcd(all, f->mode[k].src);
        if (f->mode[k].dst != f->dst_bytes) all = ct_gcd(all, f->mode[k].dst);
    }
    return ct_gcd(all, 16);
}

/* Transposes of rows or columns at any alignment. Skewed tiles were as fast as boxes or faster in
 * every measured case of matrices of up to four bytes, of elements of two bytes, and of four bytes in
 * compact matrices. Of two tiles the smaller is taken if the larger has fewer than MANY blocks. */
static int prefer_skewed(const ct_plan *plan, ct_gpu_launch *launch)
{
    enum { MANY = 256 };
    const ct_plan_form *const f = &plan->form;
    if (f->kind != CT_FORM_TILES || f->src_bytes > 4 || alignment_of(f, launch) == 16) return -1;
    if (f->src_bytes != 2 && !is_transpose(f) && !(f->src_bytes == 4 && is_compact(f))) return -1;
    double least = 0;
    int best = -1, few = 0;
    for (int i = 0; i < SKEWS; ++i) {
        const double time = skewed(plan, i, launch) ? 0 : time_by(&launch->skewed, i);
        if (time == 0 || (best >= 0 && !few && time >= least)) continue;
        least = time;
        best = i;
        few = launch->grid[0] < MANY;
    }
    return best < 0 ? -1 : skewed(plan, best, launch);
}

/* Rows and lines of single bytes: staged and realigned, they are faster than by boxes wherever rows
 * are not at multiples of 8 bytes. The first division is for long rows and long lines, the second for
 * short rows and for lines that follow one another; where these are short too, the third. */
static int prefer_misaligned(const ct_plan *plan, ct_gpu_launch *launch)
{
    const ct_plan_form *const f = &plan->form;
    if (f->kind != CT_FORM_TILES && f->kind != CT_FORM_ROWS) return -1;
    if (alignment_of(f, launch) >= (f->kind == CT_FORM_ROWS ? 4 : 8) || misaligned(plan, 0, launch))
        return -1;
    const ct_misaligned *const m = &launch->misaligned;
    if (m->transposed ? m->merged : m->line_bytes < 128)
        misaligned(plan, m->transposed && m->line_bytes < 256 ? 2 : 1, launch);
    return 0;
}

/* Whether every address of a transpose is a multiple of 16 bytes. */
static int is_aligned(const ct_plan_form *f, const ct_gpu_launch *launch)
{
    return (f->src_base | f->dst_base | f->mode[1].src | f->mode[0].dst | launch->src_align |
            launch->dst_align) %
               16 ==
           0;
}

/* The first kernel for a transpose of addresses that are multiples of 16 bytes. */
static int prefer_transpose(const ct_plan *plan, ct_gpu_launch *launch)
{
    for (int i = 0; i < TRANSPOSES && is_aligned(&plan->form, launch); ++i)
        if (transpose(plan, &transposes[i], launch) == 0) return 0;
    return -1;
}

/* The variant for boxes that are turned: accesses of several elements where both sides allow them, of bytes
 * where one side does. Without them, bytes and elements of two bytes have smaller boxes, wider ones
 * groups of boxes. */
static int prefer_transposed(const ct_plan *plan, ct_gpu_launch *launch)
{
    const int unit = launch->box.in.elem_bits / 8;
    if (unit <= 4 && boxes(plan, &variants[VECTORS], launch) == 0) {
        const int in = launch->box.in.src.width, out = launch->box.out.dst.width;
        if (unit == 1 ? ct_max(in, out) > 1 : ct_min(in, out) > 1) return 0;
    }
    return boxes(plan, &variants[unit == 1 ? BYTES : unit == 2 ? SMALL : GROUPS], launch);
}

/* A variant of boxes without a transpose; they are faster for rows of bytes. */
static int prefer_in_order(const ct_plan *plan, ct_gpu_launch *launch)
{
    for (int i = 0; i < BOX_WAYS; ++i)
        if (boxes(plan, &variants[i], launch) == 0 && !launch->box.staged) return 0;
    return boxes(plan, &variants[IN_ORDER], launch), -1;
}

/* The model's choice: transpose kernels for matrices; staged rows, lines and tiles at addresses that do not
 * fit; boxes or windows for everything else. */
static int prefer(const ct_plan *plan, ct_gpu_launch *launch)
{
    const ct_plan_form *const f = &plan->form;
    if (is_transpose(f) && f->src_bytes <= 4 &&
        ct_min(f->mode[0].extent, f->mode[1].extent) >= 64 && prefer_transpose(plan, launch) == 0)
        return 0;
    if (prefer_skewed(plan, launch) == 0 || prefer_misaligned(plan, launch) == 0) return 0;
    if (boxes(plan, &variants[IN_ORDER], launch)) return -1;
    if (launch->box.staged && f->kind == CT_FORM_ROWS && launch->box.in.elem_bits == 8 &&
        prefer_in_order(plan, launch) == 0)
        return 0;
    if (launch->box.staged) return prefer_transposed(plan, launch);
    const int unit = launch->box.in.elem_bits / 8;
    if (unit == CT_VECTOR_BYTES || plan->converts) return 0;
    /* rows at multiples of 4 or 8 bytes */
    if (unit >= 4 && f->kind == CT_FORM_ROWS && windows(plan, launch) == 0) return 0;
    return boxes(plan, &variants[SHORT], launch);
}

ct_status ct_gpu_launch_of(const ct_plan *plan, int64_t src_align, int64_t dst_align, int variant,
                           ct_gpu_launch *launch, char *message)
{
    int bad = 0, nth = variant;
    memset(launch, 0, sizeof *launch);
    launch->src_align = src_align;
    launch->dst_align = dst_align;
    launch->src_span = plan->src_span;
    if (plan->form.kind == CT_FORM_INDEXED) {
        bad = variant > 0 ? -1 : ct_gpu_indices(plan, launch);
    } else if (plan->form.kind == CT_FORM_CONTIGUOUS && !plan->converts && variant == 0) {
        launch->kind = CT_GPU_RUN;
        launch->src_base = plan->form.src_base;
        launch->dst_base = plan->form.dst_base;
        launch->bytes = plan->form.mode[0].extent * plan->form.src_bytes;
    } else if (variant == 0) {
        bad = prefer(plan, launch);
    } else if ((nth -= 1) < BOX_WAYS) {
        bad = boxes(plan, &variants[nth], launch);
    } else if ((nth -= BOX_WAYS) < WINDOWS) {
        bad = windows(plan, launch);
    } else if ((nth -= WINDOWS) < MISALIGNEDS) {
        bad = misaligned(plan, nth, launch);
    } else if ((nth -= MISALIGNEDS) < SKEWS) {
        bad = skewed(plan, nth, launch);
    } else {
        bad = transpose(plan, &transposes[nth - SKEWS], launch);
    }
    if (bad && variant == 0) bad = ct_gpu_indices(plan, launch); /* for any modes */
    return bad ? ct_refuse(message, CT_E_BACKEND,
                           "%s: more blocks than a launch may have, for %lld elements",
                           plan->backend->name, (long long)plan->size)
               : CT_OK;
}

size_t ct_gpu_args_of(const ct_gpu_launch *l, int is_own, void *dst, const void *src, double scale,
                      ct_gpu_args *kernel_args)
{
    const unsigned char *const from = src;
    const ct_plan_args args = {from + l->src_base, (unsigned char *)dst + l->dst_base,
                               from + l->src_span.low, from + l->src_span.high, scale};
    if (l->kind == CT_GPU_TRANSPOSE) {
        kernel_args->transpose.src = ct_transpose_at(l->transpose.src, args.src);
        kernel_args->transpose.dst = ct_transpose_at(l->transpose.dst, args.dst);
        return sizeof kernel_args->transpose;
    }
    if (is_own || l->kind == CT_GPU_RUN) {
        kernel_args->args = args;
        return sizeof args;
    }
    if (l->kind == CT_GPU_BOXES) {
        kernel_args->box = l->box;
        kernel_args->box.at = args;
        return sizeof kernel_args->box;
    }
    if (l->kind == CT_GPU_WINDOWS) {
        kernel_args->window = l->window;
        kernel_args->window.at = args;
        return sizeof kernel_args->window;
    }
    if (l->kind == CT_GPU_MISALIGNED) {
        kernel_args->misaligned = l->misaligned;
        kernel_args->misaligned.at = args;
        return sizeof kernel_args->misaligned;
    }
    if (l->kind == CT_GPU_SKEWED) {
        kernel_args->skewed = l->skewed;
        kernel_args->skewed.at = args;
        return sizeof kernel_args->skewed;
    }
    kernel_args->index = l->index;
    kernel_args->index.at = args;
    return sizeof kernel_args->index;
}

static int say_boxes(const ct_gpu_launch *l, char *buf, size_t size)
{
    const ct_box *const box = &l->box;
    const ct_partition *const last = box->staged ? &box->out : &box->in;
    char tile[256];
    size_t n = 0;
    tile[0] = 0;
    for (int a = 0; a < box->in.axes && n < sizeof tile - 16; ++a)
        n += (size_t)snprintf(tile + n, sizeof tile - n, "%s%d", a ? "," : "", box->axis[a].tile);
    return snprintf(buf, size,
                    "%u boxes of (%s) units of %d bytes, %u threads, accesses of %d and %d bytes%s",
                    l->grid[0], tile, box->in.elem_bits / 8, l->threads,
                    ct_access_bytes(&box->in, &box->in.src), last->dst.width * last->elem_bits / 8,
                    !box->staged       ? ""
                    : box->in.permuted ? ", transposed in registers and shared "
                                         "memory"
                                       : ", transposed in shared memory");
}

int ct_gpu_say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    switch (launch->kind) {
        case CT_GPU_RUN:
            return snprintf(buf, size, "one copy of %lld bytes", (long long)launch->bytes);
        case CT_GPU_TRANSPOSE:
            return snprintf(buf, size, "%s, tiles of %d x %d", launch->kernel, launch->job.rows,
                            launch->job.cols);
        case CT_GPU_WINDOWS:
            return snprintf(
                buf, size, "%u blocks of %d windows of %d bytes, rows of %d, nests of %d",
                launch->grid[0], launch->window.threads * launch->window.each, launch->window.bytes,
                launch->window.row_bytes, launch->window.nest_bytes);
        case CT_GPU_MISALIGNED:
            if (!launch->misaligned.transposed)
                return snprintf(buf, size, "%u windows of %d bytes, of rows of %d at any address",
                                launch->grid[0], launch->misaligned.window,
                                launch->misaligned.row_bytes);
            return snprintf(buf, size,
                            "%u tiles of %d lines of %d bytes at any address, transposed in "
                            "shared memory",
                            launch->grid[0], launch->misaligned.lines,
                            launch->misaligned.merged ? launch->misaligned.line_bytes
                                                      : launch->misaligned.window);
        case CT_GPU_SKEWED:
            return snprintf(buf, size, "%s, %u tiles, transposed in shared memory", launch->kernel,
                            launch->grid[0]);
        case CT_GPU_INDICES:
            return snprintf(buf, size, "%u blocks of %d threads, %d elements a thread",
                            launch->grid[0], launch->index.threads, launch->index.batch);
        default: return say_boxes(launch, buf, size);
    }
}
