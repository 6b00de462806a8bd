/* The requirements of the data alone, for any layouts. */
#include <stdlib.h>

#include "suggest.h"

static int order(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The distinct sectors of the tile, over all its shifts: each must be moved. `sector` has
 * an element for each of the tile's. */
static int64_t sectors_of(const ct_suggest_query *q, const suggest_side *side, int64_t *sector)
{
    const int64_t size = suggest_size(q), bytes = ct_suggest_rules(q)->sector_bytes;
    int64_t sum = 0;
    for (int k = 0; k < side->shifts; ++k) {
        for (int64_t i = 0; i < size; ++i) sector[i] = (side->at[i] + side->shift[k]) / bytes;
        qsort(sector, (size_t)size, sizeof *sector, order);
        for (int64_t i = 0; i < size; ++i) sum += i == 0 || sector[i] != sector[i - 1];
    }
    return sum;
}

static int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* The bytes of the widest access that a side of global memory allows. */
static int64_t widest(const ct_suggest_query *q, const suggest_side *side)
{
    const int level = side->level[0] > side->level[1] ? side->level[0] : side->level[1];
    return (int64_t)suggest_elem_bytes(q) << level;
}

/* The wavefronts of one side of shared memory for a width of access. A wavefront moves at most the
 * bytes of all banks, and at most those that a warp requests. */
static int64_t wavefronts_of(const ct_suggest_query *q, int64_t bytes, int64_t access)
{
    const ct_access_rules *const rules = ct_suggest_rules(q);
    return ceiling(bytes, ct_min(rules->banks * rules->bank_bytes, SUGGEST_LANES * access));
}

/* The instructions of a copy on one side: each warp takes part. */
static int64_t instructions_of(const ct_suggest_query *q, int64_t bytes, int64_t access)
{
    return ct_max(ceiling(bytes, SUGGEST_LANES * access), q->threads / SUGGEST_LANES);
}

/* The bytes of the widest read that was asked for. */
static int64_t widest_read(const suggest_search *s)
{
    int level = SUGGEST_LEVELS - 1;
    while (level > 0 && s->read[level].lanes == 0) --level;
    return (int64_t)suggest_elem_bytes(s->query) << level;
}

ct_suggest_cost ct_suggest_least(const suggest_search *s)
{
    const ct_suggest_query *const q = s->query;
    const int64_t bytes = suggest_size(q) * suggest_elem_bytes(q), in = widest(q, &s->src);
    const int async = !q->no_cp_async && in >= 4;
    ct_suggest_cost least = {.shared_bytes = bytes};
    least.sectors = s->src_weight * sectors_of(q, &s->src, s->scratch.at);
    least.instructions = (async ? 1 : 2) * instructions_of(q, bytes, in);
    least.write = wavefronts_of(q, bytes, in);
    if (q->has_dst) {
        const int64_t out = widest(q, &s->dst);
        least.sectors += s->dst_weight * sectors_of(q, &s->dst, s->scratch.at);
        least.instructions += 2 * instructions_of(q, bytes, out);
        least.read = wavefronts_of(q, bytes, out);
    } else {
        const int64_t read = widest_read(s);
        least.instructions += ceiling(bytes, SUGGEST_LANES * read);
        least.read = wavefronts_of(q, bytes, read);
    }
    least.wavefronts = least.write + least.read;
    return least;
}
