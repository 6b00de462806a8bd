/* Layouts in memory, the walk over the tiles of a tensor, and the accesses of a side. */
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "holders.h"

/* Whether each stride, from the smallest on, is beyond all that those before it reach. */
static int is_separate(ct_layout L)
{
    int64_t reach = 0;
    int used[CT_MAX_LEAVES] = {0};
    for (;;) {
        int next = -1;
        for (int i = 0; i < L.profile.leaves; ++i) {
            const int before = next < 0 || ct_abs(L.stride[i]) < ct_abs(L.stride[next]);
            if (!used[i] && L.shape[i] > 1 && before) next = i;
        }
        if (next < 0) return 1;
        if (ct_abs(L.stride[next]) <= reach) return 0;
        reach += (L.shape[next] - 1) * ct_abs(L.stride[next]);
        used[next] = 1;
    }
}

ct_status ct_side_make(ct_verify_side *s, const ct_tensor *c, const char *name, char *message)
{
    memset(s, 0, sizeof *s);
    if (c->layout.err.status) return ct_refuse_error(message, c->layout.err);
    s->layout = c->layout;
    s->rank = ct_layout_rank(c->layout);
    s->swizzle = c->swizzle;
    s->offset = c->offset.value[0];
    s->size = ct_size(c->layout);
    int ok = ct_is_valid(c->layout);
    ct_add(ct_add(s->offset, ct_lowest(c->layout), &ok), ct_cosize(c->layout), &ok);
    if (!ok)
        return ct_refuse(message, CT_E_OVERFLOW, "an offset of the %s does not fit in 64 bits",
                         name);
    if (!ct_is_integral(c->layout) || !ct_offset_is_integer(&c->offset) || s->rank < 1)
        return ct_refuse(message, CT_E_ARGUMENT, "the %s has basis strides, and no offsets", name);
    s->separate = is_separate(c->layout);
    for (int k = 0; k < s->rank; ++k) {
        const ct_layout mode = ct_mode(c->layout, k);
        s->extent[k] = ct_size(mode);
        const ct_layout leaf = ct_coalesce(mode);
        s->step[k] = leaf.profile.leaves == 1 ? leaf.stride[0] : 0;
        if (leaf.profile.leaves == 1) continue; /* no table */
        if (s->extent[k] > CT_VERIFY_MOST)
            return ct_refuse(message, CT_E_CAPACITY,
                             "mode %d of the %s has %lld elements, and at most %d are enumerated",
                             k, name, (long long)s->extent[k], CT_VERIFY_MOST);
        s->table[k] = malloc((size_t)s->extent[k] * sizeof *s->table[k]);
        if (!s->table[k]) return ct_refuse(message, CT_E_MEMORY, "out of memory");
        for (int64_t i = 0; i < s->extent[k]; ++i) s->table[k][i] = ct_eval(mode, i);
    }
    return 0;
}

void ct_side_free(ct_verify_side *s)
{
    for (int k = 0; k < CT_MAX_LEAVES; ++k) {
        free(s->table[k]);
        free(s->tiles[k]);
        s->table[k] = NULL;
        s->tiles[k] = NULL;
    }
}

/* What a coordinate of a mode adds to the offset. */
static int64_t part_of(const ct_verify_side *s, int k, int64_t i)
{
    return s->table[k] ? s->table[k][i] : i * s->step[k];
}

int64_t ct_side_at(const ct_verify_side *s, const int64_t *coord)
{
    int64_t offset = s->offset;
    for (int k = 0; k < s->rank; ++k) offset += part_of(s, k, coord[k]);
    return ct_swizzle_apply(s->swizzle, offset);
}

/* ---- classes of tiles ------------------------------------------------------------------------ */

enum {
    CLASSES = 256,
    HOLDS_MOST = 1 << 25
}; /* those that are compared with; holds of all classes */

/* Whether two tiles of a mode reach as far, by the same steps, from congruent offsets. */
static int are_alike(const ct_verify_side *s, int k, int64_t a, int64_t b, int64_t tile,
                     int64_t modulus)
{
    const int64_t n = ct_min(tile, s->extent[k] - a);
    const int64_t distance = part_of(s, k, b) - part_of(s, k, a);
    if (n != ct_min(tile, s->extent[k] - b) || distance % modulus != 0) return 0;
    for (int64_t i = 1; s->table[k] && i < n; ++i)
        if (s->table[k][b + i] - s->table[k][a + i] != distance) return 0;
    return 1;
}

static ct_status find_classes(ct_verify_side *s, int k, int64_t tile, int64_t modulus)
{
    const int64_t tiles = ct_ceil_div_int(s->extent[k], tile);
    ct_tile_class *const all = s->tiles[k] = malloc((size_t)tiles * sizeof *all);
    int64_t n = 0;
    for (int64_t origin = 0; all && origin < s->extent[k]; origin += tile) {
        int64_t i = 0;
        while (i < n && i < CLASSES && !are_alike(s, k, all[i].origin, origin, tile, modulus)) ++i;
        if (i < n && i < CLASSES) ++all[i].times;
        else all[n++] = (ct_tile_class){origin, 1};
    }
    s->classes[k] = n;
    return all ? CT_OK : CT_E_MEMORY;
}

ct_status ct_side_classes(ct_verify_side *s, const ct_holders *h, int64_t align, const char *name,
                          char *message)
{
    const ct_swizzle sw = s->swizzle;
    const int64_t reach =
        sw.bits > 0 ? (int64_t)1 << (sw.bits + sw.base + (int)ct_abs(sw.shift)) : 1;
    const int64_t modulus = reach / ct_gcd(reach, align) * align;
    int64_t holds = h->count;
    for (int k = 0; k < s->rank; ++k) {
        const int64_t tile = k < h->rank ? h->tile[k] : 1, tiles = s->extent[k] / tile;
        if (tiles > CT_VERIFY_MOST)
            return ct_refuse(message, CT_E_CAPACITY,
                             "mode %d of the %s has %lld tiles, and at most %d are enumerated", k,
                             name, (long long)tiles, CT_VERIFY_MOST);
        if (find_classes(s, k, tile, modulus))
            return ct_refuse(message, CT_E_MEMORY, "out of memory");
        holds *= s->classes[k];
        if (holds > HOLDS_MOST)
            return ct_refuse(message, CT_E_CAPACITY,
                             "the %s has %lld elements in tiles that differ, and at most %d are "
                             "enumerated; smaller extents with the same strides show the same",
                             name, (long long)s->size, HOLDS_MOST);
    }
    return CT_OK;
}

/* The first tile of a class in every mode, and how many tiles it stands for. */
static int64_t tiles_of(const ct_verify_side *s, const int64_t *at, int64_t *origin)
{
    int64_t times = 1;
    for (int k = 0; k < s->rank; ++k) {
        origin[k] = s->tiles[k][at[k]].origin;
        times *= s->tiles[k][at[k]].times;
    }
    return times;
}

static int next_class(const ct_verify_side *s, int64_t *at)
{
    for (int k = 0; k < s->rank; ++k) {
        if (++at[k] < s->classes[k]) return 1;
        at[k] = 0;
    }
    return 0;
}

int64_t ct_side_writes(const ct_holders *h, const ct_verify_side *s)
{
    int64_t n = 0, at[CT_MAX_LEAVES] = {0}, origin[CT_MAX_LEAVES], coord[CT_MAX_LEAVES];
    do {
        const int64_t times = tiles_of(s, at, origin);
        for (int64_t i = 0; i < h->count; ++i) n += times * ct_hold_coord(h, s, origin, i, coord);
    } while (next_class(s, at));
    return n;
}

void ct_tiles_first(int64_t *origin) { memset(origin, 0, CT_MAX_LEAVES * sizeof *origin); }

int ct_tiles_next(const ct_holders *h, const ct_verify_side *s, int64_t *origin)
{
    for (int k = 0; k < s->rank; ++k) {
        origin[k] += k < h->rank ? h->tile[k] : 1;
        if (origin[k] < s->extent[k]) return 1;
        origin[k] = 0;
    }
    return 0;
}

int ct_hold_coord(const ct_holders *h, const ct_verify_side *s, const int64_t *origin, int64_t i,
                  int64_t *coord)
{
    const int64_t at = h->hold[i].at;
    if (at < 0 || at >= h->size) return 0;
    for (int k = 0; k < s->rank; ++k) {
        coord[k] = origin[k] + (k < h->rank ? h->coord[i * h->rank + k] : 0);
        if (coord[k] >= s->extent[k]) return 0;
    }
    return 1;
}

/* Notes a bad access; the first one with its elements. */
static void note(ct_accesses *a, int fault, const int64_t hold[2], const int64_t offset[2],
                 int64_t coord[2][CT_MAX_LEAVES])
{
    if (a->bad++ > 0) return;
    a->fault = fault;
    for (int side = 0; side < 2; ++side) {
        a->hold[side] = hold[side];
        a->offset[side] = offset[side];
        memcpy(a->coord[side], coord[side], sizeof a->coord[side]);
    }
}

/* One access: the n holds from i on. */
static void look(const ct_holders *h, const ct_verify_side *s, const int64_t *origin, int64_t i,
                 int64_t n, int64_t align, ct_accesses *a)
{
    int64_t coord[2][CT_MAX_LEAVES] = {{0}}, hold[2] = {i, i}, offset[2] = {0, 0};
    int64_t inside = 0;
    for (int64_t k = 0; k < n; ++k) inside += ct_hold_coord(h, s, origin, i + k, coord[1]);
    if (inside < n) {
        a->cut += inside > 0;
        return;
    }
    ++a->whole;
    ct_hold_coord(h, s, origin, i, coord[0]);
    offset[0] = ct_side_at(s, coord[0]);
    for (int64_t k = 1; k < n; ++k) {
        hold[1] = i + k;
        ct_hold_coord(h, s, origin, i + k, coord[1]);
        offset[1] = ct_side_at(s, coord[1]);
        if (offset[1] != offset[0] + 1) {
            note(a, CT_BROKEN_STEP, hold, offset, coord);
            return;
        }
        hold[0] = hold[1];
        offset[0] = offset[1];
        memcpy(coord[0], coord[1], sizeof coord[0]);
    }
    hold[0] = hold[1] = i;
    offset[0] = offset[1] = offset[0] - (n - 1);
    ct_hold_coord(h, s, origin, i, coord[0]);
    memcpy(coord[1], coord[0], sizeof coord[1]);
    if (offset[0] % align != 0) note(a, CT_BROKEN_START, hold, offset, coord);
}

/* The accesses of one tile, which stands for `times`. */
static void look_at_tile(const ct_holders *h, const ct_verify_side *s, const int64_t *origin,
                         int64_t times, int64_t n, int64_t align, int first, ct_accesses *all)
{
    ct_accesses a = {.whole = 0};
    for (int64_t i = 0; i + n <= h->count && !(first && a.bad); i += n)
        look(h, s, origin, i, n, align, &a);
    const ct_accesses before = *all;
    if (before.bad == 0) *all = a;
    all->whole = before.whole + times * a.whole;
    all->cut = before.cut + times * a.cut;
    all->bad = before.bad + times * a.bad;
}

ct_accesses ct_accesses_of(const ct_holders *h, const ct_verify_side *s, int64_t n, int64_t align,
                           int first)
{
    ct_accesses a;
    int64_t origin[CT_MAX_LEAVES], at[CT_MAX_LEAVES] = {0};
    const int by_class = s->rank > 0 && s->tiles[0];
    memset(&a, 0, sizeof a);
    ct_tiles_first(origin);
    do {
        const int64_t times = by_class ? tiles_of(s, at, origin) : 1;
        look_at_tile(h, s, origin, times, n, align, first, &a);
        if (first && a.bad > 0) return a;
    } while (by_class ? next_class(s, at) : ct_tiles_next(h, s, origin));
    return a;
}
