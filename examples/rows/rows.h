/**
 * How the kernels of this folder divide rows of any length, and how a launch is chosen.
 *
 * A block has a tile of `rows` rows and some columns in its registers, `each` vectors of 16 bytes in each thread. A
 * cluster of `blocks` blocks has the tiles of the same rows side by side. A longer row takes several rounds of tiles:
 * then all but the last tile of a block are read twice, otherwise a row is read once.
 */
#ifndef CUTLET_EXAMPLES_ROWS_H
#define CUTLET_EXAMPLES_ROWS_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/cluster_rows.h>

/** The matrices (m,n) of a kernel, contiguous along n: weight has step 0 along m, and a row (m,1) has one column. */
typedef struct rows_args {
    ct_global x, residual, weight, sum, y; /* a kernel says which it has */
    const int32_t *target;
    float *loss;
    float eps;
} rows_args;

/** The length classes: X(type, suffix, rows, threads, each, blocks, staged, resident). Kernels with
 *  two tensors in registers halve `each`; softmax has a second tile in shared memory if `staged`.
 *  A compilation may define classes of its own, or ROWS_TYPE for those of one type. */
#ifndef ROWS_CLASSES_OF
#define ROWS_CLASSES_OF(X, type)                                                                   \
    X(type, 2k, 4, 128, 4, 1, 0, 10)                                                               \
    X(type, 4k, 4, 128, 8, 1, 0, 8)                                                                \
    X(type, 8k, 1, 64, 8, 1, 0, 16)                                                                \
    X(type, 16k, 1, 128, 8, 1, 0, 8)                                                               \
    X(type, 32k, 1, 256, 8, 1, 0, 4)                                                               \
    X(type, 64k, 1, 512, 8, 1, 0, 2)                                                               \
    X(type, 128k, 1, 512, 8, 1, 1, 2)                                                              \
    X(type, 256k, 1, 512, 8, 2, 1, 2)                                                              \
    X(type, 512k, 1, 512, 8, 4, 1, 2)                                                              \
    X(type, 1m, 1, 512, 8, 8, 1, 2)                                                                \
    X(type, 2m, 1, 512, 8, 16, 1, 2)
#endif
#ifdef ROWS_TYPE
#define ROWS_CLASSES(X) ROWS_CLASSES_OF(X, ROWS_TYPE)
#else
#define ROWS_CLASSES(X) ROWS_CLASSES_OF(X, float) ROWS_CLASSES_OF(X, bfloat16)
#endif

/** A class; its kernel is OPERATION_TYPE_suffix. Clusters of more than 8 blocks need
 *  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED. */
typedef struct rows_class {
    const char *suffix;
    int32_t rows, threads, each, blocks, staged, resident;
} rows_class;

/** The bytes of a row that softmax reads once. A launch for m rows has ct_ceil_div_int(m, rows) * blocks blocks, and for
 *  softmax 16 * threads * each bytes of dynamic shared memory, if the class is staged; else a few. */
static inline int64_t rows_held(const rows_class *c)
{
    return 16LL * c->threads / c->rows * c->each * c->blocks * (1 + c->staged);
}

/** The class for rows of n bytes: the first that holds one, or the last. RMSNorm, with two tensors, takes that for 2 n;
 *  cross entropy, which stores no row, that for at most ROWS_ALONE, of one block. For the host. */
enum { ROWS_ALONE = 32 << 10 };
static inline rows_class rows_choose(int64_t n)
{
#define ROWS_CLASS(type, suffix, ...) {#suffix, __VA_ARGS__},
    static const rows_class classes[] = {ROWS_CLASSES_OF(ROWS_CLASS, any)};
    const rows_class *c = classes, *const last = c + sizeof classes / sizeof *classes - 1;
    while (c < last && rows_held(c) < n) ++c;
    return *c;
}

/** A block's tile from one memory to another: vectors of 16 bytes, consecutive threads along a row. kind: the atom. */
CT_FN ct_partition rows_part(int32_t kind, int32_t rows, int32_t threads, int32_t each,
                             int32_t elem_bits, ct_memory from, ct_memory to)
{
    const int32_t along = threads / rows, vector = 128 / elem_bits;
    const ct_copy_atom atom = kind == CT_ATOM_AUTO ? ct_copy_atom_auto(elem_bits)
                                                   : ct_copy_atom_cp_async(kind, 128, elem_bits);
    return ct_make_partition(
        ct_make_tiled_copy(atom, ct_layout2(rows, along, along, 1), ct_layout2(1, vector, 0, 1)),
        ct_tuple2(rows, along * each * vector), from, to);
}
#define ROWS_IN(...) rows_part(CT_ATOM_AUTO, __VA_ARGS__, ct_in_global(1), ct_in_registers())
#define ROWS_OUT(...) rows_part(CT_ATOM_AUTO, __VA_ARGS__, ct_in_registers(), ct_in_global(1))

/** The tile of a row of n elements in shared memory. */
#define ROWS_STAGED(n) ct_in_shared_plain(ct_layout2(1, n, n, 1))

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
