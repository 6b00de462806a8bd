/* The GEMM by mma.sync and that of single threads on the CPU grid. */
#include "gemm_cases.h"

#include <cutlet/host/grid.h>

#include "../../device/gemm/gemm_kernels.h"

static void on_grid(const gemm_type *t, uint32_t blocks, const operand *o, const gemm_case *g)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    const ct_grid_kernel *const kernels[] = {&gemm_half, &gemm_bfloat16, &gemm_float, &gemm_int8,
                                             &gemm_simt};
    const gemm_args args = {tensor_of(&o[A]),          tensor_of(&o[B]), tensor_of(&o[C]),
                            tensor_of(&o[D]),          g->alpha,         g->beta,
                            epilogue_of(t, g, vectors)};
    ct_grid_buffer buffers[5];
    ct_grid_report report;
    for (int i = 0; i < 4; ++i)
        buffers[i] = (ct_grid_buffer){names[i], o[i].memory, (size_t)o[i].bytes, i == D, 0};
    buffers[4] = (ct_grid_buffer){"vectors", vectors, sizeof vectors, 0, 0};
    const ct_grid_kernel *const kernel = kernels[t - types];
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 5, .no_records = 1};
    if (ct_grid_launch(kernel, (ct_dim3){blocks, 1, 1}, (ct_dim3){(uint32_t)t->threads, 1, 1},
                       (uint32_t)t->shared_bytes, &args, sizeof args, &options, &report))
        fail_msg("%s, case %d: %s", t->kernel, (int)(g - cases), report.message);
    ct_grid_report_free(&report);
}

TEST(test_mma_sync) { every_gemm(0, 4, on_grid); }

TEST(test_simt) { every_gemm(4, 5, on_grid); }

GROUP("GEMM on the CPU grid", NULL, NULL)
