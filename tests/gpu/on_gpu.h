/**
 * Runs the launches of harness.h on a GPU, in memory of its own. What a kernel may write lies between guards;
 * what it may only read fills its memory, so that compute-sanitizer finds an access past an end.
 */
#ifndef CUTLET_TESTS_ON_GPU_H
#define CUTLET_TESTS_ON_GPU_H

#include "gpu_memory.h"
#include "harness.h"

enum { GUARD_THERE = 4096 };

static inline size_t guard_of(const ct_grid_buffer *b) { return b->writable ? GUARD_THERE : 0; }
static inline size_t bytes_there(const ct_grid_buffer *b)
{
    return 2 * guard_of(b) + (size_t)b->skew + b->bytes;
}

/** Memory of the GPU with a buffer's bytes, which lie there as far from a multiple of 256. */
static inline unsigned char *sent(const ct_grid_buffer *b)
{
    unsigned char *const host = malloc(bytes_there(b)), *const all = device_take(bytes_there(b));
    assert_non_null(host);
    memset(host, POISON, bytes_there(b));
    memcpy(host + guard_of(b) + b->skew, b->base, b->bytes);
    device_put(all, host, bytes_there(b));
    free(host);
    return all;
}

/** Fetches what the kernel left in a buffer, gives the memory back, and says whether the guards hold. */
static inline int fetched(const ct_grid_buffer *b, unsigned char *all)
{
    unsigned char *const host = malloc(bytes_there(b));
    assert_non_null(host);
    device_get(host, all, bytes_there(b));
    device_give(all);
    const size_t first = guard_of(b) + (size_t)b->skew, last = first + b->bytes;
    int kept = b->writable || memcmp(b->base, host + first, b->bytes) == 0;
    for (size_t i = 0; i < bytes_there(b); ++i)
        kept &= (i >= first && i < last) || host[i] == POISON;
    memcpy(b->base, host + first, b->bytes);
    free(host);
    return kept;
}

static inline int on_gpu(launch *l, char *what)
{
    unsigned char *all[LAUNCH_BUFFERS];
    int status = 0, kept = 1;
    for (int i = 0; i < l->count; ++i) {
        all[i] = sent(&l->buffers[i]);
        const ptrdiff_t moved = all[i] + guard_of(&l->buffers[i]) + l->buffers[i].skew -
                                (unsigned char *)l->buffers[i].base;
        *l->at[i] += moved;
        if (i >= LAUNCH_MAPS || !l->maps[i]) continue;
        l->desc[i].address += (uint64_t)moved;
        expect(ct_cuda_tma_map(gpu, &l->desc[i], l->maps[i]));
    }
    status = ct_cuda_launch(gpu, l->kernel->name, l->grid, l->block, l->shared_bytes, l->args,
                            l->kernel->args_bytes) ||
             ct_cuda_wait(gpu);
    if (status) return snprintf(what, WHAT_BYTES, "%s", ct_cuda_error(gpu)), -1;
    for (int i = 0; i < l->count; ++i) kept &= fetched(&l->buffers[i], all[i]);
    if (!kept) snprintf(what, WHAT_BYTES, "a write outside of what it may write");
    return kept ? 0 : -1;
}

#endif
