/* Memory of the CPU grid as device_checks.h asks for it: that of the host. */
#ifndef CUTLET_TESTS_GRID_MEMORY_H
#define CUTLET_TESTS_GRID_MEMORY_H

#include <stdlib.h>
#include <string.h>

static inline void *device_take(size_t bytes)
{
    void *const memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!memory) abort();
    return memory;
}

static inline void device_give(void *memory) { free(memory); }
static inline void device_put(void *dst, const void *src, size_t bytes) { memcpy(dst, src, bytes); }
static inline void device_get(void *dst, const void *src, size_t bytes) { memcpy(dst, src, bytes); }

#endif
