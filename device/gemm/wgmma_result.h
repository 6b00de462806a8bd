/* The results of a block's warpgroups: elements of D, stored through shared memory, or the sums of a part of k if k is
 * split. `thread` is the number in the tiled MMA: of both warpgroups. */
#ifndef CUTLET_EXAMPLES_GEMM_WGMMA_RESULT_H
#define CUTLET_EXAMPLES_GEMM_WGMMA_RESULT_H

#include "wgmma_plan.h"

#include "epilogue.h"

/* A tile (128,COLUMNS) of D that the block has computed and not yet stored: a warpgroup's rows. */
typedef struct gemm_held {
    ct_registers d;
    void *memory;  /* of the block */
    uint64_t *bar; /* for loads of parts of C to memory */
    int32_t group; /* the warpgroup, of two */
    int32_t parity, is_there;
    ct_index at; /* of its first part of (128,PART_COLUMNS) */
} gemm_held;

/* Initialises an mbarrier for each warpgroup before the pipeline begins; one warp calls it. (By an elected lane:
 * a branch of thread 0 delays the block by 600 ns.) */
CT_DEVICE void prepare_bars(uint64_t *bars)
{
    if (!ct_elect_one()) return;
    CT_UNROLL for (int i = 0; i < GROUPS; ++i) ct_mbarrier_init(bars + i, 1);
    ct_fence_mbarrier_init();
}

/* Prefetches the maps; another warp calls it. */
CT_DEVICE void prefetch_maps(const gemm_wgmma_args *args)
{
    if (!ct_elect_one()) return;
    ct_tma_prefetch_map(&args->a);
    ct_tma_prefetch_map(&args->b);
    if (ROWS == 128 && args->splits == 1) ct_tma_prefetch_map(&args->to);
    if (ROWS == 128 && args->splits == 1 && args->beta != 0) ct_tma_prefetch_map(&args->from);
}

CT_DEVICE ct_index part_at(ct_index first, int j)
{
    return ct_index3(first.at[0], first.at[1] + j, first.at[2]);
}

/* Stores the tile (128,COLUMNS) at `first` of the sums of a part of k; gemm_sum_splits adds those of all parts. */
CT_DEVICE_OF(gemm_plan)
void put_sums(const gemm_plan *p, const gemm_wgmma_args *args, ct_index first,
              const ct_registers sum, uint32_t thread)
{
    CT_REGISTERS_OF(float, part, p, part);
    CT_ROLL for (int j = 0; j < COLUMN_PARTS; ++j)
    {
        const ct_view to = ct_view_tile(&args->sums, &p->put_sums, part_at(first, j));
        ct_get_part(part, &p->part, sum, j);
        ct_copy(CT_OF(p, put_sums), part, ct_view_dst(&p->put_sums, to, thread));
    }
}

/* The value of an element of C. */
CT_DEVICE float value_of(const gemm_wgmma_args *args, const ct_registers c, const int i)
{
    return args->is_half ? ct_val(ct_recast_registers(c, CT_TYPE_HALF), i)
                         : ct_val(ct_recast_registers(c, CT_TYPE_BFLOAT16), i);
}

/* The sums as elements of D. */
CT_DEVICE void round_sums(const gemm_wgmma_args *args, const ct_registers d, const ct_registers sum)
{
    if (args->is_half) ct_convert_registers(ct_recast_registers(d, CT_TYPE_HALF), sum);
    else ct_convert_registers(ct_recast_registers(d, CT_TYPE_BFLOAT16), sum);
}

/* The larger of a float and 0, two as a word of D; NaNs stay. */
CT_DEVICE uint32_t relu_pair(float low, float high, int is_half)
{
#if defined(__CUDACC__)
    uint32_t pair;
    if (is_half) asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    else asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#else
    low = activate(low, GEMM_RELU, 1);
    high = activate(high, GEMM_RELU, 1);
    return is_half ? ct_half_pair_of_floats(low, high) : ct_bfloat16_pair_of_floats(low, high);
#endif
}

/* sum += beta C for the columns of part j of the sums. TMA loads C to shared memory, ldmatrix to registers. */
CT_DEVICE_OF(gemm_plan)
void add_part(const gemm_plan *p, const gemm_wgmma_args *args, gemm_held *h, const ct_registers sum,
              uint32_t thread, int j)
{
    CT_REGISTERS_OF(half, c, p, part);
    CT_REGISTERS_OF(float, part_sum, p, part);
    const ct_view part = ct_stage_of(&p->d, h->memory, 0);
    const ct_view rows = ct_view_inside(&p->load_c, part, ct_index2(h->group, 0));
    const ct_index x = ct_index3(GROUPS * h->at.at[0] + h->group, h->at.at[1] + j, h->at.at[2]);
    if (thread % 128 == 0) {
        ct_mbarrier_arrive_expect(h->bar, ct_tile_bytes(&p->load_c));
        ct_copy(CT_OF(p, load_c), ct_view_map(&args->from, &p->load_c, x),
                ct_view_arriving(rows, h->bar, 0));
    }
    ct_mbarrier_wait(h->bar, h->parity);
    h->parity ^= 1;
    ct_copy(CT_OF(p, take_c), ct_view_src(&p->take_c, part, thread), c);
    ct_named_barrier_sync(1 + h->group, 128);
    ct_get_part(part_sum, &p->part, sum, j);
    CT_EACH(i, c) ct_put(part_sum, i, ct_val(part_sum, i) + args->beta * value_of(args, c, i));
    ct_put_part(sum, &p->part, part_sum, j);
}

CT_DEVICE void multiply_sums(const gemm_wgmma_args *args, const ct_registers sum)
{
    CT_EACH(i, sum) ct_put(sum, i, args->alpha * ct_val(sum, i));
}

/* sum += beta C. */
CT_DEVICE_OF(gemm_plan)
void add_c(const gemm_plan *p, const gemm_wgmma_args *args, gemm_held *h, const ct_registers sum,
           uint32_t thread)
{
    if (ct_elect_one()) ct_bulk_wait_group_read(0); /* earlier stores have read the parts */
    ct_named_barrier_sync(1 + h->group, 128);
    CT_ROLL for (int j = 0; j < COLUMN_PARTS; ++j) add_part(p, args, h, sum, thread, j);
}

/* The words of the held tile as floats, one for each column of a thread. They are free once it is stored. */
CT_DEVICE_OF(gemm_plan)
ct_registers free_columns(const gemm_plan *p, const ct_registers d, uint32_t thread)
{
    return ct_make_registers(CT_OF(p, for_column), CT_TYPE_FLOAT, d.words, thread);
}

/* Loads what an epilogue needs first of its vectors along n, for the tile at `first`, while the last steps execute. */
CT_DEVICE_OF(gemm_plan)
void fetch_columns(const gemm_plan *p, const gemm_wgmma_args *args, const ct_registers d,
                   ct_index first, uint32_t thread)
{
    const gemm_epilogue *const e = &args->own;
    const void *const vector = e->scale_cols ? e->scale_cols : e->bias;
    const uint32_t other = e->scale_cols ? ct_bits_of_float(1) : 0;
    if (e->is_on && vector)
        load_vector(free_columns(p, d, thread), vector, 1, PART_COLUMNS * first.at[1], e->n, other);
}

/* The tile as elements of D, by its epilogue. */
CT_DEVICE_OF(gemm_plan)
void finish_tile(const gemm_plan *p, const gemm_wgmma_args *args, gemm_held *h,
                 const ct_registers sum, uint32_t thread)
{
    const gemm_epilogue *const e = &args->own;
    const ct_index first = ct_index2(ROWS * h->at.at[0], PART_COLUMNS * h->at.at[1]);
    const ct_registers x = ct_make_registers(sum.as, sum.type, sum.words, thread);
    const ct_registers columns = free_columns(p, h->d, thread);
    if (e->scale_cols) {
        multiply_by(x, columns);
        if (e->bias) load_vector(columns, e->bias, 1, first.at[1], e->n, 0);
    }
    scale_rows(p, e, x, first);
    if (args->alpha != 1) multiply_sums(args, sum);
    if (e->bias) add_by(x, columns);
    if (args->beta != 0) add_c(p, args, h, sum, thread);
    if (e->activation == GEMM_RELU) {
        CT_EACH(i, sum)
        if (i % 2 == 0)
            h->d.words[i / 2] = relu_pair(ct_val(sum, i), ct_val(sum, i + 1), args->is_half);
        return;
    }
    activate_values(e, sum, 1);
    round_sums(args, h->d, sum);
}

/* Keeps the tile as elements of D in registers. No wgmma executes meanwhile, so the loops are as short as
 * possible. */
CT_DEVICE_OF(gemm_plan)
void hold_tile(const gemm_plan *p, const gemm_wgmma_args *args, gemm_held *h,
               const ct_registers sum, uint32_t thread)
{
    h->is_there = 1;
    if (args->own.is_on) {
        finish_tile(p, args, h, sum, thread);
        return;
    }
    if (args->alpha != 1) multiply_sums(args, sum);
    if (args->beta != 0) add_c(p, args, h, sum, thread);
    round_sums(args, h->d, sum);
}

/* Synchronises the threads that store a part together: a warpgroup, or a warp if COLUMNS is at most 64. */
CT_DEVICE void wait_for_part(int32_t group)
{
    if (PART_ROWS == 64) ct_named_barrier_sync(1 + group, 128);
    else __syncwarp();
}

/* Stores part j of the held tile, if there is one: by stmatrix to shared memory, then by TMA. */
CT_DEVICE_OF(gemm_plan)
void put_part(const gemm_plan *p, const gemm_wgmma_args *args, const gemm_held *h, uint32_t thread,
              const int j)
{
    const int32_t place = PART_ROWS == 64 ? h->group : (int32_t)thread / 32;
    const ct_view part = ct_stage_of(&p->d, h->memory, j % PARTS);
    const ct_index x =
        ct_index3(64 * GROUPS / PART_ROWS * h->at.at[0] + place, h->at.at[1] + j, h->at.at[2]);
    const int one = (PART_ROWS != 64 || thread % 128 < 32) && ct_elect_one();
    if (!h->is_there) return;
    if (one) ct_bulk_wait_group_read(PARTS - 1); /* the earlier store of this part has read it */
    wait_for_part(h->group);
    ct_copy(CT_OF(p, keep_d), ct_part_of(&p->part, h->d, ct_index2(0, j)),
            ct_view_dst(&p->keep_d, part, thread));
    ct_fence_async_shared();
    wait_for_part(h->group);
    if (one)
        ct_copy(CT_OF(p, store_d), ct_view_inside(&p->store_d, part, ct_index2(place, 0)),
                ct_view_map(&args->to, &p->store_d, x));
    ct_bulk_commit();
}

/* Stores the part of the held tile that is due in step k of `steps`; in the last one all that are left. */
CT_DEVICE_OF(gemm_plan)
void put_due(const gemm_plan *p, const gemm_wgmma_args *args, const gemm_held *h, uint32_t thread,
             int k, int steps)
{
    CT_UNROLL for (int j = 0; j < COLUMN_PARTS; ++j)
    {
        if (k == (j < steps ? j : steps - 1)) put_part(p, args, h, thread, j);
    }
}

/* Stores the last tile of a block, and waits until TMA has read it. */
CT_DEVICE_OF(gemm_plan)
void put_rest(const gemm_plan *p, const gemm_wgmma_args *args, const gemm_held *h, uint32_t thread)
{
    CT_UNROLL for (int j = 0; j < COLUMN_PARTS; ++j) put_part(p, args, h, thread, j);
    ct_bulk_wait_group_read(0);
}

#endif
