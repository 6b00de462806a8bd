/**
 * What sum.cu and read.cu share: the elements of a row that are in no vector.
 */
#ifndef CUTLET_EXAMPLES_SUM_H
#define CUTLET_EXAMPLES_SUM_H

#include <cutlet/device/register/reduce.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/register/vectors.h>

#include "vector.h"

/* The first `head` elements of a row and those from `tail` on, fewer than a block has threads: one
 * each for the threads of the first block. one: the partition of a block's single elements;
 * x and y: its registers. */
CT_DEVICE float sum_ends(const ct_partition *one, ct_view row, int64_t head, int64_t tail,
                         const ct_registers x, const ct_registers y)
{
    if (blockIdx.x != 0) head = row.left[0] = 0;
    const ct_view behind = ct_view_from(row, tail);
    row.left[0] = head;
    ct_copy_vectors_in(one, row, x.words);
    ct_copy_vectors_in(one, behind, y.words);
    return ct_val(x, 0) + ct_val(y, 0);
}

#endif
