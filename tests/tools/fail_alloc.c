/* Loaded before the C library: the allocation of the number CUTLET_FAIL_ALLOC fails. When that has
 * happened, there is a file of the name CUTLET_FAILED_ALLOC. Source of the __libc_ names: glibc. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *at, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

static long asked, fails_at = -1;

static int fails(void)
{
    if (fails_at < 0) {
        const char *const text = getenv("CUTLET_FAIL_ALLOC");
        fails_at = text ? strtol(text, NULL, 10) : 0;
    }
    if (__atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED) != fails_at) return 0;
    const char *const name = getenv("CUTLET_FAILED_ALLOC");
    const int fd = name ? open(name, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0) close(fd);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return fails() ? NULL : __libc_calloc(count, bytes); }
void *realloc(void *at, size_t bytes) { return fails() ? NULL : __libc_realloc(at, bytes); }
void *aligned_alloc(size_t align, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(align, bytes);
}

int posix_memalign(void **at, size_t align, size_t bytes)
{
    if (fails()) return ENOMEM;
    *at = __libc_memalign(align, bytes);
    return *at ? 0 : ENOMEM;
}
