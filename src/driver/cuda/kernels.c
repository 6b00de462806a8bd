/* Kernels: found in the images that libcutlet carries, loaded when first used, launched. */
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

/** Shared memory, static and dynamic, that every kernel may have without being asked. */
#define FREE_SHARED_BYTES (48 * 1024)

/* Loads an image; `log` is what the loader says of it. */
static int load(ct_cuda *gpu, void **handle, const void *bytes, char *log, size_t log_bytes)
{
    const int options[] = {CT_LOADER_LOG, CT_LOADER_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(log_bytes - 1)};
    const int result = gpu->driver.module_load(handle, bytes, 2, options, values);
    if (result != CT_DRIVER_OK) *handle = NULL;
    return result;
}

/* Loads the module's image, when that has not been done. */
static ct_status load_module(ct_cuda *gpu, ct_cuda_module *module)
{
    if (module->handle) return 0;
    char log[256] = "";
    const int result = load(gpu, &module->handle, module->image->bytes, log, sizeof log);
    if (result == CT_DRIVER_OK) return 0;
    const char *const source = module->image->source;
    if (result == CT_DRIVER_NO_BINARY)
        return ct_cuda_fail(gpu, CT_E_BACKEND, "no kernels of %s for %s, which is sm_%d%d", source,
                            gpu->about.name, gpu->about.major, gpu->about.minor);
    return ct_cuda_check(gpu, result, "cuModuleLoadDataEx(%s for sm_%d)%s%s", source,
                         module->image->arch, log[0] ? ": " : "", log);
}

/* Adds a module for an image from outside, whose bytes it takes over. */
static ct_status add_module(ct_cuda *gpu, void *bytes)
{
    char log[256] = "";
    void *handle = NULL;
    const int result = load(gpu, &handle, bytes, log, sizeof log);
    const ct_status bad =
        ct_cuda_check(gpu, result, "cuModuleLoadDataEx(an image)%s%s", log[0] ? ": " : "", log);
    if (bad) return bad;
    ct_cuda_module *const grown =
        realloc(gpu->modules, ((size_t)gpu->module_count + 1) * sizeof *grown);
    if (!grown) {
        gpu->driver.module_unload(handle);
        return ct_cuda_fail(gpu, CT_E_MEMORY, "out of host memory");
    }
    gpu->modules = grown;
    grown[gpu->module_count++] = (ct_cuda_module){NULL, bytes, handle};
    return 0;
}

ct_status ct_cuda_load(ct_cuda *gpu, const void *image, size_t bytes)
{
    if (bytes == 0) return ct_cuda_fail(gpu, CT_E_ARGUMENT, "ct_cuda_load: an image of 0 bytes");
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    unsigned char *const copy = malloc(bytes + 1);
    if (!copy) return ct_cuda_leave(gpu, ct_cuda_fail(gpu, CT_E_MEMORY, "out of host memory"));
    memcpy(copy, image, bytes);
    copy[bytes] = 0;
    const ct_status status = add_module(gpu, copy);
    if (status) free(copy);
    return ct_cuda_leave(gpu, status);
}

/* The bytes of the kernel's one argument; -1 if the driver does not report them. */
static int32_t args_bytes_of(const ct_cuda *gpu, void *function)
{
    size_t at = 0, bytes = 0;
    if (!gpu->driver.function_parameter) return -1;
    return gpu->driver.function_parameter(function, 0, &at, &bytes) ? -1 : (int32_t)bytes;
}

/* Looks for the kernel in all images. */
static ct_status look_up(ct_cuda *gpu, const char *kernel, void **handle)
{
    for (int32_t i = 0; i < gpu->module_count; ++i) {
        const ct_status bad = load_module(gpu, &gpu->modules[i]);
        if (bad) return bad;
        const int result = gpu->driver.module_function(handle, gpu->modules[i].handle, kernel);
        if (result != CT_DRIVER_NOT_FOUND)
            return ct_cuda_check(gpu, result, "cuModuleGetFunction(%s)", kernel);
    }
    return ct_cuda_fail(gpu, CT_E_ARGUMENT, "libcutlet contains no kernel %s", kernel);
}

static ct_status attribute(ct_cuda *gpu, const ct_cuda_function *f, int which, int32_t *value)
{
    int number = 0;
    const int result = gpu->driver.function_attribute(&number, which, f->handle);
    *value = number;
    return ct_cuda_check(gpu, result, "cuFuncGetAttribute(%s, %d)", f->name, which);
}

/* The kernel of that name. */
static ct_status find(ct_cuda *gpu, const char *kernel, ct_cuda_function **found)
{
    for (int32_t i = 0; i < gpu->function_count; ++i) {
        if (strcmp(gpu->functions[i].name, kernel) != 0) continue;
        *found = &gpu->functions[i];
        return CT_OK;
    }
    void *handle = NULL;
    ct_status bad = look_up(gpu, kernel, &handle);
    if (bad) return bad;
    ct_cuda_function *const grown =
        ct_cuda_grow(gpu, gpu->functions, gpu->function_count, sizeof *gpu->functions);
    if (!grown) return CT_E_MEMORY;
    gpu->functions = grown;
    ct_cuda_function *const f = &grown[gpu->function_count];
    f->name = strdup(kernel);
    if (!f->name) return ct_cuda_fail(gpu, CT_E_MEMORY, "out of host memory");
    f->handle = handle;
    int32_t fixed = 0;
    bad = attribute(gpu, f, CT_FUNCTION_SHARED_BYTES, &fixed);
    if (bad) {
        free(f->name);
        return bad;
    }
    f->dynamic_bytes = (size_t)(FREE_SHARED_BYTES - fixed);
    f->args_bytes = args_bytes_of(gpu, handle);
    ++gpu->function_count;
    *found = f;
    return CT_OK;
}

/* Requests this number of bytes of dynamic shared memory. */
static ct_status allow_shared(ct_cuda *gpu, ct_cuda_function *f, size_t bytes)
{
    if (bytes <= f->dynamic_bytes) return 0;
    if ((int64_t)bytes > gpu->about.shared_bytes)
        return ct_cuda_fail(gpu, CT_E_ARGUMENT,
                            "%s: %zu bytes of shared memory; a block on %s has at most %lld",
                            f->name, bytes, gpu->about.name, (long long)gpu->about.shared_bytes);
    const int result = gpu->driver.function_set(f->handle, CT_FUNCTION_DYNAMIC_BYTES, (int)bytes);
    const ct_status bad = ct_cuda_check(
        gpu, result, "cuFuncSetAttribute(%s, %zu bytes of shared memory)", f->name, bytes);
    if (!bad) f->dynamic_bytes = bytes;
    return bad;
}

ct_status ct_cuda_function_for(ct_cuda *gpu, const char *kernel, size_t shared_bytes, void **handle)
{
    ct_cuda_function *f;
    ct_status bad = find(gpu, kernel, &f);
    if (!bad) bad = allow_shared(gpu, f, shared_bytes);
    if (!bad) *handle = f->handle;
    return bad;
}

static ct_status launch(ct_cuda *gpu, const char *kernel, ct_dim3 grid, ct_dim3 block,
                        size_t shared_bytes, const void *args, size_t args_bytes)
{
    ct_cuda_function *f;
    ct_status bad = find(gpu, kernel, &f);
    if (bad) return bad;
    if (f->args_bytes >= 0 && (size_t)f->args_bytes != args_bytes)
        return ct_cuda_fail(gpu, CT_E_ARGUMENT, "%s: takes an argument of %d bytes, not %zu",
                            kernel, f->args_bytes, args_bytes);
    bad = allow_shared(gpu, f, shared_bytes);
    if (bad) return bad;
    void *parameters[] = {(void *)(uintptr_t)args};
    const int result =
        gpu->driver.launch(f->handle, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                           (unsigned)shared_bytes, gpu->stream, parameters, NULL);
    if (result == CT_DRIVER_OK) gpu->last_kernel = f->name;
    return ct_cuda_check(gpu, result,
                         "cuLaunchKernel(%s, grid %u x %u x %u, block %u x %u x %u, %zu bytes of "
                         "shared memory)",
                         kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
}

ct_status ct_cuda_launch(ct_cuda *gpu, const char *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, const void *args, size_t args_bytes)
{
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    return ct_cuda_leave(gpu, launch(gpu, kernel, grid, block, shared_bytes, args, args_bytes));
}

int ct_cuda_has(const ct_cuda *gpu, const char *source)
{
    for (int32_t i = 0; i < gpu->module_count; ++i) {
        const ct_cuda_image *const image = gpu->modules[i].image;
        if (image && strcmp(image->source, source) == 0) return 1;
    }
    return 0;
}

ct_status ct_cuda_prefer_shared(ct_cuda *gpu, const char *kernel)
{
    ct_cuda_function *f;
    ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    bad = find(gpu, kernel, &f);
    if (!bad)
        bad = ct_cuda_check(gpu, gpu->driver.function_set(f->handle, CT_FUNCTION_CARVEOUT, 100),
                            "cuFuncSetAttribute(%s, a carveout of 100 per cent)", kernel);
    return ct_cuda_leave(gpu, bad);
}

static ct_status about_kernel(ct_cuda *gpu, const char *kernel, int32_t threads,
                              size_t shared_bytes, ct_cuda_kernel *about)
{
    ct_cuda_function *f;
    int resident = 0;
    ct_status bad = find(gpu, kernel, &f);
    if (!bad) bad = allow_shared(gpu, f, shared_bytes);
    if (!bad) bad = attribute(gpu, f, CT_FUNCTION_REGISTERS, &about->registers);
    if (!bad) bad = attribute(gpu, f, CT_FUNCTION_LOCAL_BYTES, &about->local_bytes);
    if (!bad) bad = attribute(gpu, f, CT_FUNCTION_SHARED_BYTES, &about->shared_bytes);
    if (!bad) bad = attribute(gpu, f, CT_FUNCTION_MAX_THREADS, &about->max_threads);
    if (!bad)
        bad = ct_cuda_check(
            gpu, gpu->driver.function_resident(&resident, f->handle, threads, shared_bytes),
            "cuOccupancyMaxActiveBlocksPerMultiprocessor(%s)", kernel);
    if (bad) return bad;
    about->resident = resident;
    about->args_bytes = f->args_bytes;
    return 0;
}

ct_status ct_cuda_kernel_about(ct_cuda *gpu, const char *kernel, int32_t threads,
                               size_t shared_bytes, ct_cuda_kernel *about)
{
    memset(about, 0, sizeof *about);
    const ct_status bad = ct_cuda_enter(gpu);
    if (bad) return bad;
    return ct_cuda_leave(gpu, about_kernel(gpu, kernel, threads, shared_bytes, about));
}
