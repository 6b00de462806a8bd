/**
 * Plans of matrix products: what they hold, and what runs them.
 */
#ifndef CUTLET_SRC_GEMM_PLAN_H
#define CUTLET_SRC_GEMM_PLAN_H

#include <cutlet/host/gemm.h>

#include "base/refuse.h"

/** The element types of a product. */
typedef struct ct_gemm_type {
    int32_t type, bytes, result, result_bytes; /* of A and B; of C and D */
    const char *name;
} ct_gemm_type;

struct ct_gemm_plan {
    ct_gemm_desc desc;
    const ct_gemm_type *type;
    int64_t m, n, k, batch, workspace_bytes;
    int64_t step
        [4]; /* of A, B, C and D from a matrix of the batch to the next; desc's layouts have two modes */
    int32_t form, splits; /* by wgmma: the index of the form, and the parts of k */
    int32_t backend, by;
    char text[256]; /* what it does, but for the device */
};

/** The kernels, which a program may lack: the Python package does. */
typedef struct ct_gemm_kernels {
    const ct_cuda_images *images;
    /* sets by, workspace_bytes and text */
    ct_status (*plan)(ct_gemm_plan *p, char *message);
    ct_status (*run)(const ct_gemm_plan *p, const ct_gemm_operands *o, char *message);
} ct_gemm_kernels;
extern const ct_gemm_kernels ct_gemm_with_kernels __attribute__((weak));

/** By wgmma: whether it takes the product (if not, why), its plan, and a run. */
int ct_gemm_takes_wgmma(const ct_gemm_plan *p, char *why);
ct_status ct_gemm_plan_wgmma(ct_gemm_plan *p, char *message);
ct_status ct_gemm_run_wgmma(const ct_gemm_plan *p, const ct_gemm_operands *o, char *message);

/** A launch on the GPU, or on the grid, which sees the operands and the workspace. */
ct_status ct_gemm_launch(const ct_gemm_plan *p, const ct_gemm_operands *o,
                         const ct_grid_kernel *kernel, ct_dim3 grid, uint32_t threads,
                         size_t shared_bytes, const void *args, size_t args_bytes, char *message);

/** Effort measure: times plans of one product on their GPU, which take about `ns`. *fastest is the index of one. */
enum { CT_GEMM_MEASURED = 5 /* at most */ };
ct_status ct_gemm_fastest(const ct_gemm_plan *plans, int count, double ns, int *fastest,
                          char *message);

/** The bytes from offset 0 to the last element of A, B, C or D. */
size_t ct_gemm_bytes(const ct_gemm_plan *p, int operand);

ct_status ct_gemm_run_cpu(const ct_gemm_plan *p, const ct_gemm_operands *o, char *message);

/** The layout of A, B, C or D, by its number. */
static inline const ct_layout *ct_gemm_layout(const ct_gemm_plan *p, int operand)
{
    const ct_layout *const of[] = {&p->desc.a, &p->desc.b, &p->desc.c, &p->desc.d};
    return of[operand];
}

/** What divides the addresses of A, B, C and D, in bytes, for wgmma. */
static inline int32_t ct_gemm_alignment(const ct_gemm_plan *p)
{
    return p->desc.align_bytes > 0 && p->desc.align_bytes < 16 ? p->desc.align_bytes : 16;
}

/** Element i of an array of CT_TYPE_..., as a double. */
double ct_gemm_value(const void *at, int64_t i, int32_t type);

/** The factor of the sum of D's element (i,j), what is added to that, and the activation of all. */
double ct_gemm_factor(const ct_gemm_plan *p, const ct_gemm_operands *o, const int64_t *at);
double ct_gemm_addend(const ct_gemm_plan *p, const ct_gemm_operands *o, const int64_t *at);
double ct_gemm_activated(int32_t activation, double x);

/** Element (i,j) of an int8 product, from its sum modulo 2^32. */
int32_t ct_gemm_integer(const ct_gemm_plan *p, const ct_gemm_operands *o, const int64_t *at,
                        uint32_t sum);

#endif
