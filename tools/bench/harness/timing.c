/* Works timed in turn.
 *
 * In each round every work runs twice, and the second counts: it comes after one of its own kind,
 * so that no work pays for the switch from another. Odd rounds go through the list from the end,
 * so that no work always comes first, or after the same other one. The driver's copy, or whatever
 * a work is measured by, is a work of the list: a clock that changes changes the time of both.
 *
 * Short work is repeated within a run: events tell half a microsecond at best, and launches follow
 * each other then as they would in a program. Each repetition is on the next set of the arrays. */
#include <stdlib.h>

#include "harness.h"

/* One slot of a round: the work of the even rounds, and that of the odd ones. */
typedef struct slot {
    bench_target *t;
    bench_work *work[2];
} slot;

static int queue_slot(ct_cuda *gpu, void *user, int round)
{
    const slot *const p = user;
    bench_work *const w = p->work[round & 1];
    (void)gpu;
    for (int32_t i = 0; i < w->repeats; ++i)
        if (bench_run(p->t, w, w->turn++ % w->sets)) return -1;
    return 0;
}

/* The time of one launch of work w in run r. */
static double seconds_of(const double *seconds, const bench_work *works, int32_t count,
                         int32_t warmups, int32_t runs, int32_t w, int32_t r)
{
    const int32_t at = (warmups + r) & 1 ? count - 1 - w : w;
    return seconds[(2 * at + 1) * runs + r] / works[w].repeats;
}

/* own and ratio: room for this many runs. */
static bench_times times_of(const double *seconds, const bench_work *works, int32_t count,
                            int32_t warmups, int32_t runs, int32_t w, double *own, double *ratio)
{
    bench_times times = {0, 0, 0, 0};
    for (int32_t r = 0; r < runs; ++r) {
        own[r] = seconds_of(seconds, works, count, warmups, runs, w, r);
        if (w > 0) ratio[r] = own[r] / seconds_of(seconds, works, count, warmups, runs, w - 1, r);
    }
    if (w > 0) times.before = ct_median(ratio, runs);
    times.median = ct_median(own, runs); /* sorts */
    times.least = own[0];
    times.most = own[runs - 1];
    return times;
}

int bench_time(bench_target *t, bench_work *works, int32_t count, int32_t warmups, int32_t runs,
               bench_times *times)
{
    slot *const slots = calloc((size_t)count, sizeof *slots);
    ct_cuda_work *const twice = calloc((size_t)count * 2, sizeof *twice);
    double *const seconds = malloc(((size_t)count * 2 + 2) * (size_t)runs * sizeof *seconds);
    int status = slots && twice && seconds ? 0 : bench_no_memory(t);
    for (int32_t w = 0; status == 0 && w < 2 * count; ++w) {
        slots[w / 2] = (slot){t, {&works[w / 2], &works[count - 1 - w / 2]}};
        twice[w] = (ct_cuda_work){queue_slot, &slots[w / 2]};
    }
    if (status == 0)
        status = bench_status(t, ct_cuda_time(t->gpu, twice, 2 * count, warmups, runs, seconds));
    double *const own = seconds + (size_t)count * 2 * (size_t)runs;
    for (int32_t w = 0; status == 0 && w < count; ++w)
        times[w] = times_of(seconds, works, count, warmups, runs, w, own, own + runs);
    free(seconds);
    free(twice);
    free(slots);
    return status;
}
