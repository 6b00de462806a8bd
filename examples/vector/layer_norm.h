/**
 * Layer norm of a row in three passes, and what the kernels of layer_norm.cu and
 * layer_norm_passes.cu share: the types, the rows of a block, the normalising of a vector.
 *
 * Three passes over a row are three reads: one for the mean, one for the variance, one to
 * normalise. Rows of whole vectors are told apart once, and nothing is tested in their passes. The
 * vectors of others are cut out of two accesses where a row begins anywhere, with zeros and no
 * access behind the end.
 */
#ifndef CUTLET_EXAMPLES_LAYER_NORM_H
#define CUTLET_EXAMPLES_LAYER_NORM_H

#include <cutlet/device/element/element.h>
#include <cutlet/device/element/fast_math.h>
#include <cutlet/device/register/reduce.h>
#include <cutlet/device/register/vectors.h>

#include "vector.h"

typedef void (*put_function)(uint32_t *w, int i, float x);

/* What a type of elements is: its size, and how floats come out of fragments and go in. */
typedef struct element_type {
    int bytes;
    ct_get_function get;
    put_function put;
} element_type;
#define TYPE(name)                                                                                 \
    {                                                                                              \
        CT_BYTES_##name, ct_get_##name, ct_put_##name                                              \
    }
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

/* y = (x - mean) * scale * gamma + beta for the n elements of a vector. */
CT_DEVICE void normalise(uint32_t *y, const uint32_t *x, const uint32_t *gamma,
                         const uint32_t *beta, float mean, float scale, const int n,
                         const element_type type)
{
    CT_UNROLL for (int i = 0; i < 8; ++i) if (i < n)
    {
        const float by = scale * type.get(gamma, i);
        type.put(y, i, (type.get(x, i) - mean) * by + type.get(beta, i));
    }
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

CT_DEVICE void vector_in(const norm_vectors *by, const ct_view row, int64_t first, uint32_t *to)
{
    const ct_view v = ct_view_from(row, first), registers = ct_view_registers(to);
    if (by->whole) ct_copy_whole(by->in, &v, &registers);
    else ct_copy_vector_in(by->in, by->in, row, first, to);
}

CT_DEVICE void vector_out(const norm_vectors *by, uint32_t *from, const ct_view row, int64_t first)
{
    const ct_view v = ct_view_from(row, first), registers = ct_view_registers(from);
    if (by->whole) ct_copy_whole(by->out, &registers, &v);
    else ct_copy_vector_out(by->out, by->out, from, row, first);
}

/* The sum over the row of x, or of (x - mean)^2. Vectors are counted from `skew` elements before.
 * */
CT_DEVICE float row_sum(const norm_vectors *by, const ct_view x, int32_t skew, const int squares,
                        float mean, const element_type type, const int threads)
{
    const int width = by->in->values;
    float sum = 0;
    CT_FRAGMENT(uint32_t, v, 4);
    CT_ROLL for (int64_t first = (int64_t)threadIdx.x * width - skew; first < x.left[0];
                 first += threads * width)
    {
        const int64_t has = ct_min(first + width, x.left[0]) - ct_max(first, 0);
        vector_in(by, x, first, v);
        CT_UNROLL for (int k = 0; k < 8; ++k) if (k < width)
        {
            const float value = type.get(v, k), deviation = value - mean;
            sum += !squares ? value : by->whole || k < has ? deviation * deviation : 0;
        }
    }
    return sum;
}

CT_DEVICE void norm_in_passes(const layer_norm_args *args, const norm_rows *r, float *shared,
                              const norm_vectors *by, const element_type type, const int threads)
{
    const int width = by->in->values;
    const int32_t skew = by->whole ? 0 : ct_skew_of(r->y.at, width, type.bytes);
    const float n = (float)args->n;
    CT_FRAGMENT(uint32_t, x, 4);
    CT_FRAGMENT(uint32_t, gamma, 4);
    CT_FRAGMENT(uint32_t, beta, 4);
    CT_FRAGMENT(uint32_t, y, 4);
    const float sum = row_sum(by, r->x, skew, 0, 0, type, threads);
    const float mean = ct_divide(ct_block_sum(sum, shared, threads), n);
    const float squares = row_sum(by, r->x, skew, 1, mean, type, threads);
    const float variance = ct_divide(ct_block_sum(squares, shared + threads / 32, threads), n);
    const float scale = ct_rsqrt(variance + args->eps);
    CT_ROLL for (int64_t first = (int64_t)threadIdx.x * width - skew; first < r->x.left[0];
                 first += threads * width)
    {
        vector_in(by, r->x, first, x);
        vector_in(by, r->gamma, first, gamma);
        vector_in(by, r->beta, first, beta);
        normalise(y, x, gamma, beta, mean, scale, width, type);
        vector_out(by, y, r->y, first);
    }
}

#endif
