/**
 * How the kernels of this folder divide rows of any length, and how a launch is chosen.
 *
 * A block has a tile of `rows` rows and some columns in its registers, `each` vectors of 16 bytes in each thread. A
 * cluster of `blocks` blocks has the tiles of the same rows side by side. A longer row takes several rounds of tiles:
 * then all but the last tile of a block are read twice, otherwise a row is read once.
 */
#ifndef CUTLET_EXAMPLES_ROWS_H
#define CUTLET_EXAMPLES_ROWS_H

#include <cutlet/device/arch/bulk.h>
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/cluster_rows.h>

/** The matrices (m,n) of a kernel, contiguous along n: weight has step 0 along m, and a row (m,1) has one column. */
typedef struct rows_args {
    ct_global x, residual, weight, sum, y; /* a kernel says which it has */
    const int32_t *target;
    float *loss;
    float eps;
    int32_t
        ahead; /* a block prefetches into L2 what this many rows of tiles later is loaded; 0: nothing */
} rows_args;

/** The length classes: X(type, suffix, rows, threads, each, blocks, resident). Kernels with two tensors in registers
 *  halve `each`. A compilation may define classes of its own, or ROWS_TYPE for those of one type. */
#ifndef ROWS_CLASSES_OF
#define ROWS_CLASSES_OF(X, type)                                                                   \
    X(type, 4k, 4, 128, 8, 1, 8)                                                                   \
    X(type, 16k, 1, 128, 8, 1, 8)                                                                  \
    X(type, 64k, 1, 256, 8, 2, 4)                                                                  \
    X(type, 256k, 1, 256, 8, 8, 4)                                                                 \
    X(type, 2m, 1, 1024, 8, 16, 1)
#endif
#ifdef ROWS_TYPE
#define ROWS_CLASSES(X) ROWS_CLASSES_OF(X, ROWS_TYPE)
#else
#define ROWS_CLASSES(X) ROWS_CLASSES_OF(X, float) ROWS_CLASSES_OF(X, bfloat16)
#endif

/** What a launch of a class needs: its kernel is OPERATION_TYPE_suffix. */
typedef struct rows_class {
    const char *suffix;
    int32_t rows, threads,
        blocks; /* of a tile; of a block; of a cluster: those over 8 need the function's attribute
                                    * CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED */
    int64_t bytes; /* of a row that is read once */
    int64_t grid;  /* the blocks of the launch */
} rows_class;

/** The class for m rows of n bytes, of all tensors in registers: the first that reads one once, or else the last. Not a
 *  CT_FN: it is for the host alone. */
static inline rows_class rows_choose(int64_t m, int64_t n)
{
#define ROWS_CLASS(type, suffix, rows, threads, each, blocks, resident)                            \
    {#suffix, rows, threads, blocks, 16LL * (threads) / (rows) * (each) * (blocks), 0},
    const rows_class classes[] = {ROWS_CLASSES_OF(ROWS_CLASS, any)};
    const int count = (int)(sizeof classes / sizeof *classes);
    int i = 0;
    while (i < count - 1 && classes[i].bytes < n) ++i;
    rows_class chosen = classes[i];
    chosen.grid = ct_ceil_div_int(m, chosen.rows) * chosen.blocks;
    return chosen;
}

/** The tiled copy of a block: vectors of 16 bytes, consecutive threads along a row. */
CT_FN ct_tiled_copy rows_copy(int32_t rows, int32_t threads, int32_t elem_bits)
{
    const int32_t along = threads / rows;
    return ct_make_tiled_copy(ct_copy_atom_auto(elem_bits), ct_layout2(rows, along, along, 1),
                              ct_layout2(1, 128 / elem_bits, 0, 1));
}

/** The partition of a block's tile, into registers or out of them. */
CT_FN ct_partition rows_part(int32_t rows, int32_t threads, int32_t each, int32_t elem_bits,
                             int is_in)
{
    const ct_memory held = ct_in_registers(), global = ct_in_global(1);
    return ct_make_partition(rows_copy(rows, threads, elem_bits),
                             ct_tuple2(rows, threads / rows * each * (128 / elem_bits)),
                             is_in ? global : held, is_in ? held : global);
}

/** The vectors of all threads at one place of theirs. */
CT_FN ct_fragment rows_vector(ct_fragment f, int32_t each)
{
    return ct_fragment_part(f, ct_tuple2(f.tile[0], f.tile[1] / each));
}

/** The tile of a matrix that this block takes in a round: on the way back those before the last again. */
CT_DEVICE ct_index rows_tile(int32_t k, const int32_t rounds, const int blocks)
{
    const int32_t rank = (int32_t)blockIdx.x % blocks, round = k < rounds ? k : 2 * rounds - 2 - k;
    return ct_index2((int32_t)blockIdx.x / blocks, round * blocks + rank);
}

/** The rounds of a block: the same number for all of a cluster. */
CT_DEVICE int32_t rows_rounds(const ct_global *x, const ct_partition *in, const int blocks)
{
    return (int32_t)((ct_tiles_along(x, in, 1) + blocks - 1) / blocks);
}

/** Prefetches into L2 what the tile of `ahead` rows of tiles later has of a matrix of aligned rows: a thread for each row.
 *  So memory is read while blocks that are resident wait or store. */
CT_DEVICE void rows_prefetch(const ct_global *g, const ct_partition *in, const ct_index at,
                             const int32_t ahead)
{
    const int64_t row = (at.at[0] + ahead) * in->tile[0] + (int)threadIdx.x;
    const int64_t column = at.at[1] * in->tile[1];
    const int64_t has = ct_min(g->extent[1] - column, in->tile[1]) * in->elem_bits / 8 & -16;
    if (ahead > 0 && (int)threadIdx.x < in->tile[0] && row < g->extent[0] && has > 0 &&
        g->align >= 16)
        ct_bulk_prefetch_l2(g->at + row * g->step[0] + column * g->step[1], (int)has);
}

/** Between the rounds and the way back of a kernel that loads what it has stored: misaligned loads read a few bytes of
 *  neighbours. After ct_reduce_pairs, which has arrived at the cluster's barrier; so has this. */
CT_DEVICE void rows_turn(const int blocks)
{
    if (blocks == 1) {
        __syncthreads();
        return;
    }
    ct_cluster_wait();
    ct_cluster_sync();
    ct_cluster_arrive_relaxed();
}

#endif
