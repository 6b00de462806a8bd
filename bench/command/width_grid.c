/* Copies by width on the CPU grid: what they ask of memory. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "copy/whole_file.h"
#include "kernels.h"
#include "pattern.h"
#include "progress.h"
#include "sizes.h"
#include "width_run.h"

enum { PROCESSORS = 1 };

/* One copy of `bytes` bytes between two arrays of the host, the second between guards. */
static int count_copy(width_point *point, int32_t form, int32_t width, int64_t bytes,
                      unsigned char *src, unsigned char *room, char error[CT_CUDA_LINE])
{
    unsigned char *const dst = room + BENCH_GUARD;
    const size_t all = (size_t)bytes + 2 * BENCH_GUARD;
    const width_launch l = width_make_launch(form, width, src, dst, bytes, PROCESSORS);
    const ct_grid_buffer buffers[] = {{"src", src, (size_t)bytes, 0, 0},
                                      {"dst", dst, (size_t)bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    ct_grid_report report;
    const ct_grid_kernel *const k = vector_kernel(l.kernel);
    if (!k) return ct_one_line(error, CT_CUDA_LINE, "there is no kernel %s", l.kernel);
    memset(room, PATTERN_BEFORE, all);
    if (ct_grid_launch(k, l.grid, l.block, 0, &l.args, l.args_bytes, &options, &report)) {
        ct_one_line(error, CT_CUDA_LINE, "%s", report.message);
        ct_grid_report_free(&report);
        return -1;
    }
    int right = memcmp(dst, src, (size_t)bytes) == 0;
    for (int i = 0; i < BENCH_GUARD; ++i)
        right &= room[i] == PATTERN_BEFORE && dst[bytes + i] == PATTERN_BEFORE;
    point->status = right ? WIDTH_RIGHT : WIDTH_WRONG;
    point->checked_by = right ? BENCH_BY_HOST : BENCH_BY_NOBODY;
    point->instructions = report.global.instructions;
    point->requests = report.global.requests;
    point->sectors = report.global.sectors;
    ct_grid_report_free(&report);
    if (right) return 0;
    bench_tell_end();
    ct_cli_complain("bench", "%s: the copy of %lld bytes is wrong", l.kernel, (long long)bytes);
    return 1;
}

int width_count(width_run *r, char error[CT_CUDA_LINE])
{
    const int64_t most = r->size[r->sizes - 1];
    unsigned char *const src = aligned_alloc(256, (size_t)((most + 255) / 256 * 256));
    unsigned char *const room =
        aligned_alloc(256, (size_t)((most + 255) / 256 * 256) + 2 * BENCH_GUARD);
    int status = src && room ? 0 : ct_one_line(error, CT_CUDA_LINE, "out of memory");
    for (int64_t i = 0; status == 0 && i < most; ++i)
        src[i] = (unsigned char)(bench_hash((uint64_t)i) | 1);
    for (int32_t s = 0; s < r->sizes && status >= 0; ++s) {
        char text[BENCH_SIZE_TEXT];
        bench_size_text(text, r->size[s]);
        bench_tell("%d of %d: %s, on the CPU grid", s + 1, r->sizes, text);
        for (int32_t i = 0; i < r->lines && status >= 0; ++i) {
            const int done =
                count_copy(&r->line[i].at[s], r->form, r->line[i].width, r->size[s], src,
                           room, error);
            status = done < 0 ? -1 : status | done;
        }
    }
    bench_tell_end();
    if (status < 0) r->sizes = 0;
    free(room);
    free(src);
    return status;
}
