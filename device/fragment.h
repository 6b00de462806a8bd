/**
 * Fragments: a small matrix of 4-byte elements from a view (view.h) into a thread's registers, by
 * the widest accesses that the view's steps and addresses allow.
 *
 *     uint32_t r[4 * 3];
 *     ct_fragment_load(r, particles, first, 4, 3);      r[3 i + j] = particles(first + i, j)
 *
 * Whether the view is contiguous along its rows or its columns is found when the kernel runs, from
 * its steps: the same kernel takes an array of structures and a structure of arrays.
 */
#ifndef CUTLET_DEVICE_FRAGMENT_H
#define CUTLET_DEVICE_FRAGMENT_H

#include "run.h"
#include "view.h"

/** The bytes of one access for so many elements of 4 bytes: a power of two, 16 at most. */
CT_FN int32_t ct_fragment_bytes(int32_t elems) { return elems > 2 ? 16 : 4 * elems; }

/**
 * r[i * cols + j] = element (first + i, j) of the view for i < rows, j < cols; zeros where it has
 * none. rows and cols are constants, 1 to 4. Of a row, the access may take more than cols elements.
 */
CT_DEVICE void ct_fragment_load(uint32_t *r, const ct_view v, int64_t first, const int rows,
                                const int cols)
{
    const int along_row = ct_fragment_bytes(cols), along_col = ct_fragment_bytes(rows);
    CT_FRAGMENT(uint32_t, x, 4);
    if (v.step[1] == 4) {
        CT_UNROLL for (int i = 0; i < 4; ++i) if (i < rows) {
            const int there = first + i < v.inside[0];
            const ct_run row = {v.at + (there ? (first + i) * v.step[0] : 0),
                                there ? 4 * v.inside[1] : 0};
            ct_run_load(x, row, 0, along_row, 4);
            CT_UNROLL for (int j = 0; j < 4; ++j) if (j < cols) r[i * cols + j] = x[j];
        }
    } else if (v.step[0] == 4) {
        CT_UNROLL for (int j = 0; j < 4; ++j) if (j < cols) {
            const ct_run column = {v.at + j * v.step[1], j < v.inside[1] ? 4 * v.inside[0] : 0};
            ct_run_load(x, column, 4 * first, along_col, 4);
            CT_UNROLL for (int i = 0; i < 4; ++i) if (i < rows) r[i * cols + j] = x[i];
        }
    } else {
        CT_UNROLL for (int i = 0; i < 4; ++i) CT_UNROLL for (int j = 0; j < 4; ++j)
            if (i < rows && j < cols) {
                const int on = first + i < v.inside[0] && j < v.inside[1];
                x[0] = 0;
                ct_load_global_if(on, x, v.at + (first + i) * v.step[0] + j * v.step[1], 32);
                r[i * cols + j] = x[0];
            }
    }
}

#endif
