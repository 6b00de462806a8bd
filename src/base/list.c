#include "base/list.h"

#include <stdlib.h>

void *ct_grown(void *items, int32_t count, int32_t *capacity, size_t bytes)
{
    if (count < *capacity) return items;
    if (count > INT32_MAX / 2) return NULL;
    const int32_t more = *capacity ? 2 * *capacity : 8;
    void *const grown = realloc(items, (size_t)more * bytes);
    if (grown) *capacity = more;
    return grown;
}
void *ct_arena_take(ct_arena **arena, size_t bytes)
{
    ct_arena *const block = calloc(1, sizeof *block + sizeof(void *) + bytes);
    if (!block) return NULL;
    block->next = *arena;
    *arena = block;
    return block + 1;
}
void ct_arena_free(ct_arena *arena)
{
    while (arena) {
        ct_arena *const next = arena->next;
        free(arena);
        arena = next;
    }
}
