/* Layer norm, y = (x - mean) / sqrt(variance + eps) * gamma + beta, each row by a block that reads
 * it once.
 *
 * In three passes (layer_norm.h) the second and third find the row in the caches, if it still is
 * there, but every pass waits for its loads. A row of n elements fits in the block's registers:
 * loaded once, it gives the mean, then the variance about that mean (two passes over registers, as
 * exact as the three), then the result. Sums are floats whatever the type of the elements, added in
 * a fixed order.
 *
 * Rows whose addresses and size 16 bytes divide take the vectors as they lie. Every other row goes
 * in passes, and so does one that is longer than the registers of its block. */
#include "layer_norm.h"

enum { NORM_MOST = 2 }; /* vectors of a thread */

/* How a row of whole vectors lies in the registers of its block: all of x, or one vector a thread.
 * */
typedef struct norm_parts {
    const ct_partition *all, *in, *out;
} norm_parts;

/* A row of whole vectors, kept in registers. */
CT_DEVICE void norm_in_registers(const layer_norm_args *args, const norm_rows *r, float *shared,
                                 const norm_parts part, const ct_registers x,
                                 const norm_registers v, const int threads)
{
    const int n = part.in->values, vectors = part.all->values / n, tile = part.in->tile[0];
    const int32_t first = n * (int32_t)threadIdx.x, size = (int32_t)r->x.left[0];
    float sum = 0, squares = 0;
    /* part: once */
    ct_copy_vectors_in(part.all, r->x, x.words);
    CT_EACH(i, x) sum += ct_val(x, i);
    const float mean = ct_divide(ct_block_sum(sum, shared, threads), (float)args->n);
    /* end */
    CT_UNROLL for (int k = 0; k < vectors; ++k)
    {
        const int inside = first + tile * k < size;
        CT_UNROLL for (int i = 0; i < n; ++i)
        {
            const float deviation = ct_val(x, n * k + i) - mean;
            squares += inside ? deviation * deviation : 0;
        }
    }
    const float all = ct_block_sum(squares, shared + threads / 32, threads);
    const float scale = ct_rsqrt(ct_divide(all, (float)args->n) + args->eps);
    CT_UNROLL for (int k = 0; k < vectors; ++k)
    {
        ct_copy_vectors_in(part.in, ct_view_from(r->gamma, k * tile), v.gamma.words);
        ct_copy_vectors_in(part.in, ct_view_from(r->beta, k * tile), v.beta.words);
        normalise(v, x, n * k, mean, scale);
        ct_copy_vectors_out(part.out, v.y.words, ct_view_from(r->y, k * tile));
    }
}

/* Any other row, in passes. Both sums by one loop: half the code of what few rows take. */
CT_DEVICE void norm_any(const layer_norm_args *args, const norm_rows *r, float *shared,
                        const norm_vectors *by, const norm_registers v, const int threads)
{
    float mean = 0, variance = 0;
    CT_ROLL for (int squares = 0; squares < 2; ++squares)
    {
        const float sum = row_sum(by, r, squares, mean, v.x, threads);
        const float average = ct_divide(
            ct_block_sum(sum, shared + squares * (threads / 32), threads), (float)args->n);
        if (squares) variance = average;
        else mean = average;
    }
    norm_pass(args, r, by, v, mean, variance, threads);
}

#define ROW(in, threads, each, type_name)                                                          \
    ct_vectors_##in(16 / CT_BYTES_##type_name, threads, each, 8 * CT_BYTES_##type_name)

/* resident: as many blocks as a multiprocessor has registers for without spills. */
#define IN_REGISTERS(name, threads, resident, type_name)                                           \
    CT_KERNEL_RESIDENT(name, threads, resident, layer_norm_args, args)                             \
    {                                                                                              \
        CT_SHARED(float, shared, 2 * threads / 32);                                                \
        CT_STATIC(ct_partition, all, ROW(in, threads, NORM_MOST, type_name));                      \
        CT_STATIC(ct_partition, in, ROW(in, threads, 1, type_name));                               \
        CT_STATIC(ct_partition, out, ROW(out, threads, 1, type_name));                             \
        CT_STATIC(ct_partition, any_in, VECTOR(in, 16, type_name));                                \
        CT_STATIC(ct_partition, any_out, VECTOR(out, 16, type_name));                              \
        CT_REGISTERS(type_name, x, all);                                                           \
        NORM_REGISTERS(v, type_name, in);                                                          \
        const norm_parts part = {&all, &in, &out};                                                 \
        const norm_rows rows = rows_of(&args, CT_BYTES_##type_name);                               \
        const norm_vectors any = {&any_in, &any_out, 0};                                           \
        if (rows_are_whole(&rows, any_in.values, CT_BYTES_##type_name) &&                          \
            rows.x.left[0] <= all.tile[0])                                                         \
            norm_in_registers(&args, &rows, shared, part, x, v, threads);                          \
        else norm_any(&args, &rows, shared, &any, v, threads);                                     \
    }
IN_REGISTERS(layer_norm_float, LAYER_NORM_FLOAT_THREADS, 4, float)
IN_REGISTERS(layer_norm_half, LAYER_NORM_THREADS, 6, half)
IN_REGISTERS(layer_norm_bfloat16, LAYER_NORM_THREADS, 6, bfloat16)
