/* mma.sync on a real GPU: every instruction, each element of its operands where the atom's layouts say.
 * Skipped, with the reason, where there is no GPU. */
#include "mma_cases.h"

#include <stdio.h>

#include "gpu_memory.h"
#include "mma_names.h"

extern const ct_cuda_images ct_test_images;

static void on_gpu(const char *name, int warps, const mma_args *args)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    uint32_t *const a = device_take(bytes), *const b = device_take(bytes), *const c = device_take(bytes);
    uint32_t *const d = device_take(bytes);
    const mma_args there = {a, b, c, d};
    char kernel[80];
    device_put(a, args->a, bytes);
    device_put(b, args->b, bytes);
    device_put(c, args->c, bytes);
    device_put(d, args->d, bytes);
    snprintf(kernel, sizeof kernel, "mma_%s", name);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)warps, 1, 1}, (ct_dim3){32, 1, 1}, 0, &there, sizeof there) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    device_get(args->d, d, bytes);
    device_give(a);
    device_give(b);
    device_give(c);
    device_give(d);
}

static void test_every(void **state)
{
    (void)state;
#define CHECK(name) mma_check(#name, 1, on_gpu);
    MMA_NAMES(CHECK)
}

int main(void)
{
    if (!open_gpu(&ct_test_images, 0)) return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every)};
    const int failed = cmocka_run_group_tests_name("mma.sync on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
