/* How long work takes by the device's clock. */
#include <stdlib.h>

#include "gpu.h"

/* Creates count events; on a failure those before it stay, the rest are NULL. */
static ct_status create_events(ct_cuda *gpu, void **events, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const ct_status bad =
            ct_cuda_check(gpu, gpu->driver.event_create(&events[i], 0), "cuEventCreate");
        if (bad) {
            events[i] = NULL;
            return bad;
        }
    }
    return 0;
}

static ct_status record(ct_cuda *gpu, void *event)
{
    return ct_cuda_check(gpu, gpu->driver.event_record(event, gpu->stream), "cuEventRecord");
}

/* Queues all rounds, with an event before the first work and one after each. */
static ct_status queue_rounds(ct_cuda *gpu, const ct_cuda_work *works, int32_t count,
                              int32_t rounds, void **events)
{
    ct_status bad = record(gpu, *events++);
    for (int32_t round = 0; round < rounds; ++round)
        for (int32_t w = 0; w < count && !bad; ++w) {
            bad = works[w].queue(gpu, works[w].user, round);
            if (!bad) bad = record(gpu, *events++);
        }
    return bad;
}

/* Reads the times of the rounds after the warm-ups. */
static ct_status read_times(ct_cuda *gpu, void **events, int32_t count, int32_t warmups,
                            int32_t runs, double *seconds)
{
    for (int32_t r = 0; r < runs; ++r) {
        for (int32_t w = 0; w < count; ++w) {
            void **const before = &events[(size_t)(warmups + r) * count + w];
            float milliseconds = 0;
            const ct_status bad =
                ct_cuda_check(gpu, gpu->driver.event_elapsed(&milliseconds, before[0], before[1]),
                              "cuEventElapsedTime");
            if (bad) return bad;
            seconds[(size_t)w * runs + r] = 1e-3 * milliseconds;
        }
    }
    return 0;
}

ct_status ct_cuda_time(ct_cuda *gpu, const ct_cuda_work *works, int32_t count, int32_t warmups,
                       int32_t runs, double *seconds)
{
    if (count < 1 || warmups < 0 || runs < 1)
        return ct_cuda_fail(gpu, CT_E_ARGUMENT, "ct_cuda_time: %d works, %d warm-ups, %d runs",
                            count, warmups, runs);
    const size_t all = ((size_t)warmups + runs) * count + 1;
    void **const events = calloc(all, sizeof *events);
    if (!events) return ct_cuda_fail(gpu, CT_E_MEMORY, "out of host memory");
    ct_status status = ct_cuda_enter(gpu);
    if (!status) {
        status = create_events(gpu, events, all);
        if (!status) status = queue_rounds(gpu, works, count, warmups + runs, events);
        if (!status)
            status =
                ct_cuda_check(gpu, gpu->driver.stream_wait(gpu->stream), "cuStreamSynchronize");
        if (!status) status = read_times(gpu, events, count, warmups, runs, seconds);
        for (size_t i = 0; i < all && events[i]; ++i) gpu->driver.event_destroy(events[i]);
        status = ct_cuda_leave(gpu, status);
    }
    free(events);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ct_median(double *values, int32_t count)
{
    if (count < 1) return 0;
    qsort(values, (size_t)count, sizeof *values, by_size);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}
