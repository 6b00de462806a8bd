/* The traffic of a tiled copy: its threads and values over one tile, the tile over the tensor. */
#include <cutlet/host/traffic.h>

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include <cutlet/copy/thread_values.h>
#include "traffic_walk.h"

enum { PERIOD = 128 }; /* bytes: the line and the banks */

/* ---- what a copy may be ---------------------------------------------------------------------- */

/* The kinds that an atom has on its sides, -1 for registers. Universal: global, then shared. */
static int allowed_kind(const ct_copy_atom *atom, int side, int choice)
{
    static const int universal[2][2] = {{CT_ACCESS_LDG, CT_ACCESS_LDS},
                                        {CT_ACCESS_STG, CT_ACCESS_STS}};
    switch (atom->kind) {
        case CT_ATOM_CP_ASYNC_CA: return side ? CT_ACCESS_STS : CT_ACCESS_LDGSTS;
        case CT_ATOM_CP_ASYNC_CG: return side ? CT_ACCESS_STS : CT_ACCESS_LDGSTS_CG;
        case CT_ATOM_LDMATRIX:
        case CT_ATOM_LDMATRIX_TRANS: return side ? -1 : CT_ACCESS_LDSM;
        case CT_ATOM_STMATRIX:
        case CT_ATOM_STMATRIX_TRANS: return side ? CT_ACCESS_STSM : -1;
        default: return universal[side][choice];
    }
}

static ct_status check_kind(const traffic_walk *w, const ct_copy_atom *atom, int side, int kind,
                            const char *name)
{
    const int a = allowed_kind(atom, side, 0), b = allowed_kind(atom, side, 1);
    if (atom->kind == CT_ATOM_OWN)
        return ct_refuse(
            w->message, CT_E_ARGUMENT,
            "%sthe atom is made of layouts, and no instruction is known whose accesses "
            "could be counted",
            name);
    if (atom->kind >= CT_ATOM_AUTO)
        return ct_refuse(w->message, CT_E_ARGUMENT, "%sthe accesses of %s", name,
                         atom->kind == CT_ATOM_AUTO
                             ? "auto depend on both sides; name the width, as universal128"
                             : "one thread that moves a whole tile are not counted");
    if (a < 0)
        return ct_refuse(w->message, CT_E_ARGUMENT, "%sthis side of the atom is registers", name);
    if (kind == a || kind == b) return 0;
    return ct_refuse(w->message, CT_E_ARGUMENT,
                     "%s%s is not what the atom does there; it is %s%s%s", name,
                     ct_access_name(kind), ct_access_name(a), a == b ? "" : " or ",
                     a == b ? "" : ct_access_name(b));
}

/* The tile and the tensor, mode by mode. */
static ct_status set_shapes(traffic_walk *w, const ct_tiled_copy *copy, ct_tuple shape)
{
    const ct_tuple extents = ct_product_each(shape);
    const int tiles = ct_tiler_count(copy->tiler);
    const ct_error bad = copy->atom.err.status ? copy->atom.err : extents.err;
    if (bad.status) return ct_refuse_error(w->message, bad);
    w->rank = ct_rank(extents);
    if (w->rank < tiles)
        return ct_refuse(w->message, CT_E_ARGUMENT, "the tile has %d modes, and the tensor %d",
                         tiles, w->rank);
    for (int k = 0; k < w->rank; ++k) {
        const ct_layout tile = k < tiles ? ct_coalesce(ct_tile(copy->tiler, k)) : ct_layout1(1, 0);
        if (tile.profile.leaves != 1 || (tile.shape[0] > 1 && tile.stride[0] != 1))
            return ct_refuse(w->message, CT_E_ARGUMENT,
                             "mode %d: the elements of the tile are not next to each other", k);
        w->tile[k] = tile.shape[0];
        w->shape[k] = extents.value[k];
        if (w->shape[k] < 1)
            return ct_refuse(w->message, CT_E_ARGUMENT,
                             "mode %d of the tensor has shape %lld; a shape is at least 1", k,
                             (long long)w->shape[k]);
    }
    return 0;
}

static ct_status set_side(traffic_job *j, const ct_tiled_copy *copy, int side,
                          const ct_traffic_side *s)
{
    static const char *const names[2] = {"source: ", "destination: "};
    traffic_walk *const w = &j->walk;
    ct_status bad = check_kind(w, &copy->atom, side, s->kind, names[side]);
    if (!bad) bad = ct_traffic_check_widths(w, s->kind);
    if (!bad) bad = ct_traffic_memory_make(w, &j->memory[side], s, names[side], 0);
    if (bad) return bad;
    int64_t tile = 1;
    for (int k = 0; k < w->rank; ++k) tile *= w->tile[k];
    j->given[side] = 1;
    return ct_traffic_set_tv(
        w, ct_tiled_copy_tv(*copy, side ? copy->atom.dst_tv : copy->atom.src_tv), tile);
}

/* ---- from tile to tile ----------------------------------------------------------------------- */

/* The next tile's origin, mode 0 first; 0 past the last one. */
static int next_tile(const traffic_walk *w, int64_t *origin)
{
    for (int k = 0; k < w->rank; ++k) {
        origin[k] += w->tile[k];
        if (origin[k] < w->shape[k]) return 1;
        origin[k] = 0;
    }
    return 0;
}

static ct_status walk_tiles(const traffic_job *j)
{
    int64_t origin[CT_MAX_LEAVES] = {0}, tile = 0;
    do {
        const ct_status bad = ct_traffic_walk_tile(j, origin, tile++);
        if (bad) return bad;
    } while (next_tile(&j->walk, origin));
    return 0;
}

/* Whether the offsets along a mode are, in each tile, those of tile 0 and a constant. */
static int is_linear(ct_layout mode, int64_t extent, int64_t tile)
{
    const ct_layout L = ct_coalesce(mode);
    return L.profile.leaves == 1 || L.shape[0] % tile == 0 || extent == tile;
}

/* Whether tiles cost the same whose offsets differ by a multiple of the side's period. */
static int repeats(const traffic_job *j, const traffic_memory *p)
{
    const ct_access_rules *const r = j->rules ? j->rules : ct_access_rules_all(&(int){0});
    int yes = PERIOD % r->sector_bytes == 0 && PERIOD % r->line_bytes == 0 &&
              PERIOD % (r->banks * r->bank_bytes) == 0;
    for (int k = 0; k < j->walk.rank; ++k)
        yes = yes && is_linear(p->mode[k], p->extent[k], j->walk.tile[k]);
    return yes;
}

/* The period in elements, a power of two: lines and banks repeat after it, and the swizzle does. */
static int64_t period_of(const traffic_walk *w, const traffic_memory *p)
{
    const ct_swizzle s = p->side->memory.swizzle;
    const int reach = s.bits > 0 ? s.bits + s.base + (int)ct_abs(s.shift) : 0;
    return ct_max((int64_t)1 << reach, ct_max(1, PERIOD * 8 / w->elem_bits));
}

/* Tiles along one mode that are congruent: whole or not, and their offsets in the periods. */
typedef struct tile_kind {
    int64_t origin; /* of the first */
    int64_t count, at[2];
    int cut; /* whether it crosses the edge */
} tile_kind;

/* What a kind of tiles costs. */
typedef struct tile_cost {
    int64_t at[2];
    int cut; /* bit k: along mode k */
    ct_traffic sum[2];
} tile_cost;

enum { KINDS = 4096, COSTS = 1024 };

typedef struct tile_kinds {
    tile_kind *kind[CT_MAX_LEAVES];
    int count[CT_MAX_LEAVES], at[CT_MAX_LEAVES];
    int64_t period[2];
    tile_cost *cost;
    int costs;
} tile_kinds;

/* The kinds of tiles along mode k, in the order of their first. 0; -1: too many, or no memory. */
static int find_kinds(const traffic_job *j, int k, tile_kinds *kinds)
{
    const traffic_walk *const w = &j->walk;
    const int64_t capacity = ct_min(KINDS, ct_ceil_div_int(w->shape[k], w->tile[k]));
    tile_kind *const all = kinds->kind[k] = malloc((size_t)capacity * sizeof *all);
    int n = 0;
    for (int64_t origin = 0; all && origin < w->shape[k]; origin += w->tile[k]) {
        tile_kind one = {origin, 1, {0, 0}, origin + w->tile[k] > w->shape[k]};
        for (int side = 0; side < 2; ++side) {
            if (!j->given[side]) continue;
            const traffic_memory *const p = &j->memory[side];
            one.at[side] = ct_eval(p->mode[k], origin % p->extent[k]) & (kinds->period[side] - 1);
        }
        int i = 0;
        while (i < n &&
               (all[i].at[0] != one.at[0] || all[i].at[1] != one.at[1] || all[i].cut != one.cut))
            ++i;
        if (i == capacity) return -1;
        if (i == n) all[n++] = one;
        else ++all[i].count;
    }
    kinds->count[k] = n;
    return all ? 0 : -1;
}

/* The next combination of kinds, mode 0 first; 0 past the last one. */
static int next_kinds(int rank, tile_kinds *kinds)
{
    for (int k = 0; k < rank; ++k) {
        if (++kinds->at[k] < kinds->count[k]) return 1;
        kinds->at[k] = 0;
    }
    return 0;
}

/* Walks the first tile of a combination, unless a congruent one was, and adds what all of them cost. */
static ct_status sum_kind(const traffic_job *all, tile_kinds *kinds)
{
    int64_t origin[CT_MAX_LEAVES] = {0}, times = 1;
    tile_cost one = {.cut = 0};
    for (int k = 0; k < all->walk.rank; ++k) {
        const tile_kind *const kind = &kinds->kind[k][kinds->at[k]];
        origin[k] = kind->origin;
        times *= kind->count;
        one.cut |= kind->cut << k;
        for (int side = 0; side < 2; ++side)
            one.at[side] = (one.at[side] + kind->at[side]) & (kinds->period[side] - 1);
    }
    int i = 0;
    while (i < kinds->costs && (kinds->cost[i].at[0] != one.at[0] ||
                                kinds->cost[i].cut != one.cut || kinds->cost[i].at[1] != one.at[1]))
        ++i;
    if (i == kinds->costs) {
        traffic_job j = *all;
        j.sum[0] = &one.sum[0];
        j.sum[1] = &one.sum[1];
        const ct_status bad = ct_traffic_walk_tile(&j, origin, 0);
        if (bad) return bad;
        i = kinds->costs % COSTS; /* the last is given up where there are too many */
        kinds->costs = i + 1;
        kinds->cost[i] = one;
    }
    for (int side = 0; side < 2; ++side) {
        if (all->given[side])
            ct_traffic_add_times(all->sum[side], &kinds->cost[i].sum[side], times);
    }
    return CT_OK;
}

static void free_kinds(tile_kinds *kinds)
{
    for (int k = 0; k < CT_MAX_LEAVES; ++k) free(kinds->kind[k]);
    free(kinds->cost);
}

/* All tiles, those that are congruent on the given sides once. */
static ct_status sum_kinds(const traffic_job *j)
{
    tile_kinds kinds = {.period = {1, 1}};
    int64_t capacity = 1;
    int known = 1;
    ct_status bad = CT_OK;
    for (int side = 0; side < 2; ++side) {
        if (!j->given[side]) continue;
        known = known && repeats(j, &j->memory[side]);
        kinds.period[side] = period_of(&j->walk, &j->memory[side]);
    }
    for (int k = 0; k < j->walk.rank && known; ++k) {
        known = find_kinds(j, k, &kinds) == 0;
        capacity = ct_min(COSTS, capacity * ct_max(1, kinds.count[k]));
    }
    kinds.cost = known ? malloc((size_t)capacity * sizeof *kinds.cost) : NULL;
    if (!kinds.cost) bad = walk_tiles(j);
    else {
        do bad = sum_kind(j, &kinds);
        while (!bad && next_kinds(j->walk.rank, &kinds));
    }
    free_kinds(&kinds);
    return bad;
}

/* ---- the copy -------------------------------------------------------------------------------- */

static ct_status walk_copy(traffic_job *j, const ct_tiled_copy *copy, ct_tuple shape,
                           const ct_traffic_side *src, const ct_traffic_side *dst)
{
    traffic_walk *const w = &j->walk;
    ct_status bad = set_shapes(w, copy, shape);
    if (bad) return bad;
    const int kind = copy->atom.kind;
    w->is_matrix = kind >= CT_ATOM_LDMATRIX && kind <= CT_ATOM_STMATRIX_TRANS;
    w->is_filled = ct_atom_is_async(kind);
    w->bits = copy->atom.bits;
    w->elem_bits = copy->atom.value_bits;
    w->lanes = w->is_matrix ? 8 * copy->atom.matrices : TRAFFIC_LANES;
    if (src) bad = set_side(j, copy, 0, src);
    if (!bad && dst) bad = set_side(j, copy, 1, dst);
    if (bad) return bad;
    int64_t tiles = 1;
    for (int k = 0; k < w->rank; ++k) {
        int ok = 1;
        tiles = ct_mul(tiles, ct_ceil_div_int(w->shape[k], w->tile[k]), &ok);
        if (!ok || (j->visit && tiles > INT32_MAX))
            return ct_refuse(w->message, CT_E_CAPACITY, "the tensor has more than %d tiles",
                             INT32_MAX);
    }
    if (j->visit) return walk_tiles(j);
    if (j->together) return sum_kinds(j);
    for (int side = 0; side < 2 && !bad; ++side) {
        traffic_job one = *j; /* each side has kinds of its own */
        one.given[!side] = 0;
        if (j->given[side]) bad = sum_kinds(&one);
    }
    return bad;
}

static ct_status run(traffic_job *j, const ct_tiled_copy *copy, ct_tuple shape,
                     const ct_traffic_side *src, const ct_traffic_side *dst)
{
    const ct_traffic none = {0};
    ct_status bad = CT_OK;
    for (int pass = 0; pass < 2; ++pass) { /* after a failure the sums are 0 again */
        for (int side = 0; side < 2; ++side) {
            if (j->sum[side]) *j->sum[side] = none;
        }
        if (pass == 0) bad = walk_copy(j, copy, shape, src, dst);
        if (!bad) break;
    }
    return bad;
}

ct_status ct_traffic_of_copy(ct_tiled_copy copy, ct_tuple shape, const ct_traffic_side *src,
                             const ct_traffic_side *dst, const ct_access_rules *rules,
                             ct_traffic_visit *visit, void *user, ct_traffic *src_sum,
                             ct_traffic *dst_sum, char message[CT_MESSAGE_BYTES])
{
    traffic_job j = {.rules = rules, .visit = visit, .user = user, .sum = {src_sum, dst_sum}};
    j.walk.message = message;
    return run(&j, &copy, shape, src, dst);
}

ct_status ct_traffic_of_async(ct_tiled_copy copy, ct_tuple shape, const ct_traffic_side *src,
                              const ct_traffic_side *dst, const ct_access_rules *rules,
                              ct_traffic *src_sum, ct_traffic *dst_sum,
                              char message[CT_MESSAGE_BYTES])
{
    traffic_job j = {.rules = rules, .sum = {src_sum, dst_sum}, .together = 1};
    j.walk.message = message;
    const int kind = copy.atom.kind;
    if (copy.atom.err.status == 0 && kind != CT_ATOM_CP_ASYNC_CA && kind != CT_ATOM_CP_ASYNC_CG)
        return ct_refuse(message, CT_E_ARGUMENT, "the atom is not a cp.async");
    return run(&j, &copy, shape, src, dst);
}
