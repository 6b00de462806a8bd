/* All layouts of shared memory: an order, and a swizzle or a padding. */
#include <cutlet/algebra/tensor_ops.h>
#include "base/list.h"
#include "suggest.h"

static int64_t most_bytes(const ct_suggest_query *q)
{
    return q->shared_bytes ? q->shared_bytes : 227 * 1024;
}

ct_tensor ct_suggest_shared_layout(const suggest_shared *s, const ct_suggest_query *q)
{
    const int64_t ld = (s->row_major ? q->tile_n : q->tile_m) + s->pad;
    const ct_layout plain = s->row_major ? ct_layout2(q->tile_m, q->tile_n, ld, 1)
                                         : ct_layout2(q->tile_m, q->tile_n, 1, ld);
    return ct_make_swizzled(ct_make_swizzle(s->bits, s->base, s->shift), 0, plain);
}

void ct_suggest_shared_offsets(const suggest_shared *s, const ct_suggest_query *q, int64_t *at)
{
    const ct_tensor c = ct_suggest_shared_layout(s, q);
    const int elem = suggest_elem_bytes(q);
    const int64_t step_m = c.layout.stride[0], step_n = c.layout.stride[1];
    for (int64_t n = 0, i = 0; n < q->tile_n; ++n) {
        for (int64_t m = 0; m < q->tile_m; ++m, ++i)
            at[i] = ct_swizzle_apply(c.swizzle, m * step_m + n * step_n) * elem;
    }
}

static ct_status append(suggest_shareds *all, const ct_suggest_query *q, suggest_shared s)
{
    const ct_tuple cosize = ct_tensor_cosize(ct_suggest_shared_layout(&s, q));
    if (cosize.err.status || cosize.value[0] * suggest_elem_bytes(q) > most_bytes(q)) return 0;
    s.bytes = cosize.value[0] * suggest_elem_bytes(q);
    s.out = -1;
    suggest_shared *const more = ct_grown(all->item, all->count, &all->capacity, sizeof *more);
    if (!more) return CT_E_MEMORY;
    all->item = more;
    all->item[all->count++] = s;
    return 0;
}

static int log2_above(int64_t n)
{
    int log = 0;
    while ((int64_t)1 << log < n) ++log;
    return log;
}

/* The swizzles that move bits of the bank number. Lower bits do not change the bank, higher bits
 * change only the pass, and bits beyond the tile are 0. */
static ct_status add_swizzles(suggest_shareds *all, const ct_suggest_query *q, int row_major)
{
    const ct_access_rules *const rules = ct_suggest_rules(q);
    const int elem = log2_above(suggest_elem_bytes(q)), tile = log2_above(suggest_size(q));
    const int first = log2_above(rules->bank_bytes), end = first + log2_above(rules->banks);
    for (int base = first > elem ? first - elem : 0; base + elem < end; ++base) {
        for (int bits = 1; base + elem + bits <= end; ++bits) {
            for (int shift = bits; base + shift + bits <= tile; ++shift) {
                const suggest_shared s = {
                    .row_major = row_major, .bits = bits, .base = base, .shift = shift};
                if (append(all, q, s)) return CT_E_MEMORY;
            }
        }
    }
    return 0;
}

/* The paddings of a line: multiples of a bank, and of an element if that is larger. */
static ct_status add_paddings(suggest_shareds *all, const ct_suggest_query *q, int row_major)
{
    const ct_access_rules *const rules = ct_suggest_rules(q);
    const int elem = suggest_elem_bytes(q);
    const int step = elem > rules->bank_bytes ? elem : rules->bank_bytes;
    for (int bytes = step; bytes < rules->banks * rules->bank_bytes; bytes += step) {
        const suggest_shared s = {.row_major = row_major, .pad = bytes / elem};
        if (append(all, q, s)) return CT_E_MEMORY;
    }
    return 0;
}

ct_status ct_suggest_shareds_make(suggest_shareds *all, const ct_suggest_query *query)
{
    for (int row_major = 0; row_major < 2; ++row_major) {
        const suggest_shared plain = {.row_major = row_major};
        if (append(all, query, plain) || add_swizzles(all, query, row_major) ||
            add_paddings(all, query, row_major))
            return CT_E_MEMORY;
    }
    return 0;
}
