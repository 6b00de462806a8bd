/* The GEMM examples on a real GPU. Skipped, with the reason, where there is no GPU. */
#include "gemm_cases.h"

#include <stdio.h>

#include "gpu_memory.h"

extern const ct_cuda_images ct_test_images;

static void on_gpu(const char *name, uint32_t blocks, const operand *o, const gemm_case *g)
{
    operand there[4];
    for (int i = 0; i < 4; ++i) {
        there[i] = o[i];
        there[i].memory = device_take((size_t)o[i].bytes);
        there[i].first = there[i].memory + (o[i].first - o[i].memory);
        device_put(there[i].memory, o[i].memory, (size_t)o[i].bytes);
    }
    const gemm_args args = {tensor_of(&there[A]), tensor_of(&there[B]), tensor_of(&there[C]),
                            tensor_of(&there[D]), g->alpha, g->beta};
    if (ct_cuda_launch(gpu, name, (ct_dim3){blocks, 1, 1}, (ct_dim3){GEMM_THREADS, 1, 1}, GEMM_SHARED_BYTES,
                       &args, sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s, case %d: %s", name, (int)(g - cases), ct_cuda_error(gpu));
    device_get(o[D].memory, there[D].memory, (size_t)o[D].bytes);
    for (int i = 0; i < 4; ++i) device_give(there[i].memory);
}

static void test_every(void **state)
{
    (void)state;
    every_gemm(on_gpu);
}

int main(void)
{
    char reason[CT_CUDA_LINE];
    gpu = ct_cuda_open_with(0, &ct_test_images, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every)};
    const int failed = cmocka_run_group_tests_name("GEMM on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
