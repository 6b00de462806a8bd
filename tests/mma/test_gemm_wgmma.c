/* The GEMM by wgmma on the CPU grid, with what its host chooses. */
#include "all_cases.h"
#include "gemm_wgmma_cases.h"

#include <cutlet/host/grid.h>
#include <cutlet/host/tma.h>

#include "../../device/gemm/wgmma_helpers.cu"

/* Of this many cases one; by 11 each matrix, shape, number of parts and type is among them. */
static int thin(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return 43;
#endif
    return all_cases() ? 11 : 43;
}

/* Of gemm_wgmma_128x256_2.c and the like. */
#define KERNELS(shape)                                                                             \
    CT_KERNEL_DECLARE(gemm_wgmma_##shape##_half, gemm_wgmma_args);                                 \
    CT_KERNEL_DECLARE(gemm_wgmma_##shape##_bfloat16, gemm_wgmma_args);                             \
    CT_KERNEL_DECLARE(gemm_wgmma_##shape##_e4m3, gemm_wgmma_args);
KERNELS(128x256_2)
KERNELS(128x128_1)
KERNELS(128x64_1)
KERNELS(64x64_1)
KERNELS(64x64_4)
KERNELS(128x192_2)
KERNELS(128x160_2)
KERNELS(128x96_1)
KERNELS(64x32_1)
KERNELS(64x32_4)
KERNELS(64x8_1)
KERNELS(64x8_8)

#define NAMES(shape)                                                                               \
    &gemm_wgmma_##shape##_half, &gemm_wgmma_##shape##_bfloat16, &gemm_wgmma_##shape##_e4m3
static const ct_grid_kernel *const kernels[] = {
    NAMES(128x256_2), NAMES(128x128_1), NAMES(128x64_1),   NAMES(64x64_1),
    NAMES(64x64_4),   NAMES(128x192_2), NAMES(128x160_2),  NAMES(128x96_1),
    NAMES(64x32_1),   NAMES(64x32_4),   NAMES(64x8_1),     NAMES(64x8_8),
    &gemm_repack_8,   &gemm_repack_16,  &gemm_repack_rows, &gemm_sum_splits};

static ct_grid_buffer buffers[6]; /* the operands, the workspace and vectors */
static int buffer_count;

static void launch(const char *name, const uint32_t *grid, int threads, int shared_bytes,
                   const void *args, size_t bytes)
{
    ct_grid_report report;
    int k = 0;
    while (strcmp(kernels[k]->name, name) != 0) ++k;
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = buffer_count, .no_records = 1};
    if (ct_grid_launch(kernels[k], (ct_dim3){grid[0], grid[1], grid[2]},
                       (ct_dim3){(uint32_t)threads, 1, 1}, (size_t)shared_bytes, args, bytes,
                       &options, &report))
        fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

static void map_of(const ct_tma_desc *d, ct_tma_map *map)
{
    char text[CT_MESSAGE_BYTES];
    if (ct_grid_tma_map(d, map, text)) fail_msg("%s", text);
}

static void on_grid(const gemm_type *t, uint32_t blocks, const operand *o, const gemm_case *g)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    const gemm_wgmma_problem q = problem_of(t, o, g, vectors);
    gemm_wgmma_plan p = gemm_wgmma_make_plan(&q, NULL, 4, wish);
    const size_t bytes = ((size_t)p.workspace_bytes + 1024) / 1024 * 1024;
    unsigned char *const workspace = aligned_alloc(1024, bytes);
    (void)blocks;
    assert_non_null(workspace);
    for (int i = 0; i < 4; ++i)
        buffers[i] = (ct_grid_buffer){names[i], o[i].memory, (size_t)o[i].bytes, i == D, 0};
    buffers[4] = (ct_grid_buffer){"workspace", workspace, bytes, 1, 0};
    buffers[5] = (ct_grid_buffer){"vectors", vectors, sizeof vectors, 0, 0};
    buffer_count = 6;
    p = gemm_wgmma_make_plan(&q, workspace, 4, wish);
    carry_out(t, &p);
    free(workspace);
}

TEST(test_wgmma) { every_wgmma_gemm(on_grid, thin()); }

GROUP("GEMM by wgmma on the CPU grid", NULL, NULL)
