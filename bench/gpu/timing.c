/* How long a job takes, beside the driver's copy and beside another job.
 *
 * In each round the driver's copy runs twice and then the job twice; the second of either counts,
 * so that neither pays for the switch from one to the other. A job that is timed in turn with
 * another one comes first in the even rounds, and second in the odd ones. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* One place of a round: the job of the even rounds, and that of the odd ones. */
typedef struct place {
    const bench_setup *setup;
    const bench_job *job[2];
} place;

static int queue_place(ct_cuda *gpu, void *user, int round)
{
    const place *const p = user;
    const bench_job *const job = p->job[round & 1];
    for (int i = 0; i < (job->launches ? job->launches : 1); ++i)
        if (bench_queue(gpu, p->setup, job)) return -1;
    return 0;
}

/* The job as it is timed. */
static bench_job as_timed(const bench_job *job)
{
    bench_job timed = *job;
    if (job->forget_at) memset(timed.args + job->forget_at, 0, sizeof(void *));
    return timed;
}

/* The times of the job that is in place `even` in the even rounds, in `odd` in the odd ones. */
static double *pick(const double *seconds, int runs, int warmups, int even, int odd)
{
    double *const own = malloc((size_t)runs * sizeof *own);
    if (!own) bench_die("out of memory");
    for (int r = 0; r < runs; ++r)
        own[r] = seconds[((warmups + r) & 1 ? odd : even) * runs + r];
    return own;
}

/* The places of a round: twice the driver's copy, twice the first job, twice the second. */
enum { DRIVER = 1, FIRST = 3, SECOND = 5 };

bench_result bench_time(ct_cuda *gpu, const bench_setup *setup, const bench_list *list,
                        const bench_job *job, int warmups, int runs)
{
    const bench_job own = as_timed(job);
    const bench_job other = as_timed(job->beside ? &list->jobs[job->beside - 1] : job);
    bench_job driver = *job;
    driver.kernel = NULL;
    driver.launches = 0;
    place copy = {setup, {&driver, &driver}}, first = {setup, {&own, &other}},
          second = {setup, {&other, &own}};
    const ct_cuda_work works[] = {{queue_place, &copy},  {queue_place, &copy},
                                  {queue_place, &first}, {queue_place, &first},
                                  {queue_place, &second}, {queue_place, &second}};
    double *const seconds = malloc(6 * (size_t)runs * sizeof *seconds);
    if (!seconds) bench_die("out of memory");
    if (ct_cuda_time(gpu, works, job->beside ? 6 : 4, warmups, runs, seconds))
        bench_die("%s", ct_cuda_error(gpu));
    bench_result r;
    memset(&r, 0, sizeof r);
    r.driver = ct_median(seconds + DRIVER * runs, runs);
    double *const ours = pick(seconds, runs, warmups, FIRST, job->beside ? SECOND : FIRST);
    if (job->beside) {
        double *const beside = pick(seconds, runs, warmups, SECOND, FIRST);
        double *const ratio = pick(seconds, runs, warmups, FIRST, SECOND);
        for (int i = 0; i < runs; ++i) ratio[i] /= beside[i];
        r.ratio = ct_median(ratio, runs);
        r.beside = ct_median(beside, runs);
        free(ratio);
        free(beside);
    }
    r.seconds = ct_median(ours, runs);
    r.least = ours[0];
    r.most = ours[runs - 1];
    free(ours);
    free(seconds);
    if (job->kernel && ct_cuda_kernel_about(gpu, job->kernel, (int32_t)job->block.x,
                                            job->shared_bytes, &r.kernel))
        bench_die("%s", ct_cuda_error(gpu));
    return r;
}
