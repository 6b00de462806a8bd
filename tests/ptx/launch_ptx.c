/* Launches of a program, each with the kernel of the same name in the PTX of the file CUTLET_PTX:
 * the program is compiled with ct_grid_launch renamed to launch_ptx. */
#undef ct_grid_launch
#include <cutlet/host/ptx.h>

#include <stdio.h>
#include <stdlib.h>

int launch_ptx(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
               const void *args, size_t args_bytes, const ct_grid_options *options,
               ct_grid_report *report);

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(3);
}

static char *read_file(const char *path)
{
    enum { MOST = 1 << 24 };
    char *const text = calloc(1, MOST);
    FILE *const file = path ? fopen(path, "rb") : NULL;
    if (!text || !file || fread(text, 1, MOST - 1, file) == 0) fail("CUTLET_PTX cannot be read");
    fclose(file);
    return text;
}

int launch_ptx(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block, size_t shared_bytes,
               const void *args, size_t args_bytes, const ct_grid_options *options,
               ct_grid_report *report)
{
    static ct_ptx *module; /* reports have names of it */
    char message[CT_MESSAGE_BYTES];
    if (!module) {
        char *const text = read_file(getenv("CUTLET_PTX"));
        module = ct_ptx_load(text, message);
        free(text);
    }
    if (!module) fail(message);
    const ct_grid_kernel *const same = ct_ptx_kernel(module, kernel->name);
    if (!same) fail("the PTX has no such kernel");
    return ct_grid_launch(same, grid, block, shared_bytes, args, args_bytes, options, report);
}
