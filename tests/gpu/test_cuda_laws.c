/* The laws and the shared tables inside kernels on a real GPU. Skipped, with the reason, where
 * a GPU is missing. CUTLET_GPU_CASES sets how many cases of each law are run, CUTLET_SEED which.
 *
 * Their threads have stacks of about 100 KB, for which the driver takes memory for as many threads
 * as the GPU holds: 28 GB on an H200. */
#include "device_checks.h"

#include "driver/cuda/gpu.h"
#include "gpu_memory.h"

/* What nvcc made of device_laws.cu. */
extern const ct_cuda_images ct_test_images;

enum { CASES = 2048, SEED = 1 };

static void device_run(const char *kernel, uint32_t x, uint32_t y, const void *args,
                       size_t args_bytes, void *out, size_t out_bytes)
{
    const ct_dim3 grid = {x, y, 1}, block = {DEVICE_THREADS, 1, 1};
    ct_cuda_kernel about;
    (void)out, (void)out_bytes;
    expect(ct_cuda_kernel_about(gpu, kernel, DEVICE_THREADS, 0, &about));
    print_message("%s: %u x %u blocks, %d bytes of stack for each thread\n", kernel, x, y,
                  about.local_bytes);
    expect(ct_cuda_launch(gpu, kernel, grid, block, 0, args, args_bytes));
    expect(ct_cuda_wait(gpu));
}

TEST(laws)
{
    check_laws(number_of("CUTLET_SEED", SEED), (int32_t)number_of("CUTLET_GPU_CASES", CASES));
}

TEST(law_faults_are_found) { check_law_fault(SEED, 256); }

GPU_GROUP("device laws on the GPU", &ct_test_images, 0)
