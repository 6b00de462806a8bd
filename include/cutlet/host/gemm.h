/**
 * Plans of matrix products: planned once and run often, on a GPU, the CPU grid or the CPU.
 *
 *     D = activation(scale_rows[i] scale_cols[j] alpha (A B) + beta C + bias[j])
 *
 * A is (m,k), B is (n,k), C and D are (m,n), each of any strides, or a batch of these. Halves, bfloat16, floats and e4m3 are summed as
 * floats; D is rounded once, to the type of A, or for e4m3 to bfloat16. int8 is summed as int32, exact modulo 2^32: it has
 * integers alpha and beta, a bias of int32 and relu. The vectors are contiguous, of floats otherwise. Of 16-bit
 * results gelu and silu err by 2^-11 of their operand.
 *
 * In C:     static const float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 1, 0, 1, 0}, bias[2] = {-5, 1};
 *           float d[4];
 *           ct_gemm_desc desc = {.type = CT_TYPE_FLOAT, .alpha = 1, .activation = CT_ACTIVATION_RELU, .has_bias = 1};
 *           desc.a = desc.b = ct_layout2(2, 3, 3, 1); // B as (n,k)
 *           desc.d = ct_layout2(2, 2, 2, 1);
 *           const ct_gemm_operands on = {.a = a, .b = b, .d = d, .bias = bias};
 *           char message[CT_MESSAGE_BYTES], text[256];
 *           ct_gemm_plan *plan = NULL;
 *           if (ct_gemm_plan_create(&desc, &plan, message) || ct_gemm_plan_run(plan, &on, message)) puts(message);
 *           assert(d[0] == 0 && d[1] == 3 && d[2] == 5 && d[3] == 6); // 4 - 5, 2 + 1, 10 - 5, 5 + 1
 *           assert(ct_gemm_plan_workspace(plan) == 0 && ct_gemm_plan_by(plan) == CT_GEMM_BY_ANY);
 *           assert(ct_gemm_plan_describe(plan, text, sizeof text) > 0);
 *           ct_gemm_plan_destroy(plan);
 * Used by:  tests/plan/test_gemm_plan.c
 */
#ifndef CUTLET_HOST_GEMM_H
#define CUTLET_HOST_GEMM_H

#include <cutlet/host/cuda.h>
#include <cutlet/host/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The matrix instructions: what fits, or those named. On the CPU there is no choice. */
enum { CT_GEMM_BY_ANY, CT_GEMM_BY_WGMMA, CT_GEMM_BY_MMA_SYNC };

/** The last step; gelu is its tanh form. */
enum { CT_ACTIVATION_NONE, CT_ACTIVATION_RELU, CT_ACTIVATION_GELU, CT_ACTIVATION_SILU };

/** What to multiply. */
typedef struct ct_gemm_desc {
    /* coordinates -> offset in elements: two modes, or a third, the batch, in all of them; c if beta is not 0 */
    ct_layout a, b, c, d;
    int32_t type;    /* of A and B: CT_TYPE_HALF, _BFLOAT16, _FLOAT, _INT8 or _E4M3 */
    int32_t tf32;    /* whether kernels multiply floats with mantissas of 10 bits */
    int32_t by;      /* CT_GEMM_BY_... */
    int32_t backend; /* CT_BACKEND_...; AUTO: CUDA with a gpu, otherwise the CPU */
    ct_cuda *gpu;    /* of ct_gemm_open; open while the plan exists */
    float alpha, beta;
    int32_t activation; /* CT_ACTIVATION_... */
    int32_t has_bias, has_scale_rows, has_scale_cols;
    int32_t
        effort; /* CT_EFFORT_...: MEASURE times the five best of the model's choices on the GPU */
    int32_t choice;      /* of the kernels by wgmma: 0 for the model's best, 1 for the next, ... */
    int32_t align_bytes; /* what divides the addresses of A, B, C and D; 0 for 16 */
} ct_gemm_desc;

/** Where the operands of a run are, in memory of the plan's backend: addresses of offset 0. */
typedef struct ct_gemm_operands {
    const void *a, *b, *c; /* c if beta is not 0 */
    void *d;
    const void *bias, *scale_rows, *scale_cols; /* n, m and n elements, if there are any */
    void *workspace;                            /* at a multiple of 256, if it has bytes */
} ct_gemm_operands;

/** A plan. It does not change: threads may run it at the same time, with workspaces of their own and, on a GPU, one
 *  after the other. */
typedef struct ct_gemm_plan ct_gemm_plan;

/**
 * ct_cuda_open with the kernels of products, for desc.gpu. Memory and streams are those of cuda.h.
 * Fails:    NULL, and the reason: as ct_cuda_open; a library without these kernels.
 * Cost:     as ct_cuda_open.
 */
ct_cuda *ct_gemm_open(int device, char reason[CT_MESSAGE_BYTES]);

/**
 * Plans a product. message may be NULL.
 *
 * Ensures:  CT_OK and *plan; or another status, *plan NULL, and one line in message.
 * Fails:    CT_E_ARGUMENT: a layout that failed or has other than two or three modes of integers, shapes that do not fit,
 *           an unknown type, what int8 does not have, tf32 of another type, a choice that there is not. CT_E_BACKEND: CUDA
 *           without a gpu, an instruction that does not take the type, the extents or the device, a library without
 *           kernels, effort MEASURE without a GPU. CT_E_MEMORY. CT_E_FAILED from the driver.
 * Cost:     O(1); by wgmma a model of every tile. MEASURE: about 2 ms of the GPU for each of five choices, or eight runs of
 *           a longer product, and memory for operands and a workspace.
 */
ct_status ct_gemm_plan_create(const ct_gemm_desc *desc, ct_gemm_plan **plan,
                              char message[CT_MESSAGE_BYTES]);

/**
 * The bytes of workspace that a run needs: operands that TMA cannot take, and sums of parts of k.
 * Cost:     O(1).
 */
int64_t ct_gemm_plan_workspace(const ct_gemm_plan *plan);

/**
 * The instructions: CT_GEMM_BY_WGMMA, or CT_GEMM_BY_MMA_SYNC of the other kernels; ANY on the CPU.
 * Cost:     O(1).
 */
int32_t ct_gemm_plan_by(const ct_gemm_plan *plan);

/**
 * The plan in a line of text: the kernel, and where it runs. By wgmma its tiles too, who shares k or B, parts of k, operands
 * that are repacked, the workspace, and of how many choices that were timed it is the fastest.
 * Returns:  the full length, as snprintf does.
 * Cost:     O(1).
 */
int ct_gemm_plan_describe(const ct_gemm_plan *plan, char *buf, size_t size);

/**
 * Runs the product. On a GPU it is queued in the stream of desc.gpu; otherwise it has ended. message may be NULL.
 *
 * Fails:    before anything is written: CT_E_POINTER for an operand or a workspace that is NULL, or by wgmma an operand
 *           that 16 bytes do not divide, or a workspace that 256 bytes do not. CT_E_MEMORY on the CPU. Afterwards:
 *           CT_E_FAILED, the message of the grid or of the driver.
 * Cost:     O(m n k).
 */
ct_status ct_gemm_plan_run(const ct_gemm_plan *plan, const ct_gemm_operands *operands,
                           char message[CT_MESSAGE_BYTES]);

/**
 * Releases the plan; NULL is nothing.
 * Cost:     O(1).
 */
void ct_gemm_plan_destroy(ct_gemm_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
