/* The traffic of a tiled copy: its threads and values over one tile, the tile over the tensor. */
#include <cutlet/host/traffic.h>

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include <cutlet/copy/thread_values.h>
#include "traffic_walk.h"

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

static void clear(const traffic_job *j)
{
    for (int side = 0; side < 2; ++side)
        if (j->sum[side]) *j->sum[side] = (ct_traffic){0};
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

enum { CAPACITY = 1 << 12, VALUES = TRAFFIC_LANES * TRAFFIC_VALUES };

/* Rows of integers, found by their first ones. */
typedef struct table {
    int keys, words, count; /* words: of a row */
    int64_t *row;
    int32_t slot[2 * CAPACITY]; /* 1 + a row, or 0 */
} table;

static void empty(table *t, int keys, int words)
{
    free(t->row);
    memset(t, 0, sizeof *t);
    t->keys = keys;
    t->words = words;
}

/* The row of a key, its other words 0 where it is new. NULL: no room, or no memory. */
static int64_t *row_of(table *t, const int64_t *key)
{
    const size_t words = (size_t)t->words, bytes = (size_t)t->keys * sizeof *key;
    uint64_t hash = 0;
    for (int k = 0; k < t->keys; ++k)
        hash = (hash ^ hash >> 29 ^ (uint64_t)key[k]) * 0x9e3779b97f4a7c15u;
    size_t i = hash >> 32 & (2 * CAPACITY - 1);
    while (t->slot[i] && memcmp(t->row + (size_t)(t->slot[i] - 1) * words, key, bytes) != 0)
        i = (i + 1) & (2 * CAPACITY - 1);
    if (t->slot[i]) return t->row + (size_t)(t->slot[i] - 1) * words;
    if (!t->row) t->row = malloc(CAPACITY * words * sizeof *t->row);
    if (!t->row || t->count == CAPACITY) return NULL;
    int64_t *const row = t->row + (size_t)t->count * words;
    t->slot[i] = ++t->count;
    memset(row, 0, words * sizeof *row);
    return memcpy(row, key, bytes);
}

/* One access of a warp in all tiles. It costs the same where its coordinates have the same offsets
 * from the first, and that one lies at the same place in the periods. */
typedef struct classes {
    int64_t warp, access, period[2];
    int64_t at[CT_MAX_LEAVES][VALUES]; /* in the tile, each coordinate along a mode once */
    int count[CT_MAX_LEAVES];
    table offsets[CT_MAX_LEAVES]; /* along a mode, of the given sides */
    table kind[CT_MAX_LEAVES]; /* of tiles: offsets, places in the periods; the first, how many */
    table cost;                /* offsets, places in the periods; whether known, sums */
} classes;

static void find_coordinates(const traffic_walk *w, classes *c)
{
    memset(c->count, 0, sizeof c->count);
    for (int i = 0; i < w->lanes * w->width; ++i) {
        const int64_t thread = c->warp * TRAFFIC_LANES + i / w->width;
        const int64_t value = c->access * w->width + i % w->width;
        if (thread >= w->threads) break;
        int64_t index = ct_eval(w->tv, thread + w->threads * value);
        for (int k = 0; k < w->rank; ++k) {
            const int64_t at = k + 1 < w->rank ? index % w->tile[k] : index;
            int n = 0;
            index /= w->tile[k];
            while (n < c->count[k] && c->at[k][n] != at) ++n;
            if (n == c->count[k]) c->at[k][c->count[k]++] = at;
        }
    }
}

/* The key of the tile of this origin along mode k; NULL: no room. */
static int64_t *find_kind(const traffic_job *j, classes *c, int k, int64_t origin)
{
    int64_t key[3] = {0, 0, 0}, offset[2 * VALUES];
    int n = 0;
    for (int side = 0; side < 2; ++side) {
        const traffic_memory *const p = &j->memory[side];
        for (int i = 0; i < c->count[k] && j->given[side]; ++i) {
            const int64_t at = origin + c->at[k][i];
            const int on = at < j->walk.shape[k];
            const int64_t to = ct_eval(p->mode[k], at % p->extent[k]);
            if (i == 0) key[1 + side] = to;
            offset[n++] = on ? to - key[1 + side] : INT64_MIN;
        }
        key[1 + side] &= c->period[side] - 1;
    }
    const int64_t *const offsets = row_of(&c->offsets[k], offset);
    if (!offsets) return NULL;
    key[0] = offsets - c->offsets[k].row;
    return row_of(&c->kind[k], key);
}

/* The kinds of tiles along mode k, in the order of their first. 0; -1: too many, or no memory. */
static int find_kinds(const traffic_job *j, classes *c, int k)
{
    const int64_t extent = j->walk.shape[k], tile = j->walk.tile[k], whole = extent / tile;
    const int words = c->count[k] * (j->given[0] + j->given[1]);
    int64_t cycle = 1; /* tiles until the offsets of both sides repeat, but for whole periods */
    for (int side = 0; side < 2; ++side) {
        const traffic_memory *const p = &j->memory[side];
        if (!j->given[side]) continue;
        const int linear = ct_coalesce(p->mode[k]).profile.leaves == 1;
        const int64_t n = p->extent[k] < extent ? p->extent[k] / tile
                          : linear              ? ct_min(c->period[side], INT32_MAX)
                                                : INT32_MAX;
        cycle = cycle / ct_gcd(cycle, n) * n;
    }
    empty(&c->offsets[k], words, words);
    empty(&c->kind[k], 3, 5);
    for (int64_t i = 0; i * tile < extent; i = i + 1 == cycle ? ct_max(i + 1, whole) : i + 1) {
        int64_t *const kind = find_kind(j, c, k, i * tile);
        if (!kind) return -1;
        if (kind[4] == 0) kind[3] = i * tile;
        kind[4] += i < whole ? (whole - i - 1) / cycle + 1 : 1;
    }
    return 0;
}

/* The access in the tiles of a combination of kinds. 0; -1: an error, or no memory. */
static int sum_kind(const traffic_job *all, classes *c, const int *at, ct_status *bad)
{
    const int rank = all->walk.rank;
    int64_t key[CT_MAX_LEAVES + 2] = {0}, origin[CT_MAX_LEAVES] = {0}, times = 1;
    ct_traffic sum[2] = {{0}, {0}};
    for (int k = 0; k < rank; ++k) {
        const int64_t *const kind = c->kind[k].row + 5 * at[k];
        key[k] = kind[0];
        for (int side = 0; side < 2; ++side)
            key[rank + side] = (key[rank + side] + kind[1 + side]) & (c->period[side] - 1);
        origin[k] = kind[3];
        times *= kind[4];
    }
    if (c->cost.count == CAPACITY) empty(&c->cost, c->cost.keys, c->cost.words);
    int64_t *const cost = row_of(&c->cost, key);
    if (!cost) return -1;
    if (!cost[rank + 2]++) {
        traffic_job j = *all;
        j.sum[0] = &sum[0];
        j.sum[1] = &sum[1];
        *bad = ct_traffic_walk_access(&j, origin, 0, c->warp, c->access);
        if (*bad) return -1;
        memcpy(cost + rank + 3, sum, sizeof sum);
    }
    memcpy(sum, cost + rank + 3, sizeof sum);
    for (int side = 0; side < 2; ++side)
        if (all->given[side]) ct_traffic_add_times(all->sum[side], &sum[side], times);
    return 0;
}

/* One access in all tiles. 0; -1: an error, or no memory. */
static int sum_access(const traffic_job *j, classes *c, ct_status *bad)
{
    int at[CT_MAX_LEAVES] = {0}, k = 0;
    find_coordinates(&j->walk, c);
    empty(&c->cost, j->walk.rank + 2,
          j->walk.rank + 3 + (int)(2 * sizeof(ct_traffic) / sizeof(int64_t)));
    for (; k < j->walk.rank; ++k)
        if (find_kinds(j, c, k)) return -1;
    do {
        if (sum_kind(j, c, at, bad)) return -1;
        for (k = 0; k < j->walk.rank && ++at[k] == c->kind[k].count; ++k) at[k] = 0;
    } while (k < j->walk.rank);
    return 0;
}

/* All tiles, accesses that are congruent on the given sides once. */
static ct_status sum_kinds(const traffic_job *j)
{
    const traffic_walk *const w = &j->walk;
    classes *const c = calloc(1, sizeof *c);
    int known = c != NULL;
    ct_status bad = CT_OK;
    for (int side = 0; side < 2 && known; ++side) {
        c->period[side] = j->given[side] ? ct_traffic_period(j, side) : 1;
        known = c->period[side] > 0;
    }
    for (int64_t i = 0; known && i < ct_ceil_div_int(w->threads, TRAFFIC_LANES) * w->accesses;
         ++i) {
        c->warp = i / w->accesses;
        c->access = i % w->accesses;
        known = sum_access(j, c, &bad) == 0;
    }
    for (int k = 0; c && k < CT_MAX_LEAVES; ++k) empty(&c->offsets[k], 0, 0);
    for (int k = 0; c && k < CT_MAX_LEAVES; ++k) empty(&c->kind[k], 0, 0);
    if (c) free(c->cost.row);
    free(c);
    if (known || bad) return bad;
    clear(j);
    return walk_tiles(j);
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
    ct_status (*const sum)(const traffic_job *) = tiles == 1 ? walk_tiles : sum_kinds;
    if (j->together) return sum(j);
    for (int side = 0; side < 2 && !bad; ++side) {
        traffic_job one = *j; /* each side has kinds of its own */
        one.given[!side] = 0;
        one.sum[!side] = NULL;
        if (j->given[side]) bad = sum(&one);
    }
    return bad;
}

static ct_status run(traffic_job *j, const ct_tiled_copy *copy, ct_tuple shape,
                     const ct_traffic_side *src, const ct_traffic_side *dst)
{
    clear(j);
    const ct_status bad = walk_copy(j, copy, shape, src, dst);
    if (bad) clear(j);
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
