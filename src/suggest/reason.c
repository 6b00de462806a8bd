/* Why the first candidate is the first: sentences from its counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/builder.h"
#include "suggest.h"

static int order(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* "4 runs of 128 bytes": what the first instruction of the first warp touches. */
static void put_runs(ct_builder *out, const suggest_walk *w, const suggest_side *side, int bytes)
{
    int64_t at[SUGGEST_LANES], length = bytes, first = 0;
    int n = w->lanes < SUGGEST_LANES ? w->lanes : SUGGEST_LANES, runs = 1, even = 1;
    for (int t = 0; t < n; ++t) at[t] = side->at[w->lane[t] + w->step[0]];
    qsort(at, (size_t)n, sizeof *at, order);
    for (int t = 1; t <= n; ++t) {
        if (t < n && at[t] <= at[t - 1] + bytes) {
            length += at[t] - at[t - 1];
            continue;
        }
        even &= first == 0 || first == length;
        first = length;
        runs += t < n;
        length = bytes;
    }
    if (runs == 1) ct_put(out, "one run of %" PRId64 " bytes", first);
    else ct_put(out, even ? "%d runs of %" PRId64 " bytes" : "%d runs", runs, first);
}

static double times(int64_t n, int64_t least) { return (double)n / (double)least; }

static void put_sectors(ct_builder *out, const suggest_search *s, const ct_suggest_result *r,
                        const suggest_copy *in)
{
    const ct_suggest_cost *const c = &r->item[0].cost;
    const int bytes = r->item[0].in.bits / 8;
    ct_put_text(out, "A load of a warp takes ");
    put_runs(out, &in->walk, &s->src, bytes);
    if (c->sectors == r->least.sectors) ct_put_text(out, " and each sector is moved once");
    else ct_put(out, " and each sector is moved %.2f times", times(c->sectors, r->least.sectors));
    const int widest = s->src.level[0] > s->src.level[1] ? s->src.level[0] : s->src.level[1];
    if (suggest_elem_bytes(s->query) << widest < SUGGEST_ACCESS_BYTES)
        ct_put(out, "; the source allows no access wider than %d byte%s",
               suggest_elem_bytes(s->query) << widest,
               suggest_elem_bytes(s->query) << widest == 1 ? "" : "s");
    ct_put_text(out, ". ");
}

/* The layout without swizzle and padding in the same order, or NULL where it does not take the
 * copy. */
static const suggest_shared *find_plain(const suggest_search *s, const suggest_shared *like,
                                        const suggest_copy *in)
{
    for (int i = 0; i < s->shareds.count; ++i) {
        const suggest_shared *const p = &s->shareds.item[i];
        if (p->bits == 0 && p->pad == 0 && p->row_major == like->row_major && p->read >= 0 &&
            p->level[in->along] >= in->level)
            return p;
    }
    return NULL;
}

static void put_wavefronts(ct_builder *out, suggest_search *s, const ct_suggest_result *r,
                           const suggest_copy *in, const suggest_shared *shared)
{
    const ct_suggest_cost *const c = &r->item[0].cost;
    const suggest_shared *const plain = find_plain(s, shared, in);
    if (shared->bits > 0) ct_put(out, "Sw<%d,%d,%d>", shared->bits, shared->base, shared->shift);
    else if (shared->pad > 0)
        ct_put(out, "A padding of %d element%s", shared->pad, shared->pad == 1 ? "" : "s");
    else ct_put_text(out, "The plain layout");
    ct_put(out, " takes %s%" PRId64 " wavefronts", r->item[0].at_least ? "at least " : "",
           c->wavefronts);
    if (c->wavefronts == r->least.wavefronts) ct_put_text(out, ", the least");
    else ct_put(out, ", %.2f times the least", times(c->wavefronts, r->least.wavefronts));
    if (plain && (shared->bits > 0 || shared->pad > 0))
        ct_put(out, ", where the plain layout takes %" PRId64,
               ct_suggest_wavefronts(s, plain, in, s->item[0].kind));
    ct_put_text(out, ". ");
}

/* What a cp.async in the place of a load and a store would cost. */
static void put_against_async(ct_builder *out, suggest_search *s, const suggest_copy *in,
                              const suggest_shared *shared)
{
    const int kind = suggest_elem_bytes(s->query) << in->level == SUGGEST_ACCESS_BYTES
                         ? CT_ATOM_CP_ASYNC_CG
                         : CT_ATOM_CP_ASYNC_CA;
    const int64_t n = ct_suggest_wavefronts(s, shared, in, kind);
    const int64_t now = ct_suggest_wavefronts(s, shared, in, CT_ATOM_UNIVERSAL);
    ct_put(out, "; cp.async would take an estimated %" PRId64 " cycles instead of %" PRId64,
           ct_suggest_cycles_of(s, shared, in, kind), s->item[0].cycles);
    if (n > now)
        ct_put(out,
               ", and %" PRId64 " wavefronts, for it shares none between lines of the "
               "source",
               n);
    ct_put_text(out, ". ");
}

static void put_instructions(ct_builder *out, suggest_search *s, const ct_suggestion *first,
                             const suggest_copy *in, const suggest_shared *shared)
{
    const int bytes = first->in.bits / 8;
    if (ct_atom_is_async(first->in.kind)) {
        ct_put(out,
               "cp.async moves %d bytes of a thread with one instruction, past the "
               "registers. ",
               bytes);
        return;
    }
    ct_put(out, "A load and a store move %d byte%s of a thread at a time", bytes,
           bytes == 1 ? "" : "s");
    const int level = ct_suggest_merged_level(in, shared, s->query);
    const int merged = suggest_elem_bytes(s->query) << level;
    if (merged > bytes) ct_put(out, ", the stores joined to %d by the compiler", merged);
    if (s->query->no_cp_async) ct_put_text(out, ". ");
    else if (bytes < 4) ct_put_text(out, "; cp.async moves 4, 8 or 16. ");
    else put_against_async(out, s, in, shared);
}

/* Which bounds are not met. */
static void put_verdict(ct_builder *out, const ct_suggest_result *r)
{
    const ct_suggest_cost *const c = &r->item[0].cost, *const least = &r->least;
    const struct {
        const char *name;
        int64_t n, least;
    } number[] = {{"sectors", c->sectors, least->sectors},
                  {"wavefronts", c->wavefronts, least->wavefronts},
                  {"instructions", c->instructions, least->instructions},
                  {"bytes of shared memory", c->shared_bytes, least->shared_bytes}};
    if (r->optimal) {
        ct_put_text(out, "Optimal: no layout moves fewer sectors, or takes fewer wavefronts, "
                         "instructions or bytes of shared memory.");
        return;
    }
    ct_put(out, "No candidate is estimated to take fewer cycles than %" PRId64, r->item[0].cycles);
    int met = 0, unmet = 0;
    for (int i = 0; i < 4; ++i) {
        if (number[i].n != number[i].least) continue;
        ct_put(out, "%s %s", met++ ? "," : "; optimal in", number[i].name);
    }
    for (int i = 0; i < 4; ++i) {
        if (number[i].n == number[i].least) continue;
        ct_put(out, "%s %.2f times the least %s", unmet++ ? "," : ";",
               times(number[i].n, number[i].least), number[i].name);
    }
    ct_put_text(out, ".");
}

void ct_suggest_explain(suggest_search *s, ct_suggest_result *result)
{
    ct_builder out = ct_builder_fixed(result->reason, sizeof result->reason);
    const suggest_shared *const shared = &s->shareds.item[s->item[0].shared];
    const suggest_copy *const in = &s->in.item[s->item[0].copy];
    put_sectors(&out, s, result, in);
    put_wavefronts(&out, s, result, in, shared);
    put_instructions(&out, s, &result->item[0], in, shared);
    put_verdict(&out, result);
    ct_builder_end(&out);
}
