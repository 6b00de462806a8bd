/**
 * An open device, and how its calls are checked.
 */
#ifndef CUTLET_SRC_DRIVER_CUDA_GPU_H
#define CUTLET_SRC_DRIVER_CUDA_GPU_H

#include <cutlet/host/cuda.h>
#include "driver.h"
#include "images.h"

/** An image of libcutlet, loaded when a kernel is looked for in it, or one from outside. */
typedef struct ct_cuda_module {
    const ct_cuda_image *image; /* of libcutlet; NULL from outside ... */
    void *bytes;                /* ... whose bytes these are, followed by a zero */
    void *handle;               /* NULL until it is loaded */
} ct_cuda_module;

/** A kernel that was used. */
typedef struct ct_cuda_function {
    char *name;
    void *handle;
    size_t dynamic_bytes; /* of shared memory, the most it was ever allowed */
    int32_t args_bytes;   /* -1: not known */
} ct_cuda_function;

struct ct_cuda {
    ct_driver driver;
    ct_cuda_device about;
    int device;
    void *context;
    void *stream;
    ct_cuda_module *modules;
    int32_t module_count;
    ct_cuda_function *functions;
    int32_t function_count;
    uint64_t *memory; /* what was allocated and not given back */
    int32_t memory_count;
    const char *last_kernel; /* of the last launch; a name in functions */
    char error[CT_MESSAGE_BYTES];
};

/** ct_cuda_open without any of libcutlet's kernels: for those that bring their own. */
ct_cuda *ct_cuda_open_bare(int device, char reason[CT_MESSAGE_BYTES]);

/** Writes one line into gpu->error; returns status. */
ct_status ct_cuda_fail(ct_cuda *gpu, ct_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** CT_OK for the driver's success; else CT_E_MEMORY, _E_BACKEND or _E_FAILED. gpu->error then has
 * the call, made with format, and the reason. */
ct_status ct_cuda_check(ct_cuda *gpu, int result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Makes the device's context that of the calling thread. ct_cuda_leave undoes it. */
ct_status ct_cuda_enter(ct_cuda *gpu);

/** Ends what ct_cuda_enter began; returns status. */
ct_status ct_cuda_leave(ct_cuda *gpu, ct_status status);

/** The driver's handle of a kernel inside libcutlet, for launches with this number of bytes of
 * dynamic shared memory. Within ct_cuda_enter. */
ct_status ct_cuda_function_for(ct_cuda *gpu, const char *kernel, size_t shared_bytes,
                               void **handle);

/** An array of count elements with room for one more, of bytes each; or NULL, and array stays. */
void *ct_cuda_grow(ct_cuda *gpu, void *array, int32_t count, size_t bytes);

#endif
