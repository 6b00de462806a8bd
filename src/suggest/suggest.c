/* The public functions: a query checked, searched, and handed back. */
#include <cutlet/host/suggest.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/host/text.h>
#include "suggest.h"

enum { THREADS_MAX = 1024, SHARED_MAX = 227 * 1024 };

static int is_elem(int bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

ct_status ct_suggest_layout_as_bytes(ct_layout *L, int bits, const char *name, int *mode,
                                     char *message)
{
    char why[CT_MESSAGE_BYTES];
    const ct_tensor t = ct_tensor_recast(ct_make_tensor(*L), bits, 8);
    if (t.layout.err.status) {
        ct_error_message(t.layout.err, why, sizeof why);
        return ct_refuse(message, t.layout.err.status,
                         "%s: elements of %d bits do not fill bytes: %s", name, bits, why);
    }
    for (*mode = 0; *mode < 2; ++*mode)
        if (ct_size(ct_mode(*L, *mode)) != ct_size(ct_mode(t.layout, *mode))) break;
    if (*mode == 2)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: elements of %d bits have to be contiguous",
                         name, bits);
    *L = t.layout;
    return CT_OK;
}

ct_status ct_suggest_as_bytes(ct_suggest_query *q, char message[CT_MESSAGE_BYTES])
{
    const int bits = q->elem_bits;
    int mode = 0, other = 0;
    if (bits >= 8 || ct_layout_rank(q->src) != 2 || (q->has_dst && ct_layout_rank(q->dst) != 2))
        return CT_OK; /* ct_suggest refuses the ranks */
    ct_status bad = ct_suggest_layout_as_bytes(&q->src, bits, "the source", &mode, message);
    if (!bad && q->has_dst)
        bad = ct_suggest_layout_as_bytes(&q->dst, bits, "the destination", &other, message);
    if (bad) return bad;
    if (q->has_dst && other != mode)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "elements of %d bits are contiguous along mode %d of the source and mode "
                         "%d of the destination: bytes cannot be transposed into them",
                         bits, mode, other);
    int64_t *const extent = mode == 0 ? &q->tile_m : &q->tile_n;
    if (*extent % 8 * bits % 8 != 0)
        return ct_refuse(message, CT_E_ARGUMENT, "%lld elements of %d bits do not fill bytes",
                         (long long)*extent, bits);
    *extent = *extent / 8 * bits + *extent % 8 * bits / 8;
    q->elem_bits = 8;
    return CT_OK;
}

static ct_status check_sizes(const ct_suggest_query *q, char message[CT_MESSAGE_BYTES])
{
    if (!is_elem(q->elem_bits))
        return ct_refuse(message, CT_E_ARGUMENT, "an element has 8, 16, 32, 64 or 128 bits, not %d",
                         q->elem_bits);
    if (q->threads < 32 || q->threads > THREADS_MAX || q->threads % 32 != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%d threads; a block has a multiple of 32, at most %d", q->threads,
                         THREADS_MAX);
    if (q->tile_m < 1 || q->tile_n < 1 || q->tile_m > CT_SUGGEST_TILE_MAX ||
        q->tile_n > CT_SUGGEST_TILE_MAX || suggest_size(q) > CT_SUGGEST_TILE_MAX)
        return ct_refuse(message, CT_E_ARGUMENT, "a tile of %lld x %lld; it has 1 to %d elements",
                         (long long)q->tile_m, (long long)q->tile_n, CT_SUGGEST_TILE_MAX);
    if (q->top < 0 || q->shared_bytes < 0 || q->shared_bytes > SHARED_MAX)
        return ct_refuse(message, CT_E_ARGUMENT, "shared_bytes is 0 to %d, top at least 0",
                         SHARED_MAX);
    return 0;
}

static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

/* Whether the read can be done at all: its name, its width, and what ldmatrix takes. */
static ct_status check_read(const ct_suggest_query *q, char message[CT_MESSAGE_BYTES])
{
    const int trans = q->read == CT_READ_LDMATRIX_TRANS;
    const int matrices = trans || q->read == CT_READ_LDMATRIX;
    const int64_t extent[2] = {q->tile_m, q->tile_n};
    const int along_n = q->read == CT_READ_ROWS || q->read == CT_READ_LDMATRIX;
    if (q->read < 0 || q->read >= CT_READ_COUNT)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no read %d", q->read);
    if (matrices && (trans ? q->elem_bits != 16 : q->elem_bits > 32))
        return ct_refuse(message, CT_E_ARGUMENT, "ldmatrix%s takes elements of %s bits, not %d",
                         trans ? ".trans" : "", trans ? "16" : "8, 16 or 32", q->elem_bits);
    if (matrices && (extent[!along_n] % 8 != 0 || extent[along_n] * q->elem_bits % 128 != 0))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "ldmatrix%s reads 8 %s of 16 bytes at a time, which do not divide a tile "
                         "of %lld x %lld; take one of %lld x %lld, or read %s",
                         trans ? ".trans" : "", trans ? "columns" : "rows", (long long)q->tile_m,
                         (long long)q->tile_n,
                         (long long)round_up(q->tile_m, along_n ? 8 : 128 / q->elem_bits),
                         (long long)round_up(q->tile_n, along_n ? 128 / q->elem_bits : 8),
                         trans ? "cols" : "rows");
    if (q->read_bits == 0) return 0;
    if (matrices || !is_elem(q->read_bits) || q->read_bits < q->elem_bits)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a read of %d bits: along rows or columns it has the bits of one element, "
                         "%d, to 128; ldmatrix has its own",
                         q->read_bits, q->elem_bits);
    if (extent[along_n] * q->elem_bits % q->read_bits != 0)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a read of %d bits does not divide the tile's %lld elements of %d bits",
                         q->read_bits, (long long)extent[along_n], q->elem_bits);
    return 0;
}

/* The walks of the widths that may be read. */
static ct_status make_reads(suggest_search *s, char message[CT_MESSAGE_BYTES])
{
    const ct_suggest_query *const q = s->query;
    const int along_n = q->read == CT_READ_ROWS || q->read == CT_READ_LDMATRIX;
    const int64_t extent = along_n ? q->tile_n : q->tile_m;
    const int matrices = q->read == CT_READ_LDMATRIX || q->read == CT_READ_LDMATRIX_TRANS;
    const int bits = matrices ? 128 : q->read_bits;
    for (int level = 0; level < SUGGEST_LEVELS; ++level) {
        if (q->elem_bits << level > 128 || extent % (1 << level) != 0) break;
        if (bits && q->elem_bits << level != bits) continue;
        if (ct_suggest_read_walk(&s->read[level], q, level))
            return ct_refuse(message, CT_E_MEMORY, "out of memory");
    }
    return 0;
}

static int order(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* No two indices of the destination have one offset. */
static ct_status check_dst(const suggest_search *s, char message[CT_MESSAGE_BYTES])
{
    const int64_t size = suggest_size(s->query);
    int64_t *const at = malloc((size_t)size * sizeof *at);
    int twice = ct_cosize(s->query->dst) < ct_size(s->query->dst);
    if (!at) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    memcpy(at, s->dst.at, (size_t)size * sizeof *at);
    qsort(at, (size_t)size, sizeof *at, order);
    for (int64_t i = 1; i < size; ++i) twice |= at[i] == at[i - 1];
    free(at);
    return twice ? ct_refuse(message, CT_E_ARGUMENT, "the destination reaches one element twice")
                 : CT_OK;
}

static ct_status make_sides(suggest_search *s, char message[CT_MESSAGE_BYTES])
{
    const ct_suggest_query *const q = s->query;
    s->dst.shifts = 1;
    ct_status bad =
        ct_suggest_global_side(&s->src, q, q->src, q->src_align_bytes, "the source", message);
    if (!bad && q->has_dst)
        bad = ct_suggest_global_side(&s->dst, q, q->dst, q->dst_align_bytes, "the destination",
                                     message);
    if (!bad) bad = q->has_dst ? check_dst(s, message) : make_reads(s, message);
    if (bad) return bad;
    s->placements = s->src.shifts * s->dst.shifts / (int32_t)ct_gcd(s->src.shifts, s->dst.shifts);
    s->src_weight = s->placements / s->src.shifts;
    s->dst_weight = s->placements / s->dst.shifts;
    return 0;
}

static ct_suggestion suggestion_of(const suggest_search *s, const suggest_candidate *c)
{
    const suggest_shared *const shared = &s->shareds.item[c->shared];
    const int elem_bits = s->query->elem_bits;
    ct_suggestion r = {0};
    r.in = ct_suggest_copy_public(&s->in.item[c->copy], c->kind, elem_bits);
    if (shared->out >= 0)
        r.out = ct_suggest_copy_public(&s->out.item[shared->out], CT_ATOM_UNIVERSAL, elem_bits);
    r.read_bits = elem_bits << shared->read_level;
    r.shared = ct_suggest_shared_layout(shared, s->query);
    r.cycles = c->cycles;
    r.passes = c->passes;
    r.cost = c->cost;
    r.at_least = c->at_least;
    return r;
}

static ct_status give(suggest_search *s, ct_suggest_result *result)
{
    result->item = malloc((size_t)s->count * sizeof *result->item);
    if (!result->item) return ct_refuse(result->message, CT_E_MEMORY, "out of memory");
    result->count = s->count;
    for (int i = 0; i < s->count; ++i) result->item[i] = suggestion_of(s, &s->item[i]);
    result->placements = s->placements;
    result->tried = s->tried;
    result->least = s->least;
    const ct_suggest_cost *const first = &result->item[0].cost, *const least = &result->least;
    result->optimal = first->sectors == least->sectors && first->wavefronts == least->wavefronts &&
                      first->instructions == least->instructions &&
                      first->shared_bytes == least->shared_bytes;
    ct_suggest_explain(s, result);
    return 0;
}

ct_status ct_suggest(const ct_suggest_query *query, ct_suggest_result *result)
{
    suggest_search s = {.query = query};
    memset(result, 0, sizeof *result);
    ct_status status = check_sizes(query, result->message);
    if (status == 0 && !query->has_dst) status = check_read(query, result->message);
    if (status == 0) status = make_sides(&s, result->message);
    if (status == 0) status = ct_suggest_search_run(&s, result->message);
    if (status == 0) status = give(&s, result);
    ct_suggest_search_free(&s);
    return status;
}

void ct_suggest_free(ct_suggest_result *result)
{
    free(result->item);
    result->item = NULL;
    result->count = 0;
}
