/* Copies by width on a GPU: each compared, then all of a size timed in turn. */
#include <string.h>

#include "cli/cli.h"
#include "copy/whole_file.h"
#include "progress.h"
#include "sizes.h"
#include "width_run.h"

/* A run copies about so many bytes, by at most so many launches. */
enum { RUN_BYTES = 256 << 20, LAUNCHES_MOST = 100 };

/* One copy, ready to be queued. */
typedef struct copy_work {
    const bench_bytes *bytes;
    int64_t size;
    int32_t width;
    width_launch launch;
} copy_work;

static int queue_copy(ct_cuda *gpu, void *user, int64_t turn)
{
    const copy_work *const w = user;
    const width_launch *const l = &w->launch;
    (void)turn;
    if (w->width == 0)
        return ct_cuda_copy(gpu, bench_bytes_dst(w->bytes), w->bytes->src, (size_t)w->size);
    return ct_cuda_launch(gpu, l->kernel, l->grid, l->block, 0, &l->args, l->args_bytes);
}

static void prepare(copy_work *w, const width_run *r, const bench_bytes *bytes, int32_t width,
                    int64_t size)
{
    memset(w, 0, sizeof *w);
    w->bytes = bytes;
    w->width = width;
    w->size = size;
    if (width == 0) return;
    w->launch = width_make_launch(r->form, width, bytes->src, bench_bytes_dst(bytes), size,
                                  r->device.processors);
}

/* Runs and compares one copy. 0; 1 where it is wrong, after a line; or -1. */
static int verify(copy_work *w, bench_bytes *bytes, width_point *point)
{
    char wrong[BENCH_WRONG_TEXT];
    if (bench_bytes_poison(bytes, w->size) || queue_copy(bytes->gpu, w, 0)) return -1;
    const int by = bench_bytes_check(bytes, w->size, wrong);
    if (by < 0) return -1;
    point->status = by ? WIDTH_RIGHT : WIDTH_WRONG;
    point->checked_by = by;
    if (by) return 0;
    bench_tell_end();
    ct_cli_complain("bench", "%s: %s", w->width ? w->launch.kernel : "memcpy", wrong);
    return 1;
}

/* All widths at one size. */
static int measure_size(width_run *r, bench_bytes *bytes, int32_t size)
{
    copy_work copies[WIDTH_LINES];
    bench_work works[WIDTH_LINES];
    bench_times times[WIDTH_LINES];
    int32_t line[WIDTH_LINES], count = 0, status = 0;
    char text[BENCH_SIZE_TEXT];
    bench_size_text(text, r->size[size]);
    const int64_t launches = RUN_BYTES / r->size[size];
    r->launches[size] = launches < 1               ? 1
                        : launches > LAUNCHES_MOST ? LAUNCHES_MOST
                                                   : (int32_t)launches;
    for (int32_t i = 0; i < r->lines; ++i) {
        bench_tell("%d of %d: %s, comparing", size + 1, r->sizes, text);
        prepare(&copies[count], r, bytes, r->line[i].width, r->size[size]);
        const int wrong = verify(&copies[count], bytes, &r->line[i].at[size]);
        if (wrong < 0) return -1;
        status |= wrong;
        if (wrong) continue;
        works[count] = (bench_work){queue_copy, &copies[count], r->launches[size], 0};
        line[count++] = i;
    }
    bench_tell("%d of %d: %s, timing", size + 1, r->sizes, text);
    if (count && bench_time(bytes->gpu, works, count, r->runs, times)) return -1;
    for (int32_t i = 0; i < count; ++i) r->line[line[i]].at[size].seconds = times[i];
    return status;
}

/* Drops the widths that the device does not have. */
static void fit_widths(width_run *r)
{
    int32_t n = 0;
    for (int32_t i = 0; i < r->lines; ++i) {
        if (r->line[i].width > 16 && r->device.major < 10)
            ct_one_line(r->left_out, sizeof r->left_out,
                        "Left out: accesses of %d bytes, which sm_100 has and sm_%d%d has not.",
                        r->line[i].width, r->device.major, r->device.minor);
        else r->line[n++].width = r->line[i].width;
    }
    r->lines = n;
}

/* Takes memory for the largest size that fits; those beyond are left out. */
static int take(width_run *r, ct_cuda *gpu, bench_bytes *bytes)
{
    char largest[BENCH_SIZE_TEXT], fit[BENCH_SIZE_TEXT], memory[BENCH_SIZE_TEXT];
    const int32_t all = r->sizes;
    while (r->sizes > 0) {
        const int64_t most = r->size[r->sizes - 1];
        if (2 * most + 2 * BENCH_GUARD <= r->device.memory_bytes &&
            bench_bytes_take(bytes, gpu, most) == 0)
            break;
        --r->sizes;
    }
    if (r->sizes == all) return 0;
    bench_size_text(largest, r->size[all - 1]);
    bench_size_text(memory, r->device.memory_bytes);
    bench_size_text(fit, r->size[r->sizes > 0 ? r->sizes - 1 : 0]);
    const size_t used = strlen(r->left_out);
    if (used) r->left_out[used] = ' ';
    ct_one_line(r->left_out + used + (used > 0), sizeof r->left_out - used - (used > 0),
                "Left out: arrays above %s up to %s, of which two do not fit the memory that is "
                "free of %s.",
                fit, largest, memory);
    return r->sizes > 0 ? 0 : -1;
}

int width_measure(width_run *r, ct_cuda *gpu, char error[CT_CUDA_LINE])
{
    bench_bytes bytes;
    char smallest[BENCH_SIZE_TEXT], memory[BENCH_SIZE_TEXT];
    int status = 0;
    r->on_gpu = 1;
    fit_widths(r);
    if (r->lines == 0) {
        r->sizes = 0;
        return ct_one_line(error, CT_CUDA_LINE, "%s", r->left_out);
    }
    r->line[r->lines++].width = 0;
    bench_tell("filling the arrays");
    if (take(r, gpu, &bytes)) {
        r->sizes = 0;
        bench_size_text(smallest, r->size[0]);
        bench_size_text(memory, r->device.memory_bytes);
        bench_tell_end();
        return ct_one_line(error, CT_CUDA_LINE,
                           "two arrays of %s do not fit the memory that is free of the %s of %s",
                           smallest, memory, r->device.name);
    }
    for (int32_t s = 0; s < r->sizes; ++s) {
        const int done = measure_size(r, &bytes, s);
        status = done < 0 ? -1 : status | done;
        if (done < 0) r->sizes = s;
    }
    bench_tell_end();
    if (status < 0) ct_one_line(error, CT_CUDA_LINE, "%s", ct_cuda_error(gpu));
    bench_bytes_drop(&bytes);
    return status;
}
