/* wgmma on the CPU grid: every instruction. */
#include "all_cases.h"
#include "wgmma_cases.h"

#include <cutlet/host/grid.h>

#include "wgmma_kernels.cu"

/* Of the problems of an instruction this many are left out; those of the next begin with another. */
static int step(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return 23;
#endif
    return all_cases() ? 11 : 23;
}

static const ct_grid_kernel *const kernels[] = {
#define ROW(kind, name, A_MAJOR, B_MAJOR) &wgmma_##name##_##A_MAJOR##_##B_MAJOR,
    WGMMA_NAMES(ROW)};

static void on_grid(const char *kernel, int count)
{
    const wgmma_args args = {host.a[0],    host.b[0],    host.descriptors[0], host.a_words[0][0],
                             host.c[0][0], host.d[0][0], host.scale_d};
    const ct_grid_buffer buffers[] = {
        {"a", host.a, sizeof host.a, 0, 0},
        {"b", host.b, sizeof host.b, 0, 0},
        {"descriptors", host.descriptors, sizeof host.descriptors, 0, 0},
        {"a_words", host.a_words, sizeof host.a_words, 0, 0},
        {"c", host.c, sizeof host.c, 0, 0},
        {"d", host.d, sizeof host.d, 1, 0},
        {"scale_d", host.scale_d, sizeof host.scale_d, 0, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 7, .no_records = 1};
    ct_grid_report report;
    int i = 0;
    while (strcmp(kernels[i]->name, kernel) != 0) ++i;
    if (ct_grid_launch(kernels[i], (ct_dim3){(uint32_t)count, 1, 1}, (ct_dim3){THREADS, 1, 1},
                       WGMMA_A_BYTES + WGMMA_B_BYTES, &args, sizeof args, &options, &report))
        fail_msg("%s: %s", kernel, report.message);
    ct_grid_report_free(&report);
}

TEST(test_every)
{
    for (int i = 0; i < WGMMA_EVERY; ++i) check(&wgmma_every[i], i % step(), step(), on_grid);
}

GROUP("wgmma on the CPU grid", NULL, NULL)
