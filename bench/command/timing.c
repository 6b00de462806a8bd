/* Works timed in turn. */
#include "timing.h"

#include <stdlib.h>

#include "cuda/gpu.h"

static int queue_run(ct_cuda *gpu, void *user, int run)
{
    bench_work *const work = user;
    (void)run;
    for (int32_t i = 0; i < work->launches; ++i)
        if (work->queue(gpu, work->user, work->turn++)) return -1;
    return 0;
}

int bench_time(ct_cuda *gpu, bench_work *works, int32_t count, int32_t runs, bench_times *times)
{
    ct_cuda_work *const twice = calloc((size_t)count * 2, sizeof *twice);
    double *const seconds = malloc((size_t)count * 2 * (size_t)runs * sizeof *seconds);
    int status = twice && seconds ? 0 : ct_cuda_fail(gpu, "out of host memory");
    for (int32_t w = 0; status == 0 && w < 2 * count; ++w)
        twice[w] = (ct_cuda_work){queue_run, &works[w / 2]};
    if (status == 0) status = ct_cuda_time(gpu, twice, 2 * count, BENCH_WARMUPS, runs, seconds);
    for (int32_t w = 0; status == 0 && w < count; ++w) {
        double *const own = seconds + (size_t)(2 * w + 1) * (size_t)runs;
        const double median = ct_median(own, runs); /* sorts */
        times[w] = (bench_times){median / works[w].launches, own[0] / works[w].launches,
                                 own[runs - 1] / works[w].launches};
    }
    free(seconds);
    free(twice);
    return status;
}
