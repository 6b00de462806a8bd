/* The copy of device/copy/copy.h on a real GPU: random cases, every atom, form and tile, tensors, and three
 * examples.
 * Skipped, with the reason, where there is no GPU. CUTLET_GPU_CASES sets the random cases of each kind,
 * CUTLET_SEED which. */
#include "copy_cases.h"
#include "copy_form_cases.h"
#include "engine_cases.h"
#include "example_cases.h"
#include "tensor_cases.h"

#include "on_gpu.h"

enum { RANDOM_CASES = 400 };

extern const ct_cuda_images ct_test_images;

static void random_cases(int through)
{
    many(through, (int)number_of("CUTLET_GPU_CASES", RANDOM_CASES), on_gpu);
}

/* clang-format off */
static void through_shared(void **state) { (void)state; random_cases(0); }
static void through_registers(void **state) { (void)state; random_cases(1); }
static void in_order(void **state) { (void)state; random_cases(2); }
static void every_atom(void **state) { (void)state; every_case(on_gpu); }
/* clang-format on */

/* clang-format off */
static void forms(void **state) { (void)state; every_form(on_gpu, NULL); }
/* clang-format on */

static void tiles(void **state)
{
    static const int swizzles[] = {CT_TMA_SWIZZLE_NONE, CT_TMA_SWIZZLE_32B, CT_TMA_SWIZZLE_64B,
                                   CT_TMA_SWIZZLE_128B};
    (void)state;
    every_tile(1, swizzles, 4, on_gpu);
}

/* clang-format off */
static void gemm(void **state) { (void)state; every_gemm(on_gpu); }
static void batches(void **state) { (void)state; every_batch(on_gpu); }
static void bias_gelu_rows(void **state) { (void)state; every_bias_gelu(on_gpu); }
static void nested_tensors(void **state) { (void)state; every_nested(on_gpu); }
static void slices(void **state) { (void)state; every_slice(&tensor_slices, on_gpu); }
/* clang-format on */
static void parts(void **state)
{
    (void)state;
    every_slice(&tensor_parts, on_gpu);
    every_part(on_gpu);
}

int main(void)
{
    if (!open_gpu(&ct_test_images, 0)) return 77;
    rolls.state = number_of("CUTLET_SEED", 20260101);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_atom),
                                       cmocka_unit_test(forms),
                                       cmocka_unit_test(tiles),
                                       cmocka_unit_test(through_shared),
                                       cmocka_unit_test(through_registers),
                                       cmocka_unit_test(in_order),
                                       cmocka_unit_test(gemm),
                                       cmocka_unit_test(batches),
                                       cmocka_unit_test(bias_gelu_rows),
                                       cmocka_unit_test(nested_tensors),
                                       cmocka_unit_test(slices),
                                       cmocka_unit_test(parts)};
    const int failed = cmocka_run_group_tests_name("copies of tiles on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
