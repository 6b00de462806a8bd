/* How fast memory is read at all: the roof of a sum.
 *
 * Each block has one piece of the array, READ_PIECE vectors side by side, and is done: no thread
 * comes back for more. Its threads have all their loads of 16 bytes, eight each, under way before
 * the first arrives; the block adds what they bring and writes one float, so that no load can be
 * left out and the result can be compared.
 *
 * As in the sum, vectors are counted from the first aligned address, and what lies before and
 * behind them is added element by element, by the first block. So any n and any address of a float
 * will do. */
#include "element.h"
#include "reduce.h"
#include "run.h"
#include "vector.h"

enum { READ_UNDER_WAY = READ_PIECE / READ_THREADS };

/* part: piece */
/* The vectors of this thread in the block's piece: 16 bytes each, from an aligned address on. */
CT_DEVICE float read_piece(const unsigned char *at, int64_t vectors)
{
    const int64_t first = (int64_t)blockIdx.x * READ_PIECE + threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 4 * READ_UNDER_WAY) = {0};
    CT_UNROLL for (int k = 0; k < READ_UNDER_WAY; ++k) {
        const int64_t i = first + k * READ_THREADS;
        ct_load_global_if(i < vectors, x + 4 * k, at + 16 * i, 128);
    }
    float sum = 0;
    CT_UNROLL for (int i = 0; i < 4 * READ_UNDER_WAY; ++i) sum += ct_get_float(x, i);
    return sum;
}
/* end */

/* The floats before the vectors and behind them, at most three each, by the first block. */
CT_DEVICE float read_ends(const ct_run run, int64_t head, int64_t tail)
{
    const int64_t before = 4 * (int64_t)threadIdx.x, behind = tail + before;
    CT_FRAGMENT(uint32_t, x, 2) = {0};
    ct_load_global_if(blockIdx.x == 0 && before < head, x, run.at + before, 32);
    ct_load_global_if(blockIdx.x == 0 && behind < run.bytes, x + 1, run.at + behind, 32);
    return ct_get_float(x, 0) + ct_get_float(x, 1);
}

CT_KERNEL_RESIDENT(read_float, READ_THREADS, READ_RESIDENT, sum_args, args)
{
    CT_SHARED(float, parts, READ_THREADS / 32);
    const ct_run run = {(const unsigned char *)args.src, 4 * args.n};
    const int64_t head = ct_min((int64_t)(-ct_run_skew(run.at, 16) & 15), run.bytes);
    const int64_t vectors = (run.bytes - head) / 16;
    const float mine =
        read_piece(run.at + head, vectors) + read_ends(run, head, head + 16 * vectors);
    const float sum = ct_block_sum(mine, parts, READ_THREADS);
    ct_store_global_if(threadIdx.x == 0, args.dst + blockIdx.x, &sum, 32);
}
