/* The memory of kernels: buffers and shared arrays, and the checks of addresses. */
#define _GNU_SOURCE
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Shared arrays are aligned to 1024 bytes, with gaps of at least 1024: banks and swizzles are those
 * of a GPU, and an index past the end is in a gap. */
enum { SHARED_ALIGN = 1024, SITE_DYNAMIC = -1 };

/* A buffer without a skew counts as aligned, unless its base is not even aligned to this. */
enum { BUFFER_ALIGN = 16 };

/* After a variable in global memory is a gap, as after a shared array. */
enum { VARIABLE_GAP = 4096 };

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/* Zeroed memory; only pages that are accessed take memory. */
static void *map_zeroed(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* The states of a buffer's bytes: fewer and larger pages take less time. */
static ct_shadow *map_shadows(size_t count)
{
    ct_shadow *const shadows = map_zeroed(count * sizeof *shadows);
#if defined(MADV_HUGEPAGE)
    if (shadows) (void)madvise(shadows, count * sizeof *shadows, MADV_HUGEPAGE);
#endif
    return shadows;
}

static ct_memory *add_memory(ct_grid_state *r, const char *name, void *base, size_t bytes)
{
    ct_memory *m = &r->memories[r->memory_count++];
    memset(m, 0, sizeof *m);
    m->name = name;
    m->base = base;
    m->bytes = bytes;
    m->address = (int64_t)r->memory_count << MEMORY_SHIFT;
    m->writable = 1;
    return m;
}

static ct_memory *add_shared(ct_grid_state *r, const char *name, size_t bytes, int32_t site)
{
    ct_memory *m = add_memory(r, name, r->arena + r->arena_used, bytes);
    m->is_shared = 1;
    m->site = site;
    m->shadows = r->arena_shadows + r->arena_used;
    r->arena_used += round_up(bytes, SHARED_ALIGN) + SHARED_ALIGN;
    return m;
}

int ct_grid_memory_init(ct_grid_state *r)
{
    const ct_grid_options *options = r->options;
    for (int i = 0; i < options->buffer_count; ++i) {
        const ct_grid_buffer *b = &options->buffers[i];
        ct_memory *m = add_memory(r, b->name, b->base, b->bytes);
        m->address += b->skew ? b->skew : (int64_t)((uintptr_t)b->base % BUFFER_ALIGN);
        m->writable = b->writable;
        /* a buffer that is not writable has no races */
        if (!b->writable || options->no_global_races || b->bytes == 0) continue;
        m->shadows = map_shadows(b->bytes);
        if (!m->shadows) return 0;
    }
    /* an array takes at most its size, its alignment and a gap */
    r->arena_bytes = r->dynamic_bytes + SHARED_STATIC_MAX + 2 * SHARED_ALIGN * (size_t)MAX_MEMORIES;
    r->arena_bytes = round_up(r->arena_bytes, SHARED_ALIGN);
    r->arena = map_zeroed(r->arena_bytes * (size_t)r->resident);
    r->arena_shadows = map_zeroed(r->arena_bytes * (size_t)r->resident * sizeof(ct_shadow));
    if (!r->arena || !r->arena_shadows || !ct_grid_readers_init(r) || !ct_grid_guards_begin(r))
        return 0;
    if (r->dynamic_bytes > 0)
        add_shared(r, "dynamic shared memory", r->dynamic_bytes, SITE_DYNAMIC);
    return 1;
}

int ct_grid_touched_begin(ct_grid_state *r)
{
    for (int i = 0; i < r->options->buffer_count; ++i) {
        ct_memory *const m = &r->memories[i];
        if (m->shadows && !(m->touched = calloc(m->bytes / TOUCHED_BYTES + 1, 1))) return 0;
    }
    return 1;
}

void ct_grid_memory_free(ct_grid_state *r)
{
    ct_grid_guards_end(r);
    for (int i = 0; i < r->memory_count; ++i) {
        const ct_memory *m = &r->memories[i];
        free(m->touched);
        if (!m->is_shared && m->shadows) munmap(m->shadows, m->bytes * sizeof(ct_shadow));
        if (!m->is_shared && m->site) munmap(m->base, m->bytes + VARIABLE_GAP);
    }
    ct_grid_readers_free(r);
    if (r->arena) munmap(r->arena, r->arena_bytes * (size_t)r->resident);
    if (r->arena_shadows)
        munmap(r->arena_shadows, r->arena_bytes * (size_t)r->resident * sizeof(ct_shadow));
}

static ct_memory *find_shared(ct_grid_state *r, int32_t site)
{
    for (int i = r->options->buffer_count; i < r->memory_count; ++i) {
        if (r->memories[i].site == site) return &r->memories[i];
    }
    return NULL;
}

static void check_count(ct_thread *t, const ct_operation *op)
{
    if (t->grid->memory_count == MAX_MEMORIES)
        ct_grid_fail_at(t, op, CT_GRID_E_LAUNCH, "buffers and shared arrays number more than %d",
                        MAX_MEMORIES);
}

void *ct_grid_shared(ct_grid_site *site, const char *name, size_t bytes)
{
    ct_thread *t = self();
    ct_grid_state *r = t->grid;
    const int32_t id = ct_grid_site_id(site);
    const ct_memory *known = find_shared(r, id);
    if (known) return ct_grid_in_rank(r, known->base, 0, t->rank);
    const ct_operation op = {ct_grid_seen(site), name, 0, 1, 0, 0, 0};
    r->static_bytes += round_up(bytes, 128);
    if (r->static_bytes > SHARED_STATIC_MAX)
        ct_grid_fail_at(t, &op, CT_GRID_E_LAUNCH,
                        "static shared memory grows to %zu bytes; the maximum is %d",
                        r->static_bytes, SHARED_STATIC_MAX);
    if (r->static_bytes + r->dynamic_bytes > SHARED_BYTES_MAX)
        ct_grid_fail_at(t, &op, CT_GRID_E_LAUNCH,
                        "static and dynamic shared memory grow to %zu bytes; the maximum is %d",
                        r->static_bytes + r->dynamic_bytes, SHARED_BYTES_MAX);
    check_count(t, &op);
    return ct_grid_in_rank(r, add_shared(r, name, bytes, id)->base, 0, t->rank);
}

void *ct_grid_shared_dynamic(ct_grid_site *site, const char *name)
{
    ct_thread *t = self();
    ct_memory *m = find_shared(t->grid, SITE_DYNAMIC);
    if (!m) {
        const ct_operation op = {site, name, 0, 1, 0, 0, 0};
        ct_grid_fail_at(t, &op, CT_GRID_E_LAUNCH, "the launch gives no dynamic shared memory");
    }
    m->name = name;
    return ct_grid_in_rank(t->grid, m->base, 0, t->rank);
}

void *ct_grid_global(ct_grid_site *site, const char *name, const void *data, size_t bytes,
                     int writable)
{
    ct_thread *t = self();
    ct_grid_state *r = t->grid;
    const int32_t id = ct_grid_site_id(site);
    const ct_memory *known = find_shared(r, id);
    if (known) return known->base;
    const ct_operation op = {site, name, 0, 0, 0, 0, 0};
    check_count(t, &op);
    unsigned char *const base = map_zeroed(bytes + VARIABLE_GAP);
    ct_shadow *const shadows = !writable || r->options->no_global_races || bytes == 0
                                   ? NULL
                                   : map_zeroed(bytes * sizeof(ct_shadow));
    if (!base || (writable && !r->options->no_global_races && bytes > 0 && !shadows))
        ct_grid_fail_at(t, &op, CT_GRID_E_MEMORY, "not enough memory for the variable");
    if (data) memcpy(base, data, bytes);
    ct_memory *const m = add_memory(r, name, base, bytes);
    m->writable = writable;
    m->shadows = shadows;
    m->site = id;
    return base;
}

static const char *space_name(int is_shared) { return is_shared ? "shared" : "global"; }

/* Fails, and names the memory of the right kind nearest to the address. */
static _Noreturn void fail_bounds(ct_thread *t, const ct_operation *op, uintptr_t p)
{
    const ct_grid_state *r = t->grid;
    const ct_memory *nearest = NULL;
    uintptr_t least = UINTPTR_MAX;
    for (int i = 0; i < r->memory_count; ++i) {
        const ct_memory *m = &r->memories[i];
        const uintptr_t begin = (uintptr_t)m->base, end = begin + m->bytes;
        if (m->is_shared != op->is_shared) {
            if (p >= begin && p < end)
                ct_grid_fail_at(t, op, CT_GRID_E_BOUNDS, "the address is in %s, which is %s memory",
                                m->name, space_name(m->is_shared));
            continue;
        }
        const uintptr_t away = p < begin ? begin - p : p < end ? 0 : p - end;
        if (away < least) {
            least = away;
            nearest = m;
        }
    }
    if (!nearest)
        ct_grid_fail_at(t, op, CT_GRID_E_BOUNDS, "the launch has no %s memory",
                        space_name(op->is_shared));
    if (!op->is_shared && least >> 24 != 0) /* such as NULL */
        ct_grid_fail_at(t, op, CT_GRID_E_BOUNDS,
                        "the address is in none of the launch's buffers: is one missing?");
    const long long first = (long long)(p - (uintptr_t)nearest->base);
    const ct_grid_buffer *const there = ct_grid_guards_from(r, p);
    if (there && (uintptr_t)there->base > (uintptr_t)nearest->base)
        ct_grid_fail_at(t, op, CT_GRID_E_BOUNDS,
                        "bytes %lld to %lld of %s, which has %zu bytes; %s begins at byte %td",
                        first, first + op->bytes - 1, nearest->name, nearest->bytes, there->name,
                        (const unsigned char *)there->base - nearest->base);
    ct_grid_fail_at(t, op, CT_GRID_E_BOUNDS, "bytes %lld to %lld of %s, which has %zu bytes", first,
                    first + op->bytes - 1, nearest->name, nearest->bytes);
}

static ct_memory *find(ct_thread *t, const ct_operation *op, const void *p)
{
    ct_grid_state *r = t->grid;
    const int found = ct_grid_rank_at(r, p), rank = found < 0 ? 0 : found;
    const uintptr_t first = (uintptr_t)p - (uintptr_t)rank * r->arena_bytes; /* in block 0 */
    for (int i = 0; i < r->memory_count; ++i) {
        ct_memory *m = &r->memories[i];
        const uintptr_t offset = first - (uintptr_t)m->base;
        if (offset >= m->bytes || m->bytes - offset < (size_t)op->bytes ||
            m->is_shared != op->is_shared)
            continue;
        if (rank == 0) return m;
        r->of_rank = *m;
        r->of_rank.base = ct_grid_in_rank(r, m->base, 0, rank);
        r->of_rank.shadows += (size_t)rank * r->arena_bytes;
        return &r->of_rank;
    }
    fail_bounds(t, op, first);
}

const ct_memory *ct_grid_global_at(const ct_grid_state *r, const unsigned char *p)
{
    for (int i = 0; i < r->options->buffer_count; ++i) {
        const ct_memory *m = &r->memories[i];
        if ((uintptr_t)p - (uintptr_t)m->base < m->bytes) return m;
    }
    return NULL;
}

int ct_grid_is_constant(const ct_grid_state *r, const unsigned char *p)
{
    for (int i = r->options->buffer_count; i < r->memory_count; ++i) {
        const ct_memory *const m = &r->memories[i];
        if (!m->is_shared && !m->writable && (size_t)(p - m->base) < m->bytes) return 1;
    }
    return 0;
}

static _Noreturn void fail_misaligned(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                      size_t offset, int align)
{
    const long long skew = m->address & ((1LL << MEMORY_SHIFT) - 1);
    if (skew)
        ct_grid_fail_at(
            t, op, CT_GRID_E_MISALIGNED,
            "misaligned: offset %zu of %s, which begins %lld bytes past a boundary, is not a "
            "multiple of %d",
            offset, m->name, skew, align);
    ct_grid_fail_at(t, op, CT_GRID_E_MISALIGNED,
                    "misaligned: offset %zu of %s is not a multiple of %d", offset, m->name, align);
}

void ct_grid_check_aligned(ct_thread *t, const ct_operation *op, const void *reg)
{
    const int align = op->bytes < 4 ? op->bytes : 4;
    if ((uintptr_t)reg % (uintptr_t)align != 0)
        ct_grid_fail_at(t, op, CT_GRID_E_MISALIGNED,
                        "the thread's own variable is not aligned to %d "
                        "bytes",
                        align);
}

const ct_memory *ct_grid_find_memory(ct_thread *t, const ct_operation *op, const void *p)
{
    t->grid->accessed = p;
    const ct_memory *m = find(t, op, p);
    const size_t offset = (size_t)((const unsigned char *)p - m->base);
    const int align = op->align ? op->align : op->bytes;
    if ((m->address + (int64_t)offset) & (align - 1)) fail_misaligned(t, op, m, offset, align);
    return m;
}

int64_t ct_grid_check(ct_thread *t, const ct_operation *op, const void *p)
{
    const ct_memory *m = ct_grid_find_memory(t, op, p);
    const size_t offset = (size_t)((const unsigned char *)p - m->base);
    const int64_t address = m->address + (int64_t)offset;
    if (op->is_write && !m->writable)
        ct_grid_fail_at(t, op, CT_GRID_E_READ_ONLY, "%s is not writable", m->name);
    if (m->shadows) ct_grid_check_order(t, op, m, offset);
    if (m->touched)
        memset(m->touched + offset / TOUCHED_BYTES, 1,
               (offset + (size_t)op->bytes - 1) / TOUCHED_BYTES - offset / TOUCHED_BYTES + 1);
    ct_grid_note_progress(t, op, m, p);
    return address;
}
