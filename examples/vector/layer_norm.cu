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

/* Whether all four are made of whole vectors. */
CT_DEVICE int rows_are_whole(const norm_rows *r, const int bytes)
{
    const uint32_t bits = (uint32_t)(uintptr_t)r->x.at | (uint32_t)(uintptr_t)r->y.at |
                          (uint32_t)(uintptr_t)r->gamma.at | (uint32_t)(uintptr_t)r->beta.at |
                          (uint32_t)r->x.bytes;
    return (bits & (uint32_t)(bytes - 1)) == 0;
}

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
