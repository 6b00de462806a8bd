/* Kernels that were compiled for the CPU grid while a program runs (fake_nvrtc.c), for the driver that is
 * none. The grid is that of the library which the kernel was linked with. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <cutlet/host/grid.h>
#include "fake_inside.h"

enum { BLOCKS = 64, MOST = 512 };

typedef int launch_function(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                            size_t shared_bytes, const void *args, size_t args_bytes,
                            const ct_grid_options *options, ct_grid_report *report);
typedef void free_function(ct_grid_report *report);

/* A kernel; its address is the driver's handle. */
static struct compiled {
    const ct_grid_kernel *kernel;
    launch_function *launch;
    free_function *release;
} all[MOST];
static int count;

int fake_compiled_is_image(const void *image)
{
    return strncmp(image, "plan.cu /", 9) == 0 && strstr(image, ".so") != NULL;
}

void *fake_compiled_function(const void *image, const char *name)
{
    void *const library = dlopen((const char *)image + strlen("plan.cu "), RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "# %s\n", dlerror());
    if (!library || count == MOST) return NULL;
    struct compiled *const c = &all[count];
    c->kernel = dlsym(library, name);
    *(void **)&c->launch = dlsym(library, "ct_grid_launch");
    *(void **)&c->release = dlsym(library, "ct_grid_report_free");
    if (!c->kernel || !c->launch || !c->release) return NULL;
    ++count;
    return c;
}

int fake_compiled_is(const void *function)
{
    return (const struct compiled *)function >= all &&
           (const struct compiled *)function < all + MOST;
}

double fake_compiled_takes(const void *function)
{
    return 3 - 0.001 * (double)((const struct compiled *)function - all);
}

int fake_compiled_run(const void *function, const void *args)
{
    enum { LAUNCH_FAILED = 719 };
    const struct compiled *const c = function;
    const unsigned *const g = fake_cuda.grid, *const b = fake_cuda.block;
    fake_block blocks[BLOCKS];
    ct_grid_buffer buffers[BLOCKS];
    ct_grid_report report;
    const int n = fake_blocks(blocks, BLOCKS);
    for (int i = 0; i < n; ++i)
        buffers[i] = (ct_grid_buffer){"memory", blocks[i].base, blocks[i].bytes, 1,
                                      (int32_t)((uintptr_t)blocks[i].base % 256)};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = n, .no_records = 1};
    const int status =
        c->launch(c->kernel, (ct_dim3){g[0], g[1], g[2]}, (ct_dim3){b[0], b[1], b[2]},
                  fake_cuda.shared_bytes, args, c->kernel->args_bytes, &options, &report);
    if (status) fprintf(stderr, "# %s\n", report.message);
    c->release(&report);
    return status ? LAUNCH_FAILED : 0;
}
