/* Memory, streams' copies and contexts of the fake driver; see fake_cuda.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

enum { ALIGNMENT = 256, DEPTH = 32, MEMORY_TYPE = 2, TYPE_HOST = 1, TYPE_DEVICE = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fake_block *all;
static int all_count;

/* ---- contexts: a stack for each thread ------------------------------------------------------- */

static __thread void *stack[DEPTH];
static __thread int depth;

FAKE(cuCtxPushCurrent_v2, (void *context))
{
    MAY_FAIL();
    if (!context || depth == DEPTH) return 201;
    stack[depth++] = context;
    fake_count(&fake_cuda.pushed, 1);
    return 0;
}

FAKE(cuCtxPopCurrent_v2, (void **context))
{
    MAY_FAIL();
    if (depth == 0) return 201;
    *context = stack[--depth];
    fake_count(&fake_cuda.pushed, -1);
    return 0;
}

void *fake_context(void) { return depth ? stack[depth - 1] : NULL; }

FAKE(cuCtxSynchronize, (void))
{
    MAY_FAIL();
    fake_count(&fake_cuda.context_waits, 1);
    return fake_context() ? 0 : 201;
}

FAKE(cuCtxGetCurrent, (void **context))
{
    MAY_FAIL();
    *context = fake_context();
    return 0;
}

FAKE(cuCtxGetDevice, (int *device))
{
    MAY_FAIL();
    if (depth == 0) return 201;
    *device = (int)((uintptr_t)stack[depth - 1] - FAKE_CONTEXT);
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

FAKE(cuMemAlloc_v2, (uint64_t *address, size_t bytes))
{
    MAY_FAIL();
    void *memory = NULL;
    if (posix_memalign(&memory, ALIGNMENT, bytes)) return 2;
    memset(memory, 0, bytes);
    pthread_mutex_lock(&lock);
    fake_block *const grown = realloc(all, ((size_t)all_count + 1) * sizeof *all);
    if (grown) {
        all = grown;
        all[all_count++] = (fake_block){memory, bytes};
        ++fake_cuda.memories;
    }
    pthread_mutex_unlock(&lock);
    if (!grown) free(memory);
    *address = (uint64_t)(uintptr_t)memory;
    return grown ? 0 : 2;
}

FAKE(cuMemFree_v2, (uint64_t address))
{
    MAY_FAIL();
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < all_count && all[i].base != fake_pointer(address)) ++i;
    const int found = i < all_count;
    if (found) {
        all[i] = all[--all_count];
        --fake_cuda.memories;
        free(fake_pointer(address));
    }
    if (all_count == 0) {
        free(all);
        all = NULL;
    }
    pthread_mutex_unlock(&lock);
    return found ? 0 : 1;
}

int fake_blocks(fake_block *blocks, int most)
{
    int n = 0;
    pthread_mutex_lock(&lock);
    while (n < all_count && n < most) {
        blocks[n] = all[n];
        ++n;
    }
    pthread_mutex_unlock(&lock);
    if (fake_cuda.pinned && n < most)
        blocks[n++] = (fake_block){fake_cuda.pinned, fake_cuda.pinned_bytes};
    return n;
}

static int holds(fake_block b, uint64_t address)
{
    const uint64_t base = (uint64_t)(uintptr_t)b.base;
    return address >= base && address - base < b.bytes;
}

FAKE(cuPointerGetAttribute, (void *value, int attribute, uint64_t address))
{
    MAY_FAIL();
    unsigned type = 0;
    if (attribute != MEMORY_TYPE) return 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all_count; ++i)
        if (holds(all[i], address)) type = TYPE_DEVICE;
    pthread_mutex_unlock(&lock);
    const fake_block pinned = {fake_cuda.pinned, fake_cuda.pinned_bytes};
    if (pinned.base && holds(pinned, address)) type = TYPE_HOST;
    if (type == 0) return 1;
    memcpy(value, &type, sizeof type);
    return 0;
}

FAKE(cuMemcpyHtoDAsync_v2, (uint64_t dst, const void *src, size_t bytes, void *stream))
{
    MAY_FAIL();
    memcpy(fake_pointer(dst), src, bytes);
    return stream ? 0 : 1;
}

FAKE(cuMemcpyDtoHAsync_v2, (void *dst, uint64_t src, size_t bytes, void *stream))
{
    MAY_FAIL();
    memcpy(dst, fake_pointer(src), bytes);
    return stream ? 0 : 1;
}

FAKE(cuMemcpyDtoDAsync_v2, (uint64_t dst, uint64_t src, size_t bytes, void *stream))
{
    MAY_FAIL();
    if (!fake_context()) return 201;
    memmove(fake_pointer(dst), fake_pointer(src), bytes);
    fake_copied(stream);
    return 0;
}

FAKE(cuMemsetD8Async, (uint64_t dst, unsigned char value, size_t bytes, void *stream))
{
    MAY_FAIL();
    memset(fake_pointer(dst), value, bytes);
    return stream ? 0 : 1;
}
