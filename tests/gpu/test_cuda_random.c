/* Every kernel over random matrices on a real GPU: extents to some hundred, leading dimensions with
 * gaps, shifts, types, tiles. Skipped, with the reason, without a GPU. CUTLET_GPU_CASES sets
 * the cases of each kernel, CUTLET_SEED which. */
#include "kernel_list.h"

#include "gpu_images.h"
#include "on_gpu.h"

enum { SEED = 20261121, CASES = 24, MOST = 300 };

static void check_all(int32_t kind)
{
    check_kernels(kind, number_of("CUTLET_SEED", SEED), number_of("CUTLET_GPU_CASES", CASES), MOST,
                  on_gpu);
}

/* clang-format off */
TEST(tiled_copies) { check_all(KERNEL_TILED); }
TEST(best_copies) { check_all(KERNEL_BEST); }
TEST(transposes) { check_all(KERNEL_TRANSPOSE); }
TEST(plain_copies) { check_all(KERNEL_PLAIN); }
TEST(pipelines) { check_all(KERNEL_PIPELINE); }
TEST(views) { check_all(KERNEL_VIEW); }
/* clang-format on */

int main(void)
{
    char reason[CT_MESSAGE_BYTES];
    gpu = open_all_images(NULL, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    const int failed = run_registered("kernels, random matrices, on the GPU", NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
