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
#include "vector.h"
#include "vectors.h"

enum { READ_UNDER_WAY = READ_PIECE / READ_THREADS };

/* part: piece */
/* The vectors of this thread in the block's piece, of a row that begins at an aligned address. */
CT_DEVICE float read_piece(const ct_partition *piece, const ct_view row)
{
    CT_FRAGMENT(uint32_t, x, 4 * READ_UNDER_WAY);
    ct_copy_vectors_in(piece, ct_view_from(row, (int64_t)blockIdx.x * 4 * READ_PIECE), x);
    float sum = 0;
    CT_UNROLL for (int i = 0; i < 4 * READ_UNDER_WAY; ++i) sum += ct_get_float(x, i);
    return sum;
}
/* end */

/* The floats before the vectors and behind them, at most three each, by the first block. */
CT_DEVICE float read_ends(const ct_view row, int32_t head)
{
    const int64_t i = threadIdx.x, tail = head + (row.left[0] - head) / 4 * 4 + i;
    CT_FRAGMENT(uint32_t, x, 2) = {0, 0};
    ct_load_global_if(blockIdx.x == 0 && i < head, x, row.at + 4 * i, 32);
    ct_load_global_if(blockIdx.x == 0 && tail < row.left[0], x + 1, row.at + 4 * tail, 32);
    return ct_get_float(x, 0) + ct_get_float(x, 1);
}

CT_KERNEL_RESIDENT(read_float, READ_THREADS, READ_RESIDENT, sum_args, args)
{
    CT_SHARED(float, parts, READ_THREADS / 32);
    CT_STATIC(ct_partition, piece, ct_vectors_in(4, READ_THREADS, READ_UNDER_WAY, 32));
    const ct_view row = ct_view_row(args.src, args.n, 4);
    const int32_t head = ct_head_of(row, 4, 4);
    const float mine = read_piece(&piece, ct_view_from(row, head)) + read_ends(row, head);
    const float sum = ct_block_sum(mine, parts, READ_THREADS);
    ct_store_global_if(threadIdx.x == 0, args.dst + blockIdx.x, &sum, 32);
}
