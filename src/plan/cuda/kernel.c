/* The kernel of a launch: one compiled for it, or the kernel inside libcutlet for all plans where
 * compiling fails or does not pay. */
#include <pthread.h>

#include "cuda.h"
#include "driver/nvrtc/library.h"

/* Held during the search for a kernel inside libcutlet, which changes the list of the device. */
static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

/* The kernel for the launch alone, or NULL. */
static ct_cuda_own *own_kernel(const ct_plan_device *device, const ct_gpu_launch *launch,
                               int *captures)
{
    char source[CT_CUDA_SOURCE_BYTES];
    const int length = ct_nvrtc_is_off() ? 0 : ct_gpu_source(launch, source, sizeof source);
    if (length == 0 || length >= CT_CUDA_SOURCE_BYTES) return NULL;
    return ct_cuda_own_of(device, source, captures);
}

static ct_status find_inside(ct_plan_device *device, ct_cuda_kernel_of *kernel, char *message)
{
    const ct_gpu_launch *const l = &kernel->launch;
    ct_status bad = CT_OK;
    pthread_mutex_lock(&looking);
    if (ct_cuda_enter(device->gpu)) {
        bad = ct_refuse(message, CT_E_FAILED, "%s", ct_cuda_error(device->gpu));
    } else {
        if (ct_cuda_function_for(device->gpu, l->kernel, (size_t)l->shared_bytes,
                                 &kernel->function))
            bad = ct_refuse(message, CT_E_BACKEND, "cuda: %s", ct_cuda_error(device->gpu));
        ct_cuda_leave(device->gpu, 0);
    }
    pthread_mutex_unlock(&looking);
    return bad;
}

static ct_status refuse_capture(char *message)
{
    return ct_refuse(message, CT_E_FAILED,
                     "cuda: a stream is being captured: no kernel is loaded meanwhile, make plans "
                     "before");
}

/* The driver reports streams that take part in the default one; others have to be queried. */
ct_status ct_cuda_may_load(const ct_plan_device *device, char *message)
{
    const ct_driver *const driver = &device->gpu->driver;
    void *context = NULL;
    int captures = 0;
    if (!driver->stream_captures || driver->context_push(device->gpu->context)) return CT_OK;
    const int result = driver->stream_captures(NULL, &captures);
    driver->context_pop(&context);
    const int captured = ct_driver_captures(result) || (result == 0 && captures);
    return captured ? refuse_capture(message) : CT_OK;
}

ct_status ct_cuda_kernel_for(ct_plan_device *device, ct_cuda_kernel_of *kernel, int is_small,
                             char *message)
{
    const ct_gpu_launch *const l = &kernel->launch;
    int captures = 0;
    kernel->function = NULL;
    kernel->own = NULL;
    if (!l->kernel) return CT_OK;
    const ct_status bad = ct_cuda_may_load(device, message);
    if (bad) return bad;
    if (!is_small) kernel->own = own_kernel(device, l, &captures);
    if (captures) return refuse_capture(message);
    if (!kernel->own) return find_inside(device, kernel, message);
    kernel->function = ct_cuda_own_function(kernel->own);
    return CT_OK;
}

void ct_cuda_kernel_drop(ct_cuda_kernel_of *kernel)
{
    ct_cuda_own_drop(kernel->own);
    kernel->own = NULL;
    kernel->function = NULL;
}

int ct_cuda_start(const ct_plan_device *device, const ct_cuda_kernel_of *kernel, void *dst,
                  const void *src, double scale, void *stream)
{
    const ct_gpu_launch *const l = &kernel->launch;
    const ct_driver *const driver = &device->gpu->driver;
    ct_gpu_args kernel_args;
    void *argument = &kernel_args;
    ct_gpu_args_of(l, kernel->own != NULL, dst, src, scale, &kernel_args);
    if (!l->kernel)
        return driver->copy((uint64_t)(uintptr_t)kernel_args.at.dst,
                            (uint64_t)(uintptr_t)kernel_args.at.src, (size_t)l->bytes, stream);
    return driver->launch(kernel->function, l->grid[0], l->grid[1], l->grid[2], l->threads, 1, 1,
                          (unsigned)l->shared_bytes, stream, &argument, NULL);
}
