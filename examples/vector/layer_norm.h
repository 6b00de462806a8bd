/**
 * Layer norm of a row in three passes, and what the kernels of layer_norm.cu and
 * layer_norm_passes.cu share: the registers of a thread, the rows of a block, the normalising of a vector.
 *
 * Three passes over a row are three reads: one for the mean, one for the variance, one to
 * normalise. Rows of whole vectors are told apart once, and nothing is tested in their passes. The
 * vectors of others are cut out of two accesses where a row begins anywhere, with zeros and no
 * access after the end.
 */
#ifndef CUTLET_EXAMPLES_LAYER_NORM_H
#define CUTLET_EXAMPLES_LAYER_NORM_H

#include <cutlet/device/element/fast_math.h>
#include <cutlet/device/register/reduce.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/register/vectors.h>

#include "vector.h"

/* A thread's values of x, gamma and beta, and of y before and after it is rounded. */
typedef struct norm_registers {
    ct_registers x, gamma, beta, f, y;
} norm_registers;
#define NORM_REGISTERS(name, type, of)                                                             \
    CT_REGISTERS(type, name##_x, of);                                                              \
    CT_REGISTERS(type, name##_gamma, of);                                                          \
    CT_REGISTERS(type, name##_beta, of);                                                           \
    CT_REGISTERS(float, name##_f, of);                                                             \
    CT_REGISTERS(type, name##_y, of);                                                              \
    const norm_registers name = {name##_x, name##_gamma, name##_beta, name##_f, name##_y}
#define VECTOR(in, bytes, name) ct_vector_##in((bytes) / CT_BYTES_##name, 8 * CT_BYTES_##name)

/* This block's row on both sides, and the two rows that all blocks share. */
typedef struct norm_rows {
    ct_view x, y, gamma, beta;
} norm_rows;

CT_DEVICE norm_rows rows_of(const layer_norm_args *args, const int elem_bytes)
{
    const int64_t row = blockIdx.x;
    const unsigned char *const x = (const unsigned char *)args->x + row * args->x_ld * elem_bytes;
    const unsigned char *const y = (const unsigned char *)args->y + row * args->y_ld * elem_bytes;
    const norm_rows r = {
        ct_view_row(x, args->n, elem_bytes),
        ct_view_row(y, args->n, elem_bytes),
        ct_view_row(args->gamma, args->n, elem_bytes),
        ct_view_row(args->beta, args->n, elem_bytes),
    };
    return r;
}

/* y = (x - mean) * scale * gamma + beta for a vector, of x from value `first` on. */
CT_DEVICE void normalise(const norm_registers r, const ct_registers x, const int first, float mean,
                         float scale)
{
    CT_EACH(i, r.f)
    ct_put(r.f, i,
           (ct_val(x, first + i) - mean) * (scale * ct_val(r.gamma, i)) + ct_val(r.beta, i));
    ct_convert_registers(r.y, r.f);
}

/* Whether all four are made of whole vectors at addresses that these divide. */
CT_DEVICE int rows_are_whole(const norm_rows *r, const int width, const int elem_bytes)
{
    const uint32_t bits = (uint32_t)(uintptr_t)r->x.at | (uint32_t)(uintptr_t)r->y.at |
                          (uint32_t)(uintptr_t)r->gamma.at | (uint32_t)(uintptr_t)r->beta.at |
                          (uint32_t)r->x.left[0] * (uint32_t)elem_bytes;
    return (bits & (uint32_t)(width * elem_bytes - 1)) == 0;
}

/* How a row is divided: vectors of one thread, from global memory and to it. */
typedef struct norm_vectors {
    const ct_partition *in, *out;
    int whole; /* a constant: rows_are_whole, and nothing is tested */
} norm_vectors;

CT_DEVICE void vector_in(const norm_vectors *by, const ct_view row, int64_t first,
                         const ct_registers to)
{
    const ct_view v = ct_view_from(row, first), registers = ct_view_of_registers(to);
    if (by->whole) ct_copy_whole(by->in, &v, &registers);
    else ct_copy_vector_in(by->in, by->in, row, first, to.words);
}

CT_DEVICE void vector_out(const norm_vectors *by, const ct_registers from, const ct_view row,
                          int64_t first)
{
    const ct_view v = ct_view_from(row, first), registers = ct_view_of_registers(from);
    if (by->whole) ct_copy_whole(by->out, &registers, &v);
    else ct_copy_vector_out(by->out, by->out, from.words, row, first);
}

/* Elements before the row at which its vectors begin, so that those of y are aligned. */
CT_DEVICE int32_t misalignment_of_row(const norm_rows *r, const norm_vectors *by)
{
    return by->whole ? 0 : ct_misalignment_of(r->y.at, by->in->values, by->in->elem_bits / 8);
}

/* The sum over the row of x, or of (x - mean)^2. */
CT_DEVICE float row_sum(const norm_vectors *by, const norm_rows *r, const int squares, float mean,
                        const ct_registers v, const int threads)
{
    const ct_view x = r->x;
    const int width = by->in->values;
    const int32_t misalignment = misalignment_of_row(r, by);
    float sum = 0;
    CT_ROLL for (int64_t first = (int64_t)threadIdx.x * width - misalignment; first < x.left[0];
                 first += threads * width)
    {
        const int64_t has = ct_min(first + width, x.left[0]) - ct_max(first, 0);
        vector_in(by, x, first, v);
        CT_EACH(k, v)
        {
            const float value = ct_val(v, k), deviation = value - mean;
            sum += !squares ? value : by->whole || k < has ? deviation * deviation : 0;
        }
    }
    return sum;
}

/* The third pass: a row of mean and variance. */
CT_DEVICE void norm_pass(const layer_norm_args *args, const norm_rows *r, const norm_vectors *by,
                         const norm_registers v, float mean, float variance, const int threads)
{
    const int width = by->in->values;
    const int32_t misalignment = misalignment_of_row(r, by);
    const float scale = ct_rsqrt(variance + args->eps);
    CT_ROLL for (int64_t first = (int64_t)threadIdx.x * width - misalignment; first < r->x.left[0];
                 first += threads * width)
    {
        vector_in(by, r->x, first, v.x);
        vector_in(by, r->gamma, first, v.gamma);
        vector_in(by, r->beta, first, v.beta);
        normalise(v, v.x, 0, mean, scale);
        vector_out(by, v.y, r->y, first);
    }
}

#endif
