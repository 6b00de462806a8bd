/* Stores that a compiler merges: contiguous values of a thread in shared memory are stored
 * together, as wide as their indices are aligned. It proves that for a pitch that is a constant,
 * plain or padded, and not across the XOR of a swizzle. */
#include "suggest.h"

int ct_suggest_merged_level(const suggest_copy *copy, const suggest_shared *shared,
                            const ct_suggest_query *query)
{
    const int along = shared->row_major ? SUGGEST_ALONG_N : SUGGEST_ALONG_M;
    const int own = copy->along == along ? copy->level : 0;
    const int32_t extent = copy->times[along] << own; /* of a thread's block */
    if (shared->bits > 0 || copy->level > own) return copy->level;
    int level = own;
    while (level < shared->level[along] && extent % (2 << level) == 0 &&
           suggest_elem_bytes(query) << (level + 1) <= SUGGEST_ACCESS_BYTES)
        ++level;
    return level;
}

int64_t ct_suggest_merged_write(const suggest_search *s, const suggest_copy *copy, int level,
                                const suggest_shared *shared, int64_t most)
{
    const int64_t tile_m = s->query->tile_m;
    suggest_walk merged = copy->walk;
    merged.level = level;
    merged.steps = 0;
    merged.step = s->merged;
    for (int k = 0; k < copy->walk.steps; ++k) { /* of each run, the step that begins it */
        const int64_t index = copy->walk.step[k];
        const int64_t i = shared->row_major ? index / tile_m : index % tile_m;
        if (i % (1 << level) == 0) merged.step[merged.steps++] = copy->walk.step[k];
    }
    return ct_suggest_count(s->query, CT_ACCESS_STS, &merged, s->scratch.at, 0, NULL, most)
        .wavefronts;
}
