/* Copies by width: each compared, then all of a size timed in turn, or counted on the CPU grid. */
#include <string.h>

#include "../harness/report.h"
#include "base/refuse.h"
#include "kernels.h"
#include "run.h"
#include "tools/cutlet/common/cli.h"

/* The same two arrays for every width and size, of which the first bytes are used: caches keep what
 * they can, which is what is measured. */
typedef struct arrays {
    bench_target t;
    bench_array src, dst;
} arrays;

static void drop(arrays *a)
{
    bench_array_drop(&a->t, &a->dst);
    bench_array_drop(&a->t, &a->src);
}

static int take(arrays *a, int64_t bytes)
{
    if (bench_array_take(&a->t, &a->src, bytes, 1, 0) == 0 &&
        bench_array_take(&a->t, &a->dst, bytes, 1, 0) == 0 &&
        bench_fill(&a->t, &a->src, bench_put_pattern, NULL) == 0)
        return 0;
    drop(a);
    return -1;
}

/* ---- one size -------------------------------------------------------------------------------- */

static bench_launch launch_of(const width_report *r, const arrays *a, int32_t width)
{
    unsigned char *const src = bench_array_at(&a->src, 0), *const dst = bench_array_at(&a->dst, 0);
    if (width == 0) return bench_driver_copy(dst, src, a->dst.bytes);
    return width_make_launch(r->form, width, src, dst, a->dst.bytes,
                             r->is.on_gpu ? r->is.device.about.processors : 1);
}

/* Runs and compares one copy. 0; 1 where it is wrong, after a line; or -1. */
static int verify(arrays *a, const bench_work *work, width_point *point)
{
    const bench_right right = {bench_compare_pattern, NULL, 0};
    char wrong[BENCH_WRONG];
    bench_target *const t = &a->t;
    const int same = bench_verify(t, work, &a->dst, &right, &point->is, wrong);
    if (same < 0) return -1;
    const int on_device = bench_is_on_device(t, &right, a->dst.bytes);
    point->checked_by = !same ? WIDTH_BY_NOBODY : on_device ? WIDTH_BY_DEVICE : WIDTH_BY_HOST;
    if (same) return 0;
    bench_tell_end();
    ct_cli_complain("width", "%s: %s, in a copy of %lld bytes",
                    work->launch->kernel[0] ? work->launch->kernel : "memcpy", wrong,
                    (long long)a->dst.bytes);
    return 1;
}

/* All widths at one size. */
static int measure_size(width_report *r, arrays *a, int32_t size)
{
    bench_launch launches[WIDTH_LINES];
    bench_work works[WIDTH_LINES];
    bench_times times[WIDTH_LINES];
    int32_t line[WIDTH_LINES], count = 0, status = 0;
    char text[BENCH_SIZE_TEXT];
    a->src.bytes = a->dst.bytes = r->size[size];
    bench_size_text(text, r->size[size]);
    r->launches[size] = bench_repeats(r->size[size]);
    for (int32_t i = 0; i < r->lines; ++i) {
        bench_tell("%d of %d: %s, %s", size + 1, r->sizes, text,
                   r->is.on_gpu ? "comparing" : "on the CPU grid");
        launches[count] = launch_of(r, a, r->line[i].width);
        works[count] = (bench_work){.launch = &launches[count],
                                    .parts = 1,
                                    .sets = 1,
                                    .repeats = r->launches[size],
                                    .array = {&a->src, &a->dst}};
        const int wrong = verify(a, &works[count], &r->line[i].at[size]);
        if (wrong < 0) return -1;
        status |= wrong;
        if (!wrong) line[count++] = i;
    }
    if (!r->is.on_gpu || count == 0) return status;
    bench_tell("%d of %d: %s, timing", size + 1, r->sizes, text);
    if (bench_time(&a->t, works, count, BENCH_WARMUPS, r->is.runs, times)) return -1;
    for (int32_t i = 0; i < count; ++i) r->line[line[i]].at[size].is.seconds = times[i];
    return status;
}

/* ---- what fits the device -------------------------------------------------------------------- */

/* Drops the widths that the device does not have. */
static void fit_widths(width_report *r)
{
    const ct_cuda_device *const d = &r->is.device.about;
    int32_t n = 0;
    for (int32_t i = 0; i < r->lines; ++i) {
        if (r->line[i].width > 16 && d->major < 10)
            ct_one_line(r->is.left_out, sizeof r->is.left_out,
                        "Left out: accesses of %d bytes, which sm_100 has and sm_%d%d has not.",
                        r->line[i].width, d->major, d->minor);
        else r->line[n++].width = r->line[i].width;
    }
    r->lines = n;
}

/* Takes memory for the largest size that fits; those beyond are left out. */
static int take_most(width_report *r, arrays *a)
{
    char largest[BENCH_SIZE_TEXT], fit[BENCH_SIZE_TEXT], memory[BENCH_SIZE_TEXT];
    const int32_t all = r->sizes;
    const int64_t has = r->is.device.about.memory_bytes;
    for (; r->sizes > 0; --r->sizes) {
        const int64_t most = r->size[r->sizes - 1];
        if (2 * bench_array_capacity(most, 1, 0) <= has && take(a, most) == 0) break;
    }
    if (r->sizes == all) return 0;
    bench_size_text(largest, r->size[all - 1]);
    bench_size_text(memory, has);
    bench_size_text(fit, r->size[r->sizes > 0 ? r->sizes - 1 : 0]);
    const size_t used = strlen(r->is.left_out);
    ct_one_line(r->is.left_out + used, sizeof r->is.left_out - used,
                "%sLeft out: arrays above %s up to %s, of which two do not fit the memory that is "
                "free of %s.",
                used ? " " : "", fit, largest, memory);
    if (r->sizes > 0) return 0;
    bench_size_text(fit, r->size[0]);
    return bench_fail(a->t.error,
                      "two arrays of %s do not fit the memory that is free of the %s of %s", fit,
                      memory, r->is.device.about.name);
}

/* Widths, the driver's copy and arrays, as they fit. */
static int prepare(width_report *r, arrays *a)
{
    if (!r->is.on_gpu) return take(a, r->size[r->sizes - 1]);
    fit_widths(r);
    if (r->lines == 0) return bench_fail(a->t.error, "%s", r->is.left_out);
    r->line[r->lines++].width = 0;
    bench_tell("filling the arrays");
    return take_most(r, a);
}

int width_measure(width_report *r, ct_cuda *gpu, char error[CT_MESSAGE_BYTES])
{
    arrays a = {.t = {.gpu = gpu, .find = vector_kernel},
                .src = {.name = "src"},
                .dst = {.name = "dst", .is_result = 1}};
    r->is.on_gpu = gpu != NULL;
    int status = prepare(r, &a);
    if (status < 0) r->sizes = 0;
    for (int32_t s = 0; s < r->sizes; ++s) {
        const int done = measure_size(r, &a, s);
        status = done < 0 ? -1 : status | done;
        if (done < 0) r->sizes = s;
    }
    bench_tell_end();
    if (status < 0) ct_one_line(error, CT_MESSAGE_BYTES, "%s", a.t.error);
    drop(&a);
    return status;
}
