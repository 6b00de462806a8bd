/* The launch of a plan: the engine that moves it, and how; what backends ask of any engine. */
#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "gpu.h"

static int choose_run(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch)
{
    (void)plan;
    if (form->kind != CT_FORM_CONTIGUOUS) return -1;
    launch->bytes = form->mode[0].extent * form->src_bytes;
    return 0;
}

static int say_run(const ct_gpu_launch *launch, char *buf, size_t size)
{
    return snprintf(buf, size, "one copy of %lld bytes", (long long)launch->bytes);
}

const ct_gpu_engine ct_gpu_run = {
    .choose = choose_run, .args_bytes = sizeof(ct_plan_args), .say = say_run};

const ct_gpu_engine *const ct_gpu_engines[CT_GPU_ENGINES] = {
    [CT_GPU_INDICES] = &ct_gpu_indexed, [CT_GPU_BOXES] = &ct_gpu_box,
    [CT_GPU_VECTORS] = &ct_gpu_vectors, [CT_GPU_MISALIGNED] = &ct_gpu_misaligned,
    [CT_GPU_SECTORS] = &ct_gpu_sectors, [CT_GPU_TRANSPOSE] = &ct_gpu_transpose,
    [CT_GPU_RUN] = &ct_gpu_run,
};

int ct_gpu_variants(void)
{
    int n = 1;
    for (int k = 0; k < CT_GPU_ENGINES; ++k) n += ct_gpu_engines[k]->variants;
    return n;
}

uint64_t ct_gpu_variants_fingerprint(void)
{
    uint64_t hash = CT_FNV_BEGIN;
    for (int k = 0; k < CT_GPU_ENGINES; ++k)
        hash = ct_fnv(hash, ct_gpu_engines[k]->table, ct_gpu_engines[k]->table_bytes);
    return hash;
}

/* A launch by engine `kind`: its candidate `nth`, or the one that it chooses (-1). 0, or -1. */
static int launch_by(int kind, int nth, const ct_plan *plan, const ct_plan_form *form,
                     int64_t src_align, int64_t dst_align, ct_gpu_launch *launch)
{
    const ct_gpu_engine *const e = ct_gpu_engines[kind];
    memset(launch, 0, sizeof *launch);
    launch->kind = kind;
    launch->kernel = e->inside;
    launch->src_align = src_align;
    launch->dst_align = dst_align;
    launch->src_span = plan->src_span;
    launch->src_base = plan->form.src_base;
    launch->dst_base = plan->form.dst_base;
    launch->grid[1] = launch->grid[2] = 1;
    if (kind != CT_GPU_INDICES && (form->modes == 0 || form->modes > CT_BOX_MODES)) return -1;
    if (kind > CT_GPU_BOXES && plan->converts) return -1; /* the others move bytes */
    if (nth < 0 && e->choose ? e->choose(plan, form, launch)
                             : e->make(plan, form, nth < 0 ? 0 : nth, launch))
        return -1;
    if (launch->kernel) launch->shared_bytes = (int32_t)ct_max(16, launch->shared_bytes);
    return 0;
}

ct_status ct_gpu_launch_of(const ct_plan *plan, int64_t src_align, int64_t dst_align, int variant,
                           ct_gpu_launch *launch, char *message)
{
    ct_plan_form form = plan->form; /* with its modes in the order of the destination */
    for (int i = 1; i < form.modes; ++i) {
        const ct_plan_mode m = form.mode[i];
        int k = i;
        for (; k > 0 && form.mode[k - 1].dst > m.dst; --k) form.mode[k] = form.mode[k - 1];
        form.mode[k] = m;
    }
    int bad = -1, nth = variant - 1, kind = variant == 0 ? CT_GPU_ENGINES : 0;
    while (variant == 0 && bad && --kind >= 0)
        bad = launch_by(kind, -1, plan, &form, src_align, dst_align, launch);
    while (variant > 0 && nth >= ct_gpu_engines[kind]->variants)
        nth -= ct_gpu_engines[kind++]->variants;
    if (variant > 0) bad = launch_by(kind, nth, plan, &form, src_align, dst_align, launch);
    return bad ? ct_refuse(message, CT_E_BACKEND,
                           "%s: more blocks than a launch may have, for %lld elements",
                           plan->backend->name, (long long)plan->size)
               : CT_OK;
}

size_t ct_gpu_args_of(const ct_gpu_launch *l, int is_own, void *dst, const void *src, double scale,
                      ct_gpu_args *args)
{
    const unsigned char *const from = src;
    const ct_plan_args at = {from + l->src_base, (unsigned char *)dst + l->dst_base,
                             from + l->src_span.low, from + l->src_span.high, scale};
    const ct_gpu_engine *const e = ct_gpu_engines[l->kind];
    const size_t bytes = is_own ? sizeof at : e->args_bytes;
    if (!is_own) memcpy(args, &l->args, bytes);
    if (e->bind) e->bind(args, &at);
    else args->at = at;
    return bytes;
}

int ct_gpu_say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    return ct_gpu_engines[launch->kind]->say(launch, buf, size);
}

int ct_gpu_say_both(const char *aligned, const char *any, char *buf, size_t size)
{
    if (strcmp(aligned, any) == 0) return snprintf(buf, size, "%s", aligned);
    return snprintf(buf, size, "%s; for pointers that 16 bytes do not divide: %s", aligned, any);
}
