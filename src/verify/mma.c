/* Which thread holds which element of a tiled MMA: each element of each operand, counted. */
#include "base/refuse.h"
#include "mma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

const char *ct_verify_mma_name(int property)
{
    static const char *const names[CT_VERIFY_MMA_PROPERTIES] = {
        "cover A", "cover B",     "cover C", "cover E",
        "feed A",  "conflicts A", "feed B",  "conflicts B"};
    return property >= 0 && property < CT_VERIFY_MMA_PROPERTIES ? names[property] : "";
}

/* ---- counting ------------------------------------------------------------------------------- */

/* The holds of an operand. */
typedef struct counts {
    int64_t size;    /* of the tile */
    int32_t *held;   /* of each element: how often */
    int64_t outside; /* the first index past the tile, with its thread and value; -1: none */
    int64_t thread, value;
    ct_layout tv;        /* (thread, value) -> index, for tiled copies of the operand */
    int64_t moved, part; /* the first index in it that is another than the partition's; -1: none */
} counts;

/* The mode that an operand lacks: atoms along it hold the same elements. */
static int lacks(int operand) { return operand == CT_MMA_A ? 1 : operand == CT_MMA_B ? 0 : 2; }

/* The threads holding each element of an operand, as the atoms say. */
static int64_t times_of(const ct_tiled_mma *t, int operand)
{
    return ct_size(ct_mode(t->atoms, lacks(operand))) * ct_mma_copies(t->atom.op, operand);
}

static int64_t thread_of(const ct_tiled_mma *t, int64_t i) { return ct_eval(t->thr, i); }

/* Notes a difference of thread-value layout and partition, at value v of a thread. */
static void compare_tv(counts *c, int64_t thread, int64_t v, int64_t at)
{
    const int64_t moved = ct_eval(c->tv, thread + ct_size(ct_mode(c->tv, 0)) * v);
    if (moved == at || c->moved >= 0 || c->outside >= 0) return;
    c->moved = moved;
    c->part = at;
    c->thread = thread;
    c->value = v;
}

/* Counts what a thread holds. The status of its part of the tile. */
static ct_status count_thread(const ct_tiled_mma *t, const ct_tensor *tile, int64_t i, int operand,
                              counts *c)
{
    const int64_t thread = thread_of(t, i);
    /* of C, the thread-value layout has those of the first atom along k */
    const int64_t parts = operand == CT_MMA_C ? ct_size(ct_mode(t->atoms, 2)) : 1;
    const int has_tv = c->tv.err.status == CT_OK && i < ct_tiled_mma_threads(*t) / parts;
    ct_tensor mine;
    memset(&mine, 0, sizeof mine);
    ct_mma_partition(&mine, t, tile, thread, operand);
    if (mine.layout.err.status) return mine.layout.err.status;
    for (int64_t v = 0; v < ct_size(mine.layout); ++v) {
        const int64_t at = ct_tensor_offset(&mine, v);
        if (has_tv) compare_tv(c, thread, v, at);
        if (at >= 0 && at < c->size) {
            c->held[at]++;
        } else if (c->outside < 0) {
            c->outside = at;
            c->thread = thread;
            c->value = v;
        }
    }
    return 0;
}

/* The first of the `held` threads that hold an element. */
static void find_holders(const ct_tiled_mma *t, const ct_tensor *tile, int operand, int64_t element,
                         int64_t held, int64_t thread[CT_VERIFY_HOLDERS])
{
    const int64_t most = ct_min(held, CT_VERIFY_HOLDERS);
    int found = 0;
    for (int64_t i = 0; i < ct_tiled_mma_threads(*t) && found < most; ++i) {
        ct_tensor mine;
        memset(&mine, 0, sizeof mine);
        ct_mma_partition(&mine, t, tile, thread_of(t, i), operand);
        for (int64_t v = 0; v < ct_size(mine.layout); ++v) {
            if (ct_tensor_offset(&mine, v) != element) continue;
            thread[found++] = thread_of(t, i);
            break;
        }
    }
}

/* ---- words ---------------------------------------------------------------------------------- */

/* `threads 0 and 64`, `threads 0, 32, 64, 96, ...`. */
static void holders_text(const ct_verify_mma_finding *f, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "thread%s", f->thread[1] < 0 ? "" : "s");
    for (int i = 0; i < CT_VERIFY_HOLDERS && f->thread[i] >= 0 && n < size; ++i) {
        const int last = i + 1 == CT_VERIFY_HOLDERS || f->thread[i + 1] < 0;
        const char *between = i == 0 ? " " : last && f->times <= CT_VERIFY_HOLDERS ? " and " : ", ";
        n += (size_t)snprintf(text + n, size - n, "%s%lld", between, (long long)f->thread[i]);
    }
    if (f->times > CT_VERIFY_HOLDERS && n < size) snprintf(text + n, size - n, ", ...");
}

/* The reasons for several holders of an element: atoms along the mode that the operand lacks, and
 * threads of one atom that name an operand in shared memory. */
static void reason_text(const ct_tiled_mma *t, int operand, char *text, size_t size)
{
    const long long atoms = ct_size(ct_mode(t->atoms, lacks(operand)));
    const int copies = ct_mma_copies(t->atom.op, operand);
    const char *const sum = operand == CT_MMA_C ? ", with a part of the sum" : "";
    text[0] = '\0';
    if (atoms > 1)
        snprintf(text, size, ", %d of each of the %lld atoms along %c%s", copies, atoms,
                 "mnk"[lacks(operand)], sum);
}

/* How a thread has an operand. */
static const char *verb(const ct_tiled_mma *t, int operand)
{
    const int from = ct_mma_from(t->atom.op, operand);
    return from == CT_MMA_REGISTERS ? "held"
           : from == CT_MMA_SHARED  ? "named in shared memory"
                                    : "named in tensor memory";
}

static const char *stored(const ct_tiled_mma *t, int operand)
{
    return operand == CT_MMA_A && t->atom.op.sparse ? "stored " : "";
}

/* The sentence of an element that is held `held` times, or of all where held is f->times. */
static void say_cover(const ct_tiled_mma *t, int operand, int64_t held, ct_verify_mma_finding *f)
{
    char tile[CT_COORD_BYTES], coord[CT_COORD_BYTES], who[96], why[128];
    const char letter = ct_operand_letter(operand);
    ct_coord_text(tile, ct_tiled_mma_tile(*t, operand));
    ct_coord_text(coord, f->coord);
    holders_text(f, who, sizeof who);
    reason_text(t, operand, why, sizeof why);
    if (held == 0)
        ct_mma_finding_say(
            f, 0, "no thread holds %selement %s of %c %s; the atoms hold each %lld time%s",
            stored(t, operand), coord, letter, tile, (long long)f->times, f->times == 1 ? "" : "s");
    else if (held != f->times)
        ct_mma_finding_say(
            f, 0, "%selement %s of %c %s is held %lld time%s, and the atoms hold each %lld",
            stored(t, operand), coord, letter, tile, (long long)held, held == 1 ? "" : "s",
            (long long)f->times);
    else
        ct_mma_finding_say(
            f, 1, "each of %lld %selement%s of %c %s is %s by %lld thread%s%s; %s by %s",
            (long long)f->elements, stored(t, operand), f->elements == 1 ? "" : "s", letter, tile,
            verb(t, operand), (long long)f->times, f->times == 1 ? "" : "s", why, coord, who);
}

static void say_outside(const ct_tiled_mma *t, int operand, const counts *c,
                        ct_verify_mma_finding *f)
{
    char tile[CT_COORD_BYTES];
    ct_mma_finding_say(
        f, 0, "thread %lld, value %lld is at index %lld, outside the %lld elements of %c %s",
        (long long)c->thread, (long long)c->value, (long long)c->outside, (long long)c->size,
        ct_operand_letter(operand), ct_coord_text(tile, ct_tiled_mma_tile(*t, operand)));
}

static void say_moved(const ct_tiled_mma *t, int operand, const counts *c, ct_verify_mma_finding *f)
{
    char tile[CT_COORD_BYTES];
    ct_mma_finding_say(
        f, 0,
        "thread %lld, value %lld of %c %s is at index %lld in the thread-value layout, and at "
        "%lld in the partition",
        (long long)c->thread, (long long)c->value, ct_operand_letter(operand),
        ct_coord_text(tile, ct_tiled_mma_tile(*t, operand)), (long long)c->moved,
        (long long)c->part);
}

/* ---- the properties ------------------------------------------------------------------------- */

/* An element by its number in a tile of two modes. */
static ct_tuple coord_of(ct_tuple tile, int64_t element)
{
    return ct_tuple2(element % tile.value[0], element / tile.value[0]);
}

static ct_status cover(const ct_tiled_mma *t, int operand, ct_verify_mma_finding *f, char *message)
{
    const ct_tuple shape = ct_tiled_mma_tile(*t, operand);
    const ct_tensor tile = ct_make_tensor(ct_make_col_major(shape));
    counts c = {ct_size(tile.layout), NULL, -1, 0, 0, ct_tiled_mma_tv(*t, operand), -1, -1};
    f->elements = c.size;
    f->times = times_of(t, operand);
    c.held = calloc((size_t)c.size, sizeof *c.held);
    if (!c.held) return ct_refuse(message, CT_E_MEMORY, "out of memory");
    ct_status bad = CT_OK;
    for (int64_t i = 0; i < ct_tiled_mma_threads(*t) && !bad; ++i)
        bad = count_thread(t, &tile, i, operand, &c);
    if (bad) ct_refuse(message, bad, "a thread has no part of the tile");
    if (!bad && c.outside >= 0) {
        say_outside(t, operand, &c, f);
    } else if (!bad && c.moved >= 0) {
        say_moved(t, operand, &c, f);
    } else if (!bad) {
        int64_t at = 0;
        while (at + 1 < c.size && c.held[at] == f->times) ++at;
        if (c.held[at] == f->times) at = 0;
        f->coord = coord_of(shape, at);
        find_holders(t, &tile, operand, at, c.held[at], f->thread);
        say_cover(t, operand, c.held[at], f);
    }
    free(c.held);
    return bad;
}

/* The bits of the metadata that the threads of each selector give. */
static void cover_metadata(const ct_mma_atom *a, ct_verify_mma_finding *f)
{
    const ct_layout e = ct_mma_tv(*a, CT_MMA_E);
    const int threads = (int)ct_size(a->thr_id), selectors = ct_mma_selectors(a->op);
    const int bits = a->op.m * ct_mma_row_bits(a->op);
    int32_t held[4096];
    f->elements = bits;
    f->times = selectors;
    for (int s = 0; s < selectors; ++s) {
        memset(held, 0, sizeof held);
        for (int64_t i = 0; i < ct_size(e); ++i) {
            const int64_t at = ct_eval(e, i);
            if (at >= 0 && at < bits && ct_mma_reads_e(a->op, (int32_t)(i % threads), s))
                held[at]++;
        }
        for (int at = 0; at < bits; ++at) {
            if (held[at] == 1) continue;
            f->coord = ct_tuple2(at % a->op.m, at / a->op.m);
            ct_mma_finding_say(f, 0,
                               "with selector %d, bit %d of row %d of the metadata is given %d "
                               "times",
                               s, at / (int)a->op.m, at % (int)a->op.m, (int)held[at]);
            return;
        }
    }
    if (selectors == 1)
        ct_mma_finding_say(f, 1, "each of %d bits of E (%d,%d) is given by one thread", bits,
                           (int)a->op.m, (int)ct_mma_row_bits(a->op));
    else
        ct_mma_finding_say(
            f, 1,
            "each of %d bits of E (%d,%d) is given by %d threads, of which the selector "
            "names one",
            bits, (int)a->op.m, (int)ct_mma_row_bits(a->op), selectors);
}

/* Whether there is more to count than can be. */
static ct_status too_many(const ct_tiled_mma *t, char *message)
{
    for (int operand = CT_MMA_A; operand <= CT_MMA_C; ++operand) {
        const int64_t size = ct_product(ct_tiled_mma_tile(*t, operand)),
                      times = times_of(t, operand);
        if (size <= CT_VERIFY_MOST / times) continue;
        return ct_refuse(message, CT_E_CAPACITY,
                         "%c has %lld elements, each held %lld times; at most %d can be counted",
                         ct_operand_letter(operand), (long long)size, (long long)times,
                         CT_VERIFY_MOST);
    }
    return 0;
}

ct_status ct_verify_mma(const ct_verify_mma_job *job, ct_verify_mma_report *report,
                        char message[CT_MESSAGE_BYTES])
{
    memset(report, 0, sizeof *report);
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p)
        for (int i = 0; i < CT_VERIFY_HOLDERS; ++i) report->of[p].thread[i] = -1;
    if (job->mma.atom.err.status) return ct_refuse_error(message, job->mma.atom.err);
    report->threads = ct_tiled_mma_threads(job->mma);
    ct_status bad = too_many(&job->mma, message);
    for (int operand = CT_MMA_A; operand <= CT_MMA_C && !bad; ++operand)
        bad = cover(&job->mma, operand, &report->of[CT_VERIFY_COVER_A + operand], message);
    if (!bad && job->mma.atom.op.sparse && job->mma.atom.op.kind != CT_MMA_BLOCK)
        cover_metadata(&job->mma.atom, &report->of[CT_VERIFY_COVER_E]);
    for (int operand = CT_MMA_A; operand <= CT_MMA_B && !bad; ++operand) {
        ct_verify_mma_finding *const f = &report->of[CT_VERIFY_FEED_A + 2 * operand];
        if (job->shared[operand])
            bad = ct_verify_feed(job, operand, &report->feed[operand], f, f + 1, message);
    }
    for (int p = 0; p < CT_VERIFY_MMA_PROPERTIES; ++p)
        report->failed += report->of[p].state == CT_VERIFY_FAILED;
    return bad;
}
