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

TEST(copies)
{
    static const int widths[] = {1, 2, 4, 8, 16, 32};
    check_width_copies(seed, 70, 5000, widths, ct_cuda_about(gpu)->major >= 10 ? 6 : 5);
}

/* clang-format off */
TEST(forms) { check_width_forms(seed, 40, 1000000); }
TEST(arrays) { check_elementwise_arrays(seed, 60, 10000); }
TEST(layouts) { check_elementwise_layouts(seed, 1000); }
TEST(remainders) { check_remainders(seed, 20, 5000); }
TEST(sums) { check_sums(seed, 40, 200000); }
TEST(particles) { check_particles(seed, 60, 5000); }
/* clang-format on */

TEST(layer_norms)
{
    static const int64_t sizes[] = {1, 2, 7, 8, 64, 100, 512, 1000, 4096, 4104, 9000, 20000};
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
    const int failed = run_registered("vector kernels on the GPU", NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
