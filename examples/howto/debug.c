/* Runs reverse on the CPU grid, with each mistake and without, and prints what the grid says. */
#include <cutlet/host/grid.h>
#include <stdio.h>

#include "debug.cu"

enum { COUNT = 1000 };
static _Alignas(256) float src[COUNT], dst[COUNT];

/* part: run */
/* Launches the kernel with a mistake; returns the status, CT_GRID_OK or CT_GRID_E_... */
static int try_it(int mistake)
{
    const reverse_args args = {src, dst, COUNT, mistake};
    const ct_grid_buffer buffers[] = {{"src", src, sizeof src, 0, 0},
                                      {"dst", dst, sizeof dst, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 blocks = {(COUNT + 127) / 128, 1, 1}, threads = {128, 1, 1};
    ct_grid_report report;
    ct_grid_launch(&reverse, blocks, threads, 0, &args, sizeof args, &options, &report);
    const int status = report.status;
    printf("%s\n", status ? report.message : "right");
    ct_grid_report_free(&report);
    return status;
}
/* end */

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; ++i) src[i] = (float)i + 1;
    wrong += try_it(NO_BARRIER) != CT_GRID_E_UNWRITTEN;
    wrong += try_it(NO_TEST_OF_N) != CT_GRID_E_BOUNDS;
    wrong += try_it(TOO_WIDE) != CT_GRID_E_MISALIGNED;
    wrong += try_it(NO_MISTAKE) != CT_GRID_OK;
    for (int i = 0; i < COUNT; ++i) { /* the other end of its 128, 0 past the last */
        const int from = i / 128 * 128 + 127 - i % 128;
        wrong += dst[i] != (from < COUNT ? src[from] : 0);
    }
    return wrong;
}
