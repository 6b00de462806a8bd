/* Each atom by the one copy: a tile from global to shared memory, by way of fragments and by the copy
 * engines, and on to global memory. */
#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/algebra/read.h>

#include "copy_atoms.h"

/* Elements of a row of a matrix, 16 bytes. */
CT_FN int64_t row_of(ct_copy_atom atom) { return 128 / atom.value_bits; }

/* The tiled copy of one warp over (8 n, a row): the elements as the atom numbers them, row by row. */
CT_FN ct_tiled_copy by_warp(ct_copy_atom atom, ct_copy_atom order)
{
    const int64_t rows = 8 * order.matrices, row = row_of(order);
    return ct_make_tiled_copy_tv(atom, ct_composition(ct_layout2(row, rows, rows, 1), order.ref_tv),
                                 ct_tuple2(rows, row));
}

/* Tiles of 16 n rows (8 n of bytes) of 64 bytes by one warp, in swizzled shared memory: the ways in,
 * by n matrices an instruction, and out. One side of the matrices is shared memory, which goes by
 * whole rows of 16 bytes, the other registers. */
CT_FN ct_tuple matrices_tile(ct_copy_atom atom)
{
    return ct_tuple2((atom.value_bits == 8 ? 8 : 16) * atom.matrices, 4 * row_of(atom));
}

CT_FN ct_memory shared_of(ct_copy_atom atom)
{
    const int base = atom.value_bits == 8 ? 4 : atom.value_bits == 16 ? 3 : 2;
    const ct_layout tile = ct_make_row_major(matrices_tile(atom));
    return ct_in_shared(ct_make_swizzled(ct_make_swizzle(2, base, 2), 0, tile));
}

CT_FN int loads_matrices(ct_copy_atom atom)
{
    return atom.kind == CT_ATOM_LDMATRIX || atom.kind == CT_ATOM_LDMATRIX_TRANS;
}

CT_FN ct_tiled_copy rows_or_matrices(ct_copy_atom atom, int by_rows)
{
    const int32_t bits = atom.value_bits;
    return by_rows ? ct_make_tiled_copy(ct_copy_atom_universal(128, bits), ct_layout2(8, 4, 4, 1),
                                        ct_layout2(1, row_of(atom), 1, 1))
                   : by_warp(ct_copy_atom_universal(bits, bits), atom);
}

CT_FN ct_partition way_in(ct_copy_atom atom)
{
    const int load = loads_matrices(atom);
    return ct_make_partition(rows_or_matrices(atom, load), matrices_tile(atom), ct_in_global(1),
                             load ? shared_of(atom) : ct_in_registers());
}

CT_FN ct_partition matrices_of(ct_copy_atom atom)
{
    const int load = loads_matrices(atom);
    return ct_make_partition(by_warp(atom, atom), matrices_tile(atom),
                             load ? shared_of(atom) : ct_in_registers(),
                             load ? ct_in_registers() : shared_of(atom));
}

CT_FN ct_partition way_out(ct_copy_atom atom)
{
    const int load = loads_matrices(atom);
    return ct_make_partition(rows_or_matrices(atom, !load), matrices_tile(atom),
                             load ? ct_in_registers() : shared_of(atom), ct_in_global(1));
}

#define MATRICES(name, KIND, n, bits)                                                              \
    CT_KERNEL_THREADS(name, 32, copy_atoms_args, args)                                             \
    {                                                                                              \
        CT_STATIC(ct_partition, in, way_in(ct_copy_atom_matrix(KIND, n, bits)));                   \
        CT_STATIC(ct_partition, by, matrices_of(ct_copy_atom_matrix(KIND, n, bits)));              \
        CT_STATIC(ct_partition, out, way_out(ct_copy_atom_matrix(KIND, n, bits)));                 \
        CT_SHARED(unsigned char, memory, 16 * (n)*32 * 2);                                         \
        CT_FRAGMENT(uint32_t, words, 32);                                                          \
        const int load = by.src.space == CT_SPACE_SHARED;                                          \
        const ct_view shared = ct_view_shared(memory), held = ct_view_registers(words);            \
        const ct_index x = ct_index2(blockIdx.y, blockIdx.x);                                      \
        ct_copy(&in, ct_view_tile(&args.src, &in, x), load ? shared : held);                       \
        if (load) __syncthreads();                                                                 \
        ct_copy(&by, load ? shared : held, load ? held : shared);                                  \
        if (!load) __syncthreads();                                                                \
        ct_copy(&out, load ? held : shared, ct_view_tile(&args.dst, &out, x));                     \
    }
/* One, two and four matrices. */
#define EACH(name, KIND, more, bits)                                                               \
    MATRICES(name##_1##more, KIND, 1, bits)                                                        \
    MATRICES(name##_2##more, KIND, 2, bits)                                                        \
    MATRICES(name##_4##more, KIND, 4, bits)
EACH(copy_ldmatrix, CT_ATOM_LDMATRIX, , 16)
EACH(copy_ldmatrix, CT_ATOM_LDMATRIX, _of_8, 8)
EACH(copy_ldmatrix, CT_ATOM_LDMATRIX, _of_32, 32)
EACH(copy_ldmatrix_trans, CT_ATOM_LDMATRIX_TRANS, , 16)

#if CT_HAS_STMATRIX
EACH(copy_stmatrix, CT_ATOM_STMATRIX, , 16)
EACH(copy_stmatrix, CT_ATOM_STMATRIX, _of_8, 8)
EACH(copy_stmatrix, CT_ATOM_STMATRIX, _of_32, 32)
EACH(copy_stmatrix_trans, CT_ATOM_STMATRIX_TRANS, , 16)
#endif

#if CT_HAS_BULK
/* By bulk copies: rows of 64 halves, a tile of (32,64) without a swizzle. */
#define BY_BULK(name, STORE)                                                                       \
    CT_KERNEL_THREADS(name, 32, copy_atoms_args, args)                                             \
    {                                                                                              \
        CT_STATIC(ct_tuple, shape, ct_tuple2(32, 64));                                             \
        CT_STATIC(ct_tensor, tile,                                                                 \
                  ct_make_swizzled(ct_swizzle_none(), 0, ct_layout2(32, 64, 72, 1)));              \
        CT_STATIC(ct_partition, in,                                                                \
                  ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16)),   \
                                    shape, ct_in_global(1), ct_in_shared(tile)));                  \
        CT_STATIC(ct_partition, out,                                                               \
                  ct_make_partition(ct_make_bulk_copy(STORE), shape, ct_in_shared(tile),           \
                                    ct_in_global(1)));                                             \
        CT_SHARED(unsigned char, memory, 32 * 72 * 2);                                             \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        const ct_index x = ct_index2(blockIdx.y, blockIdx.x);                                      \
        if (threadIdx.x == 0) {                                                                    \
            ct_mbarrier_init(bar, 1);                                                              \
            ct_fence_mbarrier_init();                                                              \
            ct_mbarrier_arrive_expect(bar, ct_tile_bytes(&in));                                    \
            ct_copy(&in, ct_view_tile(&args.src, &in, x),                                          \
                    ct_view_arriving(ct_view_shared(memory), bar, 0));                             \
            ct_mbarrier_wait(bar, 0);                                                              \
            ct_copy(&out, ct_view_shared(memory), ct_view_tile(&args.dst, &out, x));               \
            ct_bulk_commit();                                                                      \
            ct_bulk_wait_group_read(0);                                                            \
        }                                                                                          \
    }
BY_BULK(copy_bulk, ct_copy_atom_tile(CT_ATOM_BULK_STORE, 16))
BY_BULK(copy_bulk_add, ct_copy_atom_reduction(CT_ATOM_BULK_ADD, CT_ELEM_F16))
BY_BULK(copy_bulk_min, ct_copy_atom_reduction(CT_ATOM_BULK_MIN, CT_ELEM_F16))
BY_BULK(copy_bulk_max, ct_copy_atom_reduction(CT_ATOM_BULK_MAX, CT_ELEM_F16))

/* By tile copies in clusters of two blocks: the first loads tiles for both, each stores its own. The
 * tile is (32,64) of halves in the swizzle of 128 bytes. */
#define BY_MAPS(name, STORE)                                                                       \
    CT_KERNEL_CLUSTER(name, 2, 32, copy_atoms_args, args)                                          \
    {                                                                                              \
        CT_STATIC(ct_tuple, shape, ct_tuple2(32, 64));                                             \
        CT_STATIC(ct_tensor, tile,                                                                 \
                  ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(32, 64, 64, 1)));       \
        CT_STATIC(ct_partition, in,                                                                \
                  ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16)),    \
                                    shape, ct_in_global(1), ct_in_shared(tile)));                  \
        CT_STATIC(ct_partition, out,                                                               \
                  ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(STORE, 16)), shape,        \
                                    ct_in_shared(tile), ct_in_global(1)));                         \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        const int rank = ct_cluster_rank();                                                        \
        if (threadIdx.x == 0) {                                                                    \
            ct_mbarrier_init(bar, 1);                                                              \
            ct_fence_mbarrier_init();                                                              \
            ct_mbarrier_arrive_expect(bar, ct_tile_bytes(&in) * 2);                                \
        }                                                                                          \
        ct_cluster_sync();                                                                         \
        if (threadIdx.x == 0) {                                                                    \
            const int64_t first = blockIdx.x / 2 * 2;                                              \
            ct_view to = ct_view_arriving(ct_view_stage(&in.dst, memory, rank), bar, 3);           \
            ct_copy(&in, ct_view_map(&args.src_map, &in, ct_index2(blockIdx.y, first + rank)),     \
                    to);                                                                           \
            ct_mbarrier_wait(bar, 0);                                                              \
            ct_copy(&out, ct_view_stage(&in.dst, memory, rank),                                    \
                    ct_view_map(&args.dst_map, &out, ct_index2(blockIdx.y, blockIdx.x)));          \
            ct_bulk_commit();                                                                      \
            ct_bulk_wait_group_read(0);                                                            \
        }                                                                                          \
        ct_cluster_sync();                                                                         \
    }
BY_MAPS(copy_tma, CT_ATOM_TMA_STORE)
BY_MAPS(copy_tma_add, CT_ATOM_TMA_ADD)
BY_MAPS(copy_tma_min, CT_ATOM_TMA_MIN)
BY_MAPS(copy_tma_max, CT_ATOM_TMA_MAX)
#endif
