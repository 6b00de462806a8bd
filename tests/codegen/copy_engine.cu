// Tiles of every rank by the copy engines, partitions constant: of each copy the one instruction remains.

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct engine_args {
    ct_tma_map map;
    ct_global tensor;
    int32_t at[5];
} engine_args;

CT_FN ct_partition whole_tile(int kind, ct_tuple tile, int axis)
{
    const ct_memory global = ct_in_global(axis),
                    shared = ct_in_shared_plain(ct_make_row_major(tile));
    const int load = kind == CT_ATOM_TMA_LOAD || kind == CT_ATOM_BULK_LOAD;
    return ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(kind, 16)), tile,
                             load ? global : shared, load ? shared : global);
}

CT_FN ct_partition reduced_tile(int kind, int elem, ct_tuple tile, int axis)
{
    return ct_make_partition(ct_make_bulk_copy(ct_copy_atom_reduction(kind, elem)), tile,
                             ct_in_shared_plain(ct_make_row_major(tile)), ct_in_global(axis));
}

CT_DEVICE ct_index index_of(const engine_args *args, const int axes)
{
    ct_index x = CT_ZERO;
    CT_UNROLL for (int a = 0; a < axes; ++a) x.at[a] = args->at[a];
    return x;
}

#define TO_MAP(KIND, tile, axes)                                                                   \
    do {                                                                                           \
        CT_STATIC(ct_partition, P, whole_tile(KIND, tile, axes - 1));                              \
        ct_copy(&P, ct_view_shared(memory), ct_view_map(&args.map, &P, index_of(&args, axes)));    \
    } while (0)

#define RANK(name, tile, axes)                                                                     \
    CT_KERNEL_THREADS(name, 1, engine_args, args)                                                  \
    {                                                                                              \
        CT_STATIC(ct_partition, load, whole_tile(CT_ATOM_TMA_LOAD, tile, axes - 1));               \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bar, 1);                                                               \
        const ct_view from = ct_view_map(&args.map, &load, index_of(&args, axes));                 \
        ct_copy(&load, from, ct_view_arriving(ct_view_shared(memory), bar, 0));                    \
        ct_copy(&load, from, ct_view_arriving(ct_view_stage(&load.dst, memory, 1), bar, 5));       \
        TO_MAP(CT_ATOM_TMA_STORE, tile, axes);                                                     \
        TO_MAP(CT_ATOM_TMA_ADD, tile, axes);                                                       \
        TO_MAP(CT_ATOM_TMA_MIN, tile, axes);                                                       \
        TO_MAP(CT_ATOM_TMA_MAX, tile, axes);                                                       \
    }
RANK(engine_1d, ct_tuple1(64), 1)
RANK(engine_2d, ct_tuple2(4, 64), 2)
RANK(engine_3d, ct_tuple3(2, 4, 64), 3)
RANK(engine_4d, ct_tuple4(2, 3, 4, 64), 4)
RANK(engine_5d, ct_append(ct_tuple4(2, 3, 4, 1), ct_int(64)), 5)

// A bulk copy makes its rows in a loop.
CT_KERNEL_THREADS(engine_bulk, 1, engine_args, args)
{
    CT_STATIC(ct_partition, load, whole_tile(CT_ATOM_BULK_LOAD, ct_tuple2(4, 64), 1));
    CT_STATIC(ct_partition, store, whole_tile(CT_ATOM_BULK_STORE, ct_tuple2(4, 64), 1));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    CT_SHARED(uint64_t, bar, 1);
    const ct_view tile = ct_view_tile(&args.tensor, &load, index_of(&args, 2));
    ct_copy(&load, tile, ct_view_arriving(ct_view_shared(memory), bar, 0));
    ct_copy(&load, tile, ct_view_arriving(ct_view_stage(&load.dst, memory, 1), bar, 5));
    ct_copy(&store, ct_view_shared(memory), tile);
}

#define REDUCED(KIND, ELEM)                                                                        \
    do {                                                                                           \
        CT_STATIC(ct_partition, P, reduced_tile(KIND, ELEM, ct_tuple2(4, 64), 1));                 \
        ct_copy(&P, ct_view_shared(memory), ct_view_tile(&args.tensor, &P, index_of(&args, 2)));   \
    } while (0)

// So does a bulk reduction, of any type.
CT_KERNEL_THREADS(engine_bulk_reductions, 1, engine_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, memory);
    REDUCED(CT_ATOM_BULK_ADD, CT_ELEM_F16);
    REDUCED(CT_ATOM_BULK_ADD, CT_ELEM_F64);
    REDUCED(CT_ATOM_BULK_MIN, CT_ELEM_BF16);
    REDUCED(CT_ATOM_BULK_MAX, CT_ELEM_S64);
}

// arch sm_90a
// gate engine_1d
// gate engine_1d, count cp.async.bulk.tensor == 3
// gate engine_1d, count cp.async.bulk.tensor.1d.shared::cluster.global.tile == 2
// gate engine_1d, count multicast::cluster == 1
// gate engine_1d, count cp.async.bulk.tensor.1d.global.shared::cta.tile == 1
// gate engine_1d, count cp.reduce.async.bulk.tensor.1d.global.shared::cta.(add|min|max) == 3
// gate engine_1d, count bra == 0
// gate engine_2d
// gate engine_2d, count cp.async.bulk.tensor == 3
// gate engine_2d, count cp.async.bulk.tensor.2d.shared::cluster.global.tile == 2
// gate engine_2d, count multicast::cluster == 1
// gate engine_2d, count cp.async.bulk.tensor.2d.global.shared::cta.tile == 1
// gate engine_2d, count cp.reduce.async.bulk.tensor.2d.global.shared::cta.(add|min|max) == 3
// gate engine_2d, count bra == 0
// gate engine_3d
// gate engine_3d, count cp.async.bulk.tensor == 3
// gate engine_3d, count cp.async.bulk.tensor.3d.shared::cluster.global.tile == 2
// gate engine_3d, count multicast::cluster == 1
// gate engine_3d, count cp.async.bulk.tensor.3d.global.shared::cta.tile == 1
// gate engine_3d, count cp.reduce.async.bulk.tensor.3d.global.shared::cta.(add|min|max) == 3
// gate engine_3d, count bra == 0
// gate engine_4d
// gate engine_4d, count cp.async.bulk.tensor == 3
// gate engine_4d, count cp.async.bulk.tensor.4d.shared::cluster.global.tile == 2
// gate engine_4d, count multicast::cluster == 1
// gate engine_4d, count cp.async.bulk.tensor.4d.global.shared::cta.tile == 1
// gate engine_4d, count cp.reduce.async.bulk.tensor.4d.global.shared::cta.(add|min|max) == 3
// gate engine_4d, count bra == 0
// gate engine_5d
// gate engine_5d, count cp.async.bulk.tensor == 3
// gate engine_5d, count cp.async.bulk.tensor.5d.shared::cluster.global.tile == 2
// gate engine_5d, count multicast::cluster == 1
// gate engine_5d, count cp.async.bulk.tensor.5d.global.shared::cta.tile == 1
// gate engine_5d, count cp.reduce.async.bulk.tensor.5d.global.shared::cta.(add|min|max) == 3
// gate engine_5d, count bra == 0
// gate engine_bulk
// gate engine_bulk, count cp.async.bulk.shared::cluster.global.mbarrier == 2
// gate engine_bulk, count multicast::cluster == 1
// gate engine_bulk, count cp.async.bulk.global.shared::cta.bulk_group == 1
// gate engine_bulk_reductions
// gate engine_bulk_reductions, count cp.reduce.async.bulk.global.shared::cta.bulk_group == 4
// gate engine_bulk_reductions, count bulk_group.add.noftz.f16 == 1
// gate engine_bulk_reductions, count bulk_group.add.f64 == 1
// gate engine_bulk_reductions, count bulk_group.min.bf16 == 1
// gate engine_bulk_reductions, count bulk_group.max.s64 == 1
