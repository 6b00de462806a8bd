/* Candidates verified, then timed in rounds, each in a different order. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "driver/cuda/gpu.h"
#include "driver/nvrtc/library.h"

/* The fastest and the first by the estimate are timed again, in more rounds, and only these count
 * for them. A few noisy readings do not find the fastest of many. */
enum { ROUNDS = 7, FINALISTS = 12, FINAL_ROUNDS = 31 };

/* xorshift: the same orders each time. */
static uint32_t next(uint32_t *dice)
{
    *dice ^= *dice << 13;
    *dice ^= *dice >> 17;
    *dice ^= *dice << 5;
    return *dice;
}

static void shuffle(ct_cuda_work *works, int32_t count, uint32_t *dice)
{
    for (int32_t i = count - 1; i > 0; --i) {
        const int32_t k = (int32_t)(next(dice) % (uint32_t)(i + 1));
        const ct_cuda_work held = works[i];
        works[i] = works[k];
        works[k] = held;
    }
}

/* One round: every work once. */
static ct_status time_round(suggest_bench *b, ct_cuda_work *works, int32_t count, double *seconds)
{
    const ct_status bad = ct_cuda_time(b->gpu, works, count, 0, 1, seconds);
    if (bad) return ct_refuse(b->message, bad, "%s", ct_cuda_error(b->gpu));
    for (int32_t i = 0; i < count; ++i) {
        suggest_trial *const t = works[i].user;
        t->seconds[t->runs++] = seconds[i];
    }
    return 0;
}

/* What was timed before is forgotten. */
static ct_status time_rounds(suggest_bench *b, suggest_trial **trial, int32_t count, int32_t rounds,
                             const char *what)
{
    ct_cuda_work *const works = malloc((size_t)count * sizeof *works);
    double *const seconds = malloc((size_t)count * sizeof *seconds);
    uint32_t dice = 2026;
    ct_status status =
        works && seconds ? 0 : ct_refuse(b->message, CT_E_MEMORY, "out of host memory");
    for (int32_t i = 0; i < count && status == 0; ++i) {
        works[i] = (ct_cuda_work){ct_suggest_bench_queue, trial[i]};
        trial[i]->runs = 0;
    }
    for (int32_t round = 0; round < rounds && status == 0; ++round) {
        shuffle(works, count, &dice);
        status = time_round(b, works, count, seconds);
        b->tell(what, round + 1, rounds);
    }
    for (int32_t i = 0; i < count && status == 0; ++i)
        ct_median(trial[i]->seconds, trial[i]->runs); /* sorts */
    free(works);
    free(seconds);
    return status;
}

static double median_of(const suggest_trial *t)
{
    return 0.5 * (t->seconds[(t->runs - 1) / 2] + t->seconds[t->runs / 2]);
}

static int is_timed(const suggest_trial *t) { return t->function && !t->wrong && t->runs > 0; }

/* The fastest first, then those that were not timed, by the estimate. */
static int by_time(const void *a, const void *b)
{
    const suggest_trial *const x = *(suggest_trial *const *)a;
    const suggest_trial *const y = *(suggest_trial *const *)b;
    if (is_timed(x) != is_timed(y)) return is_timed(y) - is_timed(x);
    if (is_timed(x) && median_of(x) != median_of(y)) return median_of(x) < median_of(y) ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static ct_status verify_all(suggest_bench *b)
{
    for (int32_t i = 0; i < b->count; ++i) {
        suggest_trial *const t = &b->trial[i];
        const ct_status bad = t->function ? ct_suggest_bench_verify(b, t) : CT_OK;
        if (bad) return bad;
        b->tell("verified", i + 1, b->count);
    }
    return 0;
}

/* order: of all trials; those that are right come first. Returns how many. */
static int32_t right_ones(suggest_bench *b, suggest_trial **order)
{
    int32_t right = 0, others = b->count;
    for (int32_t i = 0; i < b->count; ++i) {
        suggest_trial *const t = &b->trial[i];
        if (t->function && !t->wrong) order[right++] = t;
        else order[--others] = t;
    }
    return right;
}

static ct_status time_all(suggest_bench *b, suggest_trial **order)
{
    const int32_t right = right_ones(b, order);
    int32_t finalists = right < FINALISTS ? right : FINALISTS;
    suggest_trial *final[FINALISTS + 1], *const first = &b->trial[0];
    if (right == 0) return 0;
    ct_status bad = time_rounds(b, order, right, ROUNDS, "round");
    if (bad) return bad;
    qsort(order, (size_t)b->count, sizeof *order, by_time);
    memcpy(final, order, (size_t)finalists * sizeof *final);
    int has_first = !is_timed(first);
    for (int32_t i = 0; i < finalists; ++i) has_first |= final[i] == first;
    if (!has_first) final[finalists++] = first;
    bad = time_rounds(b, final, finalists, FINAL_ROUNDS, "final round");
    if (bad) return bad;
    qsort(order, (size_t)b->count, sizeof *order, by_time);
    return 0;
}

/* ---- results --------------------------------------------------------------------------------- */

static ct_status give(const suggest_bench *b, suggest_trial **order, ct_suggest_result *result,
                      ct_suggest_measured *m)
{
    ct_suggestion *const item = malloc((size_t)b->count * sizeof *item);
    m->time = calloc((size_t)b->count, sizeof *m->time);
    if (!item || !m->time) {
        free(item);
        return ct_refuse(m->message, CT_E_MEMORY, "out of host memory");
    }
    for (int32_t i = 0; i < b->count; ++i) {
        const suggest_trial *const t = order[i];
        ct_suggest_time *const time = &m->time[i];
        item[i] = *t->item;
        time->rank = t->rank;
        time->wrong = t->wrong;
        memcpy(time->message, t->message, sizeof time->message);
        m->wrong += t->wrong;
        m->none += !t->function;
        if (!is_timed(t)) continue;
        time->seconds = median_of(t);
        time->runs = t->runs;
    }
    m->count = b->count;
    m->device = *ct_cuda_about(b->gpu);
    m->matrices = (int32_t)b->matrices;
    m->memory_bytes = (int64_t)b->src_bytes;
    m->bytes = (b->query->has_dst ? 2 : 1) * b->matrices * b->src.extent[0] * b->src.extent[1] *
               suggest_elem_bytes(b->query);
    memcpy(result->item, item, (size_t)b->count * sizeof *item);
    free(item);
    return 0;
}

static ct_status make_trials(suggest_bench *b, const ct_suggest_result *result)
{
    b->trial = calloc((size_t)result->count, sizeof *b->trial);
    if (!b->trial) return ct_refuse(b->message, CT_E_MEMORY, "out of host memory");
    b->count = result->count;
    for (int32_t i = 0; i < b->count; ++i) {
        suggest_trial *const t = &b->trial[i];
        t->bench = b;
        t->item = &result->item[i];
        t->rank = i;
        t->seconds = malloc(FINAL_ROUNDS * sizeof *t->seconds);
        if (!t->seconds) return ct_refuse(b->message, CT_E_MEMORY, "out of host memory");
    }
    return 0;
}

static ct_status open_all(suggest_bench *b)
{
    b->gpu = ct_cuda_open_bare(0, b->message);
    if (!b->gpu || !ct_nvrtc_open(b->message)) return CT_E_BACKEND;
    return ct_suggest_bench_open(b);
}

/* That there is a kernel at all. */
static ct_status check_some(suggest_bench *b)
{
    for (int32_t i = 0; i < b->count; ++i)
        if (b->trial[i].function) return 0;
    return ct_refuse(b->message, CT_E_NO_LAYOUT, "no candidate has a kernel: %s",
                     b->trial[0].message);
}

ct_status ct_suggest_measure(const ct_suggest_query *query, ct_suggest_result *result,
                             ct_suggest_measured *measured, ct_suggest_tell *tell)
{
    memset(measured, 0, sizeof *measured);
    suggest_bench b = {.query = query, .tell = tell, .message = measured->message};
    suggest_trial **const order = malloc((size_t)result->count * sizeof *order);
    ct_status status = order ? 0 : ct_refuse(b.message, CT_E_MEMORY, "out of host memory");
    if (status == 0) status = open_all(&b);
    if (status == 0) status = make_trials(&b, result);
    if (status == 0) status = ct_suggest_bench_compile(&b);
    if (status == 0) status = check_some(&b);
    if (status == 0) status = verify_all(&b);
    if (status == 0) status = time_all(&b, order);
    if (status == 0) status = give(&b, order, result, measured);
    ct_suggest_bench_close(&b);
    free(order);
    return status;
}

void ct_suggest_measured_free(ct_suggest_measured *measured)
{
    free(measured->time);
    measured->time = NULL;
}
