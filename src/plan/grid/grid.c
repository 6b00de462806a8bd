/* The grid backend: the kernels of the GPU on the CPU grid, every access checked. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/copy/copy_width.h>
#include <cutlet/host/grid.h>
#include "kernels.h"
#include "plan/gpu/gpu.h"

enum { ALIGNED = 16 };

/* The grid runs one launch at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* A launch and its arguments: too large for a caller's stack. */
typedef struct grid_launch {
    ct_gpu_launch launch;
    ct_gpu_args args;
} grid_launch;

/* Gives *made the launch, which the caller frees. It is for pointers that are multiples of 16
 * bytes, or for all others of the description, as in the CUDA backend. A variant that this copy
 * lacks becomes the model's; the grid has no special copy for a single run. */
static ct_status launch_of(const ct_plan *plan, int aligned, grid_launch **made, char *message)
{
    const int64_t src_align = aligned ? ALIGNED : ct_min(plan->desc.src.align_bytes, ALIGNED);
    const int64_t dst_align = aligned ? ALIGNED : ct_min(plan->desc.dst.align_bytes, ALIGNED);
    grid_launch *const l = *made = malloc(sizeof *l);
    if (!l) return ct_refuse(message, CT_E_MEMORY, "not enough memory for a launch");
    ct_status bad =
        ct_gpu_launch_of(plan, src_align, dst_align, plan->choice.variant, &l->launch, message);
    if (bad && plan->choice.variant > 0)
        bad = ct_gpu_launch_of(plan, src_align, dst_align, 0, &l->launch, message);
    if (bad || l->launch.kernel) return bad;
    return ct_gpu_launch_of(plan, src_align, dst_align, 1, &l->launch, message);
}

static ct_status prepare(ct_plan *plan, char *message)
{
    grid_launch *made;
    plan->choice.threads = 1;
    const ct_status bad = launch_of(plan, 0, &made, message);
    free(made);
    return bad;
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
    buffer[1] =
        (ct_grid_buffer){"destination", (void *)dst, dst_end - dst, 1, (int32_t)(dst % 256)};
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
    ct_grid_buffer buffers[2];
    const int count = buffers_of(plan, dst, src, buffers);
    const ct_grid_options options = {.buffers = buffers,
                                     .buffer_count = count,
                                     .no_records = 1,
                                     .buffers_touch =
                                         is_outside(plan->src_span) || is_outside(plan->dst_span)};
    grid_launch *made;
    ct_grid_report report;
    int status = launch_of(plan, ((uintptr_t)src | (uintptr_t)dst) % ALIGNED == 0, &made, message);
    (void)stream;
    if (!status) {
        const ct_gpu_launch *const l = &made->launch;
        const ct_dim3 grid = {l->grid[0], l->grid[1], l->grid[2]};
        const size_t bytes = ct_gpu_args_of(l, 0, dst, src, plan->desc.scale, &made->args);
        pthread_mutex_lock(&one_at_a_time);
        if (ct_grid_launch(ct_plan_kernel(l->kernel), grid, (ct_dim3){l->threads, 1, 1},
                           (size_t)l->shared_bytes, &made->args, bytes, &options, &report))
            status =
                ct_refuse(message, report.status == CT_GRID_E_MEMORY ? CT_E_MEMORY : CT_E_FAILED,
                          "grid: %s", report.message);
        ct_grid_report_free(&report);
        pthread_mutex_unlock(&one_at_a_time);
    }
    free(made);
    return status;
}

/* The launch for pointers that 16 bytes divide, and the one for others where it is another. */
static int say(const ct_plan *plan, char *buf, size_t size)
{
    char how[2][CT_MESSAGE_BYTES];
    for (int aligned = 0; aligned < 2; ++aligned) {
        grid_launch *made;
        if (launch_of(plan, aligned, &made, NULL))
            snprintf(how[aligned], sizeof how[0], "no launch");
        else ct_gpu_say(&made->launch, how[aligned], sizeof how[0]);
        free(made);
    }
    return ct_gpu_say_both(how[1], how[0], buf, size);
}

const ct_plan_backend ct_plan_grid = {
    .name = "grid",
    .host_memory = 1,
    .prepare = prepare,
    .run = run,
    .say = say,
};
