/* Layer norm, y = (x - mean) / sqrt(variance + eps) * gamma + beta, each row by a block that reads
 * it three times: by vectors of 16 bytes, or element by element. layer_norm.h has the passes. */
#include "layer_norm.h"

CT_DEVICE void norm_in_passes(const layer_norm_args *args, const norm_rows *r, float *shared,
                              const norm_vectors *by, const norm_registers v)
{
    const int threads = LAYER_NORM_THREADS;
    const float n = (float)args->n, sum = row_sum(by, r, 0, 0, v.x, threads);
    const float mean = ct_divide(ct_block_sum(sum, shared, threads), n);
    const float squares = row_sum(by, r, 1, mean, v.x, threads);
    const float variance = ct_divide(ct_block_sum(squares, shared + threads / 32, threads), n);
    norm_pass(args, r, by, v, mean, variance, threads);
}

#define IN_PASSES(name, access, type_name)                                                         \
    CT_KERNEL_THREADS(name, LAYER_NORM_THREADS, layer_norm_args, args)                             \
    {                                                                                              \
        CT_SHARED(float, shared, 2 * LAYER_NORM_THREADS / 32);                                     \
        CT_STATIC(ct_partition, in, VECTOR(in, access, type_name));                                \
        CT_STATIC(ct_partition, out, VECTOR(out, access, type_name));                              \
        NORM_REGISTERS(v, type_name, in);                                                          \
        const norm_rows rows = rows_of(&args, CT_BYTES_##type_name);                               \
        const norm_vectors whole = {&in, &out, 1}, any = {&in, &out, 0};                           \
        if (rows_are_whole(&rows, in.values, CT_BYTES_##type_name))                                \
            norm_in_passes(&args, &rows, shared, &whole, v);                                       \
        else norm_in_passes(&args, &rows, shared, &any, v);                                        \
    }
IN_PASSES(layer_norm_passes_float, 16, float)
IN_PASSES(layer_norm_passes_half, 16, half)
IN_PASSES(layer_norm_passes_bfloat16, 16, bfloat16)
IN_PASSES(layer_norm_passes_float_scalar, 4, float)
IN_PASSES(layer_norm_passes_half_scalar, 2, half)
