/* The GEMM examples on a real GPU. Skipped, with the reason, where there is no GPU. */
#include <stdio.h>

#include "gemm_wgmma_cases.h"

#include "gpu_memory.h"

extern const ct_cuda_images ct_gemm_images;

/* The operands in the device's memory. */
static void send(operand *there, const operand *o)
{
    for (int i = 0; i < 4; ++i) {
        there[i] = o[i];
        there[i].memory = device_take((size_t)o[i].bytes);
        there[i].first = there[i].memory + (o[i].first - o[i].memory);
        device_put(there[i].memory, o[i].memory, (size_t)o[i].bytes);
    }
}

/* The vectors of an epilogue in the device's memory. */
static uint32_t *send_vectors(const gemm_type *t, const gemm_case *g)
{
    uint32_t *const there = (uint32_t *)device_take(sizeof vectors);
    epilogue_of(t, g, there);
    device_put(there, vectors, sizeof vectors);
    return there;
}

/* D comes back. */
static void fetch(operand *there, const operand *o)
{
    device_get(o[D].memory, there[D].memory, (size_t)o[D].bytes);
    for (int i = 0; i < 4; ++i) device_give(there[i].memory);
}

static void on_gpu(const gemm_type *t, uint32_t blocks, const operand *o, const gemm_case *g)
{
    operand there[4];
    uint32_t *const own = send_vectors(t, g);
    send(there, o);
    const gemm_args args = {tensor_of(&there[A]),
                            tensor_of(&there[B]),
                            tensor_of(&there[C]),
                            tensor_of(&there[D]),
                            g->alpha,
                            g->beta,
                            epilogue_of(t, g, own)};
    if (ct_cuda_launch(gpu, t->kernel, (ct_dim3){blocks, 1, 1},
                       (ct_dim3){(uint32_t)t->threads, 1, 1}, (uint32_t)t->shared_bytes, &args,
                       sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", t->kernel, ct_cuda_error(gpu));
    fetch(there, o);
    device_give(own);
}

/* ---- by wgmma ---- */

/* NaN in every type: what is read before it is written shows in the result. */
static void poison(unsigned char *memory, size_t bytes)
{
    unsigned char *const nan = malloc(bytes + 1);
    assert_non_null(nan);
    memset(nan, 0xff, bytes);
    if (bytes > 0) device_put(memory, nan, bytes);
    free(nan);
}

static void by_wgmma(const gemm_type *t, uint32_t blocks, const operand *o, const gemm_case *g)
{
    char message[CT_MESSAGE_BYTES];
    operand there[4];
    uint32_t *const own = send_vectors(t, g);
    (void)blocks;
    send(there, o);
    ct_gemm_plan *const plan = plan_of(t, there, g, gpu);
    const size_t bytes = (size_t)ct_gemm_plan_workspace(plan);
    unsigned char *const workspace = device_take(bytes + 1);
    const ct_gemm_operands on = operands_of(there, own, workspace);
    poison(workspace, bytes);
    if (ct_gemm_plan_run(plan, &on, message) || ct_cuda_wait(gpu)) fail_msg("%s", message);
    ct_gemm_plan_destroy(plan);
    device_give(workspace);
    device_give(own);
    fetch(there, o);
}

TEST(test_wgmma)
{
    assert_int_equal(every_wgmma_gemm(by_wgmma, gpu, 5), (1 << GEMM_WGMMA_SHAPES) - 1);
}

TEST(test_every) { every_gemm(0, 5, on_gpu); }

GPU_GROUP("GEMM on the GPU", &ct_gemm_images, 9)
