/* The attention example on a real GPU. Skipped, with the reason, where there is no GPU. */
#include "attention_cases.h"

#include "gpu_memory.h"

extern const ct_cuda_images ct_test_images;

static void on_gpu(const attention_case *c, const char *name, const attention_operand *o)
{
    attention_operand there[4];
    for (int i = 0; i < 4; ++i) {
        const size_t bytes = 2 * (size_t)(o[i].elems + 2 * ATTENTION_GUARD);
        there[i] = o[i];
        there[i].memory = device_take(bytes);
        there[i].first = there[i].memory + ATTENTION_GUARD;
        device_put(there[i].memory, o[i].memory, bytes);
    }
    attention_args args = attention_args_of(c, &there[3]);
    ct_tma_map *const maps[] = {&args.q, &args.k, &args.v};
    for (int i = 0; i < 3; ++i) {
        const ct_tma_desc d =
            attention_desc(c, &there[i], i == 0 ? ATTENTION_ROWS : ATTENTION_KEYS);
        expect(ct_cuda_tma_map(gpu, &d, maps[i]));
    }
    const ct_dim3 grid = {(uint32_t)((c->m + ATTENTION_ROWS - 1) / ATTENTION_ROWS),
                          (uint32_t)c->heads, 1};
    if (ct_cuda_launch(gpu, name, grid, (ct_dim3){ATTENTION_THREADS, 1, 1},
                       (size_t)attention_shared_bytes((int32_t)c->d), &args, sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    device_get(o[3].memory, there[3].memory, 2 * (size_t)(o[3].elems + 2 * ATTENTION_GUARD));
    for (int i = 0; i < 4; ++i) device_give(there[i].memory);
}

TEST(attention) { every_attention(on_gpu, ATTENTION_CASES); }

GPU_GROUP("attention on the GPU", &ct_test_images, 0)
