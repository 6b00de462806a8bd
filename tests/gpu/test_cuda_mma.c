/* mma.sync and mma.sp on a real GPU: every instruction, each element of its operands where the atom's
 * layouts say, and of a sparse one where its metadata says.
 * Skipped, with the reason, where there is no GPU. */
#include "mma_cases.h"

#include <stdio.h>

#include "gpu_memory.h"
#include "mma_names.h"
#include "mma_sparse_cases.h"
#include "mma_sparse_names.h"

extern const ct_cuda_images ct_test_images;

static void on_gpu(const char *name, int warps, const mma_args *args)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    uint32_t *const a = device_take(bytes), *const b = device_take(bytes),
                    *const c = device_take(bytes);
    uint32_t *const d = device_take(bytes);
    const mma_args there = {a, b, c, d};
    char kernel[80];
    device_put(a, args->a, bytes);
    device_put(b, args->b, bytes);
    device_put(c, args->c, bytes);
    device_put(d, args->d, bytes);
    snprintf(kernel, sizeof kernel, "mma_%s", name);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)warps, 1, 1}, (ct_dim3){32, 1, 1}, 0,
                       &there, sizeof there) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    device_get(args->d, d, bytes);
    device_give(a);
    device_give(b);
    device_give(c);
    device_give(d);
}

TEST(test_every)
{
#define CHECK(name) mma_check(#name, 1, on_gpu);
    MMA_NAMES(CHECK)
}

/* ---- sparse ones ------------------------------------------------------------------------------- */

static uint32_t *copied(const uint32_t *from, size_t bytes)
{
    uint32_t *const there = device_take(bytes);
    device_put(there, from, bytes);
    return there;
}

static void sparse_launch(const char *name, int warps, const mma_sparse_args *args)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    const mma_sparse_args there = {copied(args->a, bytes), copied(args->b, bytes),
                                   copied(args->c, bytes), copied(args->e, (size_t)warps * 32 * 4),
                                   copied(args->d, bytes), args->selector};
    char kernel[80];
    snprintf(kernel, sizeof kernel, "mma_%s", name);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)warps, 1, 1}, (ct_dim3){32, 1, 1}, 0,
                       &there, sizeof there) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    device_get(args->d, there.d, bytes);
    const uint32_t *const all[] = {there.a, there.b, there.c, there.e, there.d};
    for (int i = 0; i < 5; ++i) device_give((void *)(uintptr_t)all[i]);
}

TEST(test_sparse)
{
#define CHECK_SPARSE(name, words, cs, selectors, types)                                            \
    assert_int_equal(ct_mma_selectors(ct_make_mma_atom(#name).op), selectors);                     \
    for (int s = 0; s < selectors; ++s) mma_sparse_check(#name, s, 1, sparse_launch);
    MMA_SPARSE_NAMES(CHECK_SPARSE)
}

GPU_GROUP("mma.sync on the GPU", &ct_test_images, 0)
