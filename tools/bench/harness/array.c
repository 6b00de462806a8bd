/* Arrays on a device, or in host memory for the CPU grid. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "harness.h"
#include "pattern.h"

int bench_fail(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ct_refuse_list(error, CT_E_FAILED, format, arguments);
    va_end(arguments);
    return -1;
}

int bench_status(bench_target *t, ct_status status)
{
    return status ? bench_fail(t->error, "%s", ct_cuda_error(t->gpu)) : 0;
}

int bench_no_memory(bench_target *t) { return bench_fail(t->error, "out of host memory"); }

/* ---- memory ---------------------------------------------------------------------------------- */

static int64_t step_of(int64_t bytes, int32_t shift)
{
    return (bytes + shift + BENCH_GUARD - 1) / BENCH_GUARD * BENCH_GUARD + BENCH_GUARD;
}

int64_t bench_array_capacity(int64_t bytes, int32_t sets, int32_t shift)
{
    return BENCH_GUARD + sets * step_of(bytes, shift);
}

int bench_array_take(bench_target *t, bench_array *a, int64_t bytes, int32_t sets, int32_t shift)
{
    const size_t capacity = (size_t)bench_array_capacity(bytes, sets, shift);
    a->bytes = bytes;
    a->step = step_of(bytes, shift);
    a->sets = sets;
    a->shift = shift;
    a->memory = t->gpu ? ct_cuda_alloc(t->gpu, capacity) : aligned_alloc(BENCH_GUARD, capacity);
    if (a->memory) return 0;
    return t->gpu ? bench_status(t, CT_E_MEMORY) : bench_no_memory(t);
}

void bench_array_drop(bench_target *t, bench_array *a)
{
    if (t->gpu) ct_cuda_free(t->gpu, a->memory);
    else free(a->memory);
    a->memory = NULL;
}

unsigned char *bench_array_at(const bench_array *a, int64_t set)
{
    return a->memory + BENCH_GUARD + set * a->step + a->shift;
}

int32_t bench_sets(const bench_target *t, int64_t moved)
{
    if (!t->gpu) return 1;
    const int64_t sets = (4 * ct_cuda_about(t->gpu)->l2_bytes + moved - 1) / moved;
    return (int32_t)ct_max(1, ct_min(sets, BENCH_SETS_MOST));
}

int bench_read(bench_target *t, void *to, const void *from, int64_t bytes)
{
    if (t->gpu) return bench_status(t, ct_cuda_download(t->gpu, to, from, (size_t)bytes));
    memcpy(to, from, (size_t)bytes);
    return 0;
}

int bench_write(bench_target *t, void *to, const void *from, int64_t bytes)
{
    if (t->gpu) return bench_status(t, ct_cuda_upload(t->gpu, to, from, (size_t)bytes));
    memcpy(to, from, (size_t)bytes);
    return 0;
}

/* ---- what is in it --------------------------------------------------------------------------- */

int bench_fill(bench_target *t, const bench_array *a, bench_put *put, const void *user)
{
    unsigned char *const host = malloc((size_t)ct_min(a->bytes, BENCH_PART) + 1);
    int status = host ? 0 : bench_no_memory(t);
    for (int64_t set = 0; set < a->sets; ++set) {
        for (int64_t at = 0; at < a->bytes && status == 0; at += BENCH_PART) {
            const int64_t n = ct_min(BENCH_PART, a->bytes - at);
            put(user, set, at, n, host);
            status = bench_write(t, bench_array_at(a, set) + at, host, n);
        }
    }
    free(host);
    return status;
}

void bench_put_pattern(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    (void)user, (void)set;
    for (int64_t i = 0; i < bytes; i += 8) {
        const uint64_t word = bench_word((uint64_t)(at + i) / 8);
        memcpy(to + i, &word, (size_t)ct_min(8, bytes - i));
    }
}
