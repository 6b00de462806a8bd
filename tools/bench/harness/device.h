/**
 * The device that is measured, and how it is opened.
 */
#ifndef CUTLET_TOOLS_BENCH_HARNESS_DEVICE_H
#define CUTLET_TOOLS_BENCH_HARNESS_DEVICE_H

#include <cutlet/host/cuda.h>

typedef struct bench_device {
    ct_cuda_device about;
    double peak; /* bytes of memory in a second, by its clock and bus; 0: not told */
} bench_device;

/** What every run says of itself. */
typedef struct bench_about {
    int on_gpu;
    bench_device device;           /* where on_gpu */
    char reason[CT_MESSAGE_BYTES]; /* why no GPU was used */
    int32_t runs;
    char left_out[640]; /* what was not run, in words; or empty */
} bench_about;

/** Opens a device with the kernels of this many tables, and tells what it is; or NULL, and in reason
 *  one line that begins with "no GPU: ". Once in a program: the device refers to the images. */
ct_cuda *bench_open(bench_device *device, int index, const ct_cuda_images *const *tables, int count,
                    char reason[CT_MESSAGE_BYTES]);

/** What is above a table: name, capability, caches, memory, CUDA version. */
void bench_device_words(const bench_device *device, char *text, size_t size);

#endif
