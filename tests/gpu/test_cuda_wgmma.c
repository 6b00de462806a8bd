/* wgmma on a GPU of sm_90: every instruction, and of the sparse ones three
 * widths of each. Skipped, with the reason, where there is no GPU. */
#include "gpu_memory.h"

#include <stdio.h>

#include "wgmma_sparse_cases.h"

extern const ct_cuda_images ct_test_images;

static problems *device;
static uint32_t *device_words; /* of metadata */

static wgmma_args args_of(void)
{
    const wgmma_args args = {device->a[0],          device->b[0],    device->descriptors[0],
                             device->a_words[0][0], device->c[0][0], device->d[0][0],
                             device->scale_d};
    return args;
}

static void launch(const char *kernel, int count, const void *args, size_t bytes)
{
    device_put(device, &host, sizeof host);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)count, 1, 1}, (ct_dim3){THREADS, 1, 1},
                       WGMMA_A_BYTES + WGMMA_B_BYTES, args, bytes) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", kernel, ct_cuda_error(gpu));
    device_get(host.d, device->d, sizeof host.d);
}

static void on_gpu(const char *kernel, int count)
{
    const wgmma_args args = args_of();
    launch(kernel, count, &args, sizeof args);
}

static void sparse_on_gpu(const char *kernel, int selector, int count)
{
    const wgmma_sparse_args args = {args_of(), device_words, selector};
    device_put(device_words, sparse_words, sizeof sparse_words);
    launch(kernel, count, &args, sizeof args);
}

TEST(test_every)
{
    device = device_take(sizeof *device);
    for (int i = 0; i < WGMMA_EVERY; ++i) check(&wgmma_every[i], 0, 1, on_gpu);
    print_message("%d instructions\n", (int)WGMMA_EVERY);
    device_give(device);
}

TEST(test_sparse)
{
    device = device_take(sizeof *device);
    device_words = device_take(sizeof sparse_words);
    for (int i = 0; i < WGMMA_SPARSE_EVERY; ++i)
        for (int selector = 0; selector < wgmma_sparse_every[i].selectors; ++selector)
            check_sparse(&wgmma_sparse_every[i], selector, sparse_on_gpu);
    print_message("%d sparse instructions\n", (int)WGMMA_SPARSE_EVERY);
    device_give(device_words);
    device_give(device);
}

GPU_GROUP("wgmma on the GPU", &ct_test_images, 9)
