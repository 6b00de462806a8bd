/**
 * The benchmark's own kernels, as lists: tutorial 000, copies with a constant leading dimension.
 */
#ifndef CUTLET_TOOLS_BENCH_MATRIX_DOCUMENTS_H
#define CUTLET_TOOLS_BENCH_MATRIX_DOCUMENTS_H

/** The tutorial's tile, of floats, column-major. */
#define TUTORIAL_M 128
#define TUTORIAL_N 256

/**
 * T(id, name, thr_m, thr_n, step_m, step_n, values, how, columns, about)
 *
 * The threads are laid out (thr_m,thr_n):(step_m,step_n), and each has this many neighbouring values
 * along a column. A partition covers this many of the tile's columns at once.
 */
#define BENCH_TUTORIAL(T)                                                                          \
    T(partition, "local_partition (8,32)", 8, 32, 1, 8, 1, CT_BY_PARTITION, 128,                   \
      "as printed: a thread's elements lie 8 apart, every width asked for becomes 32 bits")        \
    T(columns64, "local_partition (1,256), 64-bit", 1, 256, 256, 1, 2, CT_BY_VECTOR, 256,          \
      "a column a thread: neighbours to a thread, but a warp's threads lie 512 bytes apart")       \
    T(columns128, "local_partition (1,256), 128-bit", 1, 256, 256, 1, 4, CT_BY_VECTOR, 256,        \
      "the same in fours")                                                                         \
    T(values32, "tiled (8,32) x (4,1), 32-bit", 8, 32, 1, 8, 4, CT_BY_ELEMENT, 64,                 \
      "4 neighbours a thread, one by one")                                                         \
    T(values64, "tiled (8,32) x (2,1), 64-bit", 8, 32, 1, 8, 2, CT_BY_VECTOR, 256,                 \
      "2 neighbours a thread")                                                                     \
    T(values128, "tiled (8,32) x (4,1), 128-bit", 8, 32, 1, 8, 4, CT_BY_VECTOR, 256,               \
      "4 neighbours a thread: 8 threads, a line")                                                  \
    T(lines32, "local_partition (32,8), 32-bit", 32, 8, 1, 32, 1, CT_BY_PARTITION, 64,             \
      "a warp along a column, one element a thread: a line in each access")                        \
    T(lines128, "tiled (32,8) x (4,1), 128-bit", 32, 8, 1, 32, 4, CT_BY_VECTOR, 256,               \
      "a warp along a column, 4 neighbours a thread")                                              \
    T(async128, "tiled (32,8) x (4,1), cp.async", 32, 8, 1, 32, 4, CT_BY_CP_ASYNC, 256,            \
      "the same past the registers")

/** The matrix of the copies with a constant leading dimension: half, this many rows and columns. */
#define STATIC_SIDE 16384

/** S(id, name, order, axis, thr_m, thr_n, step_m, step_n, val_m, val_n, how), as in variants.h */
#define BENCH_STATIC(S)                                                                            \
    S(rows4, "rows4", row, 1, 16, 8, 8, 1, 1, 4, CT_BY_ELEMENT)                                    \
    S(rows8, "rows8", row, 1, 16, 8, 8, 1, 1, 8, CT_BY_VECTOR)                                     \
    S(rows8_async, "rows8-async", row, 1, 16, 8, 8, 1, 1, 8, CT_BY_CP_ASYNC)                       \
    S(cols4, "cols4", col, 0, 8, 16, 1, 8, 4, 1, CT_BY_ELEMENT)                                    \
    S(cols8, "cols8", col, 0, 8, 16, 1, 8, 8, 1, CT_BY_VECTOR)                                     \
    S(cols8_async, "cols8-async", col, 0, 8, 16, 1, 8, 8, 1, CT_BY_CP_ASYNC)

#endif
