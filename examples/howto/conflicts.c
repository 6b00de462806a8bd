/* Runs a kernel on the CPU grid, and prints where it has bank conflicts. */
#include <cutlet/host/grid.h>
#include <stdio.h>
#include <string.h>

#include "conflicts.cu"

enum { M = 64, N = 96 };
static float src[M * N], dst[M * N];

/* part: report */
/* The bank conflicts of a launch, of each line of the kernel; -1 where the launch stopped. */
static int64_t conflicts_of(const ct_grid_kernel *kernel, const transpose_args *args)
{
    const ct_grid_buffer buffers[] = {{"src", src, sizeof src, 0, 0},
                                      {"dst", dst, sizeof dst, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 blocks = {N / 32, M / 32, 1}, threads = {128, 1, 1};
    ct_grid_report report;
    const int stopped =
        ct_grid_launch(kernel, blocks, threads, 0, args, sizeof *args, &options, &report);
    int64_t found = stopped ? -1 : 0;
    if (stopped) printf("%s\n", report.message);
    for (int i = 0; i < report.row_count && !stopped; ++i) {
        const ct_grid_row *row = &report.rows[i];
        const char *file = strrchr(row->file, '/');
        if (row->wavefronts == 0) continue; /* global memory has no banks */
        printf("%s:%d: %s %d bits of %s: %lld wavefronts, %lld conflicts\n",
               file ? file + 1 : row->file, row->line, ct_access_name(row->kind), row->bits,
               row->name, (long long)row->wavefronts, (long long)row->conflicts);
        found += row->conflicts;
    }
    ct_grid_report_free(&report);
    return found;
}
/* end */

int main(void)
{
    for (int i = 0; i < M * N; ++i) src[i] = (float)i;
    const transpose_args args = {ct_make_global(src, 32, ct_make_row_major(ct_tuple2(M, N))),
                                 ct_make_global(dst, 32, ct_make_col_major(ct_tuple2(M, N)))};
    printf("plain\n");
    const int64_t before = conflicts_of(&plain, &args);
    printf("swizzled\n");
    const int64_t after = conflicts_of(&swizzled, &args);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j)
            if (dst[i + M * j] != src[N * i + j]) return 1;
    return before > 0 && after == 0 ? 0 : 1;
}
