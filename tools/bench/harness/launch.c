/* Launches on a device and on the CPU grid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "harness.h"

/* The argument of the driver's copy. */
typedef struct driver_args {
    void *dst;
    const void *src;
    int64_t bytes;
} driver_args;

bench_launch bench_launch_of(const char *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
                             const void *args, size_t args_bytes)
{
    bench_launch l;
    memset(&l, 0, sizeof l);
    if (args_bytes > sizeof l.args || strlen(kernel) >= sizeof l.kernel) {
        fprintf(stderr, "bench: kernel %s: an argument of %zu bytes, of at most %zu\n", kernel,
                args_bytes, sizeof l.args);
        abort();
    }
    memcpy(l.kernel, kernel, strlen(kernel));
    memcpy(l.args, args, args_bytes);
    l.grid = grid;
    l.block = block;
    l.shared_bytes = shared_bytes;
    l.args_bytes = args_bytes;
    return l;
}

bench_launch bench_driver_copy(void *dst, const void *src, int64_t bytes)
{
    const driver_args args = {dst, src, bytes};
    return bench_launch_of("", (ct_dim3){0, 0, 0}, (ct_dim3){0, 0, 0}, 0, &args, sizeof args);
}

int32_t bench_repeats(int64_t bytes)
{
    return (int32_t)ct_max(1, ct_min((INT64_C(256) << 20) / bytes, 100));
}

/* ---- on a device ----------------------------------------------------------------------------- */

static ct_status queue(ct_cuda *gpu, const bench_launch *l)
{
    driver_args copy;
    if (l->kernel[0])
        return ct_cuda_launch(gpu, l->kernel, l->grid, l->block, l->shared_bytes, l->args,
                              l->args_bytes);
    memcpy(&copy, l->args, sizeof copy);
    return ct_cuda_copy(gpu, copy.dst, copy.src, (size_t)copy.bytes);
}

/* ---- on the CPU grid ------------------------------------------------------------------------- */

static int run_on_grid(bench_target *t, const bench_work *w, const bench_launch *l, int64_t set)
{
    ct_grid_buffer buffers[BENCH_ARRAYS];
    ct_grid_options options = {.buffers = buffers};
    ct_grid_report report;
    const ct_grid_kernel *const kernel = t->find(l->kernel);
    if (!kernel) return bench_fail(t->error, "there is no kernel %s", l->kernel);
    for (int i = 0; i < BENCH_ARRAYS && w->array[i]; ++i) {
        const bench_array *const a = w->array[i];
        buffers[options.buffer_count++] = (ct_grid_buffer){
            a->name, bench_array_at(a, set), (size_t)a->bytes, a->is_result, a->shift};
    }
    const int status = ct_grid_launch(kernel, l->grid, l->block, l->shared_bytes, l->args,
                                      l->args_bytes, &options, &report);
    if (status) ct_one_line(t->error, CT_MESSAGE_BYTES, "%s", report.message);
    t->instructions += report.global.instructions;
    t->requests += report.global.requests;
    t->sectors += report.global.sectors;
    ct_grid_report_free(&report);
    return status ? -1 : 0;
}

/* ---- either ---------------------------------------------------------------------------------- */

int bench_run(bench_target *t, const bench_work *w, int64_t set)
{
    if (w->peer) return bench_status(t, w->peer(t->gpu, w->user, set));
    for (int32_t i = 0; i < w->parts; ++i) {
        const bench_launch *const l = &w->launch[set * w->parts + i];
        if (t->gpu ? bench_status(t, queue(t->gpu, l)) : run_on_grid(t, w, l, set)) return -1;
    }
    return 0;
}
