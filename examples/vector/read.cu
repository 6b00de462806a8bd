/* How fast memory is read at all: the roof of a sum.
 *
 * Each block has one piece of the array, READ_PIECE vectors side by side, and is done: no thread
 * comes back for more. Its threads have all their loads of 16 bytes, eight each, in flight before
 * the first arrives; the block adds what they bring and writes one float, so that no load can be
 * left out and the result can be compared.
 *
 * As in the sum, vectors are counted from the first aligned address, and what lies before and
 * after them is added element by element, by the first block. So any n and any address of a float
 * will do. */
#include "sum.h"

enum { READ_UNDER_WAY = READ_PIECE / READ_THREADS };

/* part: piece */
/* The vectors of this thread in the block's piece, of a row that begins at an aligned address. */
CT_DEVICE float read_piece(const ct_partition *piece, const ct_view row, const ct_registers x)
{
    ct_copy_vectors_in(piece, ct_view_from(row, (int64_t)blockIdx.x * 4 * READ_PIECE), x.words);
    float sum = 0;
    CT_EACH(i, x) sum += ct_val(x, i);
    return sum;
}
/* end */

CT_KERNEL_RESIDENT(read_float, READ_THREADS, READ_RESIDENT, sum_args, args)
{
    CT_SHARED(float, parts, READ_THREADS / 32);
    CT_STATIC(ct_partition, piece, ct_vectors_in(4, READ_THREADS, READ_UNDER_WAY, 32));
    CT_STATIC(ct_partition, one, ct_vectors_in(1, READ_THREADS, 1, 32));
    CT_REGISTERS(float, all, piece);
    CT_REGISTERS(float, x, one);
    CT_REGISTERS(float, y, one);
    const ct_view row = ct_view_row(args.src, args.n, 4);
    const int64_t head = ct_head_of(row, 4, 4), tail = head + (args.n - head) / 4 * 4;
    const float mine =
        read_piece(&piece, ct_view_from(row, head), all) + sum_ends(&one, row, head, tail, x, y);
    const float sum = ct_block_sum(mine, parts, READ_THREADS);
    ct_store_global_if(threadIdx.x == 0, args.dst + blockIdx.x, &sum, 32);
}
