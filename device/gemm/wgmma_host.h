/* The host's plan of a GEMM by wgmma: the shape of a tile, the parts of k, the operands that are copied first, the
 * size of the workspace, and the kernels' arguments.
 *
 *     gemm_wgmma_plan p = gemm_wgmma_make_plan(&problem, NULL, 132, wish);      p.workspace_bytes
 *     p = gemm_wgmma_make_plan(&problem, workspace, 132, wish);
 *     p.args.a, .b, .from and .to = the driver's maps of p.side[0] to [3], if these have a rank
 *     launch gemm_repack of p.pack[i] for i = 0, 1, 2 if p.repack[i]; gemm_wgmma; gemm_sum_splits of p.args if
 *     p.args.splits > 1; gemm_repack of p.pack[3] if p.repack[3]: D from a copy of padded rows
 */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_HOST_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_HOST_H

#include "wgmma_args.h"
#include "wgmma_helpers.h"

/* Operands A (m,k,batch), B (n,k,batch), C and D (m,n,batch): layouts in elements. */
typedef struct gemm_wgmma_problem {
    const void *at[4];
    ct_layout layout[4];
    int32_t elem;    /* of A and B: CT_ELEM_F16, CT_ELEM_BF16, or CT_ELEM_U8 for e4m3 */
    int32_t is_half; /* whether C and D are halves; otherwise bfloat16 */
    float alpha, beta;
    gemm_epilogue own;
} gemm_wgmma_problem;

/* Choices that the caller makes; 0 leaves a choice to the model. */
typedef struct gemm_wgmma_wish {
    int32_t shape; /* 1 + the index into gemm_wgmma_shapes */
    int32_t splits;
} gemm_wgmma_wish;

/* How an operand is copied to or from padded rows. */
typedef enum gemm_repack { GEMM_DIRECT, GEMM_BY_TILES, GEMM_BY_ROWS } gemm_repack;

typedef struct gemm_wgmma_plan {
    int32_t rule;             /* CT_TMA_OK, or the rule of TMA that an operand violates */
    int32_t shape, repack[4]; /* of A, B, C and D: gemm_repack */
    int64_t workspace_bytes;
    uint32_t blocks, pack_grid[4][3], sum_grid[3];
    ct_tma_desc side[4]; /* of A, B, C and D; of rank 0 if no map is needed */
    ct_staged_args pack[4];
    gemm_wgmma_args args;
} gemm_wgmma_plan;

/* The rows of D that a cluster computes. */
static inline int64_t gemm_wgmma_rows(gemm_wgmma_shape s)
{
    return s.rows == 64 ? 64 : s.rows * s.cluster;
}

static inline int64_t gemm_extent(const gemm_wgmma_problem *q, int operand, int mode)
{
    return ct_size(ct_mode(q->layout[operand], mode));
}

/* The product D' = B A' of the transposed matrices; the bias is then one of rows. */
static inline gemm_wgmma_problem gemm_wgmma_exchange(const gemm_wgmma_problem *q)
{
    const ct_tuple modes = ct_tuple3(1, 0, 2);
    gemm_wgmma_problem r = *q;
    r.at[0] = q->at[1];
    r.at[1] = q->at[0];
    r.layout[0] = q->layout[1];
    r.layout[1] = q->layout[0];
    for (int i = 2; i < 4; ++i) r.layout[i] = ct_layout_select(q->layout[i], modes);
    r.own.m = q->own.n;
    r.own.n = q->own.m;
    r.own.scale_rows = q->own.scale_cols;
    r.own.scale_cols = q->own.scale_rows;
    return r;
}

/* Nanoseconds on an H200: to launch and end, for each wave of tiles, and for a step of 128 bytes along k, in one wave
 * and in several. fit.py fits these numbers, and the rates below, to the times of every shape and split. */
enum { GEMM_COST_LAUNCH, GEMM_COST_TILE, GEMM_COST_STEP, GEMM_COST_STEPS };
// clang-format off
static const double gemm_wgmma_costs[GEMM_WGMMA_SHAPES][4] = {
    {3457, 1053, 587, 607}, {2721, 779, 297, 335}, {2766, 249, 192, 306}, {2489, 709, 151, 190},
    {929, 3534, 123, 236}, {3268, 993, 437, 480}, {3576, 1124, 364, 413}, {2917, 663, 237, 322},
    {1857, 1136, 93, 138}, {952, 2615, 107, 244}, {1698, 769, 85, 84}, {697, 2577, 113, 190},
};
// clang-format on

/* The nanoseconds that memory takes for A, B and D, at 3220 bytes a ns, or 5500 if L2 holds them. Of few rows each
 * tile reads all of B. */
static inline double gemm_wgmma_memory(const gemm_wgmma_problem *q, gemm_wgmma_shape s)
{
    const int64_t m = gemm_extent(q, 3, 0), n = gemm_extent(q, 3, 1), batch = gemm_extent(q, 3, 2);
    const int64_t k_bytes = gemm_extent(q, 0, 1) * ct_elem_bytes(q->elem);
    const int64_t again = gemm_wgmma_exchanges(s.columns) ? ct_ceil_div_int(m, s.columns) : 1;
    const double bytes = (double)(((m + n * again) * k_bytes + 2 * m * n) * batch);
    return bytes / (bytes < 42e6 ? 5500 : 3220);
}

/* The nanoseconds to add `splits` parts of k, or to copy a D whose rows TMA does not store. */
static inline double gemm_wgmma_after(const gemm_wgmma_problem *q, int splits, int by_map)
{
    const double elems =
        (double)(gemm_extent(q, 3, 0) * gemm_extent(q, 3, 1) * gemm_extent(q, 3, 2));
    if (splits > 1) return 3500 + elems * (4 * splits + 2) / 1190;
    return by_map && gemm_extent(q, 3, 1) % 8 != 0 ? 3500 + elems * 4 / 1190 : 0;
}

/* The approximate nanoseconds of a shape with `splits` parts of k. Tiles load 11270 bytes a ns from L2. */
static inline double gemm_wgmma_time(const gemm_wgmma_problem *q, int shape, int splits,
                                     int processors)
{
    const gemm_wgmma_shape s = gemm_wgmma_shapes[shape];
    const double *const c = gemm_wgmma_costs[shape];
    const int exchanged = gemm_wgmma_exchanges(s.columns), by_map = s.rows == 128;
    const int64_t m = gemm_extent(q, 3, exchanged), n = gemm_extent(q, 3, !exchanged);
    const int64_t all = ct_ceil_div_int(gemm_extent(q, 0, 1) * ct_elem_bytes(q->elem), 128);
    const int64_t tiles = ct_ceil_div_int(m, gemm_wgmma_rows(s)) * ct_ceil_div_int(n, s.columns) *
                          gemm_extent(q, 3, 2) * splits;
    const int64_t waves = by_map ? ct_ceil_div_int(tiles, ct_max(1, processors / s.cluster))
                                 : ct_ceil_div_int(tiles * s.cluster, processors);
    const double steps = (double)ct_ceil_div_int(all, splits * (by_map ? 1 : s.cluster));
    const double lines =
        (double)ct_min(s.rows, m) + (double)ct_min(s.columns, n) / (by_map ? s.cluster : 1);
    const double loads = (double)(tiles * s.cluster) * steps * lines * 128 / 11270;
    const double memory = gemm_wgmma_memory(q, s),
                 least = c[GEMM_COST_TILE] + (loads > memory ? loads : memory);
    const double work =
        (double)waves *
        (c[GEMM_COST_TILE] + steps * (waves > 1 ? c[GEMM_COST_STEPS] : c[GEMM_COST_STEP]));
    return c[GEMM_COST_LAUNCH] + (work > least ? work : least) +
           gemm_wgmma_after(q, splits, by_map);
}

/* Whether a shape and a number of parts of k, up to 8, are for a problem. Exchanged operands are of at most two tiles of
 * rows, parts have at least four steps; what a wish names may have more rows, and fewer steps. */
static inline int gemm_wgmma_may(const gemm_wgmma_problem *q, gemm_wgmma_wish w, int shape,
                                 int splits)
{
    const gemm_wgmma_shape s = gemm_wgmma_shapes[shape];
    const int64_t m = gemm_extent(q, 3, 0);
    const int64_t steps = ct_ceil_div_int(gemm_extent(q, 0, 1) * ct_elem_bytes(q->elem), 128);
    if ((w.shape > 0 && w.shape - 1 != shape) || (w.splits > 0 && w.splits != splits)) return 0;
    if (w.shape == 0 && gemm_wgmma_exchanges(s.columns) && m > 2 * s.columns) return 0;
    if (splits == 1) return 1;
    /* clusters of 64 rows share k; y of the grid of gemm_sum_splits */
    return s.rows == 128 && m <= 65535 && splits <= steps && (w.splits > 0 || steps / splits >= 4);
}

/* A shape, a number of parts of k, and the approximate nanoseconds. */
typedef struct gemm_wgmma_variant {
    int32_t shape, splits;
    double ns;
} gemm_wgmma_variant;
enum { GEMM_WGMMA_VARIANTS = 8 * GEMM_WGMMA_SHAPES };

/* Writes the variants of a problem, the least time first; returns how many. */
static inline int gemm_wgmma_order(const gemm_wgmma_problem *q, int processors, gemm_wgmma_wish w,
                                   gemm_wgmma_variant *order)
{
    int count = 0;
    for (int i = 0; i < GEMM_WGMMA_VARIANTS; ++i) {
        const int shape = i / 8, splits = i % 8 + 1;
        if (!gemm_wgmma_may(q, w, shape, splits)) continue;
        const gemm_wgmma_variant v = {shape, splits, gemm_wgmma_time(q, shape, splits, processors)};
        int at = count++;
        for (; at > 0 && order[at - 1].ns > v.ns; --at) order[at] = order[at - 1];
        order[at] = v;
    }
    return count;
}

/* The description of an operand's map, of boxes of b[0] rows, and of b[1] bytes along k or n: 128 or 64, the
 * swizzle's. */
static inline ct_tma_desc gemm_wgmma_desc(ct_layout layout, int32_t elem, const int32_t b[2],
                                          const void *at)
{
    const ct_tuple box = ct_tuple3(b[0], b[1] / ct_elem_bytes(elem), 1);
    const int32_t swizzle = b[1] == 128 ? CT_TMA_SWIZZLE_128B : CT_TMA_SWIZZLE_64B;
    ct_tma_desc d = ct_make_tma_desc(layout, box, elem, swizzle, (uint64_t)(uintptr_t)at);
    d.l2 = CT_TMA_L2_256;
    return d.rule == CT_TMA_OK ? ct_tma_check(d) : d;
}

/* Whether TMA can access an operand without a copy: mode 1, k or n, must be the contiguous mode. */
static inline int gemm_wgmma_fits(const ct_tma_desc *d)
{
    return d->rule == CT_TMA_OK && d->mode[0] == 1;
}

static inline ct_global gemm_wgmma_tensor(const void *at, ct_layout layout, int64_t bytes,
                                          gemm_repack how)
{
    if (how != GEMM_BY_ROWS) return ct_make_global(at, (int32_t)(8 * bytes), layout);
    const int64_t rows = ct_size(ct_mode(layout, 0)), k = ct_size(ct_mode(layout, 1));
    const ct_tuple shape = ct_tuple3(k * bytes, rows, ct_size(ct_mode(layout, 2)));
    const ct_tuple strides =
        ct_tuple3(1, bytes * ct_eval3(layout, 1, 0, 0), bytes * ct_eval3(layout, 0, 0, 1));
    return ct_make_global(at, 8, ct_make_layout(shape, strides));
}

/* Plans the copy of operand i to padded rows at `offset` of the workspace; returns the offset after it. */
static inline int64_t gemm_wgmma_repack(gemm_wgmma_plan *p, const gemm_wgmma_problem *q, int i,
                                        int32_t elem, const int32_t box[2], void *workspace,
                                        int64_t offset)
{
    const int64_t bytes = ct_elem_bytes(elem), batch = gemm_extent(q, i, 2);
    const int64_t rows = gemm_extent(q, i, 0), k = gemm_extent(q, i, 1);
    const int64_t step = ct_ceil_div_int(k * bytes, 128) * 128 / bytes; /* rows of whole lines */
    const ct_tuple strides = ct_tuple3(step, 1, rows * step);
    const ct_layout padded = ct_make_layout(ct_tuple3(rows, k, batch), strides);
    const gemm_repack how =
        k > 1 && ct_eval3(q->layout[i], 0, 1, 0) == 1 ? GEMM_BY_ROWS : GEMM_BY_TILES;
    const void *const at = (unsigned char *)workspace + offset;
    const ct_global own = gemm_wgmma_tensor(q->at[i], q->layout[i], bytes, how);
    const ct_global copy = gemm_wgmma_tensor(at, padded, bytes, how);
    p->repack[i] = how;
    p->pack[i].src = i < 3 ? own : copy;
    p->pack[i].dst = i < 3 ? copy : own;
    const int by_rows = how == GEMM_BY_ROWS;
    const int64_t x = by_rows ? ct_ceil_div_int(k * bytes, GEMM_REPACK_ROW)
                              : ct_ceil_div_int(k, GEMM_REPACK_TILE);
    const int64_t y =
        by_rows ? ct_min(rows, GEMM_REPACK_MOST) : ct_ceil_div_int(rows, GEMM_REPACK_TILE);
    p->pack_grid[i][0] = (uint32_t)x;
    p->pack_grid[i][1] = (uint32_t)y;
    p->pack_grid[i][2] = (uint32_t)batch;
    /* a load fills elements after k with 0; a store writes whole units of 16 bytes */
    const ct_layout seen = i < 3 ? padded : ct_make_layout(ct_tuple3(rows, step, batch), strides);
    p->side[i] = gemm_wgmma_desc(seen, elem, box, at);
    return offset + ct_ceil_div_int(rows * step * batch * bytes, 1024) * 1024;
}

/* The map of operand i or of its copy; returns the offset of the workspace after the copy. D is copied if its rows
 * are not whole units of 16 bytes, which a store writes. */
static inline int64_t gemm_wgmma_side(gemm_wgmma_plan *p, const gemm_wgmma_problem *q, int i,
                                      const int32_t box[2], void *workspace, int64_t offset)
{
    const int32_t elem = i < 2 ? q->elem : CT_ELEM_F16;
    p->side[i] = gemm_wgmma_desc(q->layout[i], elem, box, q->at[i]);
    const int is_whole = i < 3 || gemm_extent(q, i, 1) % 8 == 0;
    if (gemm_wgmma_fits(&p->side[i]) && is_whole) return offset;
    return gemm_wgmma_repack(p, q, i, elem, box, workspace, offset);
}

/* The tensor of the sums of parts of k, in whole tiles, at `offset` of the workspace. Returns the offset after. */
static inline int64_t gemm_wgmma_sums(gemm_wgmma_plan *p, const gemm_wgmma_problem *q,
                                      void *workspace, int64_t offset)
{
    const gemm_wgmma_shape s = gemm_wgmma_shapes[p->shape];
    const int64_t m = (int64_t)p->args.rows * gemm_wgmma_rows(s),
                  n = (int64_t)p->args.columns * s.columns;
    const int64_t parts = gemm_extent(q, 3, 2) * p->args.splits;
    const ct_layout sums = ct_make_layout(ct_tuple3(m, n, parts), ct_tuple3(n, 1, m * n));
    p->args.sums = ct_make_global((unsigned char *)workspace + offset, 32, sums);
    p->sum_grid[0] = (uint32_t)ct_ceil_div_int(gemm_extent(q, 3, 1), GEMM_SUM_THREADS);
    p->sum_grid[1] = (uint32_t)gemm_extent(q, 3, 0);
    p->sum_grid[2] = (uint32_t)gemm_extent(q, 3, 2);
    return offset + 4 * m * n * parts;
}

/* The plan of a problem. Without a workspace it gives workspace_bytes; it may be launched only if these are 0. */
static inline gemm_wgmma_plan gemm_wgmma_make_plan(const gemm_wgmma_problem *q, void *workspace,
                                                   int processors, gemm_wgmma_wish w)
{
    gemm_wgmma_plan p = CT_ZERO;
    gemm_wgmma_variant order[GEMM_WGMMA_VARIANTS] = {{0, 1, 0}};
    gemm_wgmma_order(q, processors, w, order);
    p.shape = order->shape;
    p.args.splits = order->splits;
    const gemm_wgmma_shape s = gemm_wgmma_shapes[p.shape];
    const gemm_wgmma_problem exchanged = gemm_wgmma_exchange(q);
    if (gemm_wgmma_exchanges(s.columns)) q = &exchanged;
    const int64_t m = gemm_extent(q, 3, 0), n = gemm_extent(q, 3, 1),
                  bytes = ct_elem_bytes(q->elem);
    int64_t end = 0;
    p.args.rows = (int32_t)ct_ceil_div_int(m, gemm_wgmma_rows(s));
    p.args.columns = (int32_t)ct_ceil_div_int(n, s.columns);
    p.args.tiles = (int32_t)(p.args.rows * p.args.columns * gemm_extent(q, 3, 2) * p.args.splits);
    p.args.steps = (int32_t)ct_ceil_div_int(gemm_extent(q, 0, 1) * bytes, 128);
    p.blocks =
        (uint32_t)((s.rows == 64 ? p.args.tiles : ct_min(p.args.tiles, processors / s.cluster)) *
                   s.cluster);
    const int by_map = p.args.splits == 1 && s.rows == 128;
    const int32_t wide = 2 * gemm_wgmma_part_columns(s.columns);
    const int32_t box[4][2] = {{s.rows, 128},
                               {s.rows == 64 ? s.columns : s.columns / s.cluster, 128},
                               {64, wide},
                               {gemm_wgmma_part_rows(s.columns), wide}};
    for (int i = 0; i < 2; ++i) end = gemm_wgmma_side(&p, q, i, box[i], workspace, end);
    if (p.args.splits > 1) end = gemm_wgmma_sums(&p, q, workspace, end);
    if (by_map && q->beta != 0) end = gemm_wgmma_side(&p, q, 2, box[2], workspace, end);
    if (by_map) end = gemm_wgmma_side(&p, q, 3, box[3], workspace, end);
    p.workspace_bytes = end;
    p.args.c = ct_make_global(q->at[2], 16, q->layout[2]);
    p.args.d = ct_make_global(q->at[3], 16, q->layout[3]);
    p.args.is_half = q->is_half;
    p.args.alpha = q->alpha;
    p.args.beta = q->beta;
    p.args.own = q->own;
    for (int i = 0; i < 4 && (workspace || end == 0); ++i)
        if (p.rule == CT_TMA_OK) p.rule = p.side[i].rule;
    return p;
}

#endif
