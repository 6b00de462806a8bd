/* The variants as data, and the launch of their kernels for a matrix. */
#include "base/refuse.h"
#include "launch.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/host/text.h>
#include "kernels.h"
#include <cutlet/device/kernel/static.h>

enum { GRID_Y_MAX = 65535, SHARED_MAX = 227 * 1024, VECTOR_BYTES = 16 };

#define ROW(id, name, tm, tn, dm, dn, vm, vn, how, orders, about)                                  \
    {name, about, {tm, tn, dm, dn}, {vm, vn}, how, orders},
static const struct variant_row {
    const char *name, *about;
    int64_t thr[4], val[2];
    int32_t how, orders;
} rows[] = {CT_COPY_VARIANTS(ROW)};

enum { TILED = sizeof rows / sizeof *rows, VARIANTS = TILED + 1 };

_Static_assert(CT_COPY_BY_ELEMENT == (int)CT_BY_ELEMENT && CT_COPY_BY_VECTOR == (int)CT_BY_VECTOR &&
                   CT_COPY_BY_CP_ASYNC == (int)CT_BY_CP_ASYNC &&
                   CT_COPY_BY_PARTITION == (int)CT_BY_PARTITION,
               "the public names of how a copy is made are those of the kernels");

static void make_variants(ct_copy_variant *all)
{
    for (int i = 0; i < TILED; ++i) {
        const struct variant_row *r = &rows[i];
        all[i].name = r->name;
        all[i].about = r->about;
        all[i].thr = ct_layout2(r->thr[0], r->thr[1], r->thr[2], r->thr[3]);
        all[i].val = ct_layout2(r->val[0], r->val[1], 1, r->val[0]);
        all[i].how = r->how;
        all[i].for_rows = (r->orders & CT_FOR_ROWS) != 0;
        all[i].for_cols = (r->orders & CT_FOR_COLS) != 0;
    }
    const int32_t threads = ct_best_kernel_chosen.threads;
    all[TILED].name = "best";
    all[TILED].about = "the fastest known: threads along a row or a column, 16 bytes each";
    all[TILED].thr = ct_layout2(1, threads, threads, 1);
    all[TILED].val = ct_layout2(1, VECTOR_BYTES, 1, 1);
    all[TILED].how = CT_COPY_BEST;
    all[TILED].for_rows = all[TILED].for_cols = 1;
}

const ct_copy_variant *ct_copy_variants(int *count)
{
    static ct_copy_variant all[VARIANTS];
    static int state;
    if (ct_static_begin(&state)) {
        make_variants(all);
        ct_static_end(&state, 1);
    }
    *count = VARIANTS;
    return all;
}

const ct_copy_variant *ct_copy_variant_named(const char *name)
{
    int count = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(all[i].name, name) == 0) return &all[i];
    }
    return NULL;
}

/* ---- a launch --------------------------------------------------------------------------------- */

static ct_status check_matrix(const ct_matrix *m, const char *name, char *message)
{
    const int64_t inner = m->row_major ? m->cols : m->rows;
    const int64_t outer = m->row_major ? m->rows : m->cols;
    int ok = 1;
    if (m->rows < 1 || m->cols < 1)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s has the extents %lld x %lld; they are at least 1", name,
                         (long long)m->rows, (long long)m->cols);
    if (m->elem_bytes < 1 || m->elem_bytes > 16 || (m->elem_bytes & (m->elem_bytes - 1)) != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s has elements of %d bytes; they have 1, 2, 4, 8 or 16", name,
                         m->elem_bytes);
    if (m->ld < inner)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s has the leading dimension %lld, less than its extent %lld", name,
                         (long long)m->ld, (long long)inner);
    const int64_t bytes =
        ct_mul(ct_add(ct_mul(outer - 1, m->ld, &ok), inner, &ok), m->elem_bytes, &ok);
    if (!ok || bytes > INT64_MAX / 4)
        return ct_refuse(message, CT_E_ARGUMENT, "%s spans more than 2^61 bytes", name);
    if ((uintptr_t)m->data % (uintptr_t)m->elem_bytes != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s lies at an address that is not a multiple of its elements' %d bytes",
                         name, m->elem_bytes);
    return 0;
}

/* A matrix as a layout (m,n) -> offset. */
static ct_layout layout_of(const ct_matrix *m)
{
    return m->row_major ? ct_layout2(m->rows, m->cols, m->ld, 1)
                        : ct_layout2(m->rows, m->cols, 1, m->ld);
}

/* The same where it lies, contiguous along its lines even where another axis is, too. */
static ct_global global_of(const ct_matrix *m)
{
    ct_global g = ct_make_global(m->data, 8 * m->elem_bytes, layout_of(m));
    const int across = m->row_major ? 0 : 1;
    const int64_t step = g.extent[across] > 1 ? g.step[across] : 0;
    g.axis = 1 - across;
    g.align = ct_align_of((uint64_t)(uintptr_t)m->data | (uint64_t)step);
    return g;
}

/* A tile whose lines are ld elements apart, (along a line, from line to line) -> offset. */
static ct_layout tile_in_memory(const ct_copy_launch *l, int64_t ld)
{
    const int64_t lines = l->src.row_major ? l->src.rows : l->src.cols;
    return ct_layout2(CT_COPY_TILE, ct_min(CT_COPY_TILE, lines), 1, ld);
}

/* A block for each tile of these rows and columns. */
static ct_status make_blocks(ct_copy_launch *l, int64_t tile_m, int64_t tile_n, char *message)
{
    const int64_t wide = ct_ceil_div_int(l->src.cols, tile_n);
    const int64_t tall = ct_ceil_div_int(l->src.rows, tile_m);
    const int64_t x = l->src.row_major ? wide : tall, blocks = l->src.row_major ? tall : wide;
    const int64_t y = ct_min(blocks, GRID_Y_MAX), z = ct_ceil_div_int(blocks, y);
    if (x > INT32_MAX || z > GRID_Y_MAX)
        return ct_refuse(message, CT_E_ARGUMENT, "%lld x %lld tiles are more than a grid holds",
                         (long long)x, (long long)blocks);
    l->block_m = tile_m;
    l->block_n = tile_n;
    l->grid.x = (uint32_t)x;
    l->grid.y = (uint32_t)y;
    l->grid.z = (uint32_t)z;
    l->block.x = (uint32_t)l->threads;
    l->block.y = l->block.z = 1;
    return 0;
}

/* The tile that the caller requests: full blocks of the threads that fit in shared memory. */
static ct_status check_tile(const ct_copy_variant *v, int32_t elem_bytes, int64_t m, int64_t n,
                            char *message)
{
    const ct_tuple block = ct_variant_block(v->thr, v->val);
    if (m < 1 || n < 1 || m % block.value[0] != 0 || n % block.value[1] != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s: its threads cover %lldx%lld at once; a tile of %lldx%lld is not a "
                         "multiple of that",
                         v->name, (long long)block.value[0], (long long)block.value[1],
                         (long long)m, (long long)n);
    if (m > SHARED_MAX || n > SHARED_MAX || m * n * elem_bytes > SHARED_MAX)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a tile of %lldx%lld elements of %d bytes does not fit in %d KiB of "
                         "shared memory",
                         (long long)m, (long long)n, elem_bytes, SHARED_MAX / 1024);
    return 0;
}

/* The widest access that fits all addresses of either side. */
static ct_status find_widths(ct_copy_launch *l, char *message)
{
    const ct_layout shared = tile_in_memory(l, CT_COPY_TILE);
    const int32_t e = l->src.elem_bytes;
    l->load = ct_copy_width(tile_in_memory(l, l->src.ld), shared, e, l->access_bytes,
                            (uint64_t)(uintptr_t)l->src.data, 0);
    l->store = ct_copy_width(shared, tile_in_memory(l, l->dst.ld), e, l->access_bytes, 0,
                             (uint64_t)(uintptr_t)l->dst.data);
    const ct_error bad = l->load.err.status ? l->load.err : l->store.err;
    return bad.status ? ct_refuse_error(message, bad) : CT_OK;
}

/* The arguments of a variant's kernel; in, out: the partitions of its tile. */
static ct_status make_args(ct_copy_launch *l, const ct_partition *in, const ct_partition *out,
                           char *message)
{
    ct_variant_args *a = &l->args.tiled;
    a->src = global_of(&l->src);
    a->dst = global_of(&l->dst);
    const ct_error e = a->src.err.status ? a->src.err : a->dst.err;
    if (e.status) return ct_refuse_error(message, e);
    a->tile_m = (int32_t)l->tile_m;
    a->tile_n = (int32_t)l->tile_n;
    if (l->tile_m != CT_COPY_TILE || l->tile_n != CT_COPY_TILE) return 0;
    const int line = 1 - in->src.axis;
    a->is_whole = ct_check_whole(in, &in->src, &a->src).status == CT_OK &&
                  ct_check_whole(out, &out->dst, &a->dst).status == CT_OK &&
                  a->src.step[line] == a->dst.step[line] &&
                  a->src.extent[line] <= (int64_t)GRID_Y_MAX * CT_COPY_TILE;
    a->by_sectors =
        !a->is_whole && in->src.width > 1 &&
        (a->src.align < in->src.width * in->elem_bits / 8 ||
         a->dst.align < out->dst.width * out->elem_bits / 8 || a->dst.align < CT_SECTOR_BYTES);
    if (!a->by_sectors) return 0;
    const ct_sector_copy sector = ct_variant_sectors(l->threads, l->src.elem_bytes, in->src.axis);
    l->shared_bytes = (size_t)sector.shared_bytes;
    return make_blocks(l, sector.tile[0], sector.tile[1], message);
}

/* The tiled copy of a variant. */
static ct_status make_tiled(ct_copy_launch *l, const ct_copy_variant *v, int index, int64_t tile_m,
                            int64_t tile_n, char *message)
{
    const int axis = l->src.row_major ? 1 : 0;
    const int32_t e = l->src.elem_bytes;
    const ct_tuple tile = ct_variant_tile();
    const ct_partition in = ct_variant_partition(v->thr, v->val, v->how, e, axis, tile, 1);
    const ct_partition out = ct_variant_partition(v->thr, v->val, v->how, e, axis, tile, 0);
    if (in.err.status || out.err.status)
        return ct_refuse_error(message, in.err.status ? in.err : out.err);
    l->tile_m = tile_m ? tile_m : CT_COPY_TILE;
    l->tile_n = tile_n ? tile_n : CT_COPY_TILE;
    ct_status bad = check_tile(v, e, l->tile_m, l->tile_n, message);
    if (bad) return bad;
    l->kernel = ct_copy_kernel(index, axis, e);
    l->threads = in.threads;
    l->access_bytes = in.src.width * e;
    l->thr = v->thr;
    l->val = v->val;
    l->shared_bytes = (size_t)(l->tile_m * l->tile_n * e);
    bad = make_blocks(l, l->tile_m, l->tile_n, message);
    if (!bad) bad = find_widths(l, message);
    if (!bad) bad = make_args(l, &in, &out, message);
    return bad;
}

/* The best copy: its tile is a piece of a row, or of a column. */
static ct_status make_best(ct_copy_launch *l, char *message)
{
    const ct_best_kernel *b = &ct_best_kernel_chosen;
    const ct_matrix *src = &l->src;
    const int64_t inner = src->row_major ? src->cols : src->rows;
    const int64_t outer = src->row_major ? src->rows : src->cols;
    const int64_t wide = VECTOR_BYTES / src->elem_bytes, tile = b->threads * b->accesses * wide;
    l->args.best = ct_make_line_args(src->data, (void *)l->dst.data, src->ld, l->dst.ld, inner,
                                     outer, src->elem_bytes);
    const ct_staged_job job = ct_make_line_job(CT_STAGED_async, b->threads, b->accesses);
    const ct_global *const to = &l->args.best.dst;
    const ct_staged_grid g = ct_staged_grid_of(job, to->extent[0], to->extent[1]);
    if (g.x == 0)
        return ct_refuse(message, CT_E_ARGUMENT, "%lld x %lld elements are more than a grid holds",
                         (long long)src->rows, (long long)src->cols);
    l->kernel = b->kernel;
    l->threads = b->threads;
    l->access_bytes = VECTOR_BYTES;
    l->shared_bytes = (size_t)ct_staged_shared_bytes(job);
    l->grid = (ct_dim3){g.x, g.y, g.z};
    l->block = (ct_dim3){(uint32_t)b->threads, 1, 1};
    l->thr = src->row_major ? ct_layout2(1, b->threads, b->threads, 1)
                            : ct_layout2(b->threads, 1, 1, b->threads);
    l->val = src->row_major ? ct_layout2(1, wide, 1, 1) : ct_layout2(wide, 1, 1, wide);
    l->tile_m = src->row_major ? 1 : tile;
    l->tile_n = src->row_major ? tile : 1;
    l->block_m = l->tile_m;
    l->block_n = l->tile_n;
    l->load.bytes = l->store.bytes = VECTOR_BYTES;
    return 0;
}

ct_status ct_copy_launch_make(ct_copy_launch *launch, const ct_copy_variant *variant,
                              const ct_matrix *src, const ct_matrix *dst, int64_t tile_m,
                              int64_t tile_n, char *message)
{
    int count = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    memset(launch, 0, sizeof *launch);
    if (variant < all || variant >= all + count)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no such variant");
    ct_status bad = check_matrix(src, "the source", message);
    if (!bad) bad = check_matrix(dst, "the destination", message);
    if (bad) return bad;
    if (src->rows != dst->rows || src->cols != dst->cols || src->elem_bytes != dst->elem_bytes ||
        !src->row_major != !dst->row_major)
        return ct_refuse(
            message, CT_E_ARGUMENT,
            "the source is %lld x %lld elements of %d bytes, %s-major; the destination "
            "is %lld x %lld elements of %d bytes, %s-major",
            (long long)src->rows, (long long)src->cols, src->elem_bytes,
            src->row_major ? "row" : "column", (long long)dst->rows, (long long)dst->cols,
            dst->elem_bytes, dst->row_major ? "row" : "column");
    launch->src = *src;
    launch->dst = *dst;
    if (variant->how == CT_COPY_BEST) return make_best(launch, message);
    return make_tiled(launch, variant, (int)(variant - all), tile_m, tile_n, message);
}

/* ---- congruent tiles -------------------------------------------------------------------------- */

enum { PERIOD = 256 }; /* bytes after which lines, banks and the alignment of a buffer repeat */

static int64_t greatest_divisor(int64_t a, int64_t b) { return b ? greatest_divisor(b, a % b) : a; }

/* How many tiles along a mode have different addresses in the period. */
static int64_t tiles_in_period(const ct_matrix *m, int axis, int64_t block)
{
    const int64_t inner = m->row_major ? 1 : 0, step = axis == inner ? 1 : m->ld % PERIOD;
    const int64_t bytes = block % PERIOD * step % PERIOD * m->elem_bytes % PERIOD;
    return PERIOD / greatest_divisor(PERIOD, bytes);
}

void ct_copy_launch_part(const ct_copy_launch *l, ct_tiles_run run[2])
{
    for (int axis = 0; axis < 2; ++axis) {
        const int64_t block = axis ? l->block_n : l->block_m;
        const int64_t extent = axis ? l->src.cols : l->src.rows;
        const int64_t tiles = ct_ceil_div_int(extent, block);
        const int64_t head =
            ct_max(tiles_in_period(&l->src, axis, block), tiles_in_period(&l->dst, axis, block));
        const int64_t left_out = ct_max(0, tiles / head - 3); /* of head tiles each */
        run[axis] = (ct_tiles_run){head, 1 + left_out, extent - left_out * head * block};
    }
}
