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

/** The mode along which ct_fragment_load makes its accesses: 1, along the rows, or 0, along the
 *  columns; -1 where the elements lie side by side along neither. */
CT_FN int32_t ct_fragment_mode(const ct_view v)
{
    return v.step[1] == 4 ? 1 : v.step[0] == 4 ? 0 : -1;
}

/**
 * How ct_fragment_load goes through a view, in words, for a host that tells its user why a kernel
 * may be slow: "whole", each access as wide as can be; "cut", out of two accesses each, but for
 * those at either end; or "by element", some or all. Not a CT_FN: it is for the host alone.
 */
static inline const char *ct_fragment_way(const ct_view v, int rows, int cols)
{
    const int32_t mode = ct_fragment_mode(v), bytes = ct_fragment_bytes(mode == 1 ? cols : rows);
    if (mode < 0 || (mode == 1 && 4 * v.inside[1] < bytes)) return "by element";
    if ((((uintptr_t)v.at | (uintptr_t)v.step[1 - mode]) & (uintptr_t)(bytes - 1)) == 0)
        return "whole";
    /* A cut needs what lies before the vector, and before a row's there is none of that row. */
    return mode == 1 ? "by element" : "cut";
}

/**
 * r[i * cols + j] = element (first + i, j) of the view for i < rows, j < cols; zeros where it has
 * none. rows and cols are constants, 1 to 4. Of a row, the access may take more than cols elements.
 */
CT_DEVICE void ct_fragment_load(uint32_t *r, const ct_view v, int64_t first, const int rows,
                                const int cols)
{
    const int along_row = ct_fragment_bytes(cols), along_col = ct_fragment_bytes(rows);
    const int32_t mode = ct_fragment_mode(v);
    CT_FRAGMENT(uint32_t, x, 4);
    if (mode == 1) {
        CT_UNROLL for (int i = 0; i < 4; ++i) if (i < rows) {
            const int there = first + i < v.inside[0];
            const ct_run row = {v.at + (there ? (first + i) * v.step[0] : 0),
                                there ? 4 * v.inside[1] : 0};
            ct_run_load(x, row, 0, along_row, 4);
            CT_UNROLL for (int j = 0; j < 4; ++j) if (j < cols) r[i * cols + j] = x[j];
        }
    } else if (mode == 0) {
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

#define ct_fragment_load(...) CT_CALL(ct_fragment_load, __VA_ARGS__)

#endif
