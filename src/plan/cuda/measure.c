/* Effort MEASURE on a device: every variant of a plan timed in the device's memory, the fastest kept. */
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "driver/nvrtc/cache.h"

enum { ROUNDS = 3 };

/* An earlier measurement, as stored on disk. */
typedef struct measured {
    int32_t variant, variants;
    double seconds, bound_seconds;
} measured;

/* The key on disk: the plan's key, the device's name, the driver, the fingerprint of the
 * variants. */
typedef struct disk_key {
    char what[24], device[128];
    uint64_t variants;
    int64_t driver;
    ct_cuda_key plan;
} disk_key;

static int recall(ct_plan *plan, const disk_key *key, int32_t *variant)
{
    measured m;
    void *value = NULL;
    size_t bytes = 0;
    if (ct_cache_get(key, sizeof *key, &value, &bytes)) return -1;
    const int is_one = bytes == sizeof m;
    if (is_one) memcpy(&m, value, sizeof m);
    free(value);
    if (!is_one || m.variant < 0 || m.variant >= ct_gpu_variants()) return -1;
    *variant = m.variant;
    plan->seconds = m.seconds;
    plan->bound_seconds = m.bound_seconds;
    return 0;
}

/* The copy to be timed, and its number of runs: enough for the resolution of the device's clock. */
typedef struct trial {
    ct_plan_device *device;
    const ct_cuda_kernel_of *kernel;
    uint64_t src, dst;
    void *from, *to; /* events */
    int bad;         /* the driver's result, where it failed */
} trial;

/* The seconds of one run, the minimum of a few rounds; below 0 on a failure. */
static double time_trial(trial *t, const ct_plan *plan, int runs)
{
    const ct_driver *const driver = &t->device->gpu->driver;
    void *const stream = t->device->gpu->stream;
    double best = -1;
    for (int round = 0; round <= ROUNDS; ++round) {
        float milliseconds = 0;
        int bad = driver->event_record(t->from, stream);
        for (int i = 0; i < runs && !bad; ++i)
            bad = ct_cuda_start(t->device, t->kernel, (void *)(uintptr_t)t->dst,
                                (const void *)(uintptr_t)t->src, plan->desc.scale, stream);
        if (!bad) bad = driver->event_record(t->to, stream);
        if (!bad) bad = driver->stream_wait(stream);
        if (!bad) bad = driver->event_elapsed(&milliseconds, t->from, t->to);
        t->bad = bad;
        if (bad) return -1;
        const double seconds = 1e-3 * milliseconds / runs;
        if (round > 0 && (best < 0 || seconds < best)) best = seconds;
    }
    return best;
}

/* The driver's copy of this number of bytes. */
static double time_copy(trial *t, const ct_plan *plan, int64_t bytes)
{
    const ct_cuda_kernel_of copy = {.launch = {.kind = CT_GPU_RUN,
                                               .src_base = plan->src_span.low,
                                               .dst_base = plan->dst_span.low,
                                               .bytes = bytes}};
    t->kernel = &copy;
    return time_trial(t, plan, 1);
}

/* Times a variant of the plan by *runs runs; an early variant sets that number, for half a
 * millisecond. Below 0 on a failure. */
static double time_way(trial *t, const ct_plan *plan, const ct_cuda_kernel_of *kernel, int *runs)
{
    t->kernel = kernel;
    const double seconds = time_trial(t, plan, *runs);
    if (seconds <= 0 || *runs > 1 || seconds >= 2.5e-4) return seconds;
    *runs = (int)ct_min(1 + (int64_t)(5e-4 / seconds), 1000);
    return time_trial(t, plan, *runs);
}

/* Tries the variants; the best one's kernel stays in use. */
static ct_status try_ways(ct_plan *plan, trial *t, int is_small, int32_t *variant,
                          ct_cuda_kernel_of *best, char *message)
{
    double least = -1;
    int runs = 1;
    for (int k = 0; k < ct_gpu_variants(); ++k) {
        ct_cuda_kernel_of kernel;
        if (ct_gpu_launch_of(plan, 16, 16, k, &kernel.launch, NULL)) continue;
        const ct_status bad = ct_cuda_kernel_for(t->device, &kernel, is_small, message);
        if (bad) return bad;
        const double seconds = time_way(t, plan, &kernel, &runs);
        /* the earlier of two equal ones */
        if (seconds >= 0 && (least < 0 || seconds < 0.99 * least)) {
            least = seconds;
            *variant = k;
            const ct_cuda_kernel_of last = *best;
            *best = kernel;
            kernel = last;
        }
        ct_cuda_kernel_drop(&kernel);
        if (seconds >= 0) continue;
        char text[CT_MESSAGE_BYTES];
        ct_driver_explain(&t->device->gpu->driver, t->bad, text, sizeof text);
        return ct_refuse(message, CT_E_FAILED, "cuda: a run to be timed failed: %s", text);
    }
    plan->seconds = least;
    return CT_OK;
}

/* Memory for both sides, with the alignment of the spans' first bytes. */
static ct_status measure_in(ct_plan *plan, ct_plan_device *device, int is_small, int32_t *variant,
                            ct_cuda_kernel_of *best, char *message)
{
    const ct_driver *const driver = &device->gpu->driver;
    const ct_plan_span a = plan->src_span, b = plan->dst_span;
    const int64_t src_past = (a.low % 256 + 256) % 256, dst_past = (b.low % 256 + 256) % 256;
    uint64_t src = 0, dst = 0;
    trial t = {.device = device};
    ct_status bad = CT_OK;
    if (driver->memory_alloc(&src, (size_t)(a.high - a.low + src_past)) ||
        driver->memory_alloc(&dst, (size_t)(b.high - b.low + dst_past))) {
        bad = ct_refuse(message, CT_E_MEMORY,
                        "not enough memory to measure in on the device: %lld and %lld bytes; "
                        "effort estimate needs none",
                        (long long)(a.high - a.low), (long long)(b.high - b.low));
    } else if (driver->event_create(&t.from, 0) || driver->event_create(&t.to, 0)) {
        bad = ct_refuse(message, CT_E_FAILED, "cuda: no events");
    } else {
        t.src = src + (uint64_t)(src_past - a.low);
        t.dst = dst + (uint64_t)(dst_past - b.low);
        bad = try_ways(plan, &t, is_small, variant, best, message);
        const int64_t bytes = ct_min(a.high - a.low, b.high - b.low);
        const double copy = bad ? 0 : time_copy(&t, plan, bytes);
        const double each = copy > 0 ? copy / (double)bytes : 0;
        ct_plan_info info;
        ct_plan_info_of(plan, &info);
        plan->bound_seconds = each * 16 * (double)(info.src_sectors + info.dst_sectors);
    }
    if (t.from) driver->event_destroy(t.from);
    if (t.to) driver->event_destroy(t.to);
    if (src) driver->memory_free(src);
    if (dst) driver->memory_free(dst);
    return bad;
}

ct_status ct_cuda_measure(ct_plan *plan, ct_plan_device *device, int is_small, int32_t *variant,
                          ct_cuda_kernel_of *best, char *message)
{
    disk_key key;
    memset(&key, 0, sizeof key);
    strcpy(key.what, "cutlet plan way 1");
    strcpy(key.device, device->gpu->about.name);
    key.driver = device->gpu->about.driver;
    key.variants = ct_gpu_variants_fingerprint();
    ct_cuda_key_of(plan, device, 0, 0, plan->choice.variant, 0, &key.plan);
    key.plan.device = NULL;
    memset(best, 0, sizeof *best);
    *variant = 0;
    if (recall(plan, &key, variant) == 0) return CT_OK;
    ct_status bad = ct_cuda_may_load(device, message);
    if (bad) return bad;
    if (ct_cuda_enter(device->gpu))
        return ct_refuse(message, CT_E_FAILED, "%s", ct_cuda_error(device->gpu));
    bad = measure_in(plan, device, is_small, variant, best, message);
    ct_cuda_leave(device->gpu, 0);
    const measured m = {*variant, ct_gpu_variants(), plan->seconds, plan->bound_seconds};
    if (!bad) ct_cache_put(&key, sizeof key, &m, sizeof m);
    return bad;
}
