/* RMSNorm of a sum: s = x + residual, y(i,j) = s(i,j) / sqrt(mean of s(i,:)^2 + eps) * weight(j), all (m,n). */
#include "rows.h"

CT_DEVICE void rms_norm(const rows_args *args, const ct_partition *in, const ct_partition *out,
                        const ct_fragment *vector, const ct_registers x, const ct_registers r,
                        const ct_registers f, const ct_registers sum, float *memory,
                        const int blocks)
{
    const int32_t rounds = rows_rounds(&args->x, in, blocks), each = x.as->count / vector->count;
    CT_EACH(i, sum) ct_put(sum, i, 0);
    CT_ROLL for (int32_t k = 0; k < 2 * rounds - 1; ++k)
    {
        const ct_index at = rows_tile(k, rounds, blocks);
        /* on the way back the sum, which this thread has stored */
        ct_copy(ct_view_tile(k < rounds ? &args->x : &args->sum, in, at), x);
        if (k < rounds) {
            ct_copy(ct_view_tile(&args->residual, in, at), r);
            CT_UNROLL for (int j = 0; j < each; ++j)
            {
                const ct_registers v = ct_part_of(vector, x, ct_index4(0, j, 0, 0));
                const ct_registers w = ct_part_of(vector, r, ct_index4(0, j, 0, 0));
                CT_EACH(i, f) ct_put(f, i, ct_val(v, i) + ct_val(w, i));
                ct_convert_registers(v, f);
            }
            CT_EACH(i, x)
            ct_put_row(sum, x, i, ct_val_row(sum, x, i) + ct_val(x, i) * ct_val(x, i));
        }
        if (k == rounds - 1) {
            ct_reduce_pairs(sum, sum, ct_pair_sums, memory, blocks);
            CT_EACH(i, sum)
            ct_put(sum, i,
                   ct_rsqrt(ct_divide(ct_val(sum, i), (float)args->x.extent[1]) + args->eps));
        }
        if (k < rounds) ct_copy(x, ct_view_tile(&args->sum, out, at));
        if (k < rounds - 1) continue;
        if (k == rounds - 1 && rounds > 1) rows_turn(blocks);
        ct_copy(ct_view_tile(&args->weight, in, at), r);
        CT_UNROLL for (int j = 0; j < each; ++j)
        {
            const ct_registers v = ct_part_of(vector, x, ct_index4(0, j, 0, 0));
            const ct_registers w = ct_part_of(vector, r, ct_index4(0, j, 0, 0));
            CT_EACH(i, f) ct_put(f, i, ct_val(v, i) * ct_val_row(sum, v, i) * ct_val(w, i));
            ct_convert_registers(v, f);
        }
        ct_copy(x, ct_view_tile(&args->y, out, at));
    }
    if (blocks > 1) ct_cluster_wait();
}

#define RMS_NORM(type, class, rows, threads, each, blocks, staged, resident)                       \
    CT_KERNEL_CLUSTER_RESIDENT(rms_norm_##type##_##class, blocks, threads, resident, rows_args,    \
                               args)                                                               \
    {                                                                                              \
        CT_STATIC(ct_partition, in, ROWS_IN(rows, threads, (each) / 2, 8 * CT_BYTES_##type));      \
        CT_STATIC(ct_partition, out, ROWS_OUT(rows, threads, (each) / 2, 8 * CT_BYTES_##type));    \
        CT_REGISTERS(type, x, in);                                                                 \
        CT_REGISTERS(type, r, in);                                                                 \
        CT_REGISTERS(float, f, rows_vector(x_as, (each) / 2));                                     \
        CT_REGISTERS(float, sum, ct_fragment_reduced(x_as, 1));                                    \
        CT_SHARED(float, memory, ct_pairs_elems(&sum_as));                                         \
        rms_norm(&args, &in, &out, &f_as, x, r, f, sum, memory, blocks);                           \
    }
ROWS_CLASSES(RMS_NORM)
