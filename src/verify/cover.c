/* Which thread holds which element: each element once, no thread idle, none doubled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

static int is_inside(const ct_holders *h, int64_t i)
{
    return h->hold[i].at >= 0 && h->hold[i].at < h->size;
}

/* ---- each element once ----------------------------------------------------------------------- */

static void say_outside(const ct_holders *h, int64_t i, ct_verify_finding *f)
{
    const ct_hold *a = &h->hold[i];
    ct_finding_pair(f, a, NULL);
    f->offset[0] = a->at;
    if (a->at == CT_HOLD_OUTSIDE)
        ct_finding_say(f, "thread %lld, value %lld is outside the tile; %lld are",
                       (long long)a->thread, (long long)a->value, (long long)f->bad);
    else
        ct_finding_say(f,
                       "thread %lld, value %lld is at index %lld, outside the %lld elements of "
                       "the tile; %lld are",
                       (long long)a->thread, (long long)a->value, (long long)a->at,
                       (long long)h->size, (long long)f->bad);
}

/* once, 2 times, .. */
static const char *times_text(char text[32], int64_t times)
{
    if (times == 1) return "once";
    snprintf(text, 32, "%lld times", (long long)times);
    return text;
}

static void say_twice(const ct_holders *h, int64_t i, int64_t k, ct_verify_finding *f)
{
    char who[96], where[CT_COORD_BYTES], times[32];
    const ct_hold *a = &h->hold[i], *b = &h->hold[k];
    ct_name_holds(who, sizeof who, a, b);
    ct_finding_pair(f, a, b);
    f->offset[0] = f->offset[1] = a->at;
    f->coord[0] = f->coord[1] = ct_holders_coord(h, a->at);
    ct_finding_say(f, "%s%s element %s, index %lld; %lld elements are held more than %s", who,
                   a->thread == b->thread ? " are both" : " both hold",
                   ct_coord_text(where, f->coord[0]), (long long)a->at, (long long)f->bad,
                   times_text(times, h->copies));
}

static void say_missing(const ct_holders *h, int64_t hole, int64_t held, ct_verify_finding *f)
{
    char where[CT_COORD_BYTES], times[32];
    f->offset[0] = hole;
    f->coord[0] = ct_holders_coord(h, hole);
    if (held == 0)
        ct_finding_say(f,
                       "no thread holds element %s, index %lld; %lld of %lld elements are left "
                       "out",
                       ct_coord_text(where, f->coord[0]), (long long)hole, (long long)f->bad,
                       (long long)h->size);
    else
        ct_finding_say(f,
                       "element %s, index %lld, is held %s, and the tiled MMA needs it %lld "
                       "times; so are %lld of %lld elements",
                       ct_coord_text(where, f->coord[0]), (long long)hole, times_text(times, held),
                       (long long)h->copies, (long long)f->bad, (long long)h->size);
}

/* One value of one thread that two blocks use: thread, value, hold. */
static int by_value_held(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    for (int k = 0; k < 3; ++k) {
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    }
    return 0;
}

/* How many values hold more than one element; the first of them in pair. -1: no memory. */
static int64_t count_ambiguous(const ct_holders *h, int64_t pair[2])
{
    int64_t(*of)[3] = malloc((size_t)h->count * sizeof *of), n = 0;
    for (int64_t i = 0; of && i < h->count; ++i) {
        of[i][0] = h->hold[i].thread;
        of[i][1] = h->hold[i].value;
        of[i][2] = i;
    }
    if (!of) return -1;
    qsort(of, (size_t)h->count, sizeof *of, by_value_held);
    for (int64_t i = 1; i < h->count; ++i) {
        if (of[i][0] != of[i - 1][0] || of[i][1] != of[i - 1][1]) continue;
        if (n == 0) {
            pair[0] = of[i - 1][2];
            pair[1] = of[i][2];
        }
        n += i < 2 || of[i - 2][0] != of[i][0] || of[i - 2][1] != of[i][1];
    }
    free(of);
    return n;
}

static void say_ambiguous(const ct_holders *h, const int64_t pair[2], ct_verify_finding *f)
{
    char where[2][CT_COORD_BYTES];
    ct_finding_pair(f, &h->hold[pair[0]], &h->hold[pair[1]]);
    for (int k = 0; k < 2; ++k) {
        f->offset[k] = h->hold[pair[k]].at;
        if (is_inside(h, pair[k])) f->coord[k] = ct_holders_coord(h, f->offset[k]);
        if (is_inside(h, pair[k])) ct_coord_text(where[k], f->coord[k]);
        else snprintf(where[k], CT_COORD_BYTES, "one outside the tile");
    }
    ct_finding_say(f, "value %lld of thread %lld holds two elements, %s and %s; %lld values do",
                   (long long)f->value[0], (long long)f->thread[0], where[0], where[1],
                   (long long)f->bad);
}

/* How often an element is held, and by which hold first and last. */
typedef struct held_by {
    int64_t times, first, last;
} held_by;

/* Counts the holds of each element. Returns the number of elements held too often: by more threads
 * than should hold it, or twice by one. pair gets the holders of the first. */
static int64_t count_holds(const ct_holders *h, held_by *of, int64_t pair[2])
{
    int64_t bad = 0;
    for (int64_t i = 0; i < h->count; ++i) {
        if (!is_inside(h, i)) continue;
        held_by *const e = &of[h->hold[i].at];
        const int again = e->times > 0 && h->hold[e->last].thread == h->hold[i].thread;
        if (e->times >= 0 && (again || e->times == h->copies)) {
            if (bad++ == 0) {
                pair[0] = again ? e->last : e->first;
                pair[1] = i;
            }
            e->times = -1; /* counted as bad */
        }
        if (e->times == 0) e->first = i;
        if (e->times >= 0) e->times++;
        e->last = i;
    }
    return bad;
}

ct_status ct_verify_cover(const ct_holders *h, ct_verify_finding *f)
{
    int64_t outside = 0, missing = 0, first_outside = 0, hole = -1;
    int64_t pair[2] = {-1, -1}, same[2] = {0, 0};
    held_by *of = calloc((size_t)h->size, sizeof *of);
    const int64_t ambiguous = count_ambiguous(h, same);
    if (!of || ambiguous < 0) {
        free(of);
        return CT_E_MEMORY;
    }
    for (int64_t i = h->count - 1; i >= 0; --i) {
        if (is_inside(h, i)) continue;
        ++outside;
        first_outside = i;
    }
    const int64_t twice = count_holds(h, of, pair);
    for (int64_t at = 0; at < h->size; ++at) {
        if (of[at].times >= 0 && of[at].times < h->copies && missing++ == 0) hole = at;
    }
    f->count = h->size;
    f->bad = ambiguous ? ambiguous : outside ? outside : twice ? twice : missing;
    if (ambiguous) say_ambiguous(h, same, f);
    else if (outside) say_outside(h, first_outside, f);
    else if (twice) say_twice(h, pair[0], pair[1], f);
    else if (missing) say_missing(h, hole, of[hole].times, f);
    else if (h->copies > 1)
        ct_finding_say(f,
                       "each of the %lld elements of the tile is held by %lld threads, as the "
                       "tiled MMA needs it",
                       (long long)h->size, (long long)h->copies);
    else
        ct_finding_say(f, "each of the %lld elements of the tile is held once", (long long)h->size);
    free(of);
    return 0;
}

/* ---- idle threads ---------------------------------------------------------------------------- */

/* The threads that hold an element: how many, the first, another, and the last that was met. */
typedef struct threads_of {
    int64_t count, first, other, last;
} threads_of;

static threads_of *threads_of_each(const ct_holders *h)
{
    threads_of *all = calloc((size_t)h->size, sizeof *all);
    for (int64_t i = 0; all && i < h->count; ++i) {
        if (!is_inside(h, i)) continue;
        threads_of *const of = &all[h->hold[i].at];
        const int64_t thread = h->hold[i].thread;
        if (of->count == 0) of->first = thread;
        else if (of->count == 1 && thread != of->first) of->other = thread;
        if (of->count == 0 || thread != of->last) of->count++;
        of->last = thread;
    }
    return all;
}

/* The elements of each thread: those that it holds, and of them its own: those that no more threads
 * hold than are to. */
static void count_own(const ct_holders *h, const threads_of *of, int64_t *has, int64_t *own)
{
    for (int64_t i = 0; i < h->count; ++i) {
        if (!is_inside(h, i)) continue;
        ++has[h->hold[i].thread];
        own[h->hold[i].thread] += of[h->hold[i].at].count <= h->copies;
    }
}

static void say_idle(const ct_holders *h, const threads_of *of, int64_t thread, int64_t has,
                     ct_verify_finding *f)
{
    f->thread[0] = thread;
    if (has == 0) {
        ct_finding_say(f,
                       "thread %lld holds no element of the tile; %lld of %lld threads have "
                       "nothing of their own",
                       (long long)thread, (long long)f->bad, (long long)h->threads);
        return;
    }
    int64_t i = 0;
    while (h->hold[i].thread != thread || !is_inside(h, i)) ++i;
    const int64_t at = h->hold[i].at;
    char where[CT_COORD_BYTES];
    f->value[0] = h->hold[i].value;
    f->thread[1] = of[at].first == thread ? of[at].other : of[at].first;
    f->offset[0] = f->offset[1] = at;
    f->coord[0] = f->coord[1] = ct_holders_coord(h, at);
    ct_finding_say(f,
                   "thread %lld has no element of its own: its value %lld, element %s, is also "
                   "held by thread %lld, and so on; %lld of %lld threads are so",
                   (long long)thread, (long long)f->value[0], ct_coord_text(where, f->coord[0]),
                   (long long)f->thread[1], (long long)f->bad, (long long)h->threads);
}

ct_status ct_verify_idle(const ct_holders *h, ct_verify_finding *f)
{
    threads_of *two = threads_of_each(h);
    int64_t thread = -1, fewest = INT64_MAX;
    int64_t *has = calloc((size_t)h->threads * 2, sizeof *has);
    int64_t *own = has ? has + h->threads : NULL;
    if (two && has) count_own(h, two, has, own);
    f->count = h->threads;
    for (int64_t t = 0; two && has && t < h->threads; ++t) {
        if (own[t] == 0 && f->bad++ == 0) thread = t;
        fewest = ct_min(fewest, own[t]);
    }
    if (two && has && thread >= 0) say_idle(h, two, thread, has[thread], f);
    else if (two && has && h->copies > 1)
        ct_finding_say(f, "each of %lld threads holds %lld or more elements that %lld threads hold",
                       (long long)h->threads, (long long)fewest, (long long)h->copies);
    else if (two && has)
        ct_finding_say(f, "each of %lld threads holds %lld or more elements that no other does",
                       (long long)h->threads, (long long)fewest);
    const int bad = !two || !has;
    free(two);
    free(has);
    return bad ? CT_E_MEMORY : CT_OK;
}

/* ---- doubled threads ------------------------------------------------------------------------- */

/* The elements that a thread holds, in order, each once. */
typedef struct held {
    int64_t thread, count;
    int64_t *at;
} held;

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int by_elements(const void *a, const void *b)
{
    const held *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? -1 : 1;
    for (int64_t i = 0; i < x->count; ++i) {
        if (x->at[i] != y->at[i]) return x->at[i] < y->at[i] ? -1 : 1;
    }
    return 0;
}

static int by_elements_and_thread(const void *a, const void *b)
{
    const int order = by_elements(a, b);
    const held *x = a, *y = b;
    return order ? order : (x->thread > y->thread) - (x->thread < y->thread);
}

/* The lists of all threads; their elements are in `room`. */
static void collect(const ct_holders *h, held *of, int64_t *capacity)
{
    int64_t *next = capacity;
    for (int64_t i = 0; i < h->count; ++i) of[h->hold[i].thread].count += is_inside(h, i);
    for (int64_t t = 0; t < h->threads; next += of[t].count, ++t) {
        of[t].thread = t;
        of[t].at = next;
    }
    for (int64_t t = 0; t < h->threads; ++t) of[t].count = 0;
    for (int64_t i = 0; i < h->count; ++i) {
        held *mine = &of[h->hold[i].thread];
        if (is_inside(h, i)) mine->at[mine->count++] = h->hold[i].at;
    }
    for (int64_t t = 0; t < h->threads; ++t) {
        int64_t n = 0;
        qsort(of[t].at, (size_t)of[t].count, sizeof *of[t].at, by_number);
        for (int64_t i = 0; i < of[t].count; ++i) {
            if (i == 0 || of[t].at[i] != of[t].at[i - 1]) of[t].at[n++] = of[t].at[i];
        }
        of[t].count = n;
    }
}

ct_status ct_verify_doubled(const ct_holders *h, ct_verify_finding *f)
{
    held *of = calloc((size_t)h->threads, sizeof *of);
    int64_t *capacity = malloc((size_t)(h->count + 1) * sizeof *capacity);
    char where[CT_COORD_BYTES];
    if (!of || !capacity) {
        free(of);
        free(capacity);
        return CT_E_MEMORY;
    }
    collect(h, of, capacity);
    qsort(of, (size_t)h->threads, sizeof *of, by_elements_and_thread);
    f->count = h->threads;
    for (int64_t i = h->copies; i < h->threads; ++i) { /* those before it that may hold the same */
        const held *const before = &of[i - h->copies];
        if (of[i].count == 0 || by_elements(before, &of[i]) != 0) continue;
        ++f->bad;
        if (f->thread[0] >= 0 && before->thread >= f->thread[0]) continue;
        f->thread[0] = before->thread; /* the pair of the lowest threads */
        f->thread[1] = of[i].thread;
        f->offset[0] = f->offset[1] = of[i].at[0];
        f->coord[0] = f->coord[1] = ct_holders_coord(h, of[i].at[0]);
        ct_finding_say(f, "threads %lld and %lld hold the same elements, %lld of them, from %s on",
                       (long long)f->thread[0], (long long)f->thread[1], (long long)of[i].count,
                       ct_coord_text(where, f->coord[0]));
    }
    if (f->bad == 0 && h->copies > 1)
        ct_finding_say(f, "no more than %lld of %lld threads hold the same elements",
                       (long long)h->copies, (long long)h->threads);
    else if (f->bad == 0)
        ct_finding_say(f, "no two of %lld threads hold the same elements", (long long)h->threads);
    free(of);
    free(capacity);
    return 0;
}
