/**
 * The GPU: opens the CUDA driver at run time, runs the kernels that libcutlet carries, times them.
 *
 * No CUDA header or library is needed to build or to link this. Where a GPU cannot be used, one
 * line says why: no driver, no device, no kernels for it, CUTLET_NO_GPU set.
 *
 * Work is queued in one stream, in order. A ct_cuda may be used from any thread, by one at a time.
 * Functions that return a ct_status leave the reason of a failure in ct_cuda_error: CT_E_FAILED
 * where the driver refuses, CT_E_MEMORY where it or the host has no memory left, CT_E_BACKEND where
 * the device cannot do it. After a fault of a kernel the device refuses all calls until the process
 * ends.
 *
 * Environment: CUTLET_NO_GPU (not empty, not 0) turns the GPU off; CUTLET_CUDA_DRIVER names the
 * driver's library instead of libcuda.so.1.
 *
 * Fails:    a status as above, with one line in ct_cuda_error.
 * Cost:     that of the driver's calls. What is queued is not waited for.
 * In C:     float numbers[256], back[256] = {0};
 *           for (int i = 0; i < 256; ++i) numbers[i] = (float)i;
 *           char reason[CT_MESSAGE_BYTES];
 *           ct_cuda *gpu = ct_cuda_open(0, reason);
 *           if (!gpu) { // this machine has none, and the line says why
 *               assert(strncmp(reason, "no GPU: ", 8) == 0);
 *               return;
 *           }
 *           void *src = ct_cuda_alloc(gpu, sizeof numbers), *dst = ct_cuda_alloc(gpu, sizeof back);
 *           if (!src || !dst || ct_cuda_upload(gpu, src, numbers, sizeof numbers) ||
 *               ct_cuda_fill(gpu, dst, 0xff, sizeof back) ||
 *               ct_cuda_copy(gpu, dst, src, sizeof back) || ct_cuda_wait(gpu) ||
 *               ct_cuda_download(gpu, back, dst, sizeof back))
 *               puts(ct_cuda_error(gpu));
 *           assert(memcmp(back, numbers, sizeof back) == 0);
 *           assert(ct_cuda_about(gpu)->major > 0 && ct_cuda_stream(gpu));
 *           assert(ct_cuda_free(gpu, src) == CT_OK); // dst goes with the device
 *           assert(ct_cuda_free(gpu, back) == CT_E_POINTER);
 *           ct_cuda_close(gpu);
 * Used by:  tests/cuda/test_cuda.c
 * Source:   NVIDIA, CUDA Driver API reference, version 13.0.
 */
#ifndef CUTLET_HOST_CUDA_H
#define CUTLET_HOST_CUDA_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/host/grid.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open device. */
typedef struct ct_cuda ct_cuda;

/** What a device is. */
typedef struct ct_cuda_device {
    char name[128];
    int32_t major, minor; /* compute capability */
    int32_t processors;   /* streaming multiprocessors */
    int32_t driver;       /* the CUDA version that the driver supports: 13000 is 13.0 */
    int64_t memory_bytes;
    int64_t l2_bytes;
    int64_t shared_bytes; /* the most of one block */
} ct_cuda_device;

/**
 * Opens a device, counted from 0, in its primary context.
 *
 * Ensures:  the device, which the caller closes; or NULL, and in reason one line that begins with
 *           "no GPU: ".
 * Fails:    NULL: no driver or one that is too old, no such device, no kernels for it,
 *           CUTLET_NO_GPU is set, the driver refuses, no memory.
 * Cost:     that of loading the driver and making a context: a fraction of a second.
 */
ct_cuda *ct_cuda_open(int device, char reason[CT_MESSAGE_BYTES]);

/** A file of kernels compiled for one architecture, as the driver takes it: a cubin, a fat binary
 *  or PTX. */
typedef struct ct_cuda_image {
    const char *source; /* the file's name without its ending */
    int32_t arch;       /* 90 for sm_90 */
    int32_t has_ptx;    /* whether newer architectures can be made from it */
    const void *bytes;
    int32_t alone; /* whether it is for that architecture only, as sm_90a */
} ct_cuda_image;

/** A table of them; share/cutlet/images.awk makes one of fat binaries. */
typedef struct ct_cuda_images {
    int32_t toolkit; /* the CUDA version of nvcc: 13000 is 13.0 */
    int32_t count;
    const ct_cuda_image *image;
} ct_cuda_images;

/**
 * ct_cuda_open with the kernels of a table instead of libcutlet's. Each source provides the image
 * for the device, with its own architecture before PTX. The image is loaded when a kernel is first
 * looked up in it. A source whose images are all for other architectures alone is left out: its
 * kernels are not there. The table has to stay until ct_cuda_close.
 *
 * Fails:    as ct_cuda_open; an empty table; a source that has no image for the device.
 * Cost:     as ct_cuda_open.
 * Used by:  examples/vector/run.c
 */
ct_cuda *ct_cuda_open_with(int device, const ct_cuda_images *images, char reason[CT_MESSAGE_BYTES]);

/**
 * Waits for queued work, releases all allocations, and closes. NULL is allowed.
 * Fails:    never: errors of the driver are not reported.
 * Cost:     that of the queued work, for which it waits.
 */
void ct_cuda_close(ct_cuda *gpu);

/**
 * What the device is; as long as it is open.
 * Fails:    never.
 * Cost:     O(1).
 */
const ct_cuda_device *ct_cuda_about(const ct_cuda *gpu);

/**
 * The stream in which everything is queued, as the driver has it: a CUstream. It lets callers queue
 * their own work in order with that of this device, as ct_plan_run does with a stream.
 * Fails:    never.
 * Cost:     O(1).
 * Used by:  examples/plan.c
 */
void *ct_cuda_stream(const ct_cuda *gpu);

/**
 * Why the last call that failed did so: one line that names the call. Empty before the first
 * failure.
 * Fails:    never.
 * Cost:     O(1).
 */
const char *ct_cuda_error(const ct_cuda *gpu);

/* ---- memory ---------------------------------------------------------------------------------- */

/**
 * Memory of the device, 256-byte aligned, not initialised; bytes is at least 1.
 * Fails:    NULL, with the reason in ct_cuda_error.
 * Cost:     that of the driver's call, which may wait for the device.
 */
void *ct_cuda_alloc(ct_cuda *gpu, size_t bytes);

/**
 * Gives memory of the device back. NULL is allowed.
 * Fails:    CT_E_POINTER where it is not from ct_cuda_alloc; as every function here.
 * Cost:     as ct_cuda_alloc.
 */
ct_status ct_cuda_free(ct_cuda *gpu, void *memory);

/**
 * Copies host memory to the device, after all queued work. The host memory may be used again
 * when it returns. 0 bytes are not an error.
 * Cost:     that of the copy, and of earlier queued work, for which it waits.
 */
ct_status ct_cuda_upload(ct_cuda *gpu, void *dst, const void *src, size_t bytes);

/**
 * Copies device memory to the host, after all queued work. 0 bytes are not an error.
 * Cost:     as ct_cuda_upload.
 */
ct_status ct_cuda_download(ct_cuda *gpu, void *dst, const void *src, size_t bytes);

/** Queues a fill of `bytes` bytes with the value. */
ct_status ct_cuda_fill(ct_cuda *gpu, void *dst, uint8_t value, size_t bytes);

/** Queues the driver's own copy inside the device, which is cudaMemcpy device to device. */
ct_status ct_cuda_copy(ct_cuda *gpu, void *dst, const void *src, size_t bytes);

/* ---- kernels --------------------------------------------------------------------------------- */

/** What the compiler and the device make of a kernel. */
typedef struct ct_cuda_kernel {
    int32_t registers;    /* of a thread */
    int32_t local_bytes;  /* of a thread: stack frame and spills */
    int32_t shared_bytes; /* of a block, static */
    int32_t max_threads;  /* of a block */
    int32_t resident;     /* blocks that one multiprocessor holds at once */
    int32_t args_bytes;   /* of its argument; -1 if the driver does not report it */
} ct_cuda_kernel;

/**
 * The device's properties of a kernel for a number of threads and of bytes of dynamic shared
 * memory. The kernel's image is loaded when it is first asked for.
 * Fails:    CT_E_ARGUMENT: no such kernel, more shared memory than a block can have; as every
 *           function here. *about is all 0 then, or in part.
 */
ct_status ct_cuda_kernel_about(ct_cuda *gpu, const char *kernel, int32_t threads,
                               size_t shared_bytes, ct_cuda_kernel *about);

/**
 * Queues a kernel: grid blocks of block threads, each block with shared_bytes of dynamic shared
 * memory; args is its one argument, of args_bytes.
 *
 * Fails:    CT_E_ARGUMENT: a kernel that is neither inside libcutlet nor in an image that was
 *           loaded, an argument of another size, more shared memory than a block can have.
 *           CT_E_FAILED: a launch that the device refuses. The first later call that waits reports
 *           faults of the kernel.
 */
ct_status ct_cuda_launch(ct_cuda *gpu, const char *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, const void *args, size_t args_bytes);

/**
 * Makes the kernels of an image (a cubin, a fat binary or PTX) launchable by name, in addition to
 * libcutlet's. The image's memory may be freed when this returns. Among kernels with one name,
 * libcutlet's is found first, then that of the image loaded first.
 *
 * Fails:    CT_E_ARGUMENT: 0 bytes. CT_E_FAILED: bytes that are not an image. CT_E_BACKEND: an image
 *           that has no code for the device.
 * Used by:  examples/howto/use/nvrtc.c
 */
ct_status ct_cuda_load(ct_cuda *gpu, const void *image, size_t bytes);

/**
 * Waits until all that is queued has run. Faults of kernels are reported here at the latest.
 * Cost:     that of what is queued.
 */
ct_status ct_cuda_wait(ct_cuda *gpu);

/* ---- time ------------------------------------------------------------------------------------ */

/** Something to be timed. queue() queues it once; run counts from 0. A status other than
 *  CT_OK ends the timing. */
typedef struct ct_cuda_work {
    ct_status (*queue)(ct_cuda *gpu, void *user, int run);
    void *user;
} ct_cuda_work;

/**
 * Times several works alternately, in warmups + runs rounds: each round runs every work once, in
 * order and without a pause. seconds[w * runs + r] is the time of work w in round r after the
 * warm-ups, by the device's clock. It waits for the last round.
 *
 * Fails:    CT_E_ARGUMENT: no works, no runs, warm-ups below 0; the status of a work's queue(); as
 *           every function here.
 * Cost:     that of the works, and an event for each.
 */
ct_status ct_cuda_time(ct_cuda *gpu, const ct_cuda_work *works, int32_t count, int32_t warmups,
                       int32_t runs, double *seconds);

/**
 * The median of `count` numbers, which it sorts; the mean of the middle two for an even count; 0 of
 * none.
 * Fails:    never.
 * Cost:     O(n log n).
 * In C:     double seconds[4] = {4, 1, 3, 2};
 *           assert(ct_median(seconds, 4) == 2.5 && seconds[0] == 1);
 */
double ct_median(double *values, int32_t count);

#ifdef __cplusplus
}
#endif

#endif
