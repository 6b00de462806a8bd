/* Transposes: the neighbours of the source lie along one mode, those of the destination along another.
 * A tile is turned into a buffer that stays in the caches, and goes from there row by row to the
 * destination, in runs as long as the tile: its lines are written whole however far apart its rows
 * lie, also where a power of two apart sends all of them to the same few places of a cache. */
#include <string.h>

#include "cpu.h"

typedef struct tile {
    unsigned char *dst;
    const unsigned char *src;
    int64_t n_src, n_dst; /* units along the source's and the destination's mode */
} tile;

/* By vectors: both modes are contiguous on their side. */
static void turn(const ct_cpu_run *r, const tile *t)
{
    const ct_plan_form *const f = &r->plan->form;
    const int32_t unit = f->dst_bytes;
    /* one line more a row than the tile has: rows begin in different sets of the cache */
    const int64_t row = ct_ceil_div_int(t->n_dst * unit, CT_CPU_LINE) * CT_CPU_LINE + CT_CPU_LINE;
    _Alignas(64) unsigned char buffer[CT_CPU_TILE_BYTES + CT_CPU_TILE_ROWS * 2 * CT_CPU_LINE];
    _Alignas(64) unsigned char converted[CT_CPU_TILE_BYTES];
    const unsigned char *from = t->src;
    int64_t from_step = f->mode[1].src;
    if (r->plan->converts) {
        const ct_conversion how = ct_cpu_conversion(r->plan);
        from_step = t->n_src * unit;
        for (int64_t b = 0; b < t->n_dst; ++b)
            r->kernels->convert(converted + b * from_step, t->src + b * f->mode[1].src, t->n_src, &how);
        from = converted;
    }
    if (r->plan->choice.direct) {
        r->kernels->transpose(t->dst, f->mode[0].dst, from, from_step, t->n_src, t->n_dst, unit);
        return;
    }
    r->kernels->transpose(buffer, row, from, from_step, t->n_src, t->n_dst, unit);
    if (r->plan->choice.streams) {
        for (int64_t a = 0; a < t->n_src; ++a)
            r->kernels->stream(t->dst + a * f->mode[0].dst, buffer + a * row, t->n_dst * unit);
    } else {
        r->kernels->rows(t->dst, f->mode[0].dst, buffer, row, t->n_src, t->n_dst * unit);
    }
}

static int is_by_vectors(const ct_plan_form *f)
{
    return f->mode[0].src == f->src_bytes && f->mode[1].dst == f->dst_bytes;
}

/* The tile of unit u of work, whose place among the outer modes is p. */
static tile tile_of(const ct_cpu_run *r, const ct_cpu_place *p, int64_t u)
{
    const ct_plan_mode along = r->plan->form.mode[0], across = r->plan->form.mode[1];
    const int64_t wide = r->plan->choice.tile_src, tall = r->plan->choice.tile_dst;
    const int64_t b = u % r->tiles_dst * tall, a = u / r->tiles_dst % r->tiles_src * wide;
    const tile t = {r->dst + p->dst + a * along.dst + b * across.dst,
                    r->src + p->src + a * along.src + b * across.src,
                    ct_min(wide, along.extent - a), ct_min(tall, across.extent - b)};
    return t;
}

void ct_cpu_tiles(const ct_cpu_run *r, int64_t first, int64_t last)
{
    const ct_plan_form *const f = &r->plan->form;
    const ct_plan_mode along = f->mode[0], across = f->mode[1];
    const int64_t each = r->tiles_src * r->tiles_dst;
    const int by_vectors = is_by_vectors(f);
    ct_cpu_place p;
    ct_cpu_begin(&p, f, first / each);
    for (int64_t u = first; u < last; ++u) {
        const tile t = tile_of(r, &p, u);
        if (u % each == each - 1) ct_cpu_next(&p, f);
        if (by_vectors) {
            turn(r, &t);
            continue;
        }
        for (int64_t i = 0; i < t.n_src; ++i)
            ct_cpu_along(r, t.dst + i * along.dst, across.dst, t.src + i * along.src, across.src,
                         t.n_dst);
    }
}
