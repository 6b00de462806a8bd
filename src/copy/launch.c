/* The variants as data, and the launch of their kernels for a matrix. */
#include "launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cutlet/host/text.h"
#include "kernels.h"
#include "kernels/variants.h"

enum { GRID_Y_MAX = 65535, SHARED_MAX = 227 * 1024 };

#define ROW(id, name, tm, tn, dm, dn, vm, vn, how, orders, about)                                  \
    {name, about, {tm, tn, dm, dn}, {vm, vn}, how, orders},
static const struct variant_row {
    const char *name, *about;
    int64_t thr[4], val[2];
    int32_t how, orders;
} rows[] = {CT_COPY_VARIANTS(ROW)};

enum { TILED = sizeof rows / sizeof *rows, VARIANTS = TILED + 1 };

_Static_assert(CT_COPY_BY_ELEMENT == (int)CT_PLAN_ELEMENT &&
                   CT_COPY_BY_VECTOR == (int)CT_PLAN_VECTOR &&
                   CT_COPY_BY_CP_ASYNC == (int)CT_PLAN_CP_ASYNC &&
                   CT_COPY_BY_PARTITION == (int)CT_PLAN_PARTITION,
               "the public names of how a copy is made are those of the plan");

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
    all[TILED].val = ct_layout2(1, CT_PLAN_BYTES, 1, 1);
    all[TILED].how = CT_COPY_BEST;
    all[TILED].for_rows = all[TILED].for_cols = 1;
}

const ct_copy_variant *ct_copy_variants(int *count)
{
    static ct_copy_variant all[VARIANTS];
    static int state;
    if (ct_static_begin(&state)) {
        make_variants(all);
        ct_static_end(&state);
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

static int refuse(char *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refuse(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, CT_COMPARE_TEXT_BYTES, format, arguments);
    va_end(arguments);
    return -1;
}

static int check_matrix(const ct_matrix *m, const char *name, char *error)
{
    const int64_t inner = m->row_major ? m->cols : m->rows;
    const int64_t outer = m->row_major ? m->rows : m->cols;
    int ok = 1;
    if (m->rows < 1 || m->cols < 1)
        return refuse(error, "%s has the extents %lld x %lld; they are at least 1", name,
                      (long long)m->rows, (long long)m->cols);
    if (m->elem_bytes < 1 || m->elem_bytes > 16 || (m->elem_bytes & (m->elem_bytes - 1)) != 0)
        return refuse(error, "%s has elements of %d bytes; they have 1, 2, 4, 8 or 16", name,
                      m->elem_bytes);
    if (m->ld < inner)
        return refuse(error, "%s has the leading dimension %lld, less than its extent %lld", name,
                      (long long)m->ld, (long long)inner);
    const int64_t bytes =
        ct_mul(ct_add(ct_mul(outer - 1, m->ld, &ok), inner, &ok), m->elem_bytes, &ok);
    if (!ok || bytes > INT64_MAX / 4)
        return refuse(error, "%s is larger than 61 bits of bytes", name);
    if ((uintptr_t)m->data % (uintptr_t)m->elem_bytes != 0)
        return refuse(error, "%s lies at an address that is no multiple of its elements' %d bytes",
                      name, m->elem_bytes);
    return 0;
}

/* The tile of a matrix as it lies in memory, (inner, outer) -> offset. */
static ct_layout tile_in_memory(const ct_copy_args *args, int64_t ld)
{
    return ct_layout2(args->tile_inner, ct_min(args->tile_outer, args->outer), 1, ld);
}

static int make_blocks(ct_copy_launch *l, char *error)
{
    const ct_copy_args *a = &l->args.tiled;
    const int64_t x = ct_ceil_div_int(a->inner, a->tile_inner);
    const int64_t blocks = ct_ceil_div_int(a->outer, a->tile_outer);
    const int64_t y = ct_min(blocks, GRID_Y_MAX), z = ct_ceil_div_int(blocks, y);
    if (x > INT32_MAX || z > GRID_Y_MAX)
        return refuse(error, "%lld x %lld tiles are more than a grid holds", (long long)x,
                      (long long)blocks);
    l->grid.x = (uint32_t)x;
    l->grid.y = (uint32_t)y;
    l->grid.z = (uint32_t)z;
    l->block.x = (uint32_t)l->plan.threads;
    l->block.y = l->block.z = 1;
    return 0;
}

/* The tile that the caller asks for: whole blocks of the threads that fit in shared memory. */
static int check_tile(const ct_copy_variant *v, const ct_tile_plan *plan, int order, int64_t m,
                      int64_t n, char *error)
{
    const int64_t block_m = order == CT_ROW_MAJOR ? plan->block_outer : plan->block_inner;
    const int64_t block_n = order == CT_ROW_MAJOR ? plan->block_inner : plan->block_outer;
    if (m < 1 || n < 1 || m % block_m != 0 || n % block_n != 0)
        return refuse(error,
                      "%s: its threads cover %lldx%lld at once; a tile of %lldx%lld is no "
                      "multiple of that",
                      v->name, (long long)block_m, (long long)block_n, (long long)m, (long long)n);
    if (m > SHARED_MAX || n > SHARED_MAX || m * n * plan->elem_bytes > SHARED_MAX)
        return refuse(error,
                      "a tile of %lldx%lld elements of %d bytes does not fit in %d KiB of "
                      "shared memory",
                      (long long)m, (long long)n, plan->elem_bytes, SHARED_MAX / 1024);
    return 0;
}

/* The widest access of either side: the values of a thread, then the addresses. */
static int find_widths(ct_copy_launch *l, char *error)
{
    ct_copy_args *a = &l->args.tiled;
    const ct_layout shared = tile_in_memory(a, a->tile_inner);
    const int32_t e = l->plan.elem_bytes;
    l->load = ct_copy_width(tile_in_memory(a, a->src_ld), shared, e, l->plan.access_bytes,
                            (uint64_t)(uintptr_t)a->src, 0);
    l->store = ct_copy_width(shared, tile_in_memory(a, a->dst_ld), e, l->plan.access_bytes, 0,
                             (uint64_t)(uintptr_t)a->dst);
    if (l->load.err.status || l->store.err.status) {
        ct_error_message(l->load.err.status ? l->load.err : l->store.err, error,
                         CT_COMPARE_TEXT_BYTES);
        return -1;
    }
    a->src_bytes = l->load.bytes;
    a->dst_bytes = l->store.bytes;
    a->whole_ld_bytes = ct_copy_whole_ld(&l->plan, a);
    return 0;
}

/* The tiled copy of a variant. */
static int make_tiled(ct_copy_launch *l, const ct_copy_variant *v, int index, int64_t tile_m,
                      int64_t tile_n, char *error)
{
    const int order = l->src.row_major ? CT_ROW_MAJOR : CT_COL_MAJOR;
    l->plan = ct_plan_variant(v->thr, v->val,
                              ct_make_plan_job(v->how, l->src.elem_bytes, order, CT_COPY_TILE,
                                               CT_COPY_TILE));
    if (l->plan.err.status) {
        ct_error_message(l->plan.err, error, CT_COMPARE_TEXT_BYTES);
        return -1;
    }
    l->tile_m = tile_m ? tile_m : CT_COPY_TILE;
    l->tile_n = tile_n ? tile_n : CT_COPY_TILE;
    if (check_tile(v, &l->plan, order, l->tile_m, l->tile_n, error)) return -1;
    l->kernel = ct_copy_kernel(index, order, l->src.elem_bytes);
    l->thr = v->thr;
    l->val = v->val;
    ct_copy_args *a = &l->args.tiled;
    a->src = l->src.data;
    a->dst = (void *)l->dst.data;
    a->src_ld = l->src.ld;
    a->dst_ld = l->dst.ld;
    a->inner = order == CT_ROW_MAJOR ? l->src.cols : l->src.rows;
    a->outer = order == CT_ROW_MAJOR ? l->src.rows : l->src.cols;
    a->tile_inner = (int32_t)(order == CT_ROW_MAJOR ? l->tile_n : l->tile_m);
    a->tile_outer = (int32_t)(order == CT_ROW_MAJOR ? l->tile_m : l->tile_n);
    l->shared_bytes = (size_t)(l->tile_m * l->tile_n * l->src.elem_bytes);
    return make_blocks(l, error) || find_widths(l, error) ? -1 : 0;
}

/* The best copy: its tile is a piece of a row, or of a column. */
static int make_best(ct_copy_launch *l, char *error)
{
    const ct_best_kernel *b = &ct_best_kernel_chosen;
    const ct_matrix *src = &l->src;
    const int64_t inner = src->row_major ? src->cols : src->rows;
    const int64_t outer = src->row_major ? src->rows : src->cols;
    const int64_t wide = CT_PLAN_BYTES / src->elem_bytes, tile = b->threads * b->accesses * wide;
    l->args.best = ct_make_best_copy_args(src->data, (void *)l->dst.data, src->ld, l->dst.ld, inner,
                                          outer, src->elem_bytes);
    const ct_best_copy_grid g = ct_best_copy_grid_of(&l->args.best, b->threads, b->accesses);
    if (g.x == 0)
        return refuse(error, "%lld x %lld elements are more than a grid holds",
                      (long long)src->rows, (long long)src->cols);
    l->kernel = b->kernel;
    l->plan.threads = b->threads;
    l->plan.elem_bytes = 1;
    l->plan.access_bytes = CT_PLAN_BYTES;
    l->shared_bytes = (size_t)ct_best_copy_shared_bytes(b->threads, b->accesses);
    l->grid = (ct_dim3){g.x, g.y, g.z};
    l->block = (ct_dim3){(uint32_t)b->threads, 1, 1};
    l->thr = src->row_major ? ct_layout2(1, b->threads, b->threads, 1)
                            : ct_layout2(b->threads, 1, 1, b->threads);
    l->val = src->row_major ? ct_layout2(1, wide, 1, 1) : ct_layout2(wide, 1, 1, wide);
    l->tile_m = src->row_major ? 1 : tile;
    l->tile_n = src->row_major ? tile : 1;
    l->load.bytes = l->store.bytes = CT_PLAN_BYTES;
    return 0;
}

int ct_copy_launch_make(ct_copy_launch *launch, const ct_copy_variant *variant,
                        const ct_matrix *src, const ct_matrix *dst, int64_t tile_m, int64_t tile_n,
                        char *error)
{
    int count = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    memset(launch, 0, sizeof *launch);
    if (variant < all || variant >= all + count) return refuse(error, "there is no such variant");
    if (check_matrix(src, "the source", error) || check_matrix(dst, "the destination", error))
        return -1;
    if (src->rows != dst->rows || src->cols != dst->cols || src->elem_bytes != dst->elem_bytes ||
        !src->row_major != !dst->row_major)
        return refuse(error, "source and destination differ in shape, order or element size");
    launch->src = *src;
    launch->dst = *dst;
    if (variant->how == CT_COPY_BEST) return make_best(launch, error);
    return make_tiled(launch, variant, (int)(variant - all), tile_m, tile_n, error);
}
