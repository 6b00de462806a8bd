/**
 * The elements of a matrix instruction's operands that each thread holds: (thread, value) ->
 * element, A as (m,k), B as (n,k), C as (m,n), each compact with its first mode contiguous.
 *
 * The rules are those of the PTX ISA. In them t is the thread of a warp, t / 4 its group and t mod
 * 4 its place in the group. A register holds 32 bits of a row. The four threads of a group hold
 * consecutive registers of the row.
 */
#ifndef CUTLET_MMA_MMA_LAYOUTS_H
#define CUTLET_MMA_MMA_LAYOUTS_H

#include <cutlet/algebra/build.h>
#include <cutlet/mma/mma_op.h>

/** @internal Adds the mode of values s:d to L, unless it has one value. */
CT_FN void ct_mma_push_values(ct_layout *L, int64_t s, int64_t d)
{
    if (s > 1) ct_layout_push_leaf(L, s, d, CT_INTEGER);
}

/** @internal Ends the values, which began at leaf `first`: 1:0 without values. `nest`: a single
 * mode of values is in parentheses, as in CuTe for elements of 4 bits. */
CT_FN void ct_mma_close_values(ct_layout *L, int first, int nest)
{
    if (L->profile.leaves == first) ct_layout_push_leaf(L, 1, 0, CT_INTEGER);
    else if (nest && L->profile.leaves == first + 1) ct_layout_close_mode(L, first, 1, 1);
    ct_layout_close_mode(L, first, 0, 1);
    L->profile.open[0] = CT_CAST(uint8_t, L->profile.open[0] + 1);
}

/** @internal Adds the threads of a warp, or of four warps. Four threads, of `step` elements each,
 * are along a row; groups, then warps of 16 rows each, are down the rows. */
CT_FN void ct_mma_push_threads(ct_layout *L, int64_t step, int32_t warps)
{
    ct_layout_push_leaf(L, 4, step, CT_INTEGER);
    ct_layout_push_leaf(L, 8, 1, CT_INTEGER);
    if (warps > 1) ct_layout_push_leaf(L, warps, 16, CT_INTEGER);
    ct_layout_close_mode(L, 0, 0, 0);
}

/**
 * @internal A or B in registers: rows of k elements, packed into registers of 32 bits. A thread has
 * one register of row t / 4 and, with 16 rows, of t / 4 + 8, repeated after its group's registers.
 */
CT_FN ct_layout ct_mma_rows(int32_t rows, int32_t k, int32_t bits, int32_t warps)
{
    ct_layout L = CT_ZERO;
    const int32_t run = bits < 32 ? 32 / bits : 1;
    ct_mma_push_threads(&L, CT_CAST(int64_t, run) * rows, warps);
    const int first = L.profile.leaves;
    ct_mma_push_values(&L, run, rows);
    ct_mma_push_values(&L, rows / (8 * warps), 8);
    ct_mma_push_values(&L, k / (4 * run), CT_CAST(int64_t, 4) * run * rows);
    ct_mma_close_values(&L, first, bits == 4);
    return L;
}

/** @internal C in registers: a thread has two columns of rows t / 4 and t / 4 + 8, repeated every 8
 * columns. */
CT_FN ct_layout ct_mma_columns(int32_t m, int32_t n, int32_t warps)
{
    ct_layout L = CT_ZERO;
    ct_mma_push_threads(&L, CT_CAST(int64_t, 2) * m, warps);
    const int first = L.profile.leaves;
    ct_layout_push_leaf(&L, 2, m, CT_INTEGER);
    ct_mma_push_values(&L, m / (8 * warps), 8);
    if (warps > 1) ct_layout_push_leaf(&L, n / 8, CT_CAST(int64_t, 8) * m, CT_INTEGER);
    ct_mma_close_values(&L, first, 0);
    return L;
}

/** @internal (threads,(rows,columns)) of an operand in memory, which every thread names in full. If
 * two blocks carry out the instruction, its rows are divided between them. */
CT_FN ct_layout ct_mma_in_memory(int32_t threads, int32_t rows, int32_t columns, int32_t shares)
{
    ct_layout L = CT_ZERO;
    ct_layout_push_leaf(&L, threads, shares > 1 ? rows / shares : 0, CT_INTEGER);
    const int first = L.profile.leaves;
    ct_layout_push_leaf(&L, rows / shares, 1, CT_INTEGER);
    ct_layout_push_leaf(&L, columns, rows, CT_INTEGER);
    ct_mma_close_values(&L, first, 0);
    return L;
}

/** @internal A or B of one thread: (1,k). */
CT_FN ct_layout ct_mma_of_thread(int32_t k) { return ct_layout2(1, k, 0, k > 1); }

/** @internal A or B of mma.sync.m8n8k4: a row for each of the eight threads, or, with contiguous
 * rows, four rows of column t mod 4. */
CT_FN ct_layout ct_mma_quad_pair(int by_row)
{
    if (by_row) return ct_layout2(8, 4, 1, 8);
    return ct_make_layout2(ct_layout2(4, 2, 8, 4), ct_layout1(4, 1));
}

/** @internal C of mma.sync.m8n8k4: of 16 bits a row for each thread; of 32 bits two by two elements
 *  at a time. */
CT_FN ct_layout ct_mma_quad_pair_c(int32_t bits)
{
    if (bits == 16) return ct_layout2(8, 8, 1, 8);
    const ct_layout thr = ct_make_layout(ct_tuple3(2, 2, 2), ct_tuple3(1, 16, 4));
    const ct_layout val = ct_make_layout(ct_tuple3(2, 2, 2), ct_tuple3(8, 2, 32));
    return ct_make_layout2(thr, val);
}

/** @internal Thread of the instruction -> thread of the tiled MMA that begins with it. On sm_70
 * these are four threads of each half of the warp. */
CT_FN ct_layout ct_mma_thr_id(ct_mma_op op)
{
    switch (op.kind) {
        case CT_MMA_QUAD_PAIR: return ct_layout2(4, 2, 1, 16);
        case CT_MMA_WARP: return ct_layout1(32, 1);
        case CT_MMA_WARPGROUP: return ct_layout1(128, 1);
        case CT_MMA_BLOCK: return op.blocks == 2 ? ct_layout1(2, 1) : ct_layout1(1, 0);
        default: return ct_layout1(1, 0);
    }
}

/** @internal (thread, value) -> (m,k) of A; of a sparse one (m,k/2), the stored elements of its
 *  rows. */
CT_FN ct_layout ct_mma_layout_a(ct_mma_op op)
{
    const int32_t bits = ct_mma_bits_held(op, op.a), k = ct_mma_a_columns(op);
    switch (op.kind) {
        case CT_MMA_QUAD_PAIR:
            return ct_mma_quad_pair(op.major == CT_MMA_TN || op.major == CT_MMA_TT);
        case CT_MMA_WARP: return ct_mma_rows(op.m, k, bits, 1);
        case CT_MMA_WARPGROUP:
            return op.a_from == CT_MMA_REGISTERS ? ct_mma_rows(op.m, k, bits, 4)
                                                 : ct_mma_in_memory(128, op.m, k, 1);
        case CT_MMA_BLOCK: return ct_mma_in_memory(op.blocks, op.m, k, op.blocks);
        default: return ct_mma_of_thread(k);
    }
}

/** @internal (thread, value) -> (n,k) of B. */
CT_FN ct_layout ct_mma_layout_b(ct_mma_op op)
{
    switch (op.kind) {
        case CT_MMA_QUAD_PAIR:
            return ct_mma_quad_pair(op.major == CT_MMA_TN || op.major == CT_MMA_NN);
        case CT_MMA_WARP: return ct_mma_rows(op.n, op.k, ct_mma_bits_held(op, op.b), 1);
        case CT_MMA_WARPGROUP: return ct_mma_in_memory(128, op.n, op.k, 1);
        case CT_MMA_BLOCK: return ct_mma_in_memory(op.blocks, op.n, op.k, op.blocks);
        default: return ct_mma_of_thread(op.k);
    }
}

/** @internal (thread, value) -> (m,n) of C and D. */
CT_FN ct_layout ct_mma_layout_c(ct_mma_op op)
{
    switch (op.kind) {
        case CT_MMA_QUAD_PAIR: return ct_mma_quad_pair_c(ct_mma_bits(op.c));
        case CT_MMA_WARP: return ct_mma_columns(op.m, op.n, 1);
        case CT_MMA_WARPGROUP: return ct_mma_columns(op.m, op.n, 4);
        case CT_MMA_BLOCK: return ct_mma_in_memory(op.blocks, op.m, op.n, op.blocks);
        default: return ct_mma_of_thread(1);
    }
}

#endif
