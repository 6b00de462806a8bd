/* What would make accesses wider: other thread and value layouts, padded strides, aligned bases and
 * another swizzle, each counted out before it is told. */
#include <stdio.h>
#include <string.h>

#include "width.h"

/* Who holds what, in other ways. */
enum { CANDIDATES = 96, CHANGES = 16 };
typedef struct candidate {
    ct_layout thr, val;
} candidate;

typedef struct candidates {
    int count;
    candidate of[CANDIDATES];
} candidates;

/* What can be changed in memory; UNIT: an unknown stride of a leaf is 1. */
enum { UNIT, PAD, OFFSET, SWIZZLE, ALIGN, KINDS };
typedef struct change {
    int kind, side, leaf;
} change;

static void add(candidates *c, ct_layout thr, ct_layout val)
{
    if (c->count == CANDIDATES || thr.err.status || val.err.status) return;
    c->of[c->count].thr = thr;
    c->of[c->count++].val = val;
}

/* A compact layout of a shape, mode `first` fastest. */
static ct_layout compact(const int64_t *shape, int rank, int first)
{
    ct_tuple s = ct_tuple0(), d = ct_tuple0();
    int64_t stride[CT_MAX_LEAVES] = {1}, run = shape[first];
    int ok = 1;
    stride[first] = 1;
    for (int k = 0; k < rank; ++k) {
        if (k == first) continue;
        stride[k] = run;
        run = ct_mul(run, shape[k], &ok);
    }
    for (int k = 0; k < rank; ++k) {
        s = ct_append(s, ct_int(shape[k]));
        d = ct_append(d, ct_int(stride[k]));
    }
    return rank == 1 ? ct_layout1(shape[0], 1) : ct_make_layout(s, d);
}

/* `values` along mode u for each thread: the threads as they are, then so that the tile stays, then
   along mode u as far as the tensor goes. */
static void add_along(const ct_advice_job *job, candidates *c, int rank, int u, int64_t values,
                      int64_t threads)
{
    int64_t val[CT_MAX_LEAVES] = {1}, thr[CT_MAX_LEAVES] = {1}, all = 1;
    const int side = job->has[0] ? 0 : 1;
    for (int k = 0; k < rank; ++k) val[k] = k == u ? values : 1;
    const ct_layout v = compact(val, rank, u);
    if (job->has_blocks) add(c, job->thr, v);
    for (int k = 0; k < rank; ++k) {
        const int64_t tile = ct_product(ct_get(job->tile, k));
        thr[k] = tile % val[k] == 0 ? tile / val[k] : 0;
        all *= thr[k];
    }
    if (all == threads) add(c, compact(thr, rank, u), v);
    const int64_t extent = ct_size(ct_mode(job->memory[side].layout, u));
    int64_t along = ct_min(threads, ct_max(1, extent / values));
    while (threads % along != 0) --along;
    for (int k = 0; k < rank; ++k) thr[k] = k == u ? along : 1;
    if (rank == 1 && along != threads) return;
    if (rank > 1) thr[u == 0 ? 1 : 0] = threads / along;
    add(c, compact(thr, rank, u), v);
}

static void collect(const ct_advice_job *job, candidates *c)
{
    const int rank = ct_rank(job->tile);
    const int64_t threads = ct_size(ct_mode(job->tv, 0)), values = ct_size(ct_mode(job->tv, 1));
    int64_t shape[CT_MAX_LEAVES] = {1};
    c->count = 0;
    if (job->has_blocks) { /* the same values in another order */
        for (int k = 0; k < ct_layout_rank(job->val); ++k)
            shape[k] = ct_size(ct_mode(job->val, k));
        for (int u = 0; u < ct_layout_rank(job->val); ++u)
            add(c, job->thr, compact(shape, ct_layout_rank(job->val), u));
    }
    for (int64_t n = job->most_bytes / job->elem_bytes; n >= 2; n /= 2) {
        for (int u = 0; u < rank; ++u) {
            if (values > n && values % n == 0) add_along(job, c, rank, u, values, threads);
            add_along(job, c, rank, u, n, threads);
        }
    }
}

/* ---- a job with changes ---------------------------------------------------------------------- */

static void say(char *text, const char *joint, const char *what)
{
    const size_t at = strlen(text);
    snprintf(text + at, CT_MESSAGE_BYTES - at, "%s%.250s", at ? joint : "", what);
}

/* Whether two layouts have one shape and are one function. */
static int is_same(ct_layout a, ct_layout b)
{
    return ct_tuple_equal(ct_shape(a), ct_shape(b)) &&
           ct_layout_equal(ct_coalesce(a), ct_coalesce(b));
}

/* A layout as text, as its shape where that stands for it. */
static void name_layout(char *text, size_t size, ct_layout L)
{
    if (is_same(L, ct_make_col_major(ct_shape(L)))) ct_format_tuple(text, size, ct_shape(L));
    else ct_format_layout(text, size, L);
}

/* The job with other threads and values; 0 where there is no such copy, or it changes nothing. */
static int change_blocks(ct_advice_job *job, const candidate *c, char *text)
{
    char thr[CT_TEXT_BYTES], val[CT_TEXT_BYTES], what[300];
    const int same_thr = job->has_blocks && is_same(job->thr, c->thr);
    const int same_val = job->has_blocks && is_same(job->val, c->val);
    const ct_copy_atom atom =
        ct_copy_atom_universal(8 * ct_min(job->elem_bytes, 16), 8 * ct_min(job->elem_bytes, 16));
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, c->thr, c->val);
    if (copy.atom.err.status || (same_thr && same_val)) return 0;
    job->tv = copy.tv;
    job->tile = ct_tiled_copy_shape(copy);
    job->thr = c->thr;
    job->val = c->val;
    job->has_blocks = 1;
    name_layout(thr, sizeof thr, c->thr);
    name_layout(val, sizeof val, c->val);
    if (same_thr) snprintf(what, sizeof what, "val %.200s", val);
    else if (same_val) snprintf(what, sizeof what, "thr %.200s", thr);
    else snprintf(what, sizeof what, "thr %.140s, val %.140s", thr, val);
    say(text, "; ", what);
    return 1;
}

int ct_pad_strides(ct_layout *L, int64_t n, uint32_t unknown)
{
    int changed = 0;
    int order[CT_MAX_LEAVES];
    const ct_layout old = *L;
    for (int i = 0; i < L->profile.leaves; ++i) { /* by the size of the stride */
        int k = i;
        for (; k > 0 && ct_abs(old.stride[order[k - 1]]) > ct_abs(old.stride[i]); --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int k = 0; k < L->profile.leaves; ++k) {
        const int i = order[k];
        int64_t d = ct_abs(old.stride[i]);
        if (old.shape[i] == 1 || d <= 1 || (unknown >> i & 1)) continue;
        d = ct_ceil_div_int(d, n) * n;
        for (int j = 0; j < k; ++j) { /* as far out as what lay below it needs now */
            const int64_t below = ct_abs(old.stride[order[j]]) * old.shape[order[j]];
            const int64_t now = ct_abs(L->stride[order[j]]) * old.shape[order[j]];
            if (old.shape[order[j]] > 1 && ct_abs(old.stride[i]) >= below)
                d = ct_max(d, ct_ceil_div_int(now, n) * n);
        }
        if (d == ct_abs(old.stride[i])) continue;
        L->stride[i] = old.stride[i] < 0 ? -d : d;
        ++changed;
    }
    return changed;
}

static int change_strides(ct_advice_job *job, int s, int64_t n, char *text)
{
    ct_layout *L = &job->memory[s].layout;
    const ct_layout old = *L;
    char what[300] = "";
    int changed = ct_pad_strides(L, n, job->unknown[s]);
    for (int i = 0; i < old.profile.leaves; ++i) {
        const size_t at = strlen(what);
        const char *and = at ? ", " : "";
        if (job->unknown[s] >> i & 1) {
            L->stride[i] = (1 << 20) + 64 * (i + 1);
            snprintf(what + at, sizeof what - at, "%sa stride of the %s's mode %d that is a multiple "
                     "of %lld", and, ct_side_word(s), ct_mode_of_leaf(old, i), (long long)n);
            ++changed;
        } else if (L->stride[i] != old.stride[i]) {
            snprintf(what + at, sizeof what - at, "%sstride %lld instead of %lld on mode %d of the "
                     "%s", and, (long long)L->stride[i], (long long)old.stride[i],
                     ct_mode_of_leaf(old, i), ct_side_word(s));
        }
    }
    job->unknown[s] = 0;
    if (changed) say(text, "; ", what);
    return changed > 0;
}

static int change_swizzle(ct_advice_job *job, int s, int64_t n, char *text)
{
    ct_composed *c = &job->memory[s];
    char what[200];
    int base = 0;
    while ((int64_t)1 << base < n) ++base;
    if (c->swizzle.bits == 0 || c->swizzle.base >= base) return 0;
    const ct_tuple before = ct_composed_cosize(*c);
    const ct_swizzle sw = ct_make_swizzle(c->swizzle.bits, base, c->swizzle.shift);
    if (sw.err.status) return 0;
    c->swizzle = sw;
    const ct_tuple after = ct_composed_cosize(*c); /* it takes no more room */
    if (before.err.status || after.err.status || after.value[0] > before.value[0]) return 0;
    snprintf(what, sizeof what, "Sw<%d,%d,%d> in the %s", (int)sw.bits, (int)sw.base,
             (int)sw.shift, ct_side_word(s));
    say(text, "; ", what);
    return 1;
}

static int apply(ct_advice_job *job, change c, char *text)
{
    char what[200];
    const int s = c.side;
    const int64_t n = job->most_bytes / job->elem_bytes;
    if (!job->has[s] || n < 2) return 0;
    switch (c.kind) {
    case UNIT:
        if (!(job->unknown[s] >> c.leaf & 1)) return 0;
        job->unknown[s] &= ~(1u << c.leaf);
        job->memory[s].layout.stride[c.leaf] = 1;
        snprintf(what, sizeof what, "a stride of the %s's mode %d that is 1", ct_side_word(s),
                 ct_mode_of_leaf(job->memory[s].layout, c.leaf));
        break;
    case PAD: return change_strides(job, s, n, text);
    case SWIZZLE: return change_swizzle(job, s, n, text);
    case OFFSET:
        if (job->memory[s].offset % n == 0) return 0;
        job->memory[s].offset = ct_ceil_div_int(ct_max(0, job->memory[s].offset), n) * n;
        snprintf(what, sizeof what, "begin the %s at an offset that is a multiple of %lld",
                 ct_side_word(s), (long long)n);
        break;
    default:
        if (ct_base_align(job, s) >= job->most_bytes) return 0;
        job->align[s] = job->most_bytes;
        snprintf(what, sizeof what, "a base of the %s that is a multiple of %d bytes",
                 ct_side_word(s), (int)job->most_bytes);
    }
    say(text, "; ", what);
    return 1;
}

/* ---- the search ------------------------------------------------------------------------------ */

typedef struct search {
    const ct_advice_job *job;
    ct_advice *advice;
    candidates layouts;
    change change[CHANGES];
    int changes;
    int32_t best; /* of fewer changes */
} search;

/* Keeps a hint where it is wider than all of fewer changes, the widest of as many first. */
static void keep(search *s, const ct_advice_hint *hint)
{
    ct_advice *a = s->advice;
    int at = a->hints, same = 0;
    if (hint->bytes <= s->best) return;
    for (int i = 0; i < a->hints; ++i) {
        same += a->hint[i].changes == hint->changes;
        if (strcmp(a->hint[i].text, hint->text) == 0) return;
    }
    while (at > 0 && a->hint[at - 1].changes == hint->changes &&
           a->hint[at - 1].bytes < hint->bytes)
        --at;
    if (same >= 3 && at == a->hints) return;
    if (a->hints == CT_ADVICE_HINTS && at == a->hints) return;
    if (same >= 3 || a->hints == CT_ADVICE_HINTS) --a->hints;
    memmove(&a->hint[at + 1], &a->hint[at], (size_t)(a->hints - at) * sizeof *a->hint);
    a->hint[at] = *hint;
    ++a->hints;
}

/* Tries layout `l` (-1: as it is) with the changes of a set. */
static void attempt(search *s, int l, unsigned set)
{
    static const char none[CT_MESSAGE_BYTES] = "";
    ct_advice_hint hint;
    char message[CT_MESSAGE_BYTES];
    memcpy(hint.text, none, sizeof hint.text);
    hint.job = *s->job;
    hint.changes = l >= 0;
    if (l >= 0 && !change_blocks(&hint.job, &s->layouts.of[l], hint.text)) return;
    for (int i = 0; i < s->changes; ++i) {
        if (!(set >> i & 1)) continue;
        if (!apply(&hint.job, s->change[i], hint.text)) return;
        ++hint.changes;
    }
    hint.bytes = ct_advice_width(&hint.job, message);
    keep(s, &hint);
}

static int count_bits(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1) ++n;
    return n;
}

/* The changes that would change something. */
static void list_changes(search *s)
{
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < CT_MAX_LEAVES + KINDS - 1; ++i) { /* UNIT of each leaf, then the others */
            char text[CT_MESSAGE_BYTES] = "";
            ct_advice_job job = *s->job;
            const int unit = i < CT_MAX_LEAVES;
            const change c = {unit ? UNIT : i - CT_MAX_LEAVES + 1, side, unit ? i : 0};
            if (s->changes < CHANGES && apply(&job, c, text)) s->change[s->changes++] = c;
        }
    }
}

/* The widest that other threads and values reach on one side alone, the other being registers. */
static int32_t alone(search *s, int side, char *text)
{
    int32_t best = 0;
    char message[CT_MESSAGE_BYTES];
    for (int l = -1; l < s->layouts.count && best < s->job->most_bytes; ++l) {
        char what[CT_MESSAGE_BYTES] = "";
        ct_advice_job job = *s->job;
        job.has[1 - side] = 0;
        if (l >= 0 && !change_blocks(&job, &s->layouts.of[l], what)) continue;
        const int32_t bytes = ct_advice_width(&job, message);
        if (bytes > best) {
            best = bytes;
            snprintf(text, 160, "%.150s", l < 0 ? "as it is" : what);
        }
    }
    return best;
}

/* Where no change of who holds what helps, as in a transpose: each side with its own. */
static void note_two_steps(search *s)
{
    char text[2][160] = {"", ""};
    const int32_t src = alone(s, 0, text[0]), dst = alone(s, 1, text[1]);
    ct_advice *a = s->advice;
    if (src <= a->bytes || dst <= a->bytes || a->notes == CT_ADVICE_NOTES) return;
    snprintf(a->note[a->notes++], CT_MESSAGE_BYTES,
             "The two have their stride 1 on different modes; through shared memory each side has "
             "its own accesses: %d-bit from the source (%.75s), %d-bit to the destination (%.75s).",
             8 * (int)src, text[0], 8 * (int)dst, text[1]);
}

void ct_find_hints(const ct_advice_job *job, ct_advice *a)
{
    static const int most_changes = 4;
    search s;
    memset(&s, 0, sizeof s);
    s.job = job;
    s.advice = a;
    s.best = a->bytes;
    collect(job, &s.layouts);
    list_changes(&s);
    for (int n = 1; n <= most_changes && s.best < job->most_bytes; ++n) {
        for (unsigned set = 0; set < 1u << s.changes; ++set) {
            if (count_bits(set) == n) attempt(&s, -1, set);
            for (int l = 0; count_bits(set) == n - 1 && l < s.layouts.count; ++l) attempt(&s, l, set);
        }
        for (int i = 0; i < a->hints; ++i) s.best = (int32_t)ct_max(s.best, a->hint[i].bytes);
    }
    if (a->hints == 0 && job->has[0] && job->has[1]) note_two_steps(&s);
}
