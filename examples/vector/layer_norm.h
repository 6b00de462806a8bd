/**
 * Layer norm of a row in three passes, and what the kernels of layer_norm.cu and
 * layer_norm_passes.cu share: the types, the rows of a block, the normalising of a vector.
 *
 * Three passes over a row are three reads: one for the mean, one for the variance, one to
 * normalise. Their vectors go through ct_run_load: cut out of two accesses where a row begins
 * anywhere, zeros and no access behind the end.
 */
#ifndef CUTLET_EXAMPLES_LAYER_NORM_H
#define CUTLET_EXAMPLES_LAYER_NORM_H

#include "element.h"
#include "fast_math.h"
#include "reduce.h"
#include "run.h"
#include "vector.h"

typedef void (*put_function)(uint32_t *w, int i, float x);

/* What a type of elements is: its size, and how floats come out of fragments and go in. */
typedef struct element_type {
    int bytes;
    ct_get_function get;
    put_function put;
} element_type;
#define TYPE(name) {CT_BYTES_##name, ct_get_##name, ct_put_##name}

/* This block's row on both sides, and the two rows that all blocks share. */
typedef struct norm_rows {
    ct_run x, y, gamma, beta;
} norm_rows;

CT_DEVICE norm_rows rows_of(const layer_norm_args *args, const int elem_bytes)
{
    const int64_t row = blockIdx.x, bytes = args->n * elem_bytes;
    const norm_rows r = {
        {(const unsigned char *)args->x + row * args->x_ld * elem_bytes, bytes},
        {(const unsigned char *)args->y + row * args->y_ld * elem_bytes, bytes},
        {(const unsigned char *)args->gamma, bytes},
        {(const unsigned char *)args->beta, bytes},
    };
    return r;
}

/* y = (x - mean) * scale * gamma + beta for the n elements of a vector. */
CT_DEVICE void normalise(uint32_t *y, const uint32_t *x, const uint32_t *gamma,
                         const uint32_t *beta, float mean, float scale, const int n,
                         const element_type type)
{
    CT_UNROLL for (int i = 0; i < 8; ++i) if (i < n) {
        const float by = scale * type.get(gamma, i);
        type.put(y, i, (type.get(x, i) - mean) * by + type.get(beta, i));
    }
}

/* The sum over the row of x, or of (x - mean)^2. Vectors of `bytes` bytes are counted from an
 * aligned address of y. */
CT_DEVICE float row_sum(const ct_run x, int64_t skew, const int squares, float mean,
                        const int bytes, const element_type type, const int threads)
{
    float sum = 0;
    CT_FRAGMENT(uint32_t, v, 4);
    CT_ROLL for (int64_t at = (int64_t)threadIdx.x * bytes - skew; at < x.bytes;
                 at += threads * bytes) {
        ct_run_load(v, x, at, bytes, type.bytes);
        CT_UNROLL for (int i = 0; i < 8; ++i) if (i < bytes / type.bytes) {
            const float value = type.get(v, i), apart = value - mean;
            const int inside = ct_run_holds(x, at + i * type.bytes, type.bytes);
            sum += !squares ? value : inside ? apart * apart : 0;
        }
    }
    return sum;
}

CT_DEVICE void norm_in_passes(const layer_norm_args *args, const norm_rows *r, float *shared,
                              const int bytes, const element_type type, const int threads)
{
    const int64_t skew = ct_run_skew(r->y.at, bytes);
    const float n = (float)args->n;
    CT_FRAGMENT(uint32_t, x, 4);
    CT_FRAGMENT(uint32_t, gamma, 4);
    CT_FRAGMENT(uint32_t, beta, 4);
    CT_FRAGMENT(uint32_t, y, 4);
    const float sum = row_sum(r->x, skew, 0, 0, bytes, type, threads);
    const float mean = ct_divide(ct_block_sum(sum, shared, threads), n);
    const float squares = row_sum(r->x, skew, 1, mean, bytes, type, threads);
    const float variance = ct_divide(ct_block_sum(squares, shared + threads / 32, threads), n);
    const float scale = ct_rsqrt(variance + args->eps);
    CT_ROLL for (int64_t at = (int64_t)threadIdx.x * bytes - skew; at < r->x.bytes;
                 at += threads * bytes) {
        ct_run_load(x, r->x, at, bytes, type.bytes);
        ct_run_load(gamma, r->gamma, at, bytes, type.bytes);
        ct_run_load(beta, r->beta, at, bytes, type.bytes);
        normalise(y, x, gamma, beta, mean, scale, bytes / type.bytes, type);
        ct_run_store(r->y, at, y, bytes, type.bytes);
    }
}

#endif
