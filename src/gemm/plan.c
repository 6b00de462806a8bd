/* Plans of matrix products: what is refused, and what runs one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define WRONG(...) ct_refuse(message, CT_E_ARGUMENT, __VA_ARGS__)

static const ct_gemm_type types[] = {
    {CT_TYPE_HALF, 2, CT_TYPE_HALF, 2, "float16"},
    {CT_TYPE_BFLOAT16, 2, CT_TYPE_BFLOAT16, 2, "bfloat16"},
    {CT_TYPE_FLOAT, 4, CT_TYPE_FLOAT, 4, "float32"},
    {CT_TYPE_INT8, 1, CT_TYPE_INT32, 4, "int8"},
    {CT_TYPE_E4M3, 1, CT_TYPE_BFLOAT16, 2, "e4m3"},
};

/* Sees whether an operand fits, and keeps the layout of its first matrix. */
static ct_status see_shape(ct_gemm_plan *p, int operand, char *message)
{
    ct_layout *const all[] = {&p->desc.a, &p->desc.b, &p->desc.c, &p->desc.d}, *const L =
                                                                                   all[operand];
    const int64_t rows = operand == 1 ? p->n : p->m, columns = operand < 2 ? p->k : p->n;
    if (L->err.status) return ct_refuse_error(message, L->err);
    const int modes = L->profile.leaves;
    if (modes < 2 || modes > 3 || ct_rank(*L) != modes || !ct_is_integral(*L))
        return WRONG("%c: a layout of matrices has two modes of integers, or three with a batch",
                     "ABCD"[operand]);
    const int64_t batch = modes == 3 ? L->shape[2] : 1;
    if (L->shape[0] != rows || L->shape[1] != columns)
        return WRONG("%c is (%lld,%lld), where the product has (%lld,%lld)", "ABCD"[operand],
                     (long long)L -> shape[0], (long long)L -> shape[1], (long long)rows,
                     (long long)columns);
    if (operand == 0) p->batch = batch;
    if (batch != p->batch)
        return WRONG("%c has a batch of %lld, A of %lld", "ABCD"[operand], (long long)batch,
                     (long long)p -> batch);
    p->step[operand] = modes == 3 ? L->stride[2] : 0;
    *L = ct_layout2(rows, columns, L->stride[0], L->stride[1]);
    return CT_OK;
}

static ct_status see_shapes(ct_gemm_plan *p, char *message)
{
    ct_status bad = CT_OK;
    p->m = p->desc.a.shape[0];
    p->k = p->desc.a.shape[1];
    p->n = p->desc.b.shape[0];
    for (int i = 0; i < 4 && !bad; ++i)
        if (i != 2 || p->desc.beta != 0) bad = see_shape(p, i, message);
    return bad;
}

/* Integers are multiplied by integers that a float holds. */
static ct_status see_factor(const char *name, float factor, char *message)
{
    const float most = 1 << 24;
    if (factor >= -most && factor <= most && factor == (float)(int32_t)factor) return CT_OK;
    return WRONG("%s: %g; for int8 it is an integer of at most %d", name, (double)factor, 1 << 24);
}

static ct_status see_integers(const ct_gemm_desc *d, char *message)
{
    ct_status bad = see_factor("alpha", d->alpha, message);
    if (!bad) bad = see_factor("beta", d->beta, message);
    if (!bad && (d->has_scale_rows || d->has_scale_cols))
        bad = WRONG("scales of %s multiply floats; the result of int8 is int32",
                    d->has_scale_rows ? "rows" : "columns");
    if (!bad && d->activation > CT_ACTIVATION_RELU)
        bad = WRONG("%s is of floats; the result of int8 is int32, which has relu",
                    d->activation == CT_ACTIVATION_GELU ? "gelu" : "silu");
    return bad;
}

static ct_status see_all(ct_gemm_plan *p, char *message)
{
    const ct_gemm_desc *const d = &p->desc;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].type == d->type) p->type = &types[i];
    if (!p->type)
        return WRONG("type %d; half, bfloat16, float, int8 and e4m3 are multiplied", d->type);
    if (d->activation < 0 || d->activation > CT_ACTIVATION_SILU)
        return WRONG("activation %d; 0 to %d have names", d->activation, CT_ACTIVATION_SILU);
    if (d->effort != CT_EFFORT_ESTIMATE && d->effort != CT_EFFORT_MEASURE)
        return WRONG("effort %d; CT_EFFORT_ESTIMATE is 0, CT_EFFORT_MEASURE 1", d->effort);
    if (d->align_bytes < 0 || (d->align_bytes & (d->align_bytes - 1)) != 0)
        return WRONG("an alignment of %d bytes; it is a power of two, or 0", d->align_bytes);
    if (d->tf32 && d->type != CT_TYPE_FLOAT)
        return WRONG("tf32 is for float32; the elements are %s", p->type->name);
    const ct_status bad = see_shapes(p, message);
    return bad || d->type != CT_TYPE_INT8 ? bad : see_integers(d, message);
}

static ct_status choose(ct_gemm_plan *p, char *message)
{
    const ct_gemm_desc *const d = &p->desc;
    p->backend = d->backend != CT_BACKEND_AUTO ? d->backend
                 : d->gpu                      ? CT_BACKEND_CUDA
                                               : CT_BACKEND_CPU;
    if (p->backend == CT_BACKEND_CUDA && !d->gpu)
        return ct_refuse(message, CT_E_BACKEND, "a product on a GPU has one of ct_gemm_open");
    if (d->effort == CT_EFFORT_MEASURE && p->backend != CT_BACKEND_CUDA)
        return ct_refuse(message, CT_E_BACKEND,
                         "there is nothing to measure on %s: products are timed on a GPU",
                         p->backend == CT_BACKEND_GRID ? "the CPU grid" : "the CPU");
    if (p->backend != CT_BACKEND_CPU) {
        if (!&ct_gemm_with_kernels)
            return ct_refuse(message, CT_E_BACKEND,
                             "no kernels of products are inside: the CPU multiplies");
        return ct_gemm_with_kernels.plan(p, message);
    }
    if (d->tf32 || d->by != CT_GEMM_BY_ANY || d->choice)
        return WRONG("%s is of the kernels, on a GPU or the grid, not on the CPU",
                     d->tf32     ? "tf32"
                     : d->choice ? "a choice"
                                 : "an instruction");
    strcpy(p->text, "in floats");
    return CT_OK;
}

ct_status ct_gemm_plan_create(const ct_gemm_desc *desc, ct_gemm_plan **plan,
                              char message[CT_MESSAGE_BYTES])
{
    ct_gemm_plan *const p = calloc(1, sizeof *p);
    *plan = NULL;
    if (!p) return ct_refuse(message, CT_E_MEMORY, "not enough memory for a plan");
    p->desc = *desc;
    ct_status bad = see_all(p, message);
    if (!bad) bad = choose(p, message);
    if (bad) free(p);
    else *plan = p;
    return bad;
}

void ct_gemm_plan_destroy(ct_gemm_plan *p) { free(p); }

int64_t ct_gemm_plan_workspace(const ct_gemm_plan *p) { return p->workspace_bytes; }

int32_t ct_gemm_plan_by(const ct_gemm_plan *p) { return p->by; }

int ct_gemm_plan_describe(const ct_gemm_plan *p, char *buf, size_t size)
{
    return snprintf(buf, size, "%s on %s", p->text,
                    p->backend == CT_BACKEND_CPU    ? "the CPU"
                    : p->backend == CT_BACKEND_GRID ? "the CPU grid"
                                                    : ct_cuda_about(p->desc.gpu)->name);
}

ct_cuda *ct_gemm_open(int device, char reason[CT_MESSAGE_BYTES])
{
    if (&ct_gemm_with_kernels)
        return ct_cuda_open_with(device, ct_gemm_with_kernels.images, reason);
    ct_refuse(reason, CT_E_BACKEND, "no GPU: no kernels of products are inside");
    return NULL;
}

/* An operand that is needed is there, and aligned. */
static ct_status see_pointer(const char *name, int is_needed, const void *at, int32_t bytes,
                             char *message)
{
    if (!is_needed || (at && (uintptr_t)at % (uintptr_t)bytes == 0)) return CT_OK;
    if (!at) return ct_refuse(message, CT_E_POINTER, "%s is NULL", name);
    return ct_refuse(message, CT_E_POINTER, "%s is at %p, which %d bytes do not divide", name, at,
                     bytes);
}

/* The operands of matrix i of a batch. */
static ct_gemm_operands matrices_of(const ct_gemm_plan *p, const ct_gemm_operands *o, int64_t i)
{
    const int64_t bytes = i * p->type->bytes, result = i * p->type->result_bytes;
    ct_gemm_operands one = *o;
    one.a = (const char *)o->a + bytes * p->step[0];
    one.b = (const char *)o->b + bytes * p->step[1];
    if (p->desc.beta != 0) one.c = (const char *)o->c + result * p->step[2];
    one.d = (char *)o->d + result * p->step[3];
    return one;
}

ct_status ct_gemm_plan_run(const ct_gemm_plan *p, const ct_gemm_operands *o,
                           char message[CT_MESSAGE_BYTES])
{
    const ct_gemm_desc *const d = &p->desc;
    const int32_t wide = p->by == CT_GEMM_BY_WGMMA ? ct_gemm_alignment(p) : 1,
                  result = p->type->result_bytes;
    const struct {
        const char *name;
        int64_t is_needed;
        const void *at;
        int32_t bytes;
    } all[] = {{"A", 1, o->a, (int32_t)ct_max(wide, p->type->bytes)},
               {"B", 1, o->b, (int32_t)ct_max(wide, p->type->bytes)},
               {"C", d->beta != 0, o->c, (int32_t)ct_max(wide, result)},
               {"D", 1, o->d, (int32_t)ct_max(wide, result)},
               {"the bias", d->has_bias, o->bias, 4},
               {"the scale of rows", d->has_scale_rows, o->scale_rows, 4},
               {"the scale of columns", d->has_scale_cols, o->scale_cols, 4},
               {"the workspace", p->workspace_bytes, o->workspace, 256}};
    ct_status bad = CT_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !bad; ++i)
        bad = see_pointer(all[i].name, all[i].is_needed != 0, all[i].at, all[i].bytes, message);
    /* wgmma takes a batch at once */
    for (int64_t i = 0; !bad && i < (p->by == CT_GEMM_BY_WGMMA ? 1 : p->batch); ++i) {
        const ct_gemm_operands one = matrices_of(p, o, i);
        bad = p->backend == CT_BACKEND_CPU ? ct_gemm_run_cpu(p, &one, message)
                                           : ct_gemm_with_kernels.run(p, &one, message);
    }
    return bad;
}
