/* The launches and kernels of the last few dozen plans. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "cuda.h"

enum { REMEMBERED = 64 };

typedef struct entry {
    uint64_t hash;
    ct_cuda_key key;
    ct_cuda_kernel_of kernel;
} entry;

static pthread_mutex_t remembering = PTHREAD_MUTEX_INITIALIZER;
static entry *entries; /* of REMEMBERED, from the first on; NULL without memory for them */
static int entry_count, next_entry;

void ct_cuda_key_of(const ct_plan *plan, const ct_plan_device *device, int64_t src_align,
                    int64_t dst_align, int32_t variant, int is_small, ct_cuda_key *key)
{
    memset(key, 0, sizeof *key);
    key->device = device;
    key->size = plan->size;
    key->src_align = src_align;
    key->dst_align = dst_align;
    key->from = plan->desc.src.type;
    key->to = plan->desc.dst.type;
    key->has_scale = plan->desc.has_scale;
    key->elem_bytes = plan->desc.src.elem_bytes;
    key->variant = variant;
    key->is_small = is_small;
    key->form = plan->form;
    key->src_span = plan->src_span;
    if (plan->form.kind != CT_FORM_INDEXED) return;
    key->src = plan->desc.src.memory;
    key->dst = plan->desc.dst.memory;
}

int ct_cuda_recall(const ct_cuda_key *key, ct_cuda_kernel_of *kernel)
{
    const uint64_t hash = ct_fnv(CT_FNV_BEGIN, key, sizeof *key);
    int found = 0;
    pthread_mutex_lock(&remembering);
    for (const entry *e = entries; e < entries + entry_count && !found; ++e) {
        found = e->hash == hash && memcmp(&e->key, key, sizeof *key) == 0;
        if (!found) continue;
        *kernel = e->kernel;
        ct_cuda_own_keep(kernel->own);
    }
    pthread_mutex_unlock(&remembering);
    return found ? 0 : -1;
}

void ct_cuda_remember(const ct_cuda_key *key, const ct_cuda_kernel_of *kernel)
{
    pthread_mutex_lock(&remembering);
    if (!entries) entries = calloc(REMEMBERED, sizeof *entries);
    if (entries) {
        entry *const e = &entries[next_entry];
        ct_cuda_own_keep(kernel->own);
        ct_cuda_own_drop(e->kernel.own); /* of what was remembered there */
        e->hash = ct_fnv(CT_FNV_BEGIN, key, sizeof *key);
        e->key = *key;
        e->kernel = *kernel;
        next_entry = (next_entry + 1) % REMEMBERED;
        if (entry_count < REMEMBERED) ++entry_count;
    }
    pthread_mutex_unlock(&remembering);
}
