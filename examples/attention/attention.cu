/* Attention forward, O = softmax(scale Q K^T) V, by the matrix instructions of warpgroups, sm_90a: heads of
 * 64 or 128 in bfloat16, any number of rows, whole or causal (row i sees keys 0 to i).
 *
 * A block takes 128 rows of Q, and goes through K and V by tiles, the last first. One warpgroup loads them by
 * TMA. Two warpgroups, 64 rows each, hold their scores and their part of O in registers: an accumulator's
 * fragment is, converted, the fragment of A that the second product takes. While the tensor cores add
 * P V of one tile, the threads take the exponentials of the next tile's scores. The maximum of a row so far and
 * the sum of its exponentials go along (Milakov and Gimelshein, "Online normalizer calculation for softmax",
 * 2018); the order of the work is that of FlashAttention-3 (2024). */
#include <cutlet/algebra/tensor_product.h>
#include <cutlet/copy/shared_space.h>
#include <cutlet/device/arch/warpgroup.h>
#include <cutlet/device/element/fast_math.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/device/register/reductions.h>
#include <cutlet/device/tensor/shared.h>

#include "attention.h"

#define TEXT_OF(x) #x
#define ATOM_OF(n, end) "SM90_64x" TEXT_OF(n) "x16_F32BF16BF16_" end
enum { KEYS = ATTENTION_KEYS, STAGES = ATTENTION_STAGES, GROUPS = ATTENTION_ROWS / 64 };

typedef struct attention_plan { /* all that is known when the kernel is compiled */
    int32_t d, is_causal;
    ct_shared_tensor q, k, v; /* (rows,d), (keys,d,stage) twice */
    ct_pipe_plan pipe;        /* of K, and of V */
    ct_gemm_partition scores, values;
    ct_fragment s, weights, o, rows; /* rows: of S, and of O */
    ct_partition load_q, load, store;
} attention_plan;
CT_PLAN(attention_plan);

/* Rows of Q, K or V in shared memory, halves of 64 along d side by side. */
CT_FN ct_tensor rows_of(int32_t rows, int32_t d, int32_t stages)
{
    const ct_tensor lines = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(8, 64, 64, 1));
    return ct_tensor_tile_to_shape(lines, ct_tuple3(rows, d, stages), ct_tuple3(0, 1, 2));
}

/* A half of a tile by TMA. */
CT_FN ct_partition load_of(int32_t rows, ct_shared_tensor to)
{
    const ct_tiled_copy half = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16));
    return ct_make_partition(half, ct_tuple3(rows, 64, 1), ct_in_global(1),
                             ct_in_shared(to.tensor));
}

/* An instruction of each warpgroup, one below the other. */
CT_FN ct_tiled_mma groups_of(const char *atom)
{
    return ct_make_tiled_mma(ct_make_mma_atom(atom), ct_layout1(GROUPS, 1), ct_tiler0());
}

CT_FN attention_plan plan_of(int32_t d, int32_t is_causal)
{
    attention_plan p = CT_ZERO;
    ct_shared_space space = CT_ZERO;
    const ct_tiled_mma scores = groups_of(ATOM_OF(ATTENTION_KEYS, "SS"));
    const ct_tiled_mma values = groups_of(d == 128 ? ATOM_OF(128, "RS") : ATOM_OF(64, "RS"));
    const ct_tuple to_o = ct_tuple2(ATTENTION_ROWS, d);
    p.d = d;
    p.is_causal = is_causal;
    p.q = ct_shared_next(&space, 16, rows_of(ATTENTION_ROWS, d, 1));
    p.k = ct_shared_next(&space, 16, rows_of(KEYS, d, STAGES));
    p.v = ct_shared_next(&space, 16, rows_of(KEYS, d, STAGES));
    const ct_memory v = ct_in_shared(ct_tensor_select(p.v.tensor, ct_tuple3(1, 0, 2)));
    p.scores = ct_make_gemm(scores, ct_tuple3(ATTENTION_ROWS, KEYS, d), ct_in_shared(p.q.tensor),
                            ct_in_shared(p.k.tensor));
    p.values = ct_make_gemm(values, ct_tuple3(ATTENTION_ROWS, d, KEYS), ct_in_registers(), v);
    p.s = ct_fragment_c(scores, ct_tuple2(ATTENTION_ROWS, KEYS));
    p.weights = ct_fragment_a(values, ct_tuple2(ATTENTION_ROWS, KEYS));
    p.o = ct_fragment_c(values, to_o);
    p.rows = ct_fragment_reduced(p.s, 1);
    p.load_q = load_of(ATTENTION_ROWS, p.q);
    p.load = load_of(KEYS, p.k);
    p.pipe = ct_make_pipe(STAGES, d / 64 * ct_tile_bytes(&p.load), 4 * GROUPS);
    p.store = ct_make_partition(ct_make_tiled_copy_c(ct_copy_atom_auto(16), values), to_o,
                                ct_in_registers(), ct_in_global(1));
    return p;
}

/* The tiles of keys that the rows of this block see. The longest blocks of a causal kernel begin first. */
CT_DEVICE_OF(attention_plan) int32_t rows_from(const attention_plan *p)
{
    return ATTENTION_ROWS * (int32_t)(p->is_causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
}
CT_DEVICE_OF(attention_plan) int32_t tiles_of(const attention_plan *p, const attention_args *args)
{
    const int32_t end =
        p->is_causal ? (int32_t)ct_min(rows_from(p) + ATTENTION_ROWS, args->n) : args->n;
    return (end + KEYS - 1) / KEYS;
}

/* The next tile of K or V to its stage, a half at a time. */
CT_DEVICE_OF(attention_plan)
void fill(const attention_plan *p, const ct_tma_map *map, int32_t tile, const ct_shared_tensor *to,
          void *memory, ct_pipe *pipe)
{
    const ct_view stage =
        ct_view_arriving(ct_stage_of(to, memory, pipe->stage), ct_pipe_fill(pipe), 0);
    CT_UNROLL for (int half = 0; half < p->d / 64; ++half)
        ct_copy(CT_OF(p, load), ct_view_map(map, &p->load, ct_index3(tile, half, blockIdx.y)),
                ct_view_inside(&p->load, stage, ct_index2(0, half)));
    ct_pipe_next(pipe);
}

/* Fills the stages: one thread of a warpgroup. */
CT_DEVICE_OF(attention_plan)
void produce(const attention_plan *p, const attention_args *args, void *memory, uint64_t *q_full,
             ct_pipe k, ct_pipe v)
{
    const ct_view q = ct_view_arriving(ct_stage_of(&p->q, memory, 0), q_full, 0);
    ct_setmaxnreg_dec(24);
    if (ct_warp() != 4 * GROUPS || !ct_elect_one()) return;
    ct_mbarrier_arrive_expect(q_full, p->d / 64 * ct_tile_bytes(&p->load_q));
    CT_UNROLL for (int half = 0; half < p->d / 64; ++half)
    {
        const ct_index x = ct_index3(rows_from(p) / ATTENTION_ROWS, half, blockIdx.y);
        ct_copy(CT_OF(p, load_q), ct_view_map(&args->q, &p->load_q, x),
                ct_view_inside(&p->load_q, q, ct_index2(0, half)));
    }
    for (int32_t tile = tiles_of(p, args) - 1; tile >= 0; --tile) {
        fill(p, &args->k, tile, &p->k, memory, &k);
        fill(p, &args->v, tile, &p->v, memory, &v);
    }
}

/* Of each row: the maximum of the scores so far, the sum of this thread's exponentials, and what the older sums are
 * multiplied by. */
typedef struct attention_rows {
    ct_registers max, sum, rescale;
} attention_rows;

/* Scores of keys that a row does not see become minus infinity; the tile begins at (row,key). */
CT_DEVICE_OF(attention_plan)
void mask(const attention_plan *p, const attention_args *args, const ct_registers s, int32_t row,
          int32_t key)
{
    CT_EACH(i, s)
    {
        const int32_t k = key + ct_coord(s, i, 1), last = row + ct_coord(s, i, 0);
        if (k >= args->n || (p->is_causal && k > last)) ct_put(s, i, -INFINITY);
    }
}

/* Scores become the exponentials of what they are above the maximum of their row so far. */
CT_DEVICE_OF(attention_plan)
void exponentiate(const attention_plan *p, const attention_rows *rows, const ct_registers s,
                  const float scale)
{
    CT_REGISTERS_OF(float, most, p, rows);
    CT_REGISTERS_OF(float, sum, p, rows);
    ct_reduce(s, ct_op_max, most);
    CT_EACH(i, most)
    {
        const float old = ct_val(rows->max, i), max = ct_op_max(old, ct_val(most, i));
        const float base = max == -INFINITY ? 0 : max * scale; /* no key is seen yet */
        ct_put(rows->max, i, max);
        ct_put(rows->rescale, i, ct_exp2(old * scale - base));
        ct_put(most, i, base);
    }
    CT_EACH(i, s) ct_put(s, i, ct_exp2(ct_val(s, i) * scale - ct_val_row(most, s, i)));
    ct_reduce_own(s, ct_op_sum, sum);
    CT_EACH(i, sum)
    ct_put(rows->sum, i, ct_val(rows->sum, i) * ct_val(rows->rescale, i) + ct_val(sum, i));
}

/* The scores of a tile are there: its stage is free, and they become weights. */
CT_DEVICE_OF(attention_plan)
void take_scores(const attention_plan *p, const attention_args *args, ct_pipe *k,
                 const attention_rows *rows, const ct_registers s, int32_t tile)
{
    const int32_t key = tile * KEYS, row = rows_from(p), last = row + 64 * ct_warpgroup();
    ct_gemm_done(&p->scores, s);
    ct_pipe_release(k, 0);
    ct_pipe_next(k);
    if (key + KEYS > args->n || (p->is_causal && key + KEYS > last)) mask(p, args, s, row, key);
    exponentiate(p, rows, s, args->scale * 1.44269504f /* log2 e */);
}

/* O by the rows of S: each value times that of its row. */
CT_DEVICE void scale_rows(const ct_registers o, const ct_registers by)
{
    CT_EACH(i, o) ct_put(o, i, ct_val(o, i) * ct_val_row(by, o, i));
}

/* O: the sums by the sums of the weights. */
CT_DEVICE_OF(attention_plan)
void put_rows(const attention_plan *p, const attention_args *args, const attention_rows *rows,
              const ct_registers o)
{
    CT_REGISTERS_OF(bfloat16, out, p, o);
    ct_reduce_lanes(rows->sum, ct_op_sum);
    CT_EACH(i, rows->sum) ct_put(rows->sum, i, 1 / ct_val(rows->sum, i));
    scale_rows(o, rows->sum);
    ct_convert_registers(out, o);
    ct_copy(CT_OF(p, store), out,
            ct_view_at(&args->o, &p->store, ct_index3(rows_from(p), 0, blockIdx.y)));
}

/* Rows of O, 64 by each warpgroup. */
CT_DEVICE_OF(attention_plan)
void consume(const attention_plan *p, const attention_args *args, void *memory, uint64_t *q_full,
             ct_pipe k_pipe, ct_pipe v_pipe)
{
    CT_REGISTERS_OF(float, s, p, s);
    CT_REGISTERS_OF(bfloat16, weights, p, weights);
    CT_REGISTERS_OF(float, o, p, o);
    CT_REGISTERS_OF(float, max, p, rows);
    CT_REGISTERS_OF(float, sum, p, rows);
    CT_REGISTERS_OF(float, rescale, p, rows);
    const attention_rows rows = {max, sum, rescale};
    ct_setmaxnreg_inc(240);
    const ct_gemm_operand q = ct_gemm_a(&p->scores, ct_stage_of(&p->q, memory, 0), threadIdx.x);
    const ct_gemm_operand k = ct_gemm_b(&p->scores, ct_stage_of(&p->k, memory, 0), threadIdx.x);
    const ct_gemm_operand v = ct_gemm_b(&p->values, ct_stage_of(&p->v, memory, 0), threadIdx.x);
    const int32_t tiles = tiles_of(p, args);
    ct_clear(o);
    ct_clear(sum);
    CT_EACH(i, max) ct_put(max, i, -INFINITY);
    ct_mbarrier_wait(q_full, 0);
    ct_pipe_wait(&k_pipe);
    ct_gemm(CT_OF(p, scores), s, q, ct_gemm_stage(k, k_pipe.stage), 0);
    ct_gemm_wait(&p->scores, 0);
    take_scores(p, args, &k_pipe, &rows, s, tiles - 1);
    ct_convert_registers(weights, s);
    CT_ROLL for (int32_t tile = tiles - 2; tile >= 0; --tile)
    {
        ct_pipe_wait(&k_pipe);
        ct_gemm(CT_OF(p, scores), s, q, ct_gemm_stage(k, k_pipe.stage), 0);
        ct_pipe_wait(&v_pipe);
        ct_gemm(CT_OF(p, values), o, weights, ct_gemm_stage(v, v_pipe.stage), 1);
        ct_gemm_wait(&p->scores, 1);
        take_scores(p, args, &k_pipe, &rows, s, tile);
        ct_gemm_wait(&p->values, 0);
        ct_gemm_done(&p->values, o);
        ct_pipe_release(&v_pipe, 0);
        ct_pipe_next(&v_pipe);
        scale_rows(o, rescale);
        ct_convert_registers(weights, s);
    }
    ct_pipe_wait(&v_pipe);
    ct_gemm(CT_OF(p, values), o, weights, ct_gemm_stage(v, v_pipe.stage), 1);
    ct_gemm_wait(&p->values, 0);
    ct_gemm_done(&p->values, o);
    put_rows(p, args, &rows, o);
}

#define ATTENTION(name, d, is_causal)                                                              \
    CT_KERNEL_RESIDENT(name, ATTENTION_THREADS, 1, attention_args, args)                           \
    {                                                                                              \
        CT_STATIC_PLAN(attention_plan, p, plan_of(d, is_causal));                                  \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bars, 1 + 4 * STAGES);                                                 \
        if (threadIdx.x == 0) ct_mbarrier_init(bars, 1);                                           \
        const ct_pipe k = ct_pipe_begin(CT_OF(&p, pipe), bars + 1);                                \
        const ct_pipe v = ct_pipe_begin(CT_OF(&p, pipe), bars + 1 + 2 * STAGES);                   \
        if (ct_warpgroup() < GROUPS) consume(&p, &args, memory, bars, k, v);                       \
        else produce(&p, &args, memory, bars, k, v);                                               \
    }
ATTENTION(attention_64, 64, 0)
ATTENTION(attention_64_causal, 64, 1)
ATTENTION(attention_128, 128, 0)
ATTENTION(attention_128_causal, 128, 1)
