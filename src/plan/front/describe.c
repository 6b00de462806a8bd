/* Descriptions of a plan: in numbers, and in a few lines of text. */
#include <string.h>

#include "base/builder.h"
#include <cutlet/host/text.h>
#include "plan.h"

enum { SECTOR = 32 };

/* Counts the contiguous runs of a side without a swizzle, and the sectors of each run, for a
 * pointer aligned to 32 bytes. The offsets of runs within a sector are counted mode by mode: the
 * number of runs at each of the 32 offsets. Repeated elements count once. */
static void count_sectors(const ct_plan_side *s, int64_t *runs, int64_t *sectors)
{
    ct_layout L = ct_filter(s->memory.layout);
    for (int k = 0; k < L.profile.leaves; ++k) L.stride[k] = ct_abs(L.stride[k]);
    ct_sort_by_stride(&L);
    L = ct_coalesce(L);
    int64_t bytes = s->elem_bytes, starts[SECTOR] = {0}, next[SECTOR];
    const int64_t first = (s->memory.offset.value[0] + ct_lowest(s->memory.layout)) * s->elem_bytes;
    const int row = L.stride[0] == 1 && L.shape[0] > 1;
    if (row) bytes *= L.shape[0];
    *runs = 1;
    starts[(first % SECTOR + SECTOR) % SECTOR] = 1;
    for (int k = row; k < L.profile.leaves; ++k) {
        const int64_t step = L.stride[k] % SECTOR * s->elem_bytes % SECTOR, n = L.shape[k];
        memset(next, 0, sizeof next);
        for (int from = 0; from < SECTOR; ++from)
            for (int64_t i = 0; i < ct_min(n, SECTOR); ++i) /* i, i + 32, .. have the same offset */
                next[(from + i * step) % SECTOR] += starts[from] * ((n - 1 - i) / SECTOR + 1);
        memcpy(starts, next, sizeof starts);
        *runs *= n;
    }
    *sectors = 0;
    for (int at = 0; at < SECTOR; ++at)
        *sectors += starts[at] * ct_ceil_div_int(at + bytes, SECTOR);
}

void ct_plan_info_of(const ct_plan *p, ct_plan_info *info)
{
    if (p->backend->info) {
        p->backend->info(p, info);
        return;
    }
    const ct_plan_side *const src = &p->desc.src, *const dst = &p->desc.dst;
    memset(info, 0, sizeof *info);
    info->form = p->form.kind;
    info->backend = p->backend_id;
    info->threads = p->choice.threads;
    info->elements = p->size;
    info->bytes_read = p->size * src->elem_bytes;
    info->bytes_written = p->size * dst->elem_bytes;
    if (p->device) {
        ct_plan_info_of(p->device, info);
        return;
    }
    info->seconds = p->seconds;
    info->bound_seconds = p->bound_seconds;
    if (p->size == 0) return;
    if (src->memory.swizzle.bits == 0) count_sectors(src, &info->src_runs, &info->src_sectors);
    if (dst->memory.swizzle.bits == 0) count_sectors(dst, &info->dst_runs, &info->dst_sectors);
    const double sectors = (double)(info->src_sectors + info->dst_sectors);
    if (info->bound_seconds == 0 && p->bytes_per_second > 0)
        info->bound_seconds = SECTOR * sectors / p->bytes_per_second;
}

static void say_form(ct_builder *t, const ct_plan *p)
{
    const ct_plan_form *const f = &p->form;
    const ct_plan_mode *const m = f->mode;
    switch (f->kind) {
        case CT_FORM_NOTHING: ct_put(t, "nothing to do: there are no elements\n"); return;
        case CT_FORM_CONTIGUOUS:
            ct_put(t, "contiguous: %lld bytes are one run on both sides\n",
                   (long long)(m[0].extent * f->dst_bytes));
            return;
        case CT_FORM_ROWS:
            ct_put(t, "rows: %lld bytes at a time are contiguous on both sides\n",
                   (long long)(m[0].extent * f->dst_bytes));
            break;
        case CT_FORM_TILES:
            ct_put(t,
                   "tiles: the source has steps of %lld bytes along %lld units of %d bytes, the "
                   "destination of %lld along %lld others\n",
                   (long long)m[0].src, (long long)m[0].extent, f->src_bytes, (long long)m[1].dst,
                   (long long)m[1].extent);
            break;
        case CT_FORM_STRIDED:
            ct_put(t,
                   "strided: %lld units of %d bytes, %lld bytes apart in the source, %lld in the "
                   "destination\n",
                   (long long)m[0].extent, f->src_bytes, (long long)m[0].src, (long long)m[0].dst);
            break;
        default:
            ct_put(
                t,
                p->desc.src.memory.swizzle.bits || p->desc.dst.memory.swizzle.bits
                    ? "indexed: each offset is worked out, for a side is swizzled\n"
                    : "indexed: each offset is worked out, for the shapes have no common refinement\n");
            return;
    }
    for (int k = f->first; k < f->modes; ++k)
        ct_put(t, "  %lld times, %lld bytes apart in the source, %lld in the destination\n",
               (long long)m[k].extent, (long long)m[k].src, (long long)m[k].dst);
}

static void say_side(ct_builder *t, const char *name, int64_t bytes, int64_t runs, int64_t sectors)
{
    ct_put(t, "%s %lld bytes", name, (long long)bytes);
    if (runs > 0)
        ct_put(t, " in %lld run%s, %lld sectors of 32 bytes", (long long)runs, runs == 1 ? "" : "s",
               (long long)sectors);
    ct_put(t, "\n");
}

int ct_plan_describe(const ct_plan *p, char *buf, size_t size)
{
    static const char *const types[CT_TYPE_COUNT] = {"raw",   "half",   "bfloat16",
                                                     "float", "double", "int8"};
    ct_builder t = ct_builder_fixed(buf, size);
    char line[CT_MESSAGE_BYTES];
    ct_plan_info info;
    if (p->backend->sharded) return p->backend->say(p, buf, size);
    if (p->device) {
        const int n = ct_plan_describe(p->device, buf, size);
        t.length = n > 0 ? (size_t)n : 0;
        p->backend->say(p, line, sizeof line);
        ct_put(&t, "memory of the host: backend %s: %s\n", p->backend->name, line);
        return (int)t.length;
    }
    ct_plan_info_of(p, &info);
    say_form(&t, p);
    if (p->size > 0) {
        if (p->converts)
            ct_put(&t, "converts %s to %s%s\n", types[p->desc.src.type], types[p->desc.dst.type],
                   p->desc.has_scale ? ", scaled" : "");
        say_side(&t, "reads", info.bytes_read, info.src_runs, info.src_sectors);
        say_side(&t, "writes", info.bytes_written, info.dst_runs, info.dst_sectors);
        p->backend->say(p, line, sizeof line);
        ct_put(&t, "backend %s: %s\n", p->backend->name, line);
    }
    if (p->seconds > 0)
        ct_put(&t, "measured %.3g ms; memcpy of those sectors takes %.3g ms\n", 1e3 * p->seconds,
               1e3 * p->bound_seconds);
    else if (info.bound_seconds > 0)
        ct_put(&t, "at least %.3g ms: those sectors at the %.0f GB/s of the memory\n",
               1e3 * info.bound_seconds, 1e-9 * p->bytes_per_second);
    return (int)t.length;
}
