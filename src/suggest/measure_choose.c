/* Which candidates are measured. */
#include <stdlib.h>

#include "measure.h"

enum { FIRST = 9, OF_EACH = 22, ATOMS = 16 };

/* Keeps the marked items. */
static void keep(ct_suggest_result *r, const unsigned char *marked)
{
    int32_t n = 0;
    for (int32_t i = 0; i < r->count; ++i)
        if (marked[i]) r->item[n++] = r->item[i];
    r->count = n;
}

/* Marks the first `each` by every instruction, as long as fewer than `count` are. */
static int32_t mark_atoms(const ct_suggest_result *r, unsigned char *marked, int32_t count,
                          int32_t each, int32_t chosen)
{
    int32_t kinds[ATOMS], bits[ATOMS], seen[ATOMS], atoms = 0;
    for (int32_t i = 0; i < r->count && chosen < count; ++i) {
        const ct_suggest_copy *const in = &r->item[i].in;
        int k = 0;
        while (k < atoms && (kinds[k] != in->kind || bits[k] != in->bits)) ++k;
        if (k == ATOMS) continue;
        if (k == atoms) {
            kinds[k] = in->kind;
            bits[k] = in->bits;
            seen[k] = 0;
            ++atoms;
        }
        if (seen[k]++ >= each || marked[i]) continue;
        marked[i] = 1;
        ++chosen;
    }
    return chosen;
}

/* Marks the missing number of others, at equal distances, including the last one. */
static void mark_evenly(const ct_suggest_result *r, unsigned char *marked, int32_t count,
                        int32_t chosen)
{
    const int64_t left = r->count - chosen, wanted = count - chosen;
    int64_t at = 0, taken = 0;
    for (int32_t i = 0; i < r->count && taken < wanted; ++i) {
        if (marked[i]) continue;
        if (at++ == (wanted == 1 ? left - 1 : taken * (left - 1) / (wanted - 1))) {
            marked[i] = 1;
            ++taken;
        }
    }
}

void ct_suggest_choose(ct_suggest_result *result, int32_t count, int evenly)
{
    if (count == 0 || result->count <= count) return;
    unsigned char *const marked = evenly ? calloc((size_t)result->count, 1) : NULL;
    if (!marked) {
        result->count = count;
        return;
    }
    int32_t chosen = (int32_t)ct_max(count / FIRST, 1);
    for (int32_t i = 0; i < chosen; ++i) marked[i] = 1;
    chosen = mark_atoms(result, marked, count, (int32_t)ct_max(count / OF_EACH, 1), chosen);
    mark_evenly(result, marked, count, chosen);
    keep(result, marked);
    free(marked);
}
