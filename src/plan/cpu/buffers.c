/* The buffers for transposed tiles: one for each thread of a job. They are on the heap, because the
 * caller is one of the threads, and its stack may be small. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

/* A transposed tile, with an odd number of lines in each row. A converted tile follows it. */
enum { TRANSPOSED_BYTES = CT_CPU_TILE_BYTES + CT_CPU_TILE_ROWS * 2 * CT_CPU_LINE };

static size_t bytes_of(const ct_plan *plan)
{
    return TRANSPOSED_BYTES + (plan->converts ? CT_CPU_TILE_BYTES : 0);
}

int ct_cpu_make_buffers(ct_cpu_job *r)
{
    const ct_plan *const p = r->plan;
    const int transposed = p->form.kind == CT_FORM_TILES && ct_cpu_by_vectors(&p->form);
    if (!transposed || p->choice.direct) return 1;
    r->slots = (int32_t)ct_min(p->choice.threads, r->tasks);
    const size_t flags = ((size_t)r->slots + CT_CPU_LINE - 1) / CT_CPU_LINE * CT_CPU_LINE;
    r->taken = aligned_alloc(CT_CPU_LINE, flags + (size_t)r->slots * bytes_of(p));
    if (!r->taken) return 0;
    memset(r->taken, 0, flags);
    r->buffers = r->taken + flags;
    return 1;
}

void ct_cpu_free_buffers(ct_cpu_job *r) { free(r->taken); }

/* There are as many buffers as threads, so one is free. */
ct_cpu_buffer ct_cpu_take_buffer(const ct_cpu_job *r)
{
    ct_cpu_buffer b = {0, NULL, NULL};
    if (!r->taken) return b;
    while (__atomic_exchange_n(&r->taken[b.slot], 1, __ATOMIC_ACQUIRE))
        b.slot = (b.slot + 1) % r->slots;
    b.transposed = r->buffers + (size_t)b.slot * bytes_of(r->plan);
    b.converted = b.transposed + TRANSPOSED_BYTES;
    return b;
}

void ct_cpu_give_buffer(const ct_cpu_job *r, ct_cpu_buffer b)
{
    if (r->taken) __atomic_store_n(&r->taken[b.slot], 0, __ATOMIC_RELEASE);
}
