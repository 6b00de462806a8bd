/* The kernels of examples/vector on a real GPU, on the random arrays that the grid gets. Skipped,
 * with the reason, without a GPU. CUTLET_SEED says which arrays. */
#include "vector_cases.h"
#include "vector_sums.h"

#include "driver/cuda/gpu.h"
#include "gpu_memory.h"
#include "kernels.h"

enum { SEED = 20261122 };

static uint64_t seed;

static void vector_run(const char *kernel, int64_t blocks, int32_t threads, const void *args,
                       size_t args_bytes, const guarded *arrays, int count)
{
    (void)arrays;
    (void)count;
    expect(ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)blocks, 1, 1},
                          (ct_dim3){(uint32_t)threads, 1, 1}, 0, args, args_bytes));
    expect(ct_cuda_wait(gpu));
}

static void copies(void **state)
{
    static const int widths[] = {1, 2, 4, 8, 16, 32};
    (void)state;
    check_width_copies(seed, 70, 5000, widths, ct_cuda_about(gpu)->major >= 10 ? 6 : 5);
}

/* clang-format off */
static void forms(void **state) { (void)state; check_width_forms(seed, 40, 1000000); }
static void arrays(void **state) { (void)state; check_elementwise_arrays(seed, 60, 10000); }
static void layouts(void **state) { (void)state; check_elementwise_layouts(seed, 1000); }
static void remainders(void **state) { (void)state; check_remainders(seed, 20, 5000); }
static void sums(void **state) { (void)state; check_sums(seed, 40, 200000); }
static void particles(void **state) { (void)state; check_particles(seed, 60, 5000); }
/* clang-format on */

static void layer_norms(void **state)
{
    static const int64_t sizes[] = {1, 2, 7, 8, 64, 100, 512, 1000, 4096, 4104, 9000, 20000};
    (void)state;
    check_layer_norms(seed, sizes, sizeof sizes / sizeof *sizes);
}

int main(void)
{
    char reason[CT_MESSAGE_BYTES];
    seed = number_of("CUTLET_SEED", SEED);
    gpu = ct_cuda_open_with(0, &vector_images, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),    cmocka_unit_test(forms),       cmocka_unit_test(arrays),
        cmocka_unit_test(layouts),   cmocka_unit_test(remainders),  cmocka_unit_test(sums),
        cmocka_unit_test(particles), cmocka_unit_test(layer_norms),
    };
    const int failed = cmocka_run_group_tests_name("vector kernels on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
