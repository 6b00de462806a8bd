/* Memory of the engine of peer memory. */
#include "peer.h"

#include <pthread.h>
#include <stdlib.h>

/* Memory that another process may have open. It must not be freed before that process closes it,
 * which this one cannot detect. It stays until the process ends, and is reused for requests of this
 * size in its context. */
typedef struct kept_block {
    struct kept_block *next;
    void *context, *memory;
    size_t bytes;
    int taken;
} kept_block;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static kept_block *kept;

/* Powers of two: all blocks together are at most twice the largest amount in use at a time. */
static size_t kept_bytes(size_t bytes)
{
    size_t all = (size_t)1 << 16;
    while (all < bytes) all *= 2;
    return all;
}

/* A new block, or NULL. */
static kept_block *add_kept(ct_peer *s, size_t bytes)
{
    uint64_t address = 0;
    kept_block *const b = calloc(1, sizeof *b);
    if (!b || ct_cuda_rank_enter(&s->at, NULL)) {
        free(b);
        return NULL;
    }
    const int result = s->at.driver->memory_alloc(&address, bytes);
    ct_cuda_rank_leave(&s->at);
    if (result) {
        free(b);
        return NULL;
    }
    *b = (kept_block){kept, s->at.device->gpu->context, (void *)(uintptr_t)address, bytes, 0};
    return kept = b;
}

static void *take_kept(ct_peer *s, size_t bytes)
{
    const size_t all = kept_bytes(bytes);
    pthread_mutex_lock(&kept_lock);
    kept_block *b = kept;
    while (b && (b->taken || b->bytes != all || b->context != s->at.device->gpu->context))
        b = b->next;
    if (!b) b = add_kept(s, all);
    if (b) b->taken = 1;
    pthread_mutex_unlock(&kept_lock);
    return b ? b->memory : NULL;
}

void *ct_peer_take(ct_engine *e, size_t bytes)
{
    ct_peer *const s = e->state;
    return s->is_separate ? take_kept(s, bytes) : ct_cuda_rank_take(&s->at, bytes);
}

void ct_peer_give(ct_engine *e, void *memory)
{
    ct_cuda_rank_give(&((ct_peer *)e->state)->at, memory);
    pthread_mutex_lock(&kept_lock);
    for (kept_block *b = kept; b; b = b->next)
        if (b->memory == memory) b->taken = 0;
    pthread_mutex_unlock(&kept_lock);
}
