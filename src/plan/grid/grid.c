/* The grid backend: the kernels of the GPU on the CPU grid, every access checked. */
#include <pthread.h>
#include <string.h>

#include "cutlet/copy/copy_width.h"
#include "cutlet/host/grid.h"
#include "kernels.h"
#include "plan/gpu/gpu.h"

/* The grid runs one launch at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* The launch for pointers of that alignment. A variant that this copy has not is the model's; and the grid
 * has no copy of its own for a single run. */
static ct_status launch_of(const ct_plan *plan, int64_t src_align, int64_t dst_align,
                           ct_gpu_launch *launch, char *message)
{
    ct_status bad = ct_gpu_launch_of(plan, src_align, dst_align, plan->choice.variant, launch,
                                     message);
    if (bad && plan->choice.variant > 0)
        bad = ct_gpu_launch_of(plan, src_align, dst_align, 0, launch, message);
    if (bad || launch->kind != CT_GPU_RUN) return bad;
    return ct_gpu_launch_of(plan, src_align, dst_align, 1, launch, message);
}

static ct_status prepare(ct_plan *plan, char *message)
{
    ct_gpu_launch launch;
    plan->choice.threads = 1;
    return launch_of(plan, plan->desc.src.align_bytes, plan->desc.dst.align_bytes, &launch, message);
}

static int start(const ct_plan *plan, const ct_gpu_launch *l, unsigned char *dst,
                 const unsigned char *src, const ct_grid_options *options, ct_grid_report *report)
{
    ct_gpu_args kernel_args;
    ct_dim3 grid = {l->grid[0], l->grid[1], l->grid[2]}, block = {l->threads, 1, 1};
    size_t shared = (size_t)l->shared_bytes;
    const ct_grid_kernel *kernel = l->kind == CT_GPU_INDICES   ? &ct_plan_index_any
                                   : l->kind == CT_GPU_WINDOWS ? &ct_plan_window_any
                                   : l->kind == CT_GPU_MISALIGNED ? &ct_plan_misaligned_any
                                   : l->kind == CT_GPU_SKEWED  ? ct_plan_skewed_kernel(l->kernel)
                                                               : &ct_plan_box_any;
    const size_t bytes = ct_gpu_args_of(l, 0, dst, src, plan->desc.scale, &kernel_args);
    if (l->kind == CT_GPU_TRANSPOSE) { /* the grid's own, of the same elements */
        const ct_transpose_kernel *const t = ct_plan_transpose_kernel(l->job.elem_bytes);
        const ct_transpose_grid g = ct_transpose_grid_of(t->job, l->transpose.src.extent[0],
                                                         l->transpose.src.extent[1]);
        kernel = t->kernel;
        grid = (ct_dim3){g.x, g.y, g.z};
        block.x = (uint32_t)t->job.threads;
        shared = (size_t)ct_transpose_shared_bytes(t->job);
    }
    return ct_grid_launch(kernel, grid, block, shared, &kernel_args, bytes, options, report);
}

static int64_t alignment(const void *at)
{
    return ct_power_of_two((int64_t)((uintptr_t)at % 16), 16);
}

/* The memory of both sides as the grid's buffers: one of them where they interleave. How many. */
static int buffers_of(const ct_plan *plan, unsigned char *to, const unsigned char *from,
                      ct_grid_buffer buffer[2])
{
    const ct_plan_span a = plan->src_span, b = plan->dst_span;
    const uintptr_t src = (uintptr_t)from + (uintptr_t)a.low;
    const uintptr_t dst = (uintptr_t)to + (uintptr_t)b.low;
    const uintptr_t src_end = (uintptr_t)from + (uintptr_t)a.high;
    const uintptr_t dst_end = (uintptr_t)to + (uintptr_t)b.high;
    buffer[0] = (ct_grid_buffer){"source", (void *)src, src_end - src, 0, (int32_t)(src % 256)};
    buffer[1] = (ct_grid_buffer){"destination", (void *)dst, dst_end - dst, 1,
                                 (int32_t)(dst % 256)};
    if (src_end <= dst || dst_end <= src) return 2;
    const uintptr_t low = src < dst ? src : dst, high = src_end > dst_end ? src_end : dst_end;
    buffer[0] = (ct_grid_buffer){"source and destination", (void *)low, high - low, 1,
                                 (int32_t)(low % 256)};
    return 1;
}

/* Whether a pointer leads outside the bytes of its side, perhaps into those of the other. */
static ct_status is_outside(ct_plan_span span) { return span.low > 0 || span.high <= 0; }

static int run(const ct_plan *plan, void *dst, const void *src, void *stream, char *message)
{
    unsigned char *const to = (unsigned char *)dst;
    const unsigned char *const from = src;
    ct_grid_buffer buffers[2];
    const int count = buffers_of(plan, to, from, buffers);
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = count, .no_records = 1,
        .buffers_touch = is_outside(plan->src_span) || is_outside(plan->dst_span)};
    ct_gpu_launch launch;
    ct_grid_report report;
    int status = launch_of(plan, alignment(src), alignment(dst), &launch, message);
    (void)stream;
    if (status) return status;
    pthread_mutex_lock(&one_at_a_time);
    if (start(plan, &launch, to, from, &options, &report))
        status = ct_refuse(message, report.status == CT_GRID_E_MEMORY ? CT_E_MEMORY : CT_E_FAILED,
                           "grid: %s", report.message);
    ct_grid_report_free(&report);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static int say(const ct_plan *plan, char *buf, size_t size)
{
    ct_gpu_launch launch;
    if (launch_of(plan, plan->desc.src.align_bytes, plan->desc.dst.align_bytes, &launch, NULL))
        return snprintf(buf, size, "no launch");
    return ct_gpu_say(&launch, buf, size);
}

const ct_plan_backend ct_plan_grid = {
    .name = "grid", .host_memory = 1, .prepare = prepare, .run = run, .say = say,
};
