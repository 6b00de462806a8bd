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
static void tiled_copies(void **state) { (void)state; check_all(KERNEL_TILED); }
static void best_copies(void **state) { (void)state; check_all(KERNEL_BEST); }
static void transposes(void **state) { (void)state; check_all(KERNEL_TRANSPOSE); }
static void plain_copies(void **state) { (void)state; check_all(KERNEL_PLAIN); }
static void pipelines(void **state) { (void)state; check_all(KERNEL_PIPELINE); }
static void views(void **state) { (void)state; check_all(KERNEL_VIEW); }
/* clang-format on */

int main(void)
{
    char reason[CT_MESSAGE_BYTES];
    gpu = open_all_images(NULL, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_copies), cmocka_unit_test(best_copies),
        cmocka_unit_test(transposes),   cmocka_unit_test(pipelines),
        cmocka_unit_test(tiled_copies), cmocka_unit_test(views),
    };
    const int failed =
        cmocka_run_group_tests_name("kernels, random matrices, on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
