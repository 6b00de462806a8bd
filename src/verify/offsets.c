/* The offsets of elements: none written twice, no aliasing in shared memory, contiguous accesses.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/refuse.h"
#include "verify.h"

void ct_finding_say(ct_verify_finding *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
}

const char *ct_coord_text(char *text, ct_tuple coord)
{
    char whole[CT_TEXT_BYTES];
    ct_format_tuple(whole, sizeof whole, coord);
    snprintf(text, CT_COORD_BYTES, "%.79s", whole);
    return text;
}

void ct_finding_pair(ct_verify_finding *f, const ct_hold *a, const ct_hold *b)
{
    f->thread[0] = a ? a->thread : -1;
    f->value[0] = a ? a->value : -1;
    f->thread[1] = b ? b->thread : -1;
    f->value[1] = b ? b->value : -1;
}

void ct_name_holds(char *text, size_t size, const ct_hold *a, const ct_hold *b)
{
    const long long ta = (long long)a->thread, tb = (long long)b->thread;
    const long long va = (long long)a->value, vb = (long long)b->value;
    if (ta == tb) snprintf(text, size, "thread %lld's values %lld and %lld", ta, va, vb);
    else if (va == vb)
        snprintf(text, size, "threads %lld and %lld, value %lld of each,", ta, tb, va);
    else snprintf(text, size, "threads %lld and %lld, values %lld and %lld,", ta, tb, va, vb);
}

static int by_offset(const void *a, const void *b)
{
    const ct_writer *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    if (x->element != y->element) return x->element < y->element ? -1 : 1;
    return (x->hold > y->hold) - (x->hold < y->hold);
}

void ct_writers_sort(ct_writer *writer, int64_t count)
{
    qsort(writer, (size_t)count, sizeof *writer, by_offset);
}

ct_tuple ct_side_coord(const ct_verify_side *s, int64_t element)
{
    int64_t coord[CT_MAX_LEAVES];
    for (int k = 0; k < s->rank; ++k) {
        coord[k] = element % s->extent[k];
        element /= s->extent[k];
    }
    return ct_coord_tuple(coord, s->rank);
}

static int64_t number_of(const ct_verify_side *s, const int64_t *coord)
{
    int64_t n = 0;
    for (int k = s->rank - 1; k >= 0; --k) n = n * s->extent[k] + coord[k];
    return n;
}

/* ---- writes ---------------------------------------------------------------------------------- */

/* What is written, into `writer` where it is not NULL. Returns how many. */
static int64_t write_tile(const ct_holders *h, ct_writer *writer)
{
    int64_t n = 0;
    for (int64_t i = 0; i < h->count; ++i) {
        const int64_t at = h->hold[i].at;
        if (at < 0 || at >= h->size) continue;
        if (writer) writer[n] = (ct_writer){at, at, i};
        ++n;
    }
    return n;
}

static int64_t write_tensor(const ct_holders *h, const ct_verify_side *s, ct_writer *writer)
{
    int64_t n = 0, origin[CT_MAX_LEAVES], coord[CT_MAX_LEAVES];
    ct_tiles_first(origin);
    do {
        for (int64_t i = 0; i < h->count; ++i) {
            if (!ct_hold_coord(h, s, origin, i, coord)) continue;
            if (writer) writer[n] = (ct_writer){ct_side_at(s, coord), number_of(s, coord), i};
            ++n;
        }
    } while (ct_tiles_next(h, s, origin));
    return n;
}

/* A hold of the element of a tensor, -1: none, or the ranks do not fit. */
static int64_t holder_of(const ct_holders *h, const ct_tuple coord)
{
    int64_t at = 0;
    if (coord.profile.leaves < h->rank) return -1;
    for (int k = h->rank - 1; k >= 0; --k) at = at * h->tile[k] + coord.value[k] % h->tile[k];
    for (int64_t i = 0; i < h->count; ++i) {
        if (h->hold[i].at == at) return i;
    }
    return -1;
}

static void say_written_twice(const ct_holders *h, const ct_verify_side *s, const ct_writer *p,
                              const char *least, ct_verify_finding *f)
{
    char who[96], a[CT_COORD_BYTES], b[CT_COORD_BYTES];
    const ct_hold *x = &h->hold[p[0].hold], *y = &h->hold[p[1].hold];
    ct_name_holds(who, sizeof who, x, y);
    ct_finding_pair(f, x, y);
    for (int k = 0; k < 2; ++k) {
        f->offset[k] = p[k].offset;
        f->coord[k] = s ? ct_side_coord(s, p[k].element) : ct_holders_coord(h, p[k].element);
    }
    ct_coord_text(a, f->coord[0]);
    ct_coord_text(b, f->coord[1]);
    const char *const at = s ? "offset" : "index", *const all = s ? "offsets" : "indices";
    if (p[0].element == p[1].element)
        ct_finding_say(f, "%s both write element %s, %s %lld; written more than once: %s%lld %s",
                       who, a, at, (long long)p->offset, least, (long long)f->bad,
                       f->bad == 1 ? at : all);
    else
        ct_finding_say(f,
                       "%s write elements %s and %s, both at %s %lld; written more than once: "
                       "%s%lld %s",
                       who, a, b, at, (long long)p->offset, least, (long long)f->bad,
                       f->bad == 1 ? at : all);
}

/* The writes of a tensor that is not enumerated, by two elements of one offset. */
static ct_status write_large(const ct_holders *h, const ct_verify_side *s, int64_t n,
                             ct_verify_finding *f, char *message)
{
    int64_t coord[2][CT_MAX_LEAVES], offsets;
    ct_writer pair[2];
    const int found = ct_side_meet(s, coord, &offsets);
    f->count = n;
    if (found == 0) ct_finding_say(f, "%lld writes, each to its own offset", (long long)n);
    if (found == 0) return CT_OK;
    for (int k = 0; k < 2 && found > 0; ++k)
        pair[k] = (ct_writer){ct_side_at(s, coord[k]), number_of(s, coord[k]),
                              holder_of(h, ct_coord_tuple(coord[k], s->rank))};
    if (found < 0 || pair[0].hold < 0 || pair[1].hold < 0)
        return ct_refuse(message, CT_E_CAPACITY, "%lld writes are too many to enumerate",
                         (long long)n);
    ct_writers_sort(pair, 2);
    f->bad = ct_max(1, offsets);
    say_written_twice(h, s, pair, offsets ? "" : "at least ", f);
    return CT_OK;
}

ct_status ct_verify_writes(const ct_holders *h, const ct_verify_side *dst, int covered,
                           ct_verify_finding *f, char *message)
{
    const int64_t n = dst ? ct_side_writes(h, dst) : write_tile(h, NULL);
    if (dst && covered && h->copies == 1 && dst->separate) {
        f->count = n;
        ct_finding_say(f, "%lld writes, each to its own offset", (long long)n);
        return CT_OK;
    }
    if (dst && (!covered || h->copies > 1) && n > CT_VERIFY_MOST) {
        const ct_status bad = ct_verify_writes(h, NULL, 0, f, message);
        if (bad || f->bad || dst->separate) return bad; /* what one tile writes twice all do */
    }
    if (n > CT_VERIFY_MOST) {
        const ct_status bad = write_large(h, dst, n, f, message);
        if (bad != CT_E_CAPACITY || n > 4 * (int64_t)CT_VERIFY_MOST) return bad;
    }
    ct_writer *writer = malloc((size_t)(n + 1) * sizeof *writer);
    int64_t first = -1;
    if (!writer) return CT_E_MEMORY;
    if (dst) write_tensor(h, dst, writer);
    else write_tile(h, writer);
    ct_writers_sort(writer, n);
    for (int64_t i = 1; i < n; ++i) {
        const int again = writer[i].offset == writer[i - 1].offset;
        if (!again) continue;
        if (first < 0) first = i - 1;
        f->bad += i < 2 || writer[i - 2].offset != writer[i].offset; /* each offset once */
    }
    f->count = n;
    if (first >= 0) say_written_twice(h, dst, writer + first, "", f);
    else
        ct_finding_say(f, "%lld writes, each to its own %s", (long long)n,
                       dst ? "offset" : "index");
    free(writer);
    return 0;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* `(0,1) (thread 0, value 1)`. */
static void name_element(const ct_holders *h, ct_verify_finding *f, int which, char *text)
{
    char where[CT_COORD_BYTES];
    const int64_t i = holder_of(h, f->coord[which]);
    ct_coord_text(where, f->coord[which]);
    if (i >= 0) {
        f->thread[which] = h->hold[i].thread;
        f->value[which] = h->hold[i].value;
        snprintf(text, 128, "%s (thread %lld, value %lld)", where, (long long)f->thread[which],
                 (long long)f->value[which]);
    } else snprintf(text, 128, "%s", where);
}

ct_status ct_verify_shared(const ct_holders *h, const ct_verify_side *s, int64_t capacity_bits,
                           int32_t elem_bits, ct_verify_finding *f)
{
    int64_t coord[CT_MAX_LEAVES], alias = -1, past = 0, first_past = -1, offsets = s->size > 0;
    char a[128], b[128];
    ct_writer *writer = malloc((size_t)s->size * sizeof *writer);
    if (!writer) return CT_E_MEMORY;
    for (int64_t i = 0; i < s->size; ++i) {
        int64_t rest = i;
        for (int k = 0; k < s->rank; ++k) {
            coord[k] = rest % s->extent[k];
            rest /= s->extent[k];
        }
        writer[i] = (ct_writer){ct_side_at(s, coord), i, -1};
    }
    ct_writers_sort(writer, s->size);
    const int64_t capacity = capacity_bits / elem_bits, low = writer[0].offset;
    for (int64_t i = 0; i < s->size; ++i) {
        const int same = i > 0 && writer[i].offset == writer[i - 1].offset;
        if (i > 0 && !same) ++offsets;
        if (same && alias < 0) alias = i - 1;
        if (same) f->bad += i < 2 || writer[i - 2].offset != writer[i].offset;
        const int out = capacity_bits > 0 && (writer[i].offset < 0 || writer[i].offset >= capacity);
        if (out && past++ == 0) first_past = i;
    }
    f->count = s->size;
    if (alias < 0) f->bad = past;
    const int64_t shown = alias >= 0 ? alias : first_past;
    if (shown >= 0) {
        f->offset[0] = writer[shown].offset;
        f->coord[0] = ct_side_coord(s, writer[shown].element);
        name_element(h, f, 0, a);
    }
    if (alias >= 0) {
        f->offset[1] = writer[alias + 1].offset;
        f->coord[1] = ct_side_coord(s, writer[alias + 1].element);
        name_element(h, f, 1, b);
        ct_finding_say(f, "elements %s and %s both lie at offset %lld; %lld offsets hold several",
                       a, b, (long long)f->offset[0], (long long)f->bad);
    } else if (first_past >= 0) {
        ct_finding_say(f,
                       "element %s lies at offset %lld, outside the %lld elements that %lld "
                       "bytes hold; %lld do",
                       a, (long long)f->offset[0], (long long)capacity,
                       (long long)(capacity_bits / 8), (long long)past);
    } else {
        ct_finding_say(f, "%lld elements at %lld offsets, %lld to %lld, of %d bits each",
                       (long long)s->size, (long long)offsets, (long long)low,
                       (long long)writer[s->size - 1].offset, (int)elem_bits);
    }
    free(writer);
    return 0;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static void say_broken(const ct_holders *h, const ct_verify_side *s, const ct_accesses *a,
                       const ct_verify_job *job, ct_verify_finding *f)
{
    char x[CT_COORD_BYTES], y[CT_COORD_BYTES];
    const ct_hold *p = &h->hold[a->hold[0]], *q = &h->hold[a->hold[1]];
    const int step = a->fault == CT_BROKEN_STEP;
    ct_finding_pair(f, p, step ? q : NULL);
    f->offset[0] = a->offset[0];
    f->offset[1] = step ? a->offset[1] : CT_INVALID;
    f->coord[0] = ct_coord_tuple(a->coord[0], s->rank);
    if (step) f->coord[1] = ct_coord_tuple(a->coord[1], s->rank);
    ct_coord_text(x, f->coord[0]);
    ct_coord_text(y, f->coord[1]);
    if (step)
        ct_finding_say(f,
                       "thread %lld's values %lld and %lld share an access of %d bits, but %s "
                       "is at offset %lld and %s at %lld; so are %lld of %lld accesses",
                       (long long)p->thread, (long long)p->value, (long long)q->value,
                       (int)job->access_bits, x, (long long)a->offset[0], y,
                       (long long)a->offset[1], (long long)a->bad, (long long)a->whole);
    else
        ct_finding_say(f,
                       "thread %lld's access of %d bits from value %lld, element %s, begins at "
                       "offset %lld, not a multiple of %d; %lld of %lld accesses are so",
                       (long long)p->thread, (int)job->access_bits, (long long)p->value, x,
                       (long long)a->offset[0], (int)(job->access_bits / job->elem_bits),
                       (long long)a->bad, (long long)a->whole);
}

void ct_verify_access(const ct_holders *h, const ct_verify_side *s, const ct_verify_job *job,
                      int64_t align, ct_verify_finding *f)
{
    const int64_t n = job->access_bits / job->elem_bits;
    const ct_accesses a = ct_accesses_of(h, s, n, n, 0);
    f->count = a.whole + a.cut;
    f->bad = a.bad;
    if (a.bad) {
        say_broken(h, s, &a, job, f);
    } else if (a.whole > 0 && align > 0 && align * 8 % job->access_bits != 0) {
        f->bad = a.whole;
        f->offset[0] = 0;
        ct_finding_say(f,
                       "the base is aligned to only %lld bytes, and an access of %d bits "
                       "needs %d bytes",
                       (long long)align, (int)job->access_bits, (int)job->access_bits / 8);
    } else if (a.cut) {
        ct_finding_say(f,
                       "%lld accesses of %d bits, each one aligned run; %lld more cross the "
                       "edge",
                       (long long)a.whole, (int)job->access_bits, (long long)a.cut);
    } else {
        ct_finding_say(f, "%lld accesses of %d bits, each one aligned run", (long long)a.whole,
                       (int)job->access_bits);
    }
}
