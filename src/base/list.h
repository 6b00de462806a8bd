/** Lists that grow, and memory that is freed all at once. */
#ifndef CUTLET_SRC_BASE_LIST_H
#define CUTLET_SRC_BASE_LIST_H

#include <stddef.h>
#include <stdint.h>

/**
 * The items with room for one more: their capacity doubles when it is used up, from 8 on.
 * NULL: there is not enough memory, and the list is as it was.
 */
void *ct_grown(void *items, int32_t count, int32_t *capacity, size_t bytes);

/** Blocks of memory, the newest first. */
typedef struct ct_arena {
    struct ct_arena *next;
} ct_arena;

/** Adds a block of zeros. NULL: there is not enough memory. */
void *ct_arena_take(ct_arena **arena, size_t bytes);
void ct_arena_free(ct_arena *arena);

#endif
