/* y = softmax or log-softmax of x along rows of any length, (m,n) both. */
#include "rows.h"

/* part: softmax */
CT_DEVICE void softmax(const rows_args *args, const ct_partition *in, const ct_partition *out,
                       const ct_fragment *vector, const ct_registers x, const ct_registers f,
                       const ct_registers max, const ct_registers sum, float *memory,
                       const int blocks, const int is_log)
{
    const int each = x.as->count / vector->count;
    const int32_t rounds = rows_rounds(&args->x, in, blocks);
    CT_EACH(i, max) ct_put(max, i, -INFINITY);
    CT_EACH(i, sum) ct_put(sum, i, 0);
    CT_ROLL for (int32_t k = 0; k < 2 * rounds - 1; ++k)
    {
        const ct_index at = rows_tile(k, rounds, blocks);
        const ct_view tile = ct_view_tile(&args->x, in, at);
        ct_copy(tile, x);
        if (k < rounds) rows_prefetch(&args->x, in, at, args->ahead);
        ct_fill_outside(x, tile, -INFINITY);
        if (k < rounds) ct_exp_sums(x, max, sum);
        if (k < rounds - 1) continue;
        if (k == rounds - 1) {
            ct_reduce_pairs(max, sum, ct_pair_exp_sums, memory, blocks);
            CT_EACH(i, sum)
            if (is_log) ct_put(sum, i, (ct_val(max, i) + log2f(ct_val(sum, i))) / CT_LOG2E);
            else ct_put(sum, i, ct_divide(1, ct_val(sum, i)));
        }
        CT_UNROLL for (int j = 0; j < each; ++j)
        {
            const ct_registers v = ct_part_of(vector, x, ct_index4(0, j, 0, 0));
            CT_EACH(i, f)
            {
                const float own = ct_val(v, i), of = ct_val_row(sum, v, i);
                const float above = fmaf(own, CT_LOG2E, -ct_val_row(max, v, i));
                ct_put(f, i, is_log ? own - of : ct_exp2(above) * of);
            }
            ct_convert_registers(v, f);
        }
        ct_copy(x, ct_view_tile(&args->y, out, at));
    }
    if (blocks > 1) ct_cluster_wait();
}
/* end */

#define SOFTMAX(name, is_log, type, rows, threads, each, blocks, resident)                         \
    CT_KERNEL_CLUSTER_RESIDENT(name, blocks, threads, resident, rows_args, args)                   \
    {                                                                                              \
        CT_STATIC(ct_partition, in, rows_part(rows, threads, each, 8 * CT_BYTES_##type, 1));       \
        CT_STATIC(ct_partition, out, rows_part(rows, threads, each, 8 * CT_BYTES_##type, 0));      \
        CT_REGISTERS(type, x, in);                                                                 \
        CT_REGISTERS(float, f, rows_vector(x_as, each));                                           \
        CT_REGISTERS(float, max, ct_fragment_reduced(x_as, 1));                                    \
        CT_REGISTERS(float, sum, max_as);                                                          \
        CT_SHARED(float, memory, ct_pairs_elems(&max_as));                                         \
        softmax(&args, &in, &out, &f_as, x, f, max, sum, memory, blocks, is_log);                  \
    }
#define SOFTMAXES(type, class, ...)                                                                \
    SOFTMAX(softmax_##type##_##class, 0, type, __VA_ARGS__)                                        \
    SOFTMAX(log_softmax_##type##_##class, 1, type, __VA_ARGS__)
ROWS_CLASSES(SOFTMAXES)
