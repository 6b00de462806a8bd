/* What a report says of a tiled copy: the counts, and a sentence for each verdict. */
#include <string.h>

#include "../common/operands.h"
#include <cutlet/copy/thread_values.h>
#include <cutlet/host/text.h>
#include "report.h"

const char *ct_report_role(int side) { return side ? "destination" : "source"; }

/* ---- counting --------------------------------------------------------------------------------- */

static void keep_first(void *user, const ct_traffic_step *step)
{
    ct_report_side *s = &((ct_report *)user)->side[step->side];
    if (s->steps++ == 0) s->first = s->shown = *step;
    if (!s->global && step->count.conflicts > s->shown.count.conflicts) s->shown = *step;
}

int ct_report_count(ct_report *r, char message[CT_MESSAGE_BYTES])
{
    ct_traffic sum[2];
    const ct_traffic_side *src = r->side[0].text ? &r->side[0].in : NULL;
    const ct_traffic_side *dst = r->side[1].text ? &r->side[1].in : NULL;
    if (ct_traffic_of_copy(r->copy, r->shape, src, dst, r->rules, NULL, NULL, &r->side[0].sum,
                           &r->side[1].sum, message))
        return -1;
    const int kind = r->copy.atom.kind;
    if (src && dst && (kind == CT_ATOM_CP_ASYNC_CA || kind == CT_ATOM_CP_ASYNC_CG) &&
        ct_traffic_of_async(r->copy, r->shape, src, dst, r->rules, &r->side[0].sum, &r->side[1].sum,
                            message))
        return -1;
    r->side[1].joint = src && dst && (kind == CT_ATOM_CP_ASYNC_CA || kind == CT_ATOM_CP_ASYNC_CG);
    return ct_traffic_of_copy(r->copy, ct_cli_first_tile(r->copy, r->shape), src, dst, r->rules,
                              keep_first, r, &sum[0], &sum[1], message);
}

/* ---- memory ----------------------------------------------------------------------------------- */

static int global_words(const ct_report_side *s, char *verdict, char *words, size_t size)
{
    const ct_traffic *t = &s->sum;
    const long long instructions = t->instructions, sectors = t->sectors, moved = t->bytes_moved,
                    used = t->bytes_used;
    const int good = moved == used;
    strcpy(verdict, good ? "Coalesced" : 2 * used > moved ? "Partly coalesced" : "Not coalesced");
    if (good)
        snprintf(words, size,
                 "%lld instruction%s ask%s for %lld sectors of 32 bytes, and every one of the %lld "
                 "bytes moved is used.",
                 instructions, instructions == 1 ? "" : "s", instructions == 1 ? "s" : "", sectors,
                 moved);
    else
        snprintf(words, size,
                 "%lld instruction%s ask%s for %lld sectors of 32 bytes where %lld would hold the "
                 "bytes that they use: %lld of %lld bytes moved are used, %.1f %%.",
                 instructions, instructions == 1 ? "" : "s", instructions == 1 ? "s" : "", sectors,
                 (used + 31) / 32, used, moved, 100 * ct_traffic_efficiency(t, 1));
    return good;
}

static int shared_words(const ct_report_side *s, char *verdict, char *words, size_t size)
{
    const ct_traffic *t = &s->sum;
    /* Past L1 a cp.async has wavefronts too many that are not bank conflicts. */
    const long long wavefronts = t->wavefronts, conflicts = t->conflicts,
                    least = conflicts ? wavefronts - conflicts : t->ideal;
    const int good = conflicts == 0 && (s->joint == 0 || wavefronts <= t->ideal);
    const char *const some = t->at_least ? "at least " : "";
    strcpy(verdict, good        ? "No bank conflicts"
                    : conflicts ? "Bank conflicts"
                                : "Sectors part ways");
    if (good)
        snprintf(words, size,
                 "%lld instruction%s take%s %s%lld wavefronts, none of them for a "
                 "conflict.",
                 (long long)t->instructions, t->instructions == 1 ? "" : "s",
                 t->instructions == 1 ? "s" : "", some, wavefronts);
    else
        snprintf(words, size,
                 "%lld instruction%s take%s %s%lld wavefronts where %lld would do: %lld %s, "
                 "%.1f times the passes through the banks.",
                 (long long)t->instructions, t->instructions == 1 ? "" : "s",
                 t->instructions == 1 ? "s" : "", some, wavefronts, least, wavefronts - least,
                 conflicts ? "conflicts" : "more", (double)wavefronts / (double)least);
    return good;
}

int ct_report_memory(const ct_report *r, int side, char *verdict, char *words, size_t size)
{
    const ct_report_side *s = &r->side[side];
    return s->global ? global_words(s, verdict, words, size)
                     : shared_words(s, verdict, words, size);
}

/* ---- width ------------------------------------------------------------------------------------ */

/* What a thread holds of a side. */
static ct_tensor of_thread(const ct_report *r, int side, int64_t thread)
{
    const ct_tensor memory = ct_make_tensor(r->side[side].in.memory.layout);
    return side ? ct_partition_dst(r->copy, memory, thread)
                : ct_partition_src(r->copy, memory, thread);
}

/* An address that is aligned as the first bytes of all threads are. */
static uint64_t first_bytes(const ct_report *r, int side)
{
    const int64_t offset = r->side[side].in.memory.offset.value[0];
    uint64_t all = 0;
    for (int64_t t = 0; t < ct_tiled_copy_threads(r->copy); ++t) {
        const ct_tensor mine = of_thread(r, side, t);
        if (!mine.layout.err.status)
            all |=
                (uint64_t)(mine.offset.value[0] + offset) * (uint64_t)r->copy.atom.value_bits / 8;
    }
    return all;
}

/* The widest access that the layouts allow. */
static ct_copy_width_result widest(const ct_report *r, int src_side, int dst_side)
{
    ct_layout src = of_thread(r, src_side, 0).layout, dst = of_thread(r, dst_side, 0).layout;
    if (ct_size(src) != ct_size(dst)) { /* one side is a tile, the other all of them */
        src = ct_mode(src, 0);
        dst = ct_mode(dst, 0);
    }
    return ct_copy_width(src, dst, r->copy.atom.value_bits / 8, 16, first_bytes(r, src_side),
                         first_bytes(r, dst_side));
}

/* The bytes that a swizzle of elements leaves in one piece. */
static int64_t swizzle_run(const ct_report *r, int side)
{
    const ct_swizzle s = r->side[side].in.memory.swizzle;
    if (!r->side[side].text || s.bits == 0 || s.base > 20) return INT64_MAX;
    return ((int64_t)1 << s.base) * r->copy.atom.value_bits / 8;
}

/* Why accesses cannot be wider than they could be. */
static void limit_words(const ct_copy_width_result *w, int both, char *words, size_t size)
{
    const long long n = w->n;
    const char *where = both ? " on both sides" : " in memory";
    switch (w->limit) {
        case CT_WIDTH_CONTIGUOUS:
            if (n > 1)
                snprintf(words, size, "only %lld elements of a thread lie side by side%s", n,
                         where);
            else snprintf(words, size, "no two elements of a thread lie side by side%s", where);
            break;
        case CT_WIDTH_SRC_STRIDE:
        case CT_WIDTH_DST_STRIDE:
            snprintf(words, size, "a stride of %lld elements in the %s would leave their alignment",
                     n,
                     !both                             ? "memory"
                     : w->limit == CT_WIDTH_SRC_STRIDE ? "source"
                                                       : "destination");
            break;
        default:
            snprintf(words, size, "the values of a thread begin at multiples of %lld bytes only",
                     n);
    }
}

int ct_report_width(const ct_report *r, char *verdict, char *words, size_t size)
{
    const ct_copy_atom *atom = &r->copy.atom;
    const int both = r->side[0].text && r->side[1].text, one = r->side[0].text ? 0 : 1;
    const int elems = atom->bits / atom->value_bits;
    char why[160] = "";
    const int n = snprintf(words, size, "Each access moves %d bits, %d element%s of %d bits",
                           atom->bits, elems, elems == 1 ? "" : "s", atom->value_bits);
    sprintf(verdict, "%d-bit accesses", atom->bits);
    if (atom->bits >= 128) {
        snprintf(words + n, size - (size_t)n,
                 atom->bits == 128 ? ", the widest of shared memory and, before sm_100, of global "
                                     "memory."
                                   : ", the widest of global memory.");
        return 1;
    }
    const ct_copy_width_result w = widest(r, both ? 0 : one, both ? 1 : one);
    const int64_t run = ct_min(swizzle_run(r, 0), swizzle_run(r, 1));
    if (w.err.status || w.bytes < atom->bits / 8) {
        snprintf(words + n, size - (size_t)n, ".");
        return 0;
    }
    if (run < w.bytes)
        snprintf(why, sizeof why, "the swizzle leaves only %lld bytes in one piece",
                 (long long)run);
    else limit_words(&w, both, why, sizeof why);
    const int could = (int)ct_min(run, w.bytes) * 8;
    if (could > atom->bits)
        snprintf(words + n, size - (size_t)n, ", as its atom says; the layouts allow %d.", could);
    else snprintf(words + n, size - (size_t)n, ", and no more are possible: %s.", why);
    return 0;
}
