/* Transposes: the source is contiguous along one mode, the destination along another. A tile is
 * transposed into a buffer that stays in the caches, then copied row by row to the destination. So
 * full lines are written, for any distance of the rows. This also holds for steps of a power of
 * two, which map all rows to the same few sets of a cache. */
#include <string.h>

#include "cpu.h"

typedef struct tile {
    unsigned char *dst;
    const unsigned char *src;
    int64_t n_src, n_dst;             /* units along the source's and the destination's modes */
    int64_t src_at[CT_CPU_TILE_ROWS]; /* of each row of the source, from src: n_dst of them */
    int64_t dst_at[CT_CPU_TILE_ROWS]; /* of each row of the destination, from dst: n_src of them */
} tile;

typedef struct span {
    int64_t first, n;
} span;

/* The offsets in bytes, on one side, of the units of a span along some modes. at: relative to the
 * first unit of the span, whose offset is returned. */
static int64_t offsets_of(const ct_plan_mode *modes, int count, int in_src, span s, int64_t *at)
{
    int64_t coord[CT_PLAN_MODES], left = s.first, first = 0, offset = 0;
    for (int k = 0; k < count; ++k) {
        coord[k] = left % modes[k].extent;
        left /= modes[k].extent;
        first += coord[k] * (in_src ? modes[k].src : modes[k].dst);
    }
    for (int64_t i = 0; i < s.n; ++i) {
        at[i] = offset;
        for (int k = 0; k < count; ++k) {
            const int64_t step = in_src ? modes[k].src : modes[k].dst;
            offset += step;
            if (++coord[k] < modes[k].extent) break;
            coord[k] = 0;
            offset -= step * modes[k].extent;
        }
    }
    return first;
}

/* Converts a tile's rows to contiguous rows in a buffer; returns the bytes of a row. */
static int64_t convert_rows(const ct_cpu_job *r, const tile *t, unsigned char *buffer)
{
    const ct_conversion how = ct_plan_conversion(r->plan);
    const int64_t row = t->n_src * r->plan->form.dst_bytes;
    for (int64_t b = 0; b < t->n_dst; ++b)
        r->kernels->convert(buffer + b * row, t->src + t->src_at[b], t->n_src, &how);
    return row;
}

/* Copies rows from a buffer to the destination, at once all rows of one step. order: the order of
 * rows in the destination, or NULL. */
static void put_rows(const ct_cpu_job *r, const tile *t, const unsigned char *buffer, int64_t row,
                     const int16_t *order)
{
    const int64_t bytes = t->n_dst * r->plan->form.dst_bytes;
    for (int64_t i = 0, some = 1; i < t->n_src; i += some) {
        const int64_t a = order ? order[i] : i, left = t->n_src - i;
        int64_t step = 0, rows = 0, next = a;
        for (some = 1; some < left; ++some, next += rows) {
            const int64_t b = order ? order[i + some] : i + some;
            if (some == 1) {
                rows = b - a;
                step = t->dst_at[b] - t->dst_at[a];
            } else if (b - next != rows || t->dst_at[b] - t->dst_at[next] != step) {
                break;
            }
        }
        (r->plan->choice.streams ? r->kernels->stream : r->kernels->rows)(
            t->dst + t->dst_at[a], step, buffer + a * row, rows * row, some, bytes);
    }
}

/* Transposes a tile by vectors: both modes are contiguous on their sides. */
static void turn(const ct_cpu_job *r, const tile *t, ct_cpu_buffer b, const int16_t *order)
{
    const int32_t unit = r->plan->form.dst_bytes;
    const ct_plan_mode *const across = r->tiling->form.mode + r->tiling->along;
    /* rows of an odd number of lines begin in different sets of the cache */
    const int64_t row = (ct_ceil_div_int(t->n_dst * unit, CT_CPU_LINE) | 1) * CT_CPU_LINE;
    unsigned char *const buffer = b.transposed;
    if (r->plan->converts) {
        const int64_t step = convert_rows(r, t, b.converted);
        r->kernels->transpose(buffer, row, b.converted, step, t->n_src, t->n_dst, unit);
    } else if (r->tiling->across == 1 && across->src == t->n_src * unit) {
        r->kernels->transpose(buffer, row, t->src, t->n_src * unit, t->n_src, t->n_dst, unit);
    } else {
        r->kernels->gather(buffer, row, t->src, t->src_at, t->n_src, t->n_dst, unit);
    }
    put_rows(r, t, buffer, row, order);
}

static void turn_directly(const ct_cpu_job *r, const tile *t)
{
    const ct_plan_mode *const m = r->tiling->form.mode;
    r->kernels->transpose(t->dst, m[0].dst, t->src, m[1].src, t->n_src, t->n_dst,
                          r->plan->form.dst_bytes);
}

/* Sets tile u of work, at the coordinate p along the outer modes. */
static void set_tile(const ct_cpu_job *r, const ct_cpu_coord *p, int64_t u, tile *t)
{
    const ct_cpu_tiling *const g = r->tiling;
    const ct_plan_mode *const along = g->form.mode, *const across = along + g->along;
    const int64_t wide = r->plan->choice.tile_src, tall = r->plan->choice.tile_dst;
    const int64_t b = u % r->tiles_dst * tall, a = u / r->tiles_dst % r->tiles_src * wide;
    t->n_src = ct_min(wide, g->n_along - a);
    t->n_dst = ct_min(tall, g->n_across - b);
    t->dst = r->dst + p->dst;
    t->src = r->src + p->src;
    if (r->plan->choice.direct) {
        t->dst += a * along->dst + b * across->dst;
        t->src += a * along->src + b * across->src;
    } else {
        const span rows = {b, t->n_dst}, columns = {a, t->n_src};
        t->dst += offsets_of(along, g->along, 0, columns, t->dst_at) + b * across->dst;
        t->src += offsets_of(across, g->across, 1, rows, t->src_at) + a * along->src;
    }
}

/* Copies a tile unit by unit, if one of the modes is not contiguous. */
static void by_steps(const ct_cpu_job *r, const tile *t)
{
    const ct_plan_mode *const m = r->tiling->form.mode;
    for (int64_t i = 0; i < t->n_src; ++i)
        ct_cpu_along(r, t->dst + i * m[0].dst, m[1].dst, t->src + i * m[0].src, m[1].src, t->n_dst);
}

void ct_cpu_tiles(const ct_cpu_job *r, int64_t first, int64_t last)
{
    const ct_plan_form *const f = &r->tiling->form;
    const int64_t each = r->tiles_src * r->tiles_dst;
    const int by_vectors = ct_cpu_by_vectors(&r->plan->form);
    const int ordered = r->tiling->along > 1 && r->plan->choice.tile_src % r->tiling->group == 0;
    const ct_cpu_buffer buffer = ct_cpu_take_buffer(r);
    int16_t order[CT_CPU_TILE_ROWS];
    int64_t in_order = 0;
    ct_cpu_coord p;
    tile t;
    ct_cpu_begin(&p, f, first / each);
    for (int64_t u = first; u < last; ++u) {
        set_tile(r, &p, u, &t);
        if (u % each == each - 1) ct_cpu_next(&p, f);
        if (ordered && in_order != t.n_src) {
            in_order = t.n_src;
            ct_cpu_order(r->tiling, in_order, order);
        }
        if (!by_vectors) by_steps(r, &t);
        else if (r->plan->choice.direct) turn_directly(r, &t);
        else turn(r, &t, buffer, ordered ? order : NULL);
    }
    ct_cpu_give_buffer(r, buffer);
}
