/* Opening a device, or the one line that says why not; closing it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "gpu.h"

/* ---- which image ----------------------------------------------------------------------------- */

const ct_cuda_image *ct_cuda_image_for(const ct_cuda_images *images, const char *source,
                                       int32_t major, int32_t minor)
{
    const int32_t device = 10 * major + minor;
    const ct_cuda_image *own = NULL, *ptx = NULL;
    for (int32_t i = 0; i < images->count; ++i) {
        const ct_cuda_image *const image = &images->image[i];
        if (strcmp(image->source, source) != 0 || image->arch > device) continue;
        if (image->alone && image->arch != device) continue;
        if (image->arch / 10 == major && (!own || image->arch > own->arch)) own = image;
        if (image->has_ptx && (!ptx || image->arch > ptx->arch)) ptx = image;
    }
    return own ? own : ptx;
}

/* Whether every image of a source is for one architecture alone. */
static int is_alone(const ct_cuda_images *images, const char *source)
{
    for (int32_t i = 0; i < images->count; ++i)
        if (strcmp(images->image[i].source, source) == 0 && !images->image[i].alone) return 0;
    return 1;
}

/* The architectures of the first source, as `sm_80, sm_90`. */
static void list_archs(const ct_cuda_images *images, char *text, size_t bytes)
{
    size_t n = 0;
    text[0] = 0;
    for (int32_t i = 0; i < images->count && n < bytes; ++i) {
        if (strcmp(images->image[i].source, images->image[0].source) != 0) continue;
        n += (size_t)snprintf(text + n, bytes - n, "%ssm_%d", n ? ", " : "", images->image[i].arch);
    }
}

/* ---- what can be in the way ------------------------------------------------------------------ */

static int is_off(void)
{
    const char *off = getenv("CUTLET_NO_GPU");
    return off && off[0] && strcmp(off, "0") != 0;
}

/* Passes the error line on as the reason; returns status. */
static ct_status because(const ct_cuda *gpu, ct_status status, char *reason)
{
    return ct_refuse(reason, status, "no GPU: %s", gpu->error);
}

/* The driver, ready for use, that knows the kernels' CUDA version. */
static ct_status start_driver(ct_cuda *gpu, const ct_cuda_images *images, char *reason)
{
    ct_status bad = ct_driver_load(&gpu->driver, reason);
    if (bad) return bad;
    int version = 0;
    bad = ct_cuda_check(gpu, gpu->driver.version(&version), "cuDriverGetVersion");
    if (bad) return because(gpu, bad, reason);
    gpu->about.driver = version;
    /* Kernels run under every driver of the same major version as the compiler, and newer ones. */
    if (version / 1000 < images->toolkit / 1000)
        return ct_refuse(reason, CT_E_BACKEND,
                         "no GPU: the driver is too old: it is for CUDA %d.%d, the kernels were "
                         "compiled by CUDA %d.%d",
                         version / 1000, version % 1000 / 10, images->toolkit / 1000,
                         images->toolkit % 1000 / 10);
    const int result = gpu->driver.init(0);
    if (result == CT_DRIVER_NO_DEVICE)
        return ct_refuse(reason, CT_E_BACKEND, "no GPU: the driver finds no device");
    bad = ct_cuda_check(gpu, result, "cuInit");
    return bad ? because(gpu, bad, reason) : CT_OK;
}

/* Reads one attribute of the device, widened. */
static ct_status attribute(ct_cuda *gpu, int which, int64_t *value)
{
    int number = 0;
    const int result = gpu->driver.device_attribute(&number, which, gpu->device);
    *value = number;
    return ct_cuda_check(gpu, result, "cuDeviceGetAttribute(%d)", which);
}

/* Everything in gpu->about but the driver. */
static ct_status read_about(ct_cuda *gpu)
{
    ct_cuda_device *const d = &gpu->about;
    int64_t major, minor, processors;
    size_t bytes = 0;
    ct_status bad = ct_cuda_check(
        gpu, gpu->driver.device_name(d->name, sizeof d->name, gpu->device), "cuDeviceGetName");
    if (!bad)
        bad =
            ct_cuda_check(gpu, gpu->driver.device_memory(&bytes, gpu->device), "cuDeviceTotalMem");
    if (!bad) bad = attribute(gpu, CT_DEVICE_MAJOR, &major);
    if (!bad) bad = attribute(gpu, CT_DEVICE_MINOR, &minor);
    if (!bad) bad = attribute(gpu, CT_DEVICE_PROCESSORS, &processors);
    if (!bad) bad = attribute(gpu, CT_DEVICE_L2_BYTES, &d->l2_bytes);
    if (!bad) bad = attribute(gpu, CT_DEVICE_SHARED_BYTES, &d->shared_bytes);
    if (bad) return bad;
    d->major = (int32_t)major;
    d->minor = (int32_t)minor;
    d->processors = (int32_t)processors;
    d->memory_bytes = (int64_t)bytes;
    return 0;
}

/* Finds the device and its properties. */
static ct_status find_device(ct_cuda *gpu, int ordinal, char *reason)
{
    int count = 0;
    ct_status bad = ct_cuda_check(gpu, gpu->driver.device_count(&count), "cuDeviceGetCount");
    if (bad) return because(gpu, bad, reason);
    if (count == 0) return ct_refuse(reason, CT_E_BACKEND, "no GPU: the driver finds no device");
    if (ordinal < 0 || ordinal >= count)
        return ct_refuse(reason, CT_E_BACKEND, "no GPU: no device %d; the driver finds %d", ordinal,
                         count);
    const int result = gpu->driver.device_get(&gpu->device, ordinal);
    bad = ct_cuda_check(gpu, result, "cuDeviceGet(%d)", ordinal);
    if (!bad) bad = read_about(gpu);
    return bad ? because(gpu, bad, reason) : CT_OK;
}

/* One module for each source, with the image for the device; none is loaded yet. Without one stays
 * only what is for other architectures alone. */
static ct_status choose_images(ct_cuda *gpu, const ct_cuda_images *images, char *reason)
{
    const ct_cuda_device *const d = &gpu->about;
    gpu->modules = calloc((size_t)images->count + 1, sizeof *gpu->modules);
    if (!gpu->modules) return ct_refuse(reason, CT_E_MEMORY, "no GPU: out of host memory");
    for (int32_t i = 0; i < images->count; ++i) {
        const char *const source = images->image[i].source;
        int known = 0;
        for (int32_t k = 0; k < i; ++k) known |= strcmp(images->image[k].source, source) == 0;
        if (known) continue;
        const ct_cuda_image *const image = ct_cuda_image_for(images, source, d->major, d->minor);
        if (!image && is_alone(images, source)) continue;
        if (!image) {
            char archs[128];
            list_archs(images, archs, sizeof archs);
            return ct_refuse(reason, CT_E_BACKEND,
                             "no GPU: no kernels for %s, which is sm_%d%d; there are %s", d->name,
                             d->major, d->minor, archs);
        }
        gpu->modules[gpu->module_count++].image = image;
    }
    return 0;
}

/* A context, and a new stream in it. */
static ct_status start_context(ct_cuda *gpu, char *reason)
{
    ct_status bad = ct_cuda_check(gpu, gpu->driver.context_retain(&gpu->context, gpu->device),
                                  "cuDevicePrimaryCtxRetain");
    if (bad) gpu->context = NULL;
    else bad = ct_cuda_enter(gpu);
    if (bad) return because(gpu, bad, reason);
    bad = ct_cuda_check(gpu, gpu->driver.stream_create(&gpu->stream, CT_STREAM_SEPARATE),
                        "cuStreamCreate");
    if (bad) gpu->stream = NULL;
    bad = ct_cuda_leave(gpu, bad);
    return bad ? because(gpu, bad, reason) : CT_OK;
}

/* ---- open and close -------------------------------------------------------------------------- */

static ct_cuda *open_images(int device, const ct_cuda_images *images, char *reason)
{
    if (is_off()) {
        ct_refuse(reason, CT_E_BACKEND, "no GPU: CUTLET_NO_GPU is set");
        return NULL;
    }
    ct_cuda *const gpu = calloc(1, sizeof *gpu);
    if (!gpu) {
        ct_refuse(reason, CT_E_MEMORY, "no GPU: out of host memory");
        return NULL;
    }
    if (start_driver(gpu, images, reason) || find_device(gpu, device, reason) ||
        choose_images(gpu, images, reason) || start_context(gpu, reason)) {
        ct_cuda_close(gpu);
        return NULL;
    }
    return gpu;
}

ct_cuda *ct_cuda_open_with(int device, const ct_cuda_images *images, char reason[CT_MESSAGE_BYTES])
{
    reason[0] = 0;
    if (images->count > 0 || is_off()) return open_images(device, images, reason);
    ct_refuse(reason, CT_E_BACKEND, "no GPU: built without nvcc, so it contains no kernels");
    return NULL;
}

ct_cuda *ct_cuda_open_bare(int device, char reason[CT_MESSAGE_BYTES])
{
    static const ct_cuda_images none;
    reason[0] = 0;
    return open_images(device, &none, reason);
}

ct_cuda *ct_cuda_open(int device, char reason[CT_MESSAGE_BYTES])
{
    return ct_cuda_open_with(device, &ct_cuda_inside, reason);
}

/* What lives in the context. Failures change nothing any more. */
static void release(ct_cuda *gpu)
{
    if (gpu->stream) gpu->driver.stream_wait(gpu->stream);
    for (int32_t i = 0; i < gpu->memory_count; ++i) gpu->driver.memory_free(gpu->memory[i]);
    for (int32_t i = 0; i < gpu->module_count; ++i)
        if (gpu->modules[i].handle) gpu->driver.module_unload(gpu->modules[i].handle);
    if (gpu->stream) gpu->driver.stream_destroy(gpu->stream);
}

void ct_cuda_close(ct_cuda *gpu)
{
    if (!gpu) return;
    if (gpu->context) {
        if (ct_cuda_enter(gpu) == 0) {
            release(gpu);
            ct_cuda_leave(gpu, 0);
        }
        gpu->driver.context_release(gpu->device);
    }
    ct_driver_unload(&gpu->driver);
    for (int32_t i = 0; i < gpu->function_count; ++i) free(gpu->functions[i].name);
    free(gpu->functions);
    for (int32_t i = 0; i < gpu->module_count; ++i) free(gpu->modules[i].bytes);
    free(gpu->modules);
    free(gpu->memory);
    free(gpu);
}

const ct_cuda_device *ct_cuda_about(const ct_cuda *gpu) { return &gpu->about; }

void *ct_cuda_stream(const ct_cuda *gpu) { return gpu->stream; }

const char *ct_cuda_error(const ct_cuda *gpu) { return gpu->error; }

/* ---- checked calls --------------------------------------------------------------------------- */

ct_status ct_cuda_fail(ct_cuda *gpu, ct_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ct_refuse_list(gpu->error, status, format, args);
    va_end(args);
    return status;
}

/* What a failure of the driver is to a caller. */
static ct_status status_of(int result)
{
    switch (result) {
        case CT_DRIVER_OUT_OF_MEMORY: return CT_E_MEMORY;
        case CT_DRIVER_NO_DEVICE:
        case CT_DRIVER_NO_BINARY: return CT_E_BACKEND;
        default: return CT_E_FAILED;
    }
}

ct_status ct_cuda_check(ct_cuda *gpu, int result, const char *format, ...)
{
    if (result == CT_DRIVER_OK) return 0;
    char call[256], why[160];
    va_list args;
    va_start(args, format);
    vsnprintf(call, sizeof call, format, args);
    va_end(args);
    ct_driver_explain(&gpu->driver, result, why, sizeof why);
    if (result >= CT_DRIVER_FIRST_FAULT && result <= CT_DRIVER_LAST_FAULT && gpu->last_kernel)
        return ct_cuda_fail(gpu, CT_E_FAILED, "%s: %s; the last kernel was %.80s", call, why,
                            gpu->last_kernel);
    return ct_cuda_fail(gpu, status_of(result), "%s: %s", call, why);
}

ct_status ct_cuda_enter(ct_cuda *gpu)
{
    return ct_cuda_check(gpu, gpu->driver.context_push(gpu->context), "cuCtxPushCurrent");
}

ct_status ct_cuda_leave(ct_cuda *gpu, ct_status status)
{
    void *popped;
    const int result = gpu->driver.context_pop(&popped);
    if (status) return status;
    return ct_cuda_check(gpu, result, "cuCtxPopCurrent");
}

void *ct_cuda_grow(ct_cuda *gpu, void *array, int32_t count, size_t bytes)
{
    /* Doubled at each power of two, 0 included. */
    if (count & (count - 1)) return array;
    void *const grown = realloc(array, (count ? 2 * (size_t)count : 1) * bytes);
    if (!grown) ct_cuda_fail(gpu, CT_E_MEMORY, "out of host memory");
    return grown;
}
