/* An allocator of which one call fails, for a test that the linker gives it (--wrap, tests/plan/meson.build).
 * It counts from any thread. */
#ifndef CUTLET_TESTS_FAILING_ALLOCATOR_H
#define CUTLET_TESTS_FAILING_ALLOCATOR_H

#include <stdatomic.h>
#include <stdlib.h>

/* What the linker puts in the place of the allocator, and the allocator. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *at, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
int __real_posix_memalign(void **at, size_t align, size_t bytes);
void __real_free(void *at);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *at, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
int __wrap_posix_memalign(void **at, size_t align, size_t bytes);
void __wrap_free(void *at);

static atomic_llong asked, fails_at, live; /* fails_at 0: none */

static int fails(void) { return atomic_fetch_add(&asked, 1) + 1 == fails_at; }

static void *counted(void *at)
{
    if (at) atomic_fetch_add(&live, 1);
    return at;
}

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : counted(__real_malloc(bytes)); }

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *at, size_t bytes)
{
    if (fails()) return NULL;
    void *const moved = __real_realloc(at, bytes);
    if (!at) counted(moved);
    return moved;
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return fails() ? NULL : counted(__real_aligned_alloc(align, bytes));
}

int __wrap_posix_memalign(void **at, size_t align, size_t bytes)
{
    if (fails()) return 12; /* ENOMEM */
    const int bad = __real_posix_memalign(at, align, bytes);
    if (!bad) counted(*at);
    return bad;
}

void __wrap_free(void *at)
{
    if (at) atomic_fetch_sub(&live, 1);
    __real_free(at);
}

#endif
