/**
 * The variants of the tiled copy, one row each: kernels, tables and pictures are made from this
 * list.
 *
 * V(id, name, thr_m, thr_n, step_m, step_n, val_m, val_n, how, orders, about)
 *   id, name         in C and on the command line
 *   thr_.., step_..  the thread layout (thr_m,thr_n):(step_m,step_n), (m,n) -> thread
 *   val_..           the value layout (val_m,val_n), (m,n) -> value, column-major
 *   how              CT_PLAN_...
 *   orders           the data for which it is meant: CT_FOR_ROWS, CT_FOR_COLS or both
 *
 * The layouts stand as their sources give them, for half. Elements of another size keep them; the
 * access is then the widest of 1, 2, 4, 8 or 16 bytes that divides the run of a thread's values,
 * and cp.async of 1 or 2 bytes, which there is not, becomes a load and a store. An X-macro, because
 * the compiler has to see every row as constants, in C and in CUDA.
 */
#ifndef CUTLET_DEVICE_KERNELS_VARIANTS_H
#define CUTLET_DEVICE_KERNELS_VARIANTS_H

#include "../tile.h"

#define CT_FOR_COLS (1 << CT_COL_MAJOR)
#define CT_FOR_ROWS (1 << CT_ROW_MAJOR)

/** The tile that the kernels are made for, in both modes: a multiple of every block of the list. */
#define CT_COPY_TILE 64

#define CT_COPY_VARIANTS(V)                                                                       \
    V(rows4, "rows4", 16, 8, 8, 1, 1, 4, CT_PLAN_ELEMENT, CT_FOR_ROWS | CT_FOR_COLS,              \
      "threads along a row, 4 values each, element by element")                                   \
    V(rows4_wide, "rows4-wide", 16, 8, 8, 1, 1, 4, CT_PLAN_VECTOR, CT_FOR_ROWS,                   \
      "threads along a row, 4 values in one access")                                              \
    V(rows8, "rows8", 16, 8, 8, 1, 1, 8, CT_PLAN_VECTOR, CT_FOR_ROWS,                             \
      "threads along a row, 8 values in one access")                                              \
    V(rows8_async, "rows8-async", 16, 8, 8, 1, 1, 8, CT_PLAN_CP_ASYNC, CT_FOR_ROWS | CT_FOR_COLS, \
      "threads along a row, 8 values by cp.async")                                                \
    V(half_line, "half-line", 32, 4, 4, 1, 1, 8, CT_PLAN_CP_ASYNC, CT_FOR_ROWS,                   \
      "4 threads along a row: half a cache line of half")                                         \
    V(printed4, "printed4", 8, 16, 16, 1, 4, 1, CT_PLAN_ELEMENT, CT_FOR_COLS,                     \
      "\"transposed\" as article 002 prints it, element by element")                              \
    V(printed8_async, "printed8-async", 8, 16, 16, 1, 8, 1, CT_PLAN_CP_ASYNC, CT_FOR_COLS,        \
      "\"transposed\" as article 002 prints it, by cp.async")                                     \
    V(cols4, "cols4", 8, 16, 1, 8, 4, 1, CT_PLAN_ELEMENT, CT_FOR_ROWS | CT_FOR_COLS,              \
      "transposed in fact, threads along a column, element by element")                           \
    V(cols8, "cols8", 8, 16, 1, 8, 8, 1, CT_PLAN_VECTOR, CT_FOR_COLS,                             \
      "threads along a column, 8 values in one access")                                           \
    V(cols8_async, "cols8-async", 8, 16, 1, 8, 8, 1, CT_PLAN_CP_ASYNC, CT_FOR_COLS,               \
      "threads along a column, 8 values by cp.async")                                             \
    V(partition, "partition", 8, 32, 1, 8, 1, 1, CT_PLAN_PARTITION, CT_FOR_ROWS | CT_FOR_COLS,    \
      "local_partition of tutorial 000: 256 threads, one element at a time")

/** The plan of a row of the list, for data and elements of one kind. */
CT_FN ct_tile_plan ct_plan_variant(ct_layout thr, ct_layout val, ct_plan_job job)
{
    return job.how == CT_PLAN_PARTITION ? ct_plan_local_partition(thr, job)
                                        : ct_plan_tiled_copy(thr, val, job);
}

#endif
