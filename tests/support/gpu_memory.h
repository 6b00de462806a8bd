/**
 * Memory of a GPU as device_checks.h asks for it, and what the environment says
 * about the size of a run. Any failure of a call fails the test with its sentence.
 */
#ifndef CUTLET_TESTS_GPU_MEMORY_H
#define CUTLET_TESTS_GPU_MEMORY_H

#include "test.h"

#include <cutlet/host/cuda.h>

static ct_cuda *gpu;

static inline void expect(int status)
{
    if (status) fail_msg("%s", ct_cuda_error(gpu));
}

static inline void *device_take(size_t bytes)
{
    void *const memory = ct_cuda_alloc(gpu, bytes);
    if (!memory) fail_msg("%s", ct_cuda_error(gpu));
    return memory;
}

static inline void device_give(void *memory) { expect(ct_cuda_free(gpu, memory)); }

static inline void device_put(void *dst, const void *src, size_t bytes)
{
    expect(ct_cuda_upload(gpu, dst, src, bytes));
}

static inline void device_get(void *dst, const void *src, size_t bytes)
{
    expect(ct_cuda_download(gpu, dst, src, bytes));
}

/** Opens the first GPU with a test's kernels; major: the architecture that they need, 0 for any. Returns
 *  0, the reason printed, where there is no such GPU: the test is skipped. */
static inline int open_gpu(const ct_cuda_images *images, int major)
{
    char reason[CT_MESSAGE_BYTES];
    gpu = ct_cuda_open_with(0, images, reason);
    if (gpu && (major == 0 || ct_cuda_about(gpu)->major == major)) return 1;
    if (!gpu) printf("%s\n", reason);
    else printf("no GPU of sm_%d0, which the kernels need\n", major);
    if (gpu) ct_cuda_close(gpu);
    gpu = NULL;
    return 0;
}

/** The main of a program whose tests need that device; it is skipped where there is none. */
#define GPU_GROUP(name, images, major)                                                             \
    int main(void)                                                                                 \
    {                                                                                              \
        if (!open_gpu(images, major)) return 77;                                                   \
        const int failed = run_registered(name, NULL, NULL);                                       \
        ct_cuda_close(gpu);                                                                        \
        return failed;                                                                             \
    }

/** A number from the environment, or another one where it is not set. */
static inline uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *const text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

#endif
