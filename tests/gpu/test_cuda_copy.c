/* The copy of device/copy/copy.h on a real GPU: random cases, every atom, form and tile, tensors, and three
 * examples.
 * Skipped, with the reason, where there is no GPU. CUTLET_GPU_CASES sets the random cases of each kind,
 * CUTLET_SEED which. */
#include "copy_cases.h"
#include "copy_form_cases.h"
#include "engine_cases.h"
#include "example_cases.h"
#include "register_cases.h"
#include "cast_cases.h"
#include "gather_cases.h"
#include "stencil_cases.h"
#include "tensor_cases.h"

#include "on_gpu.h"

enum { RANDOM_CASES = 400 };

extern const ct_cuda_images ct_test_images;

static void random_cases(int through)
{
    many(through, (int)number_of("CUTLET_GPU_CASES", RANDOM_CASES), on_gpu);
}

/* clang-format off */
TEST(through_shared) { random_cases(0); }
TEST(through_registers) { random_cases(1); }
TEST(in_order) { random_cases(2); }
TEST(every_atom) { every_case(on_gpu); }
/* clang-format on */

/* clang-format off */
TEST(forms) { every_form(on_gpu, NULL); }
/* clang-format on */

TEST(tiles)
{
    static const int swizzles[] = {CT_TMA_SWIZZLE_NONE, CT_TMA_SWIZZLE_32B, CT_TMA_SWIZZLE_64B,
                                   CT_TMA_SWIZZLE_128B};
    every_tile(1, swizzles, 4, on_gpu);
}

/* clang-format off */
TEST(gemm) { every_gemm(on_gpu); }
TEST(int4_weights) { every_int4_gemm(on_gpu); }
TEST(batches) { every_batch(on_gpu); }
TEST(bias_gelu_rows) { every_bias_gelu(on_gpu); }
TEST(nested_tensors) { every_nested(on_gpu); }
TEST(slices) { every_slice(&tensor_slices, on_gpu); }
TEST(stencils) { every_stencil(on_gpu); }
TEST(gathers) { every_gather(on_gpu); }
TEST(rotary_embedding) { check_rotary(21, 5, on_gpu); }
TEST(casts) { every_cast(on_gpu); }
TEST(registers) { every_register(on_gpu); }
/* clang-format on */
TEST(parts)
{
    every_slice(&tensor_parts, on_gpu);
    every_part(on_gpu);
}

int main(void)
{
    if (!open_gpu(&ct_test_images, 0)) return 77;
    rolls.state = number_of("CUTLET_SEED", 20260101);
    const int failed = run_registered("copies of tiles on the GPU", NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
