/* The epilogue of the GEMM kernels, on sums in registers. A kernel includes it after its gemm_plan, which has two
 * fragments: for_row and for_column, a value for each row and each column of a thread's sums. A kernel adds beta C
 * between the two calls:
 *
 *     if (args->own.is_on) scale_sums(p, &args->own, sum, first);
 *     sum = alpha sum + beta C
 *     if (args->own.is_on) activate_sums(p, &args->own, sum, first, to_16);
 *
 * first: the coordinates in D of the sums' tile. Elements outside of D are computed, of scale 1 and bias 0. */
#ifndef CUTLET_EXAMPLES_GEMM_EPILOGUE_H
#define CUTLET_EXAMPLES_GEMM_EPILOGUE_H

#include <cutlet/device/register/reductions.h>

#include "epilogue_element.h"

/* The element of a vector of `count` for each value of x, by its coordinate along `axis` from `first` on; `other`
 * outside of it. */
CT_DEVICE void load_vector(const ct_registers x, const void *vector, const int axis, int64_t first,
                           int64_t count, uint32_t other)
{
    const int32_t at = ct_first_coord(x, axis), left = ct_clamp32(count - first) - at;
    const uint32_t *const from = (const uint32_t *)vector + first + at;
    CT_EACH(i, x)
    {
        const int32_t k = x.as->coord[axis][i];
        uint32_t bits = other;
        ct_load_global_if(k < left, &bits, from + k, 32);
        ct_put_value_bits(x, i, bits);
    }
}

/* sum *= by and sum += by, of the value of each row or column. */
CT_DEVICE void multiply_by(const ct_registers sum, const ct_registers by)
{
    CT_EACH(i, sum) ct_put(sum, i, ct_val(sum, i) * ct_val_row(by, sum, i));
}
CT_DEVICE void add_by(const ct_registers sum, const ct_registers by)
{
    CT_EACH(i, sum)
    {
        const int k = ct_row_of(by, sum, i);
        if (sum.type == CT_TYPE_INT32)
            ct_put_s32(sum, i,
                       (int32_t)((uint32_t)ct_val_s32(sum, i) + (uint32_t)ct_val_s32(by, k)));
        else ct_put(sum, i, ct_val(sum, i) + ct_val(by, k));
    }
}

/* The activation of each value: a loop for each, because the kind is known at launch. */
CT_DEVICE void activate_values(const gemm_epilogue *e, const ct_registers x, const int to_16)
{
    if (e->activation == GEMM_RELU)
        CT_EACH(i, x) ct_put(x, i, activate(ct_val(x, i), GEMM_RELU, to_16));
    else if (e->activation != GEMM_NO_ACTIVATION && to_16)
        CT_EACH(i, x) ct_put(x, i, gate_of(ct_val(x, i), e->activation));
    else if (e->activation == GEMM_GELU)
        CT_EACH(i, x) ct_put(x, i, activate(ct_val(x, i), GEMM_GELU, 0));
    else if (e->activation == GEMM_SILU)
        CT_EACH(i, x) ct_put(x, i, activate(ct_val(x, i), GEMM_SILU, 0));
}

CT_DEVICE_OF(gemm_plan)
void scale_rows(const gemm_plan *p, const gemm_epilogue *e, const ct_registers sum, ct_index first)
{
    CT_REGISTERS_OF(float, words, p, for_row);
    const ct_registers by = ct_make_registers(words.as, CT_TYPE_FLOAT, words.words, sum.thread);
    if (!e->scale_rows) return;
    load_vector(by, e->scale_rows, 0, first.at[0], e->m, ct_bits_of_float(1));
    multiply_by(sum, by);
}

/* sum = scale_rows[i] scale_cols[j] sum. */
CT_DEVICE_OF(gemm_plan)
void scale_sums(const gemm_plan *p, const gemm_epilogue *e, const ct_registers sum, ct_index first)
{
    CT_REGISTERS_OF(float, words, p, for_column);
    const ct_registers by = ct_make_registers(words.as, CT_TYPE_FLOAT, words.words, sum.thread);
    scale_rows(p, e, sum, first);
    if (!e->scale_cols) return;
    load_vector(by, e->scale_cols, 1, first.at[1], e->n, ct_bits_of_float(1));
    multiply_by(sum, by);
}

/* sum += bias[i]: of a transposed product. */
CT_DEVICE_OF(gemm_plan)
void add_bias_of_rows(const gemm_plan *p, const gemm_epilogue *e, const ct_registers sum,
                      ct_index first)
{
    CT_REGISTERS_OF(float, words, p, for_row);
    const ct_registers by = ct_make_registers(words.as, CT_TYPE_FLOAT, words.words, sum.thread);
    load_vector(by, e->bias, 0, first.at[0], e->m, 0);
    add_by(sum, by);
}

/* sum = activation(sum + bias[j]). Sums of int32 have a bias of int32, and relu alone. */
CT_DEVICE_OF(gemm_plan)
void activate_sums(const gemm_plan *p, const gemm_epilogue *e, const ct_registers sum,
                   ct_index first, const int to_16)
{
    const int is_int = sum.type == CT_TYPE_INT32;
    CT_REGISTERS_OF(float, words, p, for_column);
    const ct_registers by = ct_make_registers(words.as, sum.type, words.words, sum.thread);
    if (e->bias) {
        load_vector(by, e->bias, 1, first.at[1], e->n, 0);
        add_by(sum, by);
    }
    if (is_int && e->activation == GEMM_RELU)
        CT_EACH(i, sum) ct_put_s32(sum, i, ct_val_s32(sum, i) > 0 ? ct_val_s32(sum, i) : 0);
    if (!is_int) activate_values(e, sum, to_16);
}

#endif
