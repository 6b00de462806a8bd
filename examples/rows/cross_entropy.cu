/* Cross entropy: loss(i) = log(sum over j of e^x(i,j)) - x(i,target(i)), of logits (m,n). The loss is 0 for a target
 * that is no column. */
#include "rows.h"

CT_DEVICE void cross_entropy(const rows_args *args, const ct_partition *in, const ct_registers x,
                             const ct_registers max, const ct_registers sum,
                             const ct_registers logit, float *memory, const int blocks)
{
    const int32_t rounds = rows_rounds(&args->x, in, blocks);
    const int64_t row = (int64_t)blockIdx.x / blocks * in->tile[0] + ct_first_coord(max, 0);
    const int on = ct_first_coord(x, 1) == 0 && blockIdx.x % blocks == 0 && row < args->x.extent[0];
    int32_t target = -1; /* of a row; the loads overlap those of the row */
    ct_load_global_if(on, &target, args->target + row, 32);
    ct_put(max, 0, -INFINITY);
    ct_put(sum, 0, 0);
    CT_ROLL for (int32_t k = 0; k < rounds; ++k)
    {
        const ct_view tile = ct_view_tile(&args->x, in, rows_tile(k, rounds, blocks));
        ct_copy(tile, x);
        ct_fill_outside(x, tile, -INFINITY);
        ct_exp_sums(x, max, sum);
    }
    ct_load_values(logit, &args->x, ct_index2(row - ct_first_coord(max, 0), target));
    ct_reduce_pairs(max, sum, ct_pair_exp_sums, memory, blocks);
    const float all = (ct_val(max, 0) + log2f(ct_val(sum, 0))) / CT_LOG2E;
    const float loss = target < 0 || target >= args->x.extent[1] ? 0 : all - ct_val(logit, 0);
    ct_store_global_if(on, args->loss + row, &loss, 32);
    if (blocks > 1) ct_cluster_wait();
}

#define CROSS_ENTROPY(type, class, rows, threads, each, blocks, staged, resident)                  \
    CT_KERNEL_CLUSTER_RESIDENT(cross_entropy_##type##_##class, blocks, threads, resident,          \
                               rows_args, args)                                                    \
    {                                                                                              \
        CT_STATIC(ct_partition, in, ROWS_IN(rows, threads, each, 8 * CT_BYTES_##type));            \
        CT_REGISTERS(type, x, in);                                                                 \
        CT_REGISTERS(float, max, ct_fragment_reduced(x_as, 1));                                    \
        CT_REGISTERS(float, sum, max_as);                                                          \
        CT_REGISTERS(type, logit, max_as);                                                         \
        CT_SHARED(float, memory, ct_pairs_elems(&max_as));                                         \
        cross_entropy(&args, &in, x, max, sum, logit, memory, blocks);                             \
    }
ROWS_CLASSES(CROSS_ENTROPY)
