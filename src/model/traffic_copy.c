/* The traffic of a tiled copy: its threads and values over one tile, the tile over the tensor. */
#include <cutlet/host/traffic.h>

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

/* Whether a tile, whole and linear, costs what another does whose addresses are a multiple of
 * PERIOD and of what the swizzle looks at apart. */
static int repeats(const traffic_job *j, const traffic_memory *p)
{
    const ct_access_rules *const r = j->rules ? j->rules : ct_access_rules_all(&(int){0});
    int yes = PERIOD % r->sector_bytes == 0 && PERIOD % r->line_bytes == 0 &&
              PERIOD % (r->banks * r->bank_bytes) == 0;
    for (int k = 0; k < j->walk.rank; ++k)
        yes = yes && is_linear(p->mode[k], p->extent[k], j->walk.tile[k]);
    return yes;
}

/* How far a tile lies from tile 0, in bytes; -1 where it is not whole, or the swizzle treats it
 * otherwise. */
static int64_t distance(const traffic_walk *w, const traffic_memory *p, const int64_t *origin)
{
    const ct_swizzle s = p->side->memory.swizzle;
    const int reach = s.bits > 0 ? s.bits + s.base + (int)ct_abs(s.shift) : 0;
    int64_t element = 0;
    for (int k = 0; k < w->rank; ++k) {
        if (origin[k] + w->tile[k] > w->shape[k]) return -1;
        element += ct_eval(p->mode[k], origin[k] % p->extent[k]);
    }
    if (element & (((int64_t)1 << reach) - 1)) return -1;
    return (element * (w->elem_bits / 8)) & (PERIOD - 1);
}

/* All tiles on one side, each kind of them once. */
static ct_status sum_side(const traffic_job *all, int side)
{
    ct_traffic cost[PERIOD] = {{0}};
    int64_t origin[CT_MAX_LEAVES] = {0};
    traffic_job j = *all;
    const int known = repeats(all, &all->memory[side]);
    j.given[!side] = 0;
    do {
        const int64_t at = known ? distance(&j.walk, &j.memory[side], origin) : -1;
        ct_traffic one = {0};
        j.sum[side] = &one;
        ct_status bad = CT_OK;
        if (at >= 0 && cost[at].instructions > 0) one = cost[at];
        else bad = ct_traffic_walk_tile(&j, origin, 0);
        if (bad) return bad;
        if (at >= 0) cost[at] = one;
        ct_traffic_add(all->sum[side], &one);
    } while (next_tile(&j.walk, origin));
    return 0;
}

/* All tiles of a cp.async, both sides together; those that lie alike on both once, as long as there
 * is room to remember them. */
static ct_status sum_together(const traffic_job *j)
{
    enum { REMEMBERED = 32 };
    struct {
        int64_t at[2];
        ct_traffic sum[2];
    } seen[REMEMBERED];
    int64_t origin[CT_MAX_LEAVES] = {0};
    const int known = repeats(j, &j->memory[0]) && repeats(j, &j->memory[1]);
    int count = 0;
    do {
        int64_t at[2] = {-1, -1};
        for (int side = 0; known && side < 2; ++side)
            at[side] = distance(&j->walk, &j->memory[side], origin);
        const int may_repeat = at[0] >= 0 && at[1] >= 0;
        int k = 0;
        while (k < count && (seen[k].at[0] != at[0] || seen[k].at[1] != at[1])) ++k;
        if (!may_repeat || k == count) {
            ct_traffic sum[2] = {{0}, {0}};
            traffic_job one = *j;
            one.sum[0] = &sum[0];
            one.sum[1] = &sum[1];
            const ct_status bad = ct_traffic_walk_tile(&one, origin, 0);
            if (bad) return bad;
            for (int side = 0; side < 2; ++side) ct_traffic_add(j->sum[side], &sum[side]);
            if (!may_repeat || count == REMEMBERED) continue;
            memcpy(seen[count].at, at, sizeof at);
            memcpy(seen[count++].sum, sum, sizeof sum);
        } else {
            for (int side = 0; side < 2; ++side) ct_traffic_add(j->sum[side], &seen[k].sum[side]);
        }
    } while (next_tile(&j->walk, origin));
    return 0;
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
    w->is_filled = kind == CT_ATOM_CP_ASYNC_CA || kind == CT_ATOM_CP_ASYNC_CG;
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
        if (!ok || tiles > INT32_MAX)
            return ct_refuse(w->message, CT_E_CAPACITY, "the tensor has more than %d tiles",
                             INT32_MAX);
    }
    if (j->together) return sum_together(j);
    if (j->visit) return walk_tiles(j);
    for (int side = 0; side < 2 && !bad; ++side) {
        if (j->given[side]) bad = sum_side(j, side);
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
