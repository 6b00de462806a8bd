/* y = softmax or log-softmax of x along rows of any length, (m,n) both. */
#include "rows.h"

/* How a tile is moved: in and out of registers, and its copy in shared memory; a vector of each thread. */
typedef struct softmax_parts {
    const ct_partition *in, *out, *stage, *take;
    const ct_fragment *vector;
} softmax_parts;

CT_DEVICE void softmax(const rows_args *args, const softmax_parts by, const ct_registers x,
                       const ct_registers f, const ct_registers max, const ct_registers sum,
                       float *memory, void *stage, const int blocks, const int staged,
                       const int is_log)
{
    const int each = x.as->count / by.vector->count;
    const int32_t rounds = rows_rounds(&args->x, by.in, blocks);
    if (staged)
        ct_copy(by.stage, ct_view_tile(&args->x, by.stage, rows_tile(0, rounds, blocks)),
                ct_view_shared(stage));
    CT_EACH(i, max) ct_put(max, i, -INFINITY);
    CT_EACH(i, sum) ct_put(sum, i, 0);
    CT_ROLL for (int32_t k = 0; k < 2 * rounds - 1; ++k)
    {
        const ct_index at = rows_tile(k, rounds, blocks);
        const ct_view tile = ct_view_tile(&args->x, by.in, at);
        if (staged && (k == 0 || k == 2 * rounds - 2)) { /* each thread reads what it has copied */
            ct_cp_async_wait_all();
            ct_copy(by.take, ct_view_shared(stage), x);
        } else {
            ct_copy(tile, x);
        }
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
            const ct_registers v = ct_part_of(by.vector, x, ct_index4(0, j, 0, 0));
            CT_EACH(i, f)
            {
                const float own = ct_val(v, i), of = ct_val_row(sum, v, i);
                const float above = fmaf(own, CT_LOG2E, -ct_val_row(max, v, i));
                ct_put(f, i, is_log ? own - of : ct_exp2(above) * of);
            }
            ct_convert_registers(v, f);
        }
        ct_copy(x, ct_view_tile(&args->y, by.out, at));
    }
    if (blocks > 1) ct_cluster_wait();
}

#define SOFTMAX(name, is_log, type, rows, threads, each, blocks, staged, resident)                 \
    CT_KERNEL_CLUSTER_RESIDENT(name, blocks, threads, resident, rows_args, args)                   \
    {                                                                                              \
        enum { BITS = 8 * CT_BYTES_##type };                                                       \
        CT_STATIC(ct_memory, held, ROWS_STAGED((threads) * (each)*128 / BITS));                    \
        CT_STATIC(ct_partition, in, ROWS_IN(rows, threads, each, BITS));                           \
        CT_STATIC(ct_partition, out, ROWS_OUT(rows, threads, each, BITS));                         \
        CT_STATIC(ct_partition, stage,                                                             \
                  rows_part(CT_ATOM_CP_ASYNC_CG, 1, threads, each, BITS, ct_in_global(1), held));  \
        CT_STATIC(ct_partition, take,                                                              \
                  rows_part(CT_ATOM_AUTO, 1, threads, each, BITS, held, ct_in_registers()));       \
        CT_REGISTERS(type, x, in);                                                                 \
        CT_REGISTERS(float, f, rows_vector(x_as, each));                                           \
        CT_REGISTERS(float, max, ct_fragment_reduced(x_as, 1));                                    \
        CT_REGISTERS(float, sum, max_as);                                                          \
        CT_SHARED(float, memory, ct_pairs_elems(&max_as));                                         \
        CT_SHARED_DYNAMIC(unsigned char, shared);                                                  \
        const softmax_parts by = {&in, &out, &stage, &take, &f_as};                                \
        softmax(&args, by, x, f, max, sum, memory, shared, blocks, staged, is_log);                \
    }
#define SOFTMAXES(type, class, ...)                                                                \
    SOFTMAX(softmax_##type##_##class, 0, type, __VA_ARGS__)                                        \
    SOFTMAX(log_softmax_##type##_##class, 1, type, __VA_ARGS__)
ROWS_CLASSES(SOFTMAXES)
