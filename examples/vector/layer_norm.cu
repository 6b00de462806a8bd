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
                                 const norm_parts part, const element_type type, const int threads)
{
    const int n = part.in->values, vectors = part.all->values / n, tile = part.in->tile[0];
    const int32_t first = n * (int32_t)threadIdx.x, size = (int32_t)r->x.left[0];
    float sum = 0, squares = 0;
    CT_FRAGMENT(uint32_t, x, 4 * NORM_MOST);
    /* part: once */
    ct_copy_vectors_in(part.all, r->x, x);
    CT_UNROLL for (int i = 0; i < part.all->values; ++i) sum += type.get(x, i);
    const float mean = ct_divide(ct_block_sum(sum, shared, threads), (float)args->n);
    /* end */
    CT_UNROLL for (int k = 0; k < vectors; ++k)
    {
        const int inside = first + tile * k < size;
        CT_UNROLL for (int i = 0; i < n; ++i)
        {
            const float deviation = type.get(x + 4 * k, i) - mean;
            squares += inside ? deviation * deviation : 0;
        }
    }
    const float all = ct_block_sum(squares, shared + threads / 32, threads);
    const float scale = ct_rsqrt(ct_divide(all, (float)args->n) + args->eps);
    CT_UNROLL for (int k = 0; k < vectors; ++k)
    {
        CT_FRAGMENT(uint32_t, gamma, 4);
        CT_FRAGMENT(uint32_t, beta, 4);
        CT_FRAGMENT(uint32_t, y, 4);
        ct_copy_vectors_in(part.in, ct_view_from(r->gamma, k * tile), gamma);
        ct_copy_vectors_in(part.in, ct_view_from(r->beta, k * tile), beta);
        normalise(y, x + 4 * k, gamma, beta, mean, scale, n, type);
        ct_copy_vectors_out(part.out, y, ct_view_from(r->y, k * tile));
    }
}

#define ROW(in, threads, each, type_name)                                                          \
    ct_vectors_##in(16 / CT_BYTES_##type_name, threads, each, 8 * CT_BYTES_##type_name)

/* resident: as many blocks as a multiprocessor has registers for without spills. */
#define IN_REGISTERS(name, threads, resident, type_name)                                           \
    CT_KERNEL_RESIDENT(name, threads, resident, layer_norm_args, args)                             \
    {                                                                                              \
        CT_SHARED(float, shared, 2 * threads / 32);                                                \
        const element_type type = TYPE(type_name);                                                 \
        CT_STATIC(ct_partition, all, ROW(in, threads, NORM_MOST, type_name));                      \
        CT_STATIC(ct_partition, in, ROW(in, threads, 1, type_name));                               \
        CT_STATIC(ct_partition, out, ROW(out, threads, 1, type_name));                             \
        CT_STATIC(ct_partition, any_in, VECTOR(in, 16, type_name));                                \
        CT_STATIC(ct_partition, any_out, VECTOR(out, 16, type_name));                              \
        const norm_parts part = {&all, &in, &out};                                                 \
        const norm_rows rows = rows_of(&args, type.bytes);                                         \
        const norm_vectors any = {&any_in, &any_out, 0};                                           \
        if (rows_are_whole(&rows, any_in.values, type.bytes) && rows.x.left[0] <= all.tile[0])     \
            norm_in_registers(&args, &rows, shared, part, type, threads);                          \
        else norm_in_passes(&args, &rows, shared, &any, type, threads);                            \
    }
IN_REGISTERS(layer_norm_float, LAYER_NORM_FLOAT_THREADS, 4, float)
IN_REGISTERS(layer_norm_half, LAYER_NORM_THREADS, 6, half)
IN_REGISTERS(layer_norm_bfloat16, LAYER_NORM_THREADS, 6, bfloat16)
