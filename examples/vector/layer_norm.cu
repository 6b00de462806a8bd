/* Layer norm, y = (x - mean) / sqrt(variance + eps) * gamma + beta, each row by a block: a version
 * that reads each row three times, and one that reads it once.
 *
 * Three passes over a row are three reads: one for the mean, one for the variance, one to
 * normalise. The second and third find the row in the caches, if it still is there, but every pass
 * waits for its loads. A row of n elements fits in the block's registers: loaded once, it gives the
 * mean, then the variance about that mean (two passes over registers, as exact as the three), then
 * the result. Sums are floats whatever the type of the elements, added in a fixed order.
 *
 * Rows whose addresses and size 16 bytes divide take the vectors as they lie. Every other row takes
 * the passes, whose vectors go through ct_run_load: cut out of two accesses, zeros and no access
 * behind the end. A row that is longer than the registers of its block goes in passes as well. */
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

/* Whether all four are made of whole vectors. */
CT_DEVICE int rows_are_whole(const norm_rows *r, const int bytes)
{
    const uint32_t bits = (uint32_t)(uintptr_t)r->x.at | (uint32_t)(uintptr_t)r->y.at |
                          (uint32_t)(uintptr_t)r->gamma.at | (uint32_t)(uintptr_t)r->beta.at |
                          (uint32_t)r->x.bytes;
    return (bits & (uint32_t)(bytes - 1)) == 0;
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

/* ---- three passes ---------------------------------------------------------------------------- */

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

#define IN_PASSES(name, width, type_name)                                                       \
    CT_KERNEL_THREADS(name, LAYER_NORM_THREADS, layer_norm_args, args)                          \
    {                                                                                           \
        CT_SHARED(float, shared, 2 * LAYER_NORM_THREADS / 32);                                  \
        const element_type type = TYPE(type_name);                                              \
        const norm_rows rows = rows_of(&args, type.bytes);                                      \
        norm_in_passes(&args, &rows, shared, width, type, LAYER_NORM_THREADS);                  \
    }
IN_PASSES(layer_norm_passes_float, 16, float)
IN_PASSES(layer_norm_passes_half, 16, half)
IN_PASSES(layer_norm_passes_bfloat16, 16, bfloat16)
IN_PASSES(layer_norm_passes_float_scalar, 4, float)
IN_PASSES(layer_norm_passes_half_scalar, 2, half)

/* ---- one read -------------------------------------------------------------------------------- */

enum { NORM_MOST = 2 }; /* vectors of a thread */

/* A row of whole vectors of 16 bytes, at most `vectors` for each thread, kept in registers. */
CT_DEVICE void norm_in_registers(const layer_norm_args *args, const norm_rows *r, float *shared,
                                 const int vectors, const element_type type, const int threads)
{
    const int n = 16 / type.bytes, first = 16 * (int)threadIdx.x, bytes = (int)r->x.bytes;
    float sum = 0, squares = 0;
    CT_FRAGMENT(uint32_t, x, 4 * NORM_MOST);
    /* part: once */
    CT_UNROLL for (int k = 0; k < NORM_MOST; ++k) if (k < vectors) {
        const int at = first + 16 * threads * k;
        CT_UNROLL for (int w = 0; w < 4; ++w) x[4 * k + w] = 0;
        ct_load_global_if(at < bytes, x + 4 * k, r->x.at + at, 128);
    }
    CT_UNROLL for (int k = 0; k < NORM_MOST; ++k) if (k < vectors) {
        CT_UNROLL for (int i = 0; i < 8; ++i) if (i < n) sum += type.get(x + 4 * k, i);
    }
    const float mean = ct_divide(ct_block_sum(sum, shared, threads), (float)args->n);
    /* end */
    CT_UNROLL for (int k = 0; k < NORM_MOST; ++k) if (k < vectors) {
        const int inside = first + 16 * threads * k < bytes;
        CT_UNROLL for (int i = 0; i < 8; ++i) if (i < n) {
            const float apart = type.get(x + 4 * k, i) - mean;
            squares += inside ? apart * apart : 0;
        }
    }
    const float all = ct_block_sum(squares, shared + threads / 32, threads);
    const float scale = ct_rsqrt(ct_divide(all, (float)args->n) + args->eps);
    CT_UNROLL for (int k = 0; k < NORM_MOST; ++k) if (k < vectors) {
        const int at = first + 16 * threads * k, on = at < bytes;
        CT_FRAGMENT(uint32_t, gamma, 4) = {0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, beta, 4) = {0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, y, 4);
        ct_load_global_if(on, gamma, r->gamma.at + at, 128);
        ct_load_global_if(on, beta, r->beta.at + at, 128);
        normalise(y, x + 4 * k, gamma, beta, mean, scale, n, type);
        ct_store_global_if(on, (unsigned char *)r->y.at + at, y, 128);
    }
}

/* resident: as many blocks as a multiprocessor has registers for without spills. */
#define IN_REGISTERS(name, threads, resident, vectors, type_name)                                \
    CT_KERNEL_RESIDENT(name, threads, resident, layer_norm_args, args)                           \
    {                                                                                            \
        CT_SHARED(float, shared, 2 * threads / 32);                                              \
        const element_type type = TYPE(type_name);                                               \
        const norm_rows rows = rows_of(&args, type.bytes);                                       \
        if (rows_are_whole(&rows, 16) && rows.x.bytes <= 16 * threads * vectors)                 \
            norm_in_registers(&args, &rows, shared, vectors, type, threads);                     \
        else norm_in_passes(&args, &rows, shared, 16, type, threads);                            \
    }
IN_REGISTERS(layer_norm_float, LAYER_NORM_FLOAT_THREADS, 3, 2, float)
IN_REGISTERS(layer_norm_half, LAYER_NORM_THREADS, 6, 2, half)
IN_REGISTERS(layer_norm_bfloat16, LAYER_NORM_THREADS, 6, 2, bfloat16)
