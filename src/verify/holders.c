/* Which thread holds which element, by enumeration. */
#include "holders.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

/* The tile's extents, and room for count holds. */
static ct_status begin(ct_holders *h, ct_tuple tile, int64_t blocks, char *message)
{
    int ok = 1;
    h->rank = ct_rank(tile);
    h->size = h->copies = 1;
    for (int k = 0; k < h->rank; ++k) {
        h->tile[k] = ct_product(ct_get(tile, k));
        h->size = ct_mul(h->size, h->tile[k], &ok);
        ok = ok && h->tile[k] >= 1 && h->size <= CT_VERIFY_MOST;
    }
    if (!ok || h->rank < 1)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the tile is a shape of up to %lld elements, each mode at least 1",
                         (long long)CT_VERIFY_MOST);
    h->count = ct_mul(blocks, h->slots, &ok);
    if (!ok || h->count > CT_VERIFY_MOST)
        return ct_refuse(message, CT_E_CAPACITY,
                         "more than %lld pairs of thread and value are too many to enumerate",
                         (long long)CT_VERIFY_MOST);
    h->hold = malloc((size_t)h->count * sizeof *h->hold);
    h->coord = malloc((size_t)h->count * (size_t)h->rank * sizeof *h->coord);
    return h->hold && h->coord ? CT_OK : ct_refuse(message, CT_E_MEMORY, "out of memory");
}

ct_status ct_holders_of_tv(ct_holders *h, ct_layout tv, ct_tuple tile, char *message)
{
    memset(h, 0, sizeof *h);
    if (tv.err.status) return ct_refuse_error(message, tv.err);
    if (ct_layout_rank(tv) != 2 || !ct_is_integral(tv))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a thread-value layout has two modes, (thread, value), and integer "
                         "strides; this one has %d",
                         ct_layout_rank(tv));
    h->threads = ct_size(ct_mode(tv, 0));
    h->slots = ct_size(ct_mode(tv, 1));
    const ct_status bad = begin(h, tile, h->threads, message);
    if (bad) return bad;
    for (int64_t t = 0; t < h->threads; ++t) {
        for (int64_t v = 0; v < h->slots; ++v) {
            const int64_t i = t * h->slots + v;
            ct_hold *hold = &h->hold[i];
            int64_t rest = hold->at = ct_eval(tv, t + h->threads * v);
            hold->thread = t;
            hold->value = v;
            for (int k = 0; k < h->rank && rest >= 0; rest /= h->tile[k], ++k)
                h->coord[i * h->rank + k] = (int32_t)(rest % h->tile[k]);
        }
    }
    return 0;
}

/* ---- threads with blocks of values ----------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

/* The extent of mode k; 1 without that mode. */
static int64_t extent_of(ct_layout L, int k)
{
    return k < ct_layout_rank(L) ? ct_size(ct_mode(L, k)) : 1;
}

/* Coordinate k of an index, and the rest of the index. */
static int64_t digit(int64_t *index, int64_t extent)
{
    const int64_t d = *index % extent;
    *index /= extent;
    return d;
}

/* The hold i of the thread of index b, the value of index s, in repetition r of the block. */
static void put_block(ct_holders *h, const ct_layout *thr, const ct_layout *val, int64_t b,
                      const int64_t *slot, int64_t r, int64_t i)
{
    ct_hold *hold = &h->hold[i];
    int64_t thread = b, within = slot[1], repeat = r, at = 0, run = 1;
    hold->thread = ct_eval(*thr, b);
    hold->value = slot[0] + r * ct_cosize(*val);
    for (int k = 0; k < h->rank; ++k) {
        const int64_t threads = extent_of(*thr, k), values = extent_of(*val, k);
        const int64_t block = threads * values, first = digit(&thread, threads) * values;
        const int64_t c = digit(&repeat, ct_ceil_div_int(h->tile[k], block)) * block + first +
                          digit(&within, values);
        h->coord[i * h->rank + k] = (int32_t)c;
        if (c >= h->tile[k]) at = CT_HOLD_OUTSIDE;
        if (at != CT_HOLD_OUTSIDE) at += c * run;
        run *= h->tile[k];
    }
    hold->at = at;
}

/* The values of a block in their order: pairs of the value and its index. */
static int64_t *slots_of(const ct_layout *val, int64_t n)
{
    int64_t *slot = malloc((size_t)n * 2 * sizeof *slot);
    for (int64_t s = 0; slot && s < n; ++s) {
        slot[2 * s] = ct_eval(*val, s);
        slot[2 * s + 1] = s;
    }
    if (slot) qsort(slot, (size_t)n, 2 * sizeof *slot, by_value);
    return slot;
}

static ct_status check_blocks(ct_layout thr, ct_layout val, char *message)
{
    const ct_error e = thr.err.status ? thr.err : val.err;
    if (e.status) return ct_refuse_error(message, e);
    if (!ct_is_integral(thr) || !ct_is_integral(val))
        return ct_refuse(message, CT_E_ARGUMENT, "thread and value layouts have integer strides");
    if (ct_lowest(thr) < 0 || ct_lowest(val) < 0)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no thread or value %lld",
                         (long long)ct_min(ct_lowest(thr), ct_lowest(val)));
    if (ct_cosize(thr) > CT_VERIFY_MOST || ct_size(thr) > CT_VERIFY_MOST ||
        ct_size(val) > CT_VERIFY_MOST || ct_cosize(val) > CT_VERIFY_MOST)
        return ct_refuse(message, CT_E_CAPACITY,
                         "more than %lld threads or values are too many to enumerate",
                         (long long)CT_VERIFY_MOST);
    return 0;
}

ct_status ct_holders_of_blocks(ct_holders *h, ct_layout thr, ct_layout val, ct_tuple tile,
                               char *message)
{
    memset(h, 0, sizeof *h);
    ct_status bad = check_blocks(thr, val, message);
    if (bad) return bad;
    const int rank = (int)ct_max(ct_layout_rank(thr), ct_layout_rank(val));
    int64_t repeats = 1;
    int ok = 1;
    if (ct_rank(tile) != rank)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the thread and value layouts have %d modes, the tile has %d", rank,
                         ct_rank(tile));
    for (int k = 0; k < rank; ++k)
        repeats = ct_mul(repeats,
                         ct_ceil_div_int(ct_max(1, ct_product(ct_get(tile, k))),
                                         extent_of(thr, k) * extent_of(val, k)),
                         &ok);
    h->threads = ct_cosize(thr);
    h->slots = ct_mul(ct_size(val), repeats, &ok);
    if (!ok) return ct_refuse(message, CT_E_CAPACITY, "the tile is too large to enumerate");
    bad = begin(h, tile, ct_size(thr), message);
    if (bad) return bad;
    const int64_t once = ct_size(val), blocks = ct_size(thr);
    int64_t *slot = slots_of(&val, once);
    for (int64_t b = 0; slot && b < blocks; ++b) {
        for (int64_t s = 0; s < h->slots; ++s)
            put_block(h, &thr, &val, b, slot + 2 * (s % once), s / once, b * h->slots + s);
    }
    if (!slot) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    free(slot);
    return CT_OK;
}

void ct_holders_free(ct_holders *h)
{
    free(h->hold);
    free(h->coord);
    h->hold = NULL;
    h->coord = NULL;
}

ct_tuple ct_coord_tuple(const int64_t *coord, int rank)
{
    ct_tuple t = ct_int(coord[0]);
    if (rank == 1) return t;
    t.profile = ct_profile_flat(rank);
    for (int k = 0; k < rank; ++k) t.value[k] = coord[k];
    return t;
}

ct_tuple ct_holders_coord(const ct_holders *h, int64_t at)
{
    int64_t coord[CT_MAX_LEAVES];
    for (int k = 0; k < h->rank; ++k) coord[k] = digit(&at, h->tile[k]);
    return ct_coord_tuple(coord, h->rank);
}
