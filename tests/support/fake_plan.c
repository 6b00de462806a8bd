/* The kernels of copy plans for the fake driver: run on the CPU grid, every access checked. */
#include <stdio.h>
#include <string.h>

#include <cutlet/host/grid.h>
#include "fake_inside.h"
#include "plan/kernels/plan_copy.cu"

enum { BLOCKS = 64, ILLEGAL_ADDRESS = 700, MISALIGNED_ADDRESS = 716, LAUNCH_FAILED = 719 };

#define SECTORS_OF(...) &CT_SECTOR_NAME(__VA_ARGS__),
#define ENGINE_OF(engine, ...) &ct_##engine##_any,
static const ct_grid_kernel *const kernels[] = {CT_SECTOR_TILES(SECTORS_OF)
                                                    CT_PLAN_ENGINES(ENGINE_OF)};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const ct_grid_kernel *find(const char *kernel)
{
    for (int i = 0; i < KERNELS; ++i)
        if (strcmp(kernels[i]->name, kernel) == 0) return kernels[i];
    for (int i = 0; fake_transposes[i]; ++i)
        if (strcmp(fake_transposes[i]->name, kernel) == 0) return fake_transposes[i];
    return NULL;
}

int fake_plan_is(const char *kernel) { return find(kernel) != NULL; }

size_t fake_plan_args_bytes(const char *kernel)
{
    const ct_grid_kernel *const k = find(kernel);
    return k ? k->args_bytes : 0;
}

int fake_plan_run(const char *kernel, const void *args)
{
    const unsigned *const g = fake_cuda.grid, *const b = fake_cuda.block;
    const ct_grid_kernel *const k = find(kernel);
    fake_block blocks[BLOCKS];
    ct_grid_buffer buffers[BLOCKS];
    ct_grid_report report;
    const int count = fake_blocks(blocks, BLOCKS);
    for (int i = 0; i < count; ++i)
        buffers[i] = (ct_grid_buffer){"memory", blocks[i].base, blocks[i].bytes, 1,
                                      (int32_t)((uintptr_t)blocks[i].base % 256)};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count, .no_records = 1};
    const int status =
        ct_grid_launch(k, (ct_dim3){g[0], g[1], g[2]}, (ct_dim3){b[0], b[1], b[2]},
                       fake_cuda.shared_bytes, args, k->args_bytes, &options, &report);
    if (status) fprintf(stderr, "# %s\n", report.message);
    ct_grid_report_free(&report);
    switch (status) {
        case CT_GRID_OK: return 0;
        case CT_GRID_E_LAUNCH: return 1;
        case CT_GRID_E_BOUNDS: return ILLEGAL_ADDRESS;
        case CT_GRID_E_MISALIGNED: return MISALIGNED_ADDRESS;
        default: return LAUNCH_FAILED;
    }
}
