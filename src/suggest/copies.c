/* All tiled copies of a side: thread layouts, runs of an access, and blocks of them. */
#include <stdlib.h>

#include "base/list.h"
#include "suggest.h"

/* Whether a step along n moves less in memory than one along m. */
static int runs_along_n(const suggest_side *side, const ct_suggest_query *q)
{
    if (q->tile_n == 1) return 0;
    if (q->tile_m == 1) return 1;
    return llabs(side->at[q->tile_m] - side->at[0]) <= llabs(side->at[1] - side->at[0]);
}

static ct_status make_walk(suggest_copy *c, const ct_suggest_query *q, const int64_t grid[2])
{
    const int64_t unit[2] = {(int64_t)1 << (c->along == SUGGEST_ALONG_M ? c->level : 0),
                             q->tile_m << (c->along == SUGGEST_ALONG_N ? c->level : 0)};
    const int64_t rest_m = grid[0] / (c->thr[0] * c->times[0]);
    const int64_t rest_n = grid[1] / (c->thr[1] * c->times[1]);
    suggest_walk *const w = &c->walk;
    w->level = c->level;
    w->lanes = c->thr[0] * c->thr[1];
    w->steps = (int32_t)(rest_m * rest_n * c->times[0] * c->times[1]);
    w->lane = malloc((size_t)w->lanes * sizeof *w->lane);
    w->step = malloc((size_t)w->steps * sizeof *w->step);
    if (!w->lane || !w->step) return CT_E_MEMORY;
    for (int t = 0; t < w->lanes; ++t) {
        const int64_t i = c->row_major ? t / c->thr[1] : t % c->thr[0];
        const int64_t j = c->row_major ? t % c->thr[1] : t / c->thr[0];
        w->lane[t] = (int32_t)(i * c->times[0] * unit[0] + j * c->times[1] * unit[1]);
    }
    int k = 0;
    for (int64_t rest = 0; rest < rest_m * rest_n; ++rest) {
        const int64_t i = rest % rest_m * c->thr[0] * c->times[0];
        const int64_t j = rest / rest_m * c->thr[1] * c->times[1];
        for (int64_t p = 0; p < c->times[0]; ++p) {
            for (int64_t r = 0; r < c->times[1]; ++r)
                w->step[k++] = (int32_t)((i + p) * unit[0] + (j + r) * unit[1]);
        }
    }
    return 0;
}

static ct_status append(suggest_copies *all, const suggest_copy *c)
{
    suggest_copy *const more = ct_grown(all->item, all->count, &all->capacity, sizeof *more);
    if (!more) return CT_E_MEMORY;
    all->item = more;
    all->item[all->count++] = *c;
    return 0;
}

/* The copies of one access and one shape of threads: each block of accesses in either order. */
static ct_status add_blocks(suggest_copies *all, const ct_suggest_query *q, suggest_copy c,
                            const int64_t grid[2])
{
    const int64_t rest[2] = {grid[0] / c.thr[0], grid[1] / c.thr[1]};
    for (int32_t p = 1; p <= rest[0]; ++p) {
        for (int32_t r = 1; r <= rest[1]; ++r) {
            if (rest[0] % p != 0 || rest[1] % r != 0) continue;
            c.times[0] = p;
            c.times[1] = r;
            for (c.row_major = 0; c.row_major < 2; ++c.row_major) {
                if (!c.row_major && (c.thr[0] == 1 || c.thr[1] == 1)) continue; /* the same */
                if (make_walk(&c, q, grid) || append(all, &c)) {
                    ct_suggest_walk_free(&c.walk);
                    return CT_E_MEMORY;
                }
            }
        }
    }
    return 0;
}

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int64_t values(const suggest_copy *c)
{
    return (int64_t)c->times[0] * c->times[1] << c->level;
}

/* Fewest values; then, by `simple`, which was set so, the order and the row of the source. */
static int by_simplicity(const void *a, const void *b)
{
    const suggest_copy *x = a, *y = b;
    const int64_t n = values(x), k = values(y);
    if (n != k) return order(n, k);
    if (x->simple != y->simple) return order(x->simple, y->simple);
    if (x->along != y->along) return order(y->along, x->along);
    if (x->level != y->level) return order(y->level, x->level);
    return order(x->times[0], y->times[0]);
}

static int by_sectors(const void *a, const void *b)
{
    const suggest_copy *x = a, *y = b;
    return x->sectors != y->sectors ? order(x->sectors, y->sectors) : order(x->simple, y->simple);
}

static void rank(suggest_copies *all, const ct_suggest_query *q, int kind, const suggest_side *side)
{
    const int along_n = runs_along_n(side, q);
    for (int i = 0; i < all->count; ++i) {
        suggest_copy *const c = &all->item[i];
        /* the order first, then the longest row; either order of a single row is that of the source
         */
        const int same = c->row_major == along_n || c->thr[0] == 1 || c->thr[1] == 1;
        c->simple = (same ? 0 : 4096) + 2048 - c->thr[along_n];
    }
    if (all->count == 0) return;
    qsort(all->item, (size_t)all->count, sizeof *all->item, by_simplicity);
    for (int i = 0; i < all->count; ++i) {
        suggest_copy *const c = &all->item[i];
        int64_t lines = 0;
        c->simple = i;
        c->sectors = 0;
        for (int k = 0; k < side->shifts; ++k) {
            const suggest_tally tally =
                ct_suggest_count(q, kind, &c->walk, side->at, side->shift[k], NULL, INT64_MAX);
            c->sectors += tally.sectors;
            lines += tally.lines;
        }
        c->tags = (double)suggest_instructions(&c->walk) + (double)lines / side->shifts;
    }
    qsort(all->item, (size_t)all->count, sizeof *all->item, by_sectors);
}

ct_status ct_suggest_copies_make(suggest_copies *all, const ct_suggest_query *query, int kind,
                                 const suggest_side *side)
{
    const int preferred = runs_along_n(side, query);
    for (int along = 0; along < 2; ++along) {
        for (int level = 0; level <= side->level[along]; ++level) {
            suggest_copy c = {.level = level, .along = along};
            const int64_t grid[2] = {query->tile_m >> (along == SUGGEST_ALONG_M ? level : 0),
                                     query->tile_n >> (along == SUGGEST_ALONG_N ? level : 0)};
            if (level == 0 && along != preferred) continue; /* single elements run along neither */
            for (int32_t tm = 1; tm <= query->threads; ++tm) {
                if (query->threads % tm != 0) continue;
                c.thr[0] = tm;
                c.thr[1] = query->threads / tm;
                if (grid[0] % c.thr[0] != 0 || grid[1] % c.thr[1] != 0) continue;
                if (add_blocks(all, query, c, grid)) return CT_E_MEMORY;
            }
        }
    }
    rank(all, query, kind, side);
    return 0;
}

void ct_suggest_copies_free(suggest_copies *all)
{
    for (int i = 0; i < all->count; ++i) ct_suggest_walk_free(&all->item[i].walk);
    free(all->item);
    all->item = NULL;
    all->count = all->capacity = 0;
}

static ct_layout ordered(int64_t m, int64_t n, int row_major)
{
    const ct_tuple shape = ct_tuple2(m, n);
    return row_major ? ct_make_row_major(shape) : ct_make_col_major(shape);
}

ct_suggest_copy ct_suggest_copy_public(const suggest_copy *c, int kind, int elem_bits)
{
    const int along_n = c->along == SUGGEST_ALONG_N;
    ct_suggest_copy r = {0};
    r.kind = kind;
    r.bits = elem_bits << c->level;
    r.thr = ordered(c->thr[0], c->thr[1], c->row_major);
    r.val = ordered((int64_t)c->times[0] << (along_n ? 0 : c->level),
                    (int64_t)c->times[1] << (along_n ? c->level : 0), along_n);
    return r;
}

ct_tiled_copy ct_suggest_tiled_copy(const ct_suggest_query *query, const ct_suggest_copy *copy)
{
    const ct_copy_atom atom = copy->kind == CT_ATOM_UNIVERSAL
                                  ? ct_copy_atom_universal(copy->bits, query->elem_bits)
                                  : ct_copy_atom_cp_async(copy->kind, copy->bits, query->elem_bits);
    return ct_make_tiled_copy(atom, copy->thr, copy->val);
}
