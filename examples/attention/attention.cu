/* Attention forward, O = softmax(scale Q K^T) V, by the matrix instructions of warpgroups, sm_90a: heads of
 * 64 or 128 in bfloat16, any number of rows, whole or causal (row i sees keys 0 to i).
 *
 * A block takes 128 rows of Q, and goes through K and V by tiles, the last first. One warpgroup loads them by
 * TMA. Two warpgroups, 64 rows each, hold their scores and their part of O in registers: an accumulator's
 * fragment is, two values a word, the fragment of A that the second product takes. While the tensor cores add
 * P V of one tile, the threads take the exponentials of the next tile's scores. The maximum of a row so far and
 * the sum of its exponentials go along (Milakov and Gimelshein, "Online normalizer calculation for softmax",
 * 2018); the order of the work is that of FlashAttention-3 (2024). */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/element/fast_math.h>
#include <cutlet/device/pipeline/pipeline_tma.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/device/arch/wgmma.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/algebra/tensor_product.h>

#include "attention.h"

#define TEXT_OF(x) #x
#define ATOM_OF(n, end) "SM90_64x" TEXT_OF(n) "x16_F32BF16BF16_" end
#define SCORES_ATOM ATOM_OF(ATTENTION_KEYS, "SS")
enum {
    KEYS = ATTENTION_KEYS,
    STAGES = ATTENTION_STAGES,
    SCORES = KEYS / 2,
    WARPS = 8 /* that multiply */
};

/* So many rows of Q, K or V in shared memory, halves of 64 along d side by side. */
CT_FN ct_tensor tile_of(int32_t rows, int32_t d)
{
    const ct_layout along = ct_layout2(64, d / 64, 1, 64 * rows);
    return ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0,
                            ct_make_layout2(ct_layout1(rows, 64), along));
}

/* One half of a tile by TMA. */
CT_FN ct_partition load_of(int32_t rows)
{
    const ct_tensor half =
        ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout3(rows, 64, 1, 64, 1, 0));
    return ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16)),
                             ct_tuple3(rows, 64, 1), ct_in_global(1), ct_in_shared(half));
}

/* What a thread has of an accumulator (64,n), in registers, to a matrix: for a store, and for coordinates. */
CT_FN ct_partition result_of(const char *atom, int32_t n, int32_t bits)
{
    const ct_tiler tile = ct_tiler_of_shape(ct_tuple2(64, n));
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom(atom), ct_layout1(1, 0), tile);
    return ct_make_partition(ct_make_tiled_copy_c(ct_copy_atom_auto(bits), mma), ct_tuple2(64, n),
                             ct_in_registers(), ct_in_global(1));
}

typedef struct attention_plan { /* all that is known when the kernel is compiled */
    ct_error err;
    int32_t d, is_causal, q_bytes, stage_bytes; /* of a tile of Q, of K or V */
    ct_partition load_q, load, store;
    ct_mma_descriptor q, k, v;
} attention_plan;

CT_FN attention_plan plan_of(int32_t d, int32_t is_causal)
{
    attention_plan p = CT_ZERO;
    const char *const name = d == 128 ? ATOM_OF(128, "RS") : ATOM_OF(64, "RS");
    const ct_mma_atom scores = ct_make_mma_atom(SCORES_ATOM), sums = ct_make_mma_atom(name);
    p.d = d;
    p.is_causal = is_causal;
    p.q_bytes = ATTENTION_ROWS * d * 2;
    p.stage_bytes = KEYS * d * 2;
    p.load_q = load_of(ATTENTION_ROWS);
    p.load = load_of(KEYS);
    p.store = result_of(name, d, 16);
    p.q = ct_make_mma_descriptor(tile_of(ATTENTION_ROWS, d), CT_MMA_A, scores);
    p.k = ct_make_mma_descriptor(tile_of(KEYS, d), CT_MMA_B, scores);
    p.v =
        ct_make_mma_descriptor(ct_tensor_select(tile_of(KEYS, d), ct_tuple2(1, 0)), CT_MMA_B, sums);
    const ct_error all[] = {p.load_q.err, p.load.err, p.store.err, p.q.err, p.k.err, p.v.err};
    for (int i = 0; i < 6; ++i) p.err = p.err.status ? p.err : all[i];
    return p;
}

/* The tiles in shared memory, and their barriers. */
typedef struct attention_stages {
    unsigned char *q, *k, *v;
    uint64_t *q_full;
    ct_tma_pipe k_pipe, v_pipe;
} attention_stages;

CT_DEVICE attention_stages stages_begin(const attention_plan *p, unsigned char *memory,
                                        uint64_t *bars)
{
    if (threadIdx.x == 0) ct_mbarrier_init(bars, 1);
    const ct_tma_pipe k = ct_tma_pipe_begin(bars + 1, STAGES, WARPS);
    const ct_tma_pipe v = ct_tma_pipe_begin(k.empty + STAGES, STAGES, WARPS);
    unsigned char *const q = (unsigned char *)ct_uniform_shared(memory), *const rest =
                                                                             q + p->q_bytes;
    return (attention_stages){q, rest, rest + STAGES * p->stage_bytes, bars, k, v};
}

/* The tiles of keys that the rows of this block see. The longest blocks of a causal kernel begin first. */
CT_DEVICE int32_t rows_from(const attention_plan *p)
{
    return ATTENTION_ROWS * (int32_t)(p->is_causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
}
CT_DEVICE int32_t tiles_of(const attention_plan *p, const attention_args *args)
{
    const int32_t end =
        p->is_causal ? (int32_t)ct_min(rows_from(p) + ATTENTION_ROWS, args->n) : args->n;
    return (end + KEYS - 1) / KEYS;
}

/* Halves of a tile on their way to shared memory. */
CT_DEVICE void load_tile(const ct_partition *load, int32_t d, const ct_tma_map *map, int64_t tile,
                         unsigned char *memory, uint64_t *full)
{
    CT_UNROLL for (int half = 0; half < d / 64; ++half)
        ct_copy(ct_view_map(map, load, ct_index3(tile, half, blockIdx.y)),
                ct_view_arriving(ct_view_stage(&load->dst, memory, half), full, 0));
}

/* The next tile of K or V to its stage. */
CT_DEVICE void fill(const attention_plan *p, const ct_tma_map *map, int64_t tile,
                    unsigned char *memory, ct_tma_pipe *pipe)
{
    memory += pipe->stage * p->stage_bytes;
    load_tile(&p->load, p->d, map, tile, memory, ct_tma_pipe_fill(pipe, p->stage_bytes));
    ct_tma_pipe_next(pipe);
}

/* Fills the stages: one thread of a warpgroup. */
CT_DEVICE void produce(const attention_plan *p, const attention_args *args, attention_stages s)
{
    ct_setmaxnreg_dec(24);
    if (ct_uniform(threadIdx.x / 32) != 0 || !ct_elect_one()) return;
    ct_mbarrier_arrive_expect(s.q_full, p->q_bytes);
    load_tile(&p->load_q, p->d, &args->q, rows_from(p) / ATTENTION_ROWS, s.q, s.q_full);
    for (int32_t tile = tiles_of(p, args) - 1; tile >= 0; --tile) {
        fill(p, &args->k, tile, s.k, &s.k_pipe);
        fill(p, &args->v, tile, s.v, &s.v_pipe);
    }
}

/* This warp has read a stage. */
CT_DEVICE void release(ct_tma_pipe *pipe)
{
    if (threadIdx.x % 32 == 0) ct_tma_pipe_release(pipe, pipe->stage);
    ct_tma_pipe_next(pipe);
}

CT_DEVICE uint64_t described(const ct_mma_descriptor *d, const void *memory)
{
    return ct_mma_descriptor_step(ct_mma_descriptor_pack(*d), ct_shared_address(memory));
}

/* Issues the scores of the next tile of K: (64,KEYS) of a warpgroup. */
CT_DEVICE void multiply_scores(const attention_plan *p, const attention_stages *s, float *scores,
                               uint32_t part)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(SCORES_ATOM).op);
    const uint64_t q = described(&p->q, s->q + part * ct_eval2(p->q.steps, 1, 0));
    const uint64_t k = described(&p->k, s->k + s->k_pipe.stage * p->stage_bytes);
    ct_wgmma_fence();
    CT_UNROLL for (int i = 0; i < p->d / 16; ++i)
        ct_wgmma(&op, scores, ct_mma_descriptor_step(q, ct_eval2(p->q.steps, 0, i)),
                 ct_mma_descriptor_step(k, ct_eval2(p->k.steps, 0, i)), i > 0);
    ct_wgmma_commit();
}

/* Issues O += P V of the next tile of V. */
CT_DEVICE void multiply_values(const attention_plan *p, const attention_stages *s, float *o,
                               const uint32_t *weights)
{
    CT_STATIC(ct_mma_op, d64,
              ct_wgmma_op(ct_make_mma_atom(ATOM_OF(64, "RS")), CT_MMA_K_MAJOR, CT_MMA_MN_MAJOR));
    CT_STATIC(ct_mma_op, d128,
              ct_wgmma_op(ct_make_mma_atom(ATOM_OF(128, "RS")), CT_MMA_K_MAJOR, CT_MMA_MN_MAJOR));
    const uint64_t v = described(&p->v, s->v + s->v_pipe.stage * p->stage_bytes);
    ct_wgmma_fence();
    CT_UNROLL for (int i = 0; i < KEYS / 16; ++i)
    {
        const uint64_t v_i = ct_mma_descriptor_step(v, ct_eval2(p->v.steps, 0, i));
        if (p->d == 128) ct_wgmma(&d128, o, weights + 4 * i, v_i, 1);
        else ct_wgmma(&d64, o, weights + 4 * i, v_i, 1);
    }
    ct_wgmma_commit();
}

/* A thread's two rows of a fragment: of value i row i / 2 % 2. Four lanes have a row together. */
typedef struct attention_rows {
    int32_t first; /* of the warpgroup's 64 */
    float max[2], sum[2],
        rescale[2]; /* of the scores so far; of this lane's exponentials; of older sums */
} attention_rows;

CT_DEVICE float of_four_lanes(float x, const int is_max)
{
    CT_UNROLL for (int by = 1; by < 4; by *= 2)
    {
        const float y = __shfl_xor_sync(0xffffffff, x, by);
        x = !is_max ? x + y : y > x ? y : x;
    }
    return x;
}

/* Scores of keys that a row does not see become minus infinity; the fragment begins at (row,key). */
CT_DEVICE void mask(const attention_plan *p, const attention_args *args, float *scores, int32_t row,
                    int32_t key)
{
    CT_STATIC(ct_fragment, c, ct_fragment_of(result_of(SCORES_ATOM, KEYS, 32)));
    const ct_registers s = ct_make_registers(&c, CT_TYPE_FLOAT, scores, threadIdx.x % 128);
    CT_EACH(i, s)
    {
        const int32_t k = key + ct_coord(s, i, 1), last = row + ct_coord(s, i, 0);
        if (k >= args->n || (p->is_causal && k > last)) scores[i] = -INFINITY;
    }
}

/* Scores become the exponentials of what they are above the maximum of their row so far. */
CT_DEVICE void exponentiate(attention_rows *rows, float *scores, const float scale)
{
    CT_UNROLL for (int row = 0; row < 2; ++row)
    {
        float max = rows->max[row], sum = 0;
        CT_UNROLL for (int i = 0; i < SCORES; ++i) if (i / 2 % 2 == row) max =
            scores[i] > max ? scores[i] : max;
        max = of_four_lanes(max, 1);
        const float base = max == -INFINITY ? 0 : max * scale; /* no key is seen yet */
        rows->rescale[row] = ct_exp2(rows->max[row] * scale - base);
        CT_UNROLL for (int i = 0; i < SCORES; ++i) if (i / 2 % 2 == row) sum += scores[i] =
            ct_exp2(scores[i] * scale - base);
        rows->sum[row] = rows->sum[row] * rows->rescale[row] + sum;
        rows->max[row] = max;
    }
}

/* Two values a word: the fragment of A of the second product. */
CT_DEVICE void pack(uint32_t *words, const float *values, const int count)
{
    CT_UNROLL for (int i = 0; i < count; ++i) words[i] =
        ct_bfloat16_pair_of_floats(values[2 * i], values[2 * i + 1]);
}

/* The scores of a tile are there: its stage is free, and they become weights. */
CT_DEVICE void take_scores(const attention_plan *p, const attention_args *args, attention_stages *s,
                           attention_rows *rows, float *scores, int32_t tile)
{
    const int32_t key = tile * KEYS, row = rows->first;
    ct_wgmma_done(scores, SCORES);
    release(&s->k_pipe);
    if (key + KEYS > args->n || (p->is_causal && key + KEYS > row)) mask(p, args, scores, row, key);
    exponentiate(rows, scores, args->scale * 1.44269504f /* log2 e */);
}

/* O: the sums by the sums of the weights. */
CT_DEVICE void put_rows(const attention_plan *p, const attention_args *args, attention_rows *rows,
                        float *o)
{
    CT_FRAGMENT(uint32_t, words, 32);
    CT_UNROLL for (int i = 0; i < 2; ++i) rows->rescale[i] = 1 / of_four_lanes(rows->sum[i], 0);
    CT_UNROLL for (int i = 0; i < p->d / 2; ++i) o[i] *= rows->rescale[i / 2 % 2];
    pack(words, o, p->d / 4);
    const ct_view to = ct_view_at(&args->o, &p->store, ct_index3(rows->first, 0, blockIdx.y));
    ct_copy(ct_view_registers(words), ct_view_dst(&p->store, to, threadIdx.x % 128));
}

/* 64 rows of O by a warpgroup. */
CT_DEVICE void consume(const attention_plan *p, const attention_args *args, attention_stages s)
{
    CT_FRAGMENT(float, scores, SCORES);
    CT_FRAGMENT(uint32_t, weights, SCORES / 2);
    CT_FRAGMENT(float, o, 64);
    ct_setmaxnreg_inc(240);
    const uint32_t part = ct_uniform(threadIdx.x / 128 - 1);
    const int32_t first = rows_from(p) + 64 * (int32_t)part, tiles = tiles_of(p, args);
    attention_rows rows = {first, {-INFINITY, -INFINITY}, {0, 0}, {0, 0}};
    CT_UNROLL for (int i = 0; i < p->d / 2; ++i) o[i] = 0;
    ct_mbarrier_wait(s.q_full, 0);
    ct_tma_pipe_wait(&s.k_pipe);
    multiply_scores(p, &s, scores, part);
    ct_wgmma_wait(0);
    take_scores(p, args, &s, &rows, scores, tiles - 1);
    pack(weights, scores, SCORES / 2);
    CT_ROLL for (int32_t tile = tiles - 2; tile >= 0; --tile)
    {
        ct_tma_pipe_wait(&s.k_pipe);
        multiply_scores(p, &s, scores, part);
        ct_tma_pipe_wait(&s.v_pipe);
        multiply_values(p, &s, o, weights);
        ct_wgmma_wait(1);
        take_scores(p, args, &s, &rows, scores, tile);
        ct_wgmma_wait(0);
        ct_wgmma_done(o, p->d / 2);
        release(&s.v_pipe);
        CT_UNROLL for (int i = 0; i < p->d / 2; ++i) o[i] *= rows.rescale[i / 2 % 2];
        pack(weights, scores, SCORES / 2);
    }
    ct_tma_pipe_wait(&s.v_pipe);
    multiply_values(p, &s, o, weights);
    ct_wgmma_wait(0);
    ct_wgmma_done(o, p->d / 2);
    put_rows(p, args, &rows, o);
}

#define ATTENTION(name, d, is_causal)                                                              \
    CT_KERNEL_RESIDENT(name, ATTENTION_THREADS, 1, attention_args, args)                           \
    {                                                                                              \
        CT_STATIC(attention_plan, p, plan_of(d, is_causal));                                       \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bars, 4 * STAGES + 1);                                                 \
        const attention_stages s = stages_begin(&p, memory, bars);                                 \
        if (ct_uniform(threadIdx.x) < 128) produce(&p, &args, s);                                  \
        else consume(&p, &args, s);                                                                \
    }
ATTENTION(attention_64, 64, 0)
ATTENTION(attention_64_causal, 64, 1)
ATTENTION(attention_128, 128, 0)
ATTENTION(attention_128_causal, 128, 1)
