/* The search: every layout of shared memory with its best read, every copy into it. */
#include <stdlib.h>

#include "suggest.h"

enum { CAPACITY = 64 };

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* First by what the estimate leaves out: traffic with L2, issue slots. */
static int by_cost(const ct_suggest_cost *x, const ct_suggest_cost *y)
{
    if (x->sectors != y->sectors) return order(x->sectors, y->sectors);
    if (x->instructions != y->instructions) return order(x->instructions, y->instructions);
    if (x->wavefronts != y->wavefronts) return order(x->wavefronts, y->wavefronts);
    return order(x->shared_bytes, y->shared_bytes);
}

/* The kinds of copies, the first of equal cost first. */
static int kind_rank(int kind)
{
    return kind == CT_ATOM_CP_ASYNC_CG ? 0 : kind == CT_ATOM_CP_ASYNC_CA ? 1 : 2;
}

/* The order of equal costs, the simplest first, as one number. */
static uint64_t simplicity(const suggest_search *s, const suggest_candidate *c)
{
    const suggest_shared *const p = &s->shareds.item[c->shared];
    const suggest_copy *const in = &s->in.item[c->copy];
    uint64_t key = (uint64_t)c->at_least;
    key = key << 3 | (uint64_t)p->bits; /* at most 5 */
    key = key << 2 | (uint64_t)kind_rank(c->kind);
    key = key << 24 | (uint64_t)in->simple;
    key = key << 1 | (uint64_t)(p->row_major != in->along);
    key = key << 5 | (uint64_t)(31 - p->base);
    key = key << 6 | (uint64_t)p->shift;
    return key << 8 | (uint64_t)p->pad;
}

/* Orders by the estimate, then by the counts. */
static int by_cycles(const suggest_candidate *x, const suggest_candidate *y)
{
    return x->cycles != y->cycles ? order(x->cycles, y->cycles) : by_cost(&x->cost, &y->cost);
}

static int by_rank(const void *a, const void *b)
{
    const suggest_candidate *x = a, *y = b;
    const int by = by_cycles(x, y);
    return by ? by : (x->tie > y->tie) - (x->tie < y->tie);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* Sorts; leaves out all beyond the top and, where that is asked for, all but one of each cost. */
static void settle(suggest_search *s)
{
    const ct_suggest_query *const q = s->query;
    if (s->count == 0) return;
    qsort(s->item, (size_t)s->count, sizeof *s->item, by_rank);
    if (q->one_per_cost) {
        int kept = 0;
        for (int i = 0; i < s->count; ++i) {
            if (kept > 0 && by_cycles(&s->item[kept - 1], &s->item[i]) == 0) continue;
            s->item[kept++] = s->item[i];
        }
        s->count = kept;
    }
    if (q->top > 0 && s->count > q->top) s->count = q->top;
    s->settled = s->count;
}

static ct_status keep(suggest_search *s, suggest_candidate c)
{
    if (s->count == s->capacity) {
        settle(s);
        if (2 * s->count >= s->capacity) {
            const int capacity = s->capacity ? 2 * s->capacity : CAPACITY;
            suggest_candidate *more = realloc(s->item, (size_t)capacity * sizeof *more);
            if (!more) return CT_E_MEMORY;
            s->item = more;
            s->capacity = capacity;
        }
    }
    s->item[s->count++] = c;
    return 0;
}

/* The candidate that others must not come after; NULL: there is still room for any. */
static const suggest_candidate *worst(const suggest_search *s)
{
    const int top = s->query->top;
    return top > 0 && s->settled >= top ? &s->item[top - 1] : NULL;
}

/* ---- the read of a layout -------------------------------------------------------------------- */

static int read_kind(const ct_suggest_query *q)
{
    const int lds = q->read == CT_READ_ROWS || q->read == CT_READ_COLS;
    return lds ? CT_ACCESS_LDS : CT_ACCESS_LDSM;
}

/* The fewest wavefronts, then the fewest instructions, of all widths that the layout allows. */
static void find_read(suggest_search *s, suggest_shared *p)
{
    const int along_n = s->query->read == CT_READ_ROWS || s->query->read == CT_READ_LDMATRIX;
    p->read = -1;
    for (int level = s->scratch.level[along_n]; level >= 0; --level) {
        if (s->read[level].lanes == 0) continue;
        const int64_t n = ct_suggest_count(s->query, read_kind(s->query), &s->read[level],
                                           s->scratch.at, 0, NULL, INT64_MAX)
                              .wavefronts;
        if (p->read >= 0 && n >= p->read) continue; /* the wider one has fewer instructions */
        p->read = n;
        p->read_level = level;
        p->read_instructions = suggest_instructions(&s->read[level]);
    }
}

/* The order of two numbers of passes. */
static int order_passes(double a, double b) { return (a > b) - (a < b); }

/* The order of the copies to dst: fewest sectors, passes, instructions; then the simplest. */
static void find_out(suggest_search *s, suggest_shared *p)
{
    p->read = -1;
    for (int i = 0; i < s->out.count; ++i) {
        const suggest_copy *const c = &s->out.item[i];
        if (p->read >= 0 && c->sectors > p->out_sectors) break;
        if (c->level > s->scratch.level[c->along]) continue;
        const double more = (double)p->read + p->out_tags - c->tags;
        const int64_t most = p->read < 0 ? INT64_MAX : more > 0 ? (int64_t)more + 1 : 0;
        const int64_t n =
            ct_suggest_count(s->query, CT_ACCESS_LDS, &c->walk, s->scratch.at, 0, NULL, most)
                .wavefronts;
        const int64_t instructions = 2 * suggest_instructions(&c->walk);
        if (p->read >= 0) {
            const int passes = order_passes((double)n + c->tags, (double)p->read + p->out_tags);
            const int by = passes ? passes : order(instructions, p->read_instructions);
            if (by > 0 || (by == 0 && c->simple > s->out.item[p->out].simple)) continue;
        }
        p->read = n;
        p->read_level = c->level;
        p->read_instructions = instructions;
        p->out_sectors = c->sectors;
        p->out_tags = c->tags;
        p->out = i;
    }
}

static int by_read(const void *a, const void *b)
{
    const suggest_shared *x = a, *y = b;
    if ((x->read < 0) != (y->read < 0)) return x->read < 0 ? 1 : -1;
    if (x->out_sectors != y->out_sectors) return order(x->out_sectors, y->out_sectors);
    if (x->read != y->read) return order(x->read, y->read);
    if (x->bits != y->bits) return order(x->bits, y->bits);
    if (x->bytes != y->bytes) return order(x->bytes, y->bytes);
    if (x->row_major != y->row_major) return order(x->row_major, y->row_major);
    return x->base != y->base ? order(x->base, y->base) : order(x->shift, y->shift);
}

/* ---- the copies into it ---------------------------------------------------------------------- */

/* Whether an instruction can do a copy at all. */
static int can(const suggest_search *s, const suggest_copy *c, int kind)
{
    const int bytes = suggest_elem_bytes(s->query) << c->level;
    if (kind == CT_ATOM_UNIVERSAL) return 1;
    return !s->query->no_cp_async && bytes >= (kind == CT_ATOM_CP_ASYNC_CG ? 16 : 4);
}

/* The wavefronts that a write of the tile takes at least, */
static int64_t least_passes(const suggest_search *s)
{
    const ct_access_rules *const rules = ct_suggest_rules(s->query);
    const int64_t pass = rules->banks * rules->bank_bytes;
    return (suggest_size(s->query) * suggest_elem_bytes(s->query) + pass - 1) / pass;
}

/* and one by the accesses of the copy. */
static int64_t least_write(const suggest_search *s, const suggest_copy *c)
{
    return ct_max(least_passes(s), suggest_instructions(&c->walk));
}

/* The write of a copy into the layout in scratch: its wavefronts for the placement of the first
 * tile, its sectors over all shifts. */
static suggest_tally count_write(const suggest_search *s, const suggest_copy *c, int kind,
                                 int64_t most)
{
    const int access = kind == CT_ATOM_CP_ASYNC_CG ? CT_ACCESS_LDGSTS_CG : CT_ACCESS_LDGSTS;
    const int64_t *const shared = s->scratch.at;
    suggest_tally sum;
    if (kind == CT_ATOM_UNIVERSAL) {
        sum = ct_suggest_count(s->query, CT_ACCESS_STS, &c->walk, shared, 0, NULL, most);
        sum.sectors = c->sectors;
        return sum;
    }
    sum = ct_suggest_count(s->query, access, &c->walk, s->src.at, s->src.shift[0], shared, most);
    if (kind == CT_ATOM_CP_ASYNC_CA) sum.sectors = c->sectors;
    for (int k = 1; kind == CT_ATOM_CP_ASYNC_CG && k < s->src.shifts && sum.wavefronts <= most; ++k)
        sum.sectors += ct_suggest_count(s->query, access, &c->walk, s->src.at, s->src.shift[k],
                                        shared, INT64_MAX)
                           .sectors;
    return sum;
}

int64_t ct_suggest_wavefronts(suggest_search *s, const suggest_shared *shared,
                              const suggest_copy *copy, int kind)
{
    ct_suggest_shared_offsets(shared, s->query, s->scratch.at);
    return shared->read + count_write(s, copy, kind, INT64_MAX).wavefronts;
}

/* The level that the stores of a copy are joined to; that of the copy where they are not. */
static int merged_level(const suggest_search *s, const suggest_shared *p, const suggest_copy *c,
                        int kind)
{
    return kind == CT_ATOM_UNIVERSAL ? ct_suggest_merged_level(c, p, s->query) : c->level;
}

int64_t ct_suggest_cycles_of(suggest_search *s, const suggest_shared *shared,
                             const suggest_copy *copy, int kind)
{
    const int level = merged_level(s, shared, copy, kind);
    ct_suggest_shared_offsets(shared, s->query, s->scratch.at);
    const int64_t write = level > copy->level
                              ? ct_suggest_merged_write(s, copy, level, shared, INT64_MAX)
                              : count_write(s, copy, kind, INT64_MAX).wavefronts;
    return ct_suggest_cycles(s, copy, kind, ct_suggest_passes(s, shared, copy, kind, write));
}

/* Counts a candidate and keeps it, unless enough others come before. The layout is in scratch. */
static ct_status try_kind(suggest_search *s, int shared, int copy, int kind)
{
    const suggest_shared *const p = &s->shareds.item[shared];
    const suggest_copy *const c = &s->in.item[copy];
    const suggest_candidate *const bar = worst(s);
    const int level = merged_level(s, p, c, kind), merged = level > c->level;
    const int64_t least = merged ? least_passes(s) : least_write(s, c);
    int64_t most = INT64_MAX, write = 0;
    if (bar) {
        const double passes = ct_suggest_passes(s, p, c, kind, least);
        if (ct_suggest_cycles(s, c, kind, passes) > bar->cycles) return 0;
        const double more = ct_suggest_most_passes(s, c, kind, bar->cycles) - passes;
        most = least + (more > 0 ? (int64_t)more : 0) + 1;
    }
    ++s->tried;
    if (merged) {
        write = ct_suggest_merged_write(s, c, level, p, most);
        if (write > most) return 0;
    }
    const suggest_tally tally = count_write(s, c, kind, merged ? INT64_MAX : most);
    if (!merged) write = tally.wavefronts;
    if (write > most) return 0;
    ct_suggest_cost cost = {.shared_bytes = p->bytes, .write = tally.wavefronts, .read = p->read};
    cost.sectors = tally.sectors * s->src_weight + p->out_sectors * s->dst_weight;
    cost.wavefronts = cost.write + cost.read;
    cost.instructions =
        p->read_instructions + (kind == CT_ATOM_UNIVERSAL ? 2 : 1) * suggest_instructions(&c->walk);
    const double passes = ct_suggest_passes(s, p, c, kind, write);
    suggest_candidate candidate = {
        ct_suggest_cycles(s, c, kind, passes), passes, cost, shared, copy, kind, tally.at_least, 0};
    if (bar && by_cycles(&candidate, bar) > 0) return 0;
    candidate.tie = simplicity(s, &candidate);
    return keep(s, candidate);
}

static ct_status try_copies(suggest_search *s, int shared)
{
    suggest_shared *const p = &s->shareds.item[shared];
    ct_suggest_shared_offsets(p, s->query, s->scratch.at);
    for (int i = 0; i < s->in.count; ++i) {
        const suggest_copy *const c = &s->in.item[i];
        if (c->level > p->level[c->along]) continue;
        for (int kind = CT_ATOM_UNIVERSAL; kind <= CT_ATOM_CP_ASYNC_CG; ++kind) {
            if (can(s, c, kind) && try_kind(s, shared, i, kind)) return CT_E_MEMORY;
        }
        /* settled early, so that there is something to measure others by */
        if (s->query->top > 0 && s->count >= 2 * s->query->top) settle(s);
    }
    return 0;
}

static ct_status search(suggest_search *s)
{
    const ct_suggest_query *const q = s->query;
    s->scratch.at = malloc((size_t)suggest_size(q) * sizeof *s->scratch.at);
    s->merged = malloc((size_t)suggest_size(q) * sizeof *s->merged);
    if (!s->scratch.at || !s->merged) return CT_E_MEMORY;
    s->least = ct_suggest_least(s);
    s->memory_cycles = ct_suggest_memory_cycles((double)s->least.sectors / s->placements);
    for (int i = 0; i < s->shareds.count; ++i) {
        suggest_shared *const p = &s->shareds.item[i];
        ct_suggest_shared_offsets(p, q, s->scratch.at);
        ct_suggest_find_levels(&s->scratch, q);
        p->level[0] = s->scratch.level[0];
        p->level[1] = s->scratch.level[1];
        if (q->has_dst) find_out(s, p);
        else find_read(s, p);
    }
    qsort(s->shareds.item, (size_t)s->shareds.count, sizeof *s->shareds.item, by_read);
    for (int i = 0; i < s->shareds.count && s->shareds.item[i].read >= 0; ++i) {
        if (try_copies(s, i)) return CT_E_MEMORY;
    }
    settle(s);
    return 0;
}

ct_status ct_suggest_search_run(suggest_search *s, char message[CT_MESSAGE_BYTES])
{
    const ct_suggest_query *const q = s->query;
    if (ct_suggest_copies_make(&s->in, q, CT_ACCESS_LDG, &s->src) ||
        (q->has_dst && ct_suggest_copies_make(&s->out, q, CT_ACCESS_STG, &s->dst)) ||
        ct_suggest_shareds_make(&s->shareds, q))
        return ct_refuse(message, CT_E_MEMORY, "out of memory");
    if (s->in.count == 0 || (q->has_dst && s->out.count == 0))
        return ct_refuse(message, CT_E_NO_LAYOUT,
                         "no layout of %d threads, each with as many elements, covers a tile of "
                         "%lld x %lld",
                         q->threads, (long long)q->tile_m, (long long)q->tile_n);
    if (s->shareds.count == 0)
        return ct_refuse(message, CT_E_NO_LAYOUT,
                         "the tile takes %lld bytes of shared memory, more than %lld",
                         (long long)(suggest_size(q) * suggest_elem_bytes(q)),
                         (long long)(q->shared_bytes ? q->shared_bytes : 227 * 1024));
    /* Something is found: single elements go into either plain order, and one of them has the read. */
    return search(s) ? ct_refuse(message, CT_E_MEMORY, "out of memory") : CT_OK;
}

void ct_suggest_search_free(suggest_search *s)
{
    ct_suggest_copies_free(&s->in);
    ct_suggest_copies_free(&s->out);
    free(s->shareds.item);
    free(s->src.at);
    free(s->dst.at);
    free(s->scratch.at);
    free(s->merged);
    free(s->item);
    for (int level = 0; level < SUGGEST_LEVELS; ++level) ct_suggest_walk_free(&s->read[level]);
}
