/**
 * Rows over threads, warps and the blocks of a cluster: pairs of values reduced in one exchange.
 *
 *     ct_exp_sums(x, max, sum);                            // of this thread's values, added to those before
 *     ct_reduce_pairs(max, sum, ct_pair_exp_sums, memory, blocks);     // every holder of a row has both
 *     ct_cluster_wait();                                   // with blocks > 1: before the block exits
 *
 * A pair is a value of each of two register tensors with the same rows. The function merges pair b into pair a; it is
 * associative and commutative. ct_pair_sums adds both, and x and y may then be one register tensor. ct_pair_exp_sums
 * merges a maximum and a sum of powers of two relative to it, so that a row of any length is read once. Lanes merge
 * first, then warps and blocks in their order: all holders of a row have the same bits, and each run has them.
 *
 * blocks: a constant, the blocks of the cluster, which have other parts of the same rows; 1 without a cluster. memory:
 * ct_pairs_elems floats of shared memory, aligned to 16 bytes, with no other use from the barrier before the call on.
 * With blocks > 1 the call ends with an arrival at the cluster's barrier: ct_cluster_wait comes before the memory is used
 * again, and before the block exits.
 *
 * Fails:    The CPU grid ends the launch at register tensors of different rows, at a race in the memory, and as
 *           ct_load_cluster.
 * Cost:     Two shuffles and a merge for each row of a thread and bit of the lanes' numbers. Across warps a store for
 *           each row, a load for each row and warp, and a barrier. Across blocks a store for each row, a load of 16
 *           bytes for each row and block, and two barriers of the cluster, of which the second does not wait.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1); element i of in is i
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                        ct_in_registers()));
 *           CT_REGISTERS(float, x, P);
 *           CT_REGISTERS(float, max, ct_fragment_reduced(x_as, 1));
 *           CT_REGISTERS(float, sum, max_as);
 *           CT_SHARED(float, memory, ct_pairs_elems(&max_as));
 *           ct_copy(ct_view_tile(&args.src, &P, ct_index2(0, 0)), x);
 *           CT_EACH(i, max) ct_put(max, i, -INFINITY);
 *           CT_EACH(i, sum) ct_put(sum, i, 0);
 *           ct_exp_sums(x, max, sum);
 *           ct_reduce_pairs(max, sum, ct_pair_exp_sums, memory, 1);
 *           CT_EACH(i, max) assert(ct_val(max, i) == CT_LOG2E * (float)(32 * ct_coord(max, i, 0) + 31));
 *           CT_EACH(i, sum) assert(fabsf(ct_val(sum, i) - 1.5819767f) < 1e-4f); // 1 + 1/e + 1/e^2 ..
 *           CT_EACH(i, sum) ct_put(sum, i, (float)threadIdx.x);
 *           ct_reduce_pairs(sum, sum, ct_pair_sums, memory, 1); // of 8 threads
 *           assert(ct_val(sum, 0) == (float)(64 * (threadIdx.x / 8) + 28));
 * Used by:  examples/rows/softmax.cu, examples/rows/rms_norm.cu
 * Source:   Milakov and Gimelshein, Online normalizer calculation for softmax, arXiv:1805.02867.
 */
#ifndef CUTLET_DEVICE_REGISTER_CLUSTER_ROWS_H
#define CUTLET_DEVICE_REGISTER_CLUSTER_ROWS_H

#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/element/fast_math.h>
#include <cutlet/device/register/reductions.h>

/** A function that merges the pair b into the pair a. */
typedef void (*ct_pair_function)(float *a, const float *b);

/** a = (a[0] + b[0], a[1] + b[1]). */
CT_DEVICE void ct_pair_sums(float *a, const float *b)
{
    a[0] += b[0];
    a[1] += b[1];
}

/** log2(e): e^x is 2^(CT_LOG2E x). */
#define CT_LOG2E 1.4426950408889634f

/** @internal The maximum of no values. NVRTC has no INFINITY. */
CT_DEVICE float ct_minus_infinity(void) { return ct_float_of_bits(0xff800000u); }

/** @internal The exponent that a maximum gives its exponentials: 0 of no values and of -inf alone. */
CT_DEVICE float ct_exp_base(float max) { return max == ct_minus_infinity() ? 0 : max; }

/** Two maxima and the sums of powers of two relative to them, merged: a[1] 2^(a[0] - max) + b[1] 2^(b[0] - max). */
CT_DEVICE void ct_pair_exp_sums(float *a, const float *b)
{
    const float max = ct_op_max(a[0], b[0]), base = ct_exp_base(max);
    a[1] = a[1] * ct_exp2(a[0] - base) + b[1] * ct_exp2(b[0] - base);
    a[0] = max;
}

/** @internal The largest value of x in row r of its reduction `max`; of bfloat16s two at once, which stay packed. */
CT_DEVICE float ct_largest(const ct_registers x, const ct_registers max, const int r)
{
    float most = ct_minus_infinity();
#if defined(__CUDACC__)
    if (x.type == CT_TYPE_BFLOAT16 && max.as->count == 1 && x.as->count % 2 == 0) {
        uint32_t two = x.words[0];
        CT_UNROLL for (int w = 1; w < x.as->count / 2;
                       ++w) asm("max.bf16x2 %0, %0, %1;" : "+r"(two) : "r"(x.words[w]));
        return ct_op_max(ct_float_of_bfloat16(two & 0xffff), ct_float_of_bfloat16(two >> 16));
    }
#endif
    CT_EACH(i, x) if (ct_row_of(max, x, i) == r) most = ct_op_max(most, ct_val(x, i));
    return most;
}

/** The values of x merged into the pairs (max, sum) of this thread, which are (-inf, 0) before the first: max is the
 *  largest CT_LOG2E x, and sum that of e^x, divided by 2^max. */
CT_DEVICE void ct_exp_sums(const ct_registers x, const ct_registers max, const ct_registers sum)
{
    CT_REFUSE("sums of exponentials", ct_rows_refusal(max.as, x.as));
    CT_EACH(r, max)
    {
        const float before = ct_val(max, r);
        const float most = ct_op_max(before, CT_LOG2E * ct_largest(x, max, r));
        const float base = ct_exp_base(most);
        float all = ct_val(sum, r) * ct_exp2(before - base);
        CT_EACH(i, x)
        if (ct_row_of(max, x, i) == r) all += ct_exp2(fmaf(ct_val(x, i), CT_LOG2E, -base));
        ct_put(max, r, most);
        ct_put(sum, r, all);
    }
}

/** @internal The rows of a reduction's fragment. */
CT_FN int32_t ct_pairs_rows(const ct_fragment *r)
{
    int32_t rows = 1;
    for (int a = 0; a < r->axes; ++a) rows *= r->tile[a];
    return rows;
}

/** The floats of shared memory of ct_reduce_pairs for rows of a reduction's fragment. */
CT_FN int32_t ct_pairs_elems(const ct_fragment *r)
{
    return 4 * (ct_pairs_rows(r) + ct_reduce_elems(r));
}

/** @internal Over the lanes of a warp that hold other parts of the rows. */
CT_DEVICE void ct_pairs_of_lanes(const ct_registers x, const ct_registers y, ct_pair_function op)
{
    const ct_digits *const d = &x.as->thread;
    CT_UNROLL for (int bit = 0; bit < 5; ++bit) CT_UNROLL for (int k = 0; k < d->count; ++k)
    {
        const ct_value_digit g = d->digit[k];
        if (g.axis != CT_AXIS_LOST || g.div > 1 << bit || g.div * g.mod <= 1 << bit) continue;
        CT_EACH(i, x)
        {
            float own[2] = {ct_val(x, i), ct_val(y, i)};
            const float other[2] = {__shfl_xor_sync(0xffffffffu, own[0], 1 << bit),
                                    __shfl_xor_sync(0xffffffffu, own[1], 1 << bit)};
            op(own, other);
            ct_put(x, i, own[0]), ct_put(y, i, own[1]);
        }
    }
}

#if CT_HAS_BULK
/** @internal Over the warps of the block that hold other parts of the rows, or over the blocks of the cluster, if there
 *  are more than one: each then writes a part. (Eight loads at once, for few registers.) */
CT_DEVICE void ct_pairs_through(const ct_registers x, const ct_registers y, ct_pair_function op,
                                float *shared, const int blocks)
{
    const int rows = ct_pairs_rows(x.as);
    int32_t parts = 1;
    int on = 1;
    const int32_t part = ct_reduce_part(x, &parts, &on);
    CT_REFUSE("reduction of pairs", ct_block_refusal(x.as->threads));
    CT_EACH(i, x)
    {
        CT_FRAGMENT(float, own, 4) = {ct_val(x, i), ct_val(y, i), 0, 0};
        const int writes = on && (blocks == 1 || part == 0);
        const int at = (blocks == 1 ? part * rows : 0) + ct_reduce_place(x, i);
        ct_store_shared_if(writes, shared + 4 * at, own, 128);
    }
    if (blocks > 1) ct_cluster_sync();
    else __syncthreads();
    CT_EACH(i, x)
    {
        CT_FRAGMENT(float, all, 4) = {0, 0, 0, 0};
        const float *const at = shared + 4 * ct_reduce_place(x, i);
        CT_UNROLL_BY(8) for (int k = 0; k < (blocks > 1 ? blocks : parts); ++k)
        {
            CT_FRAGMENT(float, other, 4) = {0, 0, 0, 0};
            if (blocks > 1) ct_load_cluster(other, at, k);
            else ct_load_shared(other, at + 4 * k * rows, 64);
            if (k == 0) all[0] = other[0], all[1] = other[1];
            else op(all, other);
        }
        ct_put(x, i, all[0]), ct_put(y, i, all[1]);
    }
    if (blocks > 1) ct_cluster_arrive(); /* its release waits for the loads */
}

/** The pairs of x and y over all threads of the block, and all blocks of the cluster, that have parts of their rows.
 *  All threads call it. */
CT_DEVICE void ct_reduce_pairs(const ct_registers x, const ct_registers y, ct_pair_function op,
                               float *shared, const int blocks)
{
    float *const of_warps = shared + 4 * ct_pairs_rows(x.as);
    CT_REFUSE("reduction of pairs", ct_same_refusal(y.as, x.as));
    ct_pairs_of_lanes(x, y, op);
    if (ct_reduce_elems(x.as) > 0) ct_pairs_through(x, y, op, of_warps, 1);
    if (blocks > 1) ct_pairs_through(x, y, op, shared, blocks);
}

#define ct_reduce_pairs(...) CT_CALL(ct_reduce_pairs, __VA_ARGS__)
#endif

#define ct_exp_sums(...) CT_CALL(ct_exp_sums, __VA_ARGS__)

#endif
