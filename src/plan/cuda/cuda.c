/* The CUDA backend: kernels of the plan's own on a device. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

/* The kernel for pointers that are multiples of 16 bytes, and the one for all others of the
 * plan. */
typedef struct state {
    ct_plan_device *device;
    int32_t is_small;
    ct_cuda_kernel_of aligned, any;
} state;

enum { ALIGNED = 16 };

/* The launch and kernel of a variant; those of the model's choice where the copy lacks the
 * variant. */
static ct_status kernel_of(const ct_plan *plan, state *s, int64_t src_align, int64_t dst_align,
                           int variant, ct_cuda_kernel_of *kernel, char *message)
{
    ct_cuda_key key;
    ct_cuda_key_of(plan, s->device, src_align, dst_align, variant, s->is_small, &key);
    if (ct_cuda_recall(&key, kernel) == 0) return CT_OK;
    ct_status bad = variant == 0 ||
                    ct_gpu_launch_of(plan, src_align, dst_align, variant, &kernel->launch, NULL);
    if (bad) bad = ct_gpu_launch_of(plan, src_align, dst_align, 0, &kernel->launch, message);
    if (!bad) bad = ct_cuda_kernel_for(s->device, kernel, s->is_small, message);
    if (!bad) ct_cuda_remember(&key, kernel);
    return bad;
}

/* The kernel for pointers with no more than the alignment that the plan promises, at most the bytes of the
 * widest access. It has variant 0, since no other was timed. */
typedef struct any_kernel {
    const ct_plan *plan;
    state *s;
    int64_t src_align, dst_align;
    int bad;
    char message[CT_MESSAGE_BYTES];
} any_kernel;

static void *prepare_any(void *job)
{
    any_kernel *const k = job;
    k->bad = kernel_of(k->plan, k->s, k->src_align, k->dst_align, 0, &k->s->any, k->message);
    return NULL;
}

/* Both kernels, compiled at the same time unless that one is remembered, or is the aligned one. */
static ct_status prepare_both(const ct_plan *plan, state *s, char *message)
{
    any_kernel any = {plan,
                      s,
                      ct_min(plan->desc.src.align_bytes, ALIGNED),
                      ct_min(plan->desc.dst.align_bytes, ALIGNED),
                      0,
                      ""};
    ct_cuda_key key;
    pthread_t thread;
    ct_cuda_key_of(plan, s->device, any.src_align, any.dst_align, 0, s->is_small, &key);
    const int known = ct_cuda_recall(&key, &s->any) == 0;
    const int separate = !known && ct_min(any.src_align, any.dst_align) < ALIGNED &&
                         pthread_create(&thread, NULL, prepare_any, &any) == 0;
    const ct_status bad =
        kernel_of(plan, s, ALIGNED, ALIGNED, plan->choice.variant, &s->aligned, message);
    if (separate) pthread_join(thread, NULL);
    else if (!bad && !known) prepare_any(&any);
    if (!bad && any.bad && message) memcpy(message, any.message, sizeof any.message);
    return bad ? bad : any.bad;
}

static ct_status prepare(ct_plan *plan, char *message)
{
    ct_plan_device *const device = ct_plan_device_numbered(plan->desc.device, message);
    if (!device) return CT_E_BACKEND;
    state *const s = calloc(1, sizeof *s);
    if (!s) return ct_refuse(message, CT_E_MEMORY, "not enough memory for a plan");
    plan->state = s;
    s->device = device;
    plan->bytes_per_second = device->bytes_per_second;
    s->is_small = plan->size < ct_ceil_div_int(CT_CUDA_SMALL_BYTES, plan->desc.src.elem_bytes +
                                                                        plan->desc.dst.elem_bytes);
    plan->choice.threads = 1;
    return prepare_both(plan, s, message);
}

static void drop(ct_plan *plan)
{
    state *const s = plan->state;
    if (!s) return;
    ct_cuda_kernel_drop(&s->aligned);
    ct_cuda_kernel_drop(&s->any);
    free(s);
}

static int reaches(const ct_plan *plan, const void *dst, const void *src)
{
    const state *const s = plan->state;
    /* a driver without this query: memory is the host's unless the caller says otherwise */
    if (!s->device->gpu->driver.pointer_attribute) return 0;
    const unsigned char *const to = (const unsigned char *)dst + plan->dst_span.low;
    const unsigned char *const from = (const unsigned char *)src + plan->src_span.low;
    return ct_plan_device_memory(s->device, to) == CT_MEMORY_DEVICE ||
           ct_plan_device_memory(s->device, from) == CT_MEMORY_DEVICE;
}

/* Queues it in the device's context, which may be that of the calling thread already. */
static int start(const state *s, const ct_cuda_kernel_of *kernel, void *dst, const void *src,
                 double scale, void *stream)
{
    const ct_driver *const driver = &s->device->gpu->driver;
    void *context = NULL;
    if (driver->context_current) driver->context_current(&context);
    if (context == s->device->gpu->context)
        return ct_cuda_start(s->device, kernel, dst, src, scale, stream);
    int bad = driver->context_push(s->device->gpu->context);
    if (bad) return bad;
    bad = ct_cuda_start(s->device, kernel, dst, src, scale, stream);
    driver->context_pop(&context);
    return bad;
}

static ct_status run(const ct_plan *plan, void *dst, const void *src, void *stream, char *message)
{
    const state *const s = plan->state;
    const ct_cuda_kernel_of *kernel = &s->aligned;
    const ct_plan_span a = plan->src_span, b = plan->dst_span;
    const int host_src =
        ct_plan_device_memory(s->device, (const unsigned char *)src + a.low) == CT_MEMORY_HOST;
    if (host_src ||
        ct_plan_device_memory(s->device, (unsigned char *)dst + b.low) == CT_MEMORY_HOST)
        return ct_refuse(
            message, CT_E_POINTER,
            "%s: the pointer is to memory of the host, which the device does not reach",
            host_src ? "source" : "destination");
    if ((((uintptr_t)dst | (uintptr_t)src) & (ALIGNED - 1)) != 0) kernel = &s->any;
    const int bad = start(s, kernel, dst, src, plan->desc.scale, stream);
    if (!bad) return CT_OK;
    char text[CT_MESSAGE_BYTES];
    ct_driver_explain(&s->device->gpu->driver, bad, text, sizeof text);
    return ct_refuse(message, CT_E_FAILED, "cuda: the launch failed: %s", text);
}

static ct_status measure(ct_plan *plan, char *message)
{
    state *const s = plan->state;
    ct_cuda_kernel_of best, chosen;
    ct_status bad =
        ct_cuda_measure(plan, s->device, s->is_small, &plan->choice.variant, &best, message);
    if (!bad) bad = kernel_of(plan, s, ALIGNED, ALIGNED, plan->choice.variant, &chosen, message);
    ct_cuda_kernel_drop(&best);
    if (bad) return bad;
    ct_cuda_kernel_drop(&s->aligned);
    s->aligned = chosen;
    return CT_OK;
}

static void say_kernel(const ct_cuda_kernel_of *k, char how[CT_MESSAGE_BYTES])
{
    const int n = ct_gpu_say(&k->launch, how, CT_MESSAGE_BYTES);
    snprintf(how + n, CT_MESSAGE_BYTES - (size_t)n, "%s",
             k->own             ? ", a kernel compiled for it"
             : k->launch.kernel ? ", a kernel built into libcutlet"
                                : "");
}

static int say(const ct_plan *plan, char *buf, size_t size)
{
    const state *const s = plan->state;
    char aligned[CT_MESSAGE_BYTES], any[CT_MESSAGE_BYTES];
    say_kernel(&s->aligned, aligned);
    say_kernel(&s->any, any);
    return ct_gpu_say_both(aligned, any, buf, size);
}

const ct_plan_backend ct_plan_cuda = {
    .name = "cuda",
    .prepare = prepare,
    .reaches = reaches,
    .run = run,
    .drop = drop,
    .measure = measure,
    .say = say,
};
