/**
 * An open device, and how its calls are checked.
 */
#ifndef CUTLET_SRC_DRIVER_CUDA_GPU_H
#define CUTLET_SRC_DRIVER_CUDA_GPU_H

#include "cutlet/host/cuda.h"
#include "driver.h"
#include "images.h"

/** An image of libcutlet, loaded when a kernel is looked for in it, or one from outside. */
typedef struct ct_cuda_module {
    const ct_cuda_image *image; /* of libcutlet; NULL from outside ... */
    void *bytes;                /* ... whose bytes these are, a zero behind them */
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
    char error[CT_CUDA_LINE];
};

/** ct_cuda_open without any of libcutlet's kernels: for those that bring their own. */
ct_cuda *ct_cuda_open_bare(int device, char reason[CT_CUDA_LINE]);

/** Writes one line into gpu->error; returns -1. */
int ct_cuda_fail(ct_cuda *gpu, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** 0 when result is; else -1 and in gpu->error what was called, made with format, and why not. */
int ct_cuda_check(ct_cuda *gpu, int result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Makes the device's context that of the calling thread; 0 or -1. ct_cuda_leave undoes it. */
int ct_cuda_enter(ct_cuda *gpu);

/** Ends what ct_cuda_enter began; returns status. */
int ct_cuda_leave(ct_cuda *gpu, int status);

/** The driver's handle of a kernel inside libcutlet, which may be launched with so many bytes of
 *  dynamic shared memory. 0 or -1. Within ct_cuda_enter. */
int ct_cuda_function_for(ct_cuda *gpu, const char *kernel, size_t shared_bytes, void **handle);

/** An array of count elements with room for one more, of bytes each; or NULL, and array stays. */
void *ct_cuda_grow(ct_cuda *gpu, void *array, int32_t count, size_t bytes);

#endif
