/* The model's choice for a plan on the CPU, and the candidates of effort MEASURE. */
#include "cpu.h"
#include "base/pool.h"

enum {
    ALONE_BYTES = 1 << 18,  /* for fewer bytes, waking other threads takes longer than the copy */
    CACHE_BYTES = 32 << 20, /* larger copies, both sides together, are assumed to fit no cache. The
                               reported size does not help: virtual machines may share the cache */
    ROW_BYTES = 384,        /* a tile's row in the destination has at least these, if possible */
    STREAM_BYTES = 256      /* the least bytes of rows for which non-temporal stores are faster */
};

/* The size of pieces of an extent: at most `most`; nearly equal, in lines, if at most four. */
static int32_t pieces(int64_t extent, int64_t most, int64_t line)
{
    if (most >= extent) return (int32_t)extent;
    if (extent > 4 * most || most < 2 * line) return (int32_t)most;
    const int64_t each = ct_ceil_div_int(extent, ct_ceil_div_int(extent, most));
    return (int32_t)ct_min(most, ct_ceil_div_int(each, line) * line);
}

/* Whether rows of the source are adjacent. */
static int joins_rows(const ct_cpu_tiling *t)
{
    return t->along == 1 && t->across == 1 && t->form.mode[1].src == t->n_along * t->form.src_bytes;
}

/* Sets tiles of src and dst units along either side. If one side has fewer units, the other one
 * gets the room that this leaves. */
static void set_tile(const ct_plan *plan, ct_plan_choice *c, int64_t src, int64_t dst)
{
    const int32_t unit = plan->form.dst_bytes;
    const int64_t capacity = CT_CPU_TILE_BYTES / unit, line = ct_max(1, CT_CPU_LINE / unit);
    const ct_cpu_tiling *const t = ct_cpu_tiling_chosen(plan, c);
    const int64_t most = c->direct ? capacity : CT_CPU_TILE_ROWS;
    if (t->n_along > src && joins_rows(t) && capacity / t->n_along * unit >= ROW_BYTES) {
        src = t->n_along; /* whole rows: the source is read as one run */
        dst = ct_min(dst, capacity / src / line * line);
    }
    for (; src * dst > capacity; dst /= 2) src /= 2;
    if (t->n_along < src) dst = ct_min(most, capacity / t->n_along / line * line);
    else if (t->n_across < dst)
        src = ct_min(ct_min(most, 256), capacity / t->n_across / line * line);
    c->tile_src = pieces(t->n_along, ct_max(1, src), line);
    c->tile_dst = pieces(t->n_across, ct_max(1, dst), line);
    if (t->group > 1 && t->group <= 4 * src && c->tile_dst == t->n_across) {
        /* whole groups: their rows may be adjacent in the destination */
        c->tile_src = (int32_t)(ct_max(1, c->tile_src / t->group) * t->group);
        if ((int64_t)c->tile_src * c->tile_dst > capacity)
            c->tile_dst = (int32_t)(capacity / c->tile_src);
    }
}

/* Whether tiles are transposed directly into the destination: their rows or columns are so short
 * that a buffer costs more than it saves. */
static int goes_directly(const ct_plan *plan)
{
    const int32_t unit = plan->form.dst_bytes;
    const ct_cpu_tiling *const t = &((const ct_cpu_tilings *)plan->state)->merged;
    if (plan->converts) return 0;
    return t->n_along * unit < CT_CPU_LINE || t->n_across * unit < 2 * CT_CPU_LINE;
}

static void choose_tile(const ct_plan *plan, ct_plan_choice *c, int large)
{
    const int32_t unit = plan->form.dst_bytes;
    c->direct = goes_directly(plan);
    const int32_t side = unit == 1 ? 128 : unit <= 4 ? 64 : 32; /* about half of the L1 cache */
    if (large) set_tile(plan, c, unit == 16 ? 32 : 64, unit <= 2 ? 512 : 512 / unit);
    else set_tile(plan, c, side, side);
    c->streams = large && !c->direct && c->tile_dst * unit >= 2 * CT_CPU_LINE;
}

ct_plan_choice ct_cpu_choose(const ct_plan *plan)
{
    ct_plan_choice c = {0};
    const ct_plan_form *const f = &plan->form;
    const int64_t bytes =
        plan->size * (int64_t)(plan->desc.src.elem_bytes + plan->desc.dst.elem_bytes);
    const int large = bytes > CACHE_BYTES;
    c.threads = bytes / 2 < ALONE_BYTES ? 1 : ct_pool_threads();
    if (f->kind == CT_FORM_TILES) choose_tile(plan, &c, large);
    else if (f->kind == CT_FORM_CONTIGUOUS || f->kind == CT_FORM_ROWS)
        c.streams = large && !plan->converts && f->mode[0].extent * f->dst_bytes >= STREAM_BYTES;
    return c;
}

/* Candidate k of a plan of tiles: each size through a buffer, then with non-temporal stores, then
 * directly. */
static int tile_candidate(const ct_plan *plan, int k, ct_plan_choice *choice)
{
    static const int32_t sides[][2] = {{64, 64},  {32, 32},   {32, 128}, {128, 32},
                                       {16, 128}, {128, 128}, {64, 256}, {64, 128}};
    choice->streams = k % 3 == 1;
    choice->direct = k % 3 == 2 && !plan->converts;
    if (k / 3 < (int)(sizeof sides / sizeof *sides)) {
        set_tile(plan, choice, sides[k / 3][0], sides[k / 3][1]);
        return 1;
    }
    *choice = ct_cpu_choose(plan);
    choice->threads = 1;
    return k % 3 == 0 && k / 3 == (int)(sizeof sides / sizeof *sides) && ct_pool_threads() > 1;
}

int ct_cpu_candidate(const ct_plan *plan, int k, ct_plan_choice *choice)
{
    const int32_t kind = plan->form.kind;
    const int runs = (kind == CT_FORM_CONTIGUOUS || kind == CT_FORM_ROWS) && !plan->converts;
    *choice = ct_cpu_choose(plan);
    if (k == 0) return 1;
    if (kind == CT_FORM_TILES) return tile_candidate(plan, k - 1, choice);
    if (k == 1 && runs) {
        choice->streams = !choice->streams;
        return 1;
    }
    choice->threads = 1;
    return k == 1 + runs && ct_pool_threads() > 1;
}
