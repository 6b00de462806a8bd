/**
 * Tiles that one thread copies by an asynchronous engine: bulk and tile copies (bulk.h, tma.h).
 *
 *     CT_STATIC(ct_partition, load, ct_make_partition(
 *         ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16)), ct_tuple2(128, 64),
 *         ct_in_global(1), ct_in_shared(tile)));
 *     if (threadIdx.x == 0) {
 *         ct_mbarrier_arrive_expect(&bar, ct_tile_bytes(&load));
 *         ct_copy(&load, ct_view_map(&args.map, &load, ct_index2(y, k)),
 *                 ct_view_arriving(ct_view_shared(memory), &bar, 0));
 *     }
 *
 * A tile copy omits, or fills, elements that are out of bounds. A bulk copy moves whole rows of
 * multiples of 16 bytes: a tile that is not whole, or not aligned, stops the launch. Stores and
 * reductions are committed and waited for as in bulk.h. The map tells a tile reduction the type of
 * its elements, ct_copy_atom_reduction a bulk reduction.
 *
 * In a kernel:
 *           // args.in_map: in as a matrix (32,32):(32,1), in boxes of (4,32), two for each tile
 *           CT_STATIC(ct_partition, load,
 *                     ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 32)),
 *                                       ct_tuple2(4, 32), ct_in_global(1),
 *                                       ct_in_shared_plain(ct_layout2(8, 32, 32, 1))));
 *           CT_SHARED(float, memory, 8 * 32);
 *           CT_SHARED(uint64_t, bar, 1);
 *           float x = 0;
 *           if (threadIdx.x == 0) {
 *               ct_mbarrier_init(bar, 1);
 *               ct_fence_mbarrier_init();
 *               ct_mbarrier_arrive_expect(bar, 2 * ct_tile_bytes(&load)); // 1024
 *               ct_view from = ct_view_map(&args.in_map, &load, ct_index2(1, 0));
 *               from = ct_view_inside(&load, from, ct_index2(1, 0)); // tile 2: one further on
 *               for (int k = 0; k < 2; ++k) {
 *                   const ct_index part = ct_index2(k, 0);
 *                   const ct_view to = ct_view_inside(&load, ct_view_shared(memory), part);
 *                   ct_copy(&load, from, ct_view_arriving(to, bar, 0));
 *                   from = ct_view_next(&load, from, 0, 1);
 *               }
 *           }
 *           __syncthreads();
 *           ct_mbarrier_wait(bar, 0);
 *           ct_load_shared(&x, memory + threadIdx.x, 32);
 *           assert(x == (float)(8 * 32 + threadIdx.x)); // tile 2: rows 8 to 11
 *           ct_load_shared(&x, memory + 4 * 32 + threadIdx.x, 32);
 *           assert(x == (float)(12 * 32 + threadIdx.x)); // tile 3
 *           __syncthreads();
 *           if (threadIdx.x == 0) { // from row -1 on, which is zero
 *               ct_mbarrier_arrive_expect(bar, ct_tile_bytes(&load));
 *               ct_copy(&load, ct_view_map_at(&args.in_map, &load, ct_index2(-1, 0)),
 *                       ct_view_arriving(ct_view_shared(memory), bar, 0));
 *           }
 *           ct_mbarrier_wait(bar, 1);
 *           ct_load_shared(&x, memory + threadIdx.x, 32);
 *           assert(x == 0);
 *           ct_load_shared(&x, memory + 32 + threadIdx.x, 32);
 *           assert(x == (float)threadIdx.x); // row 0
 * Source:   NVIDIA, PTX ISA 9.0, cp.async.bulk and cp.async.bulk.tensor.
 */
#ifndef CUTLET_DEVICE_COPY_BULK_H
#define CUTLET_DEVICE_COPY_BULK_H

#include <cutlet/device/copy/access.h>
#include <cutlet/device/arch/tma.h>

/**
 * The bytes of a whole tile: those that the mbarrier of its copy must expect.
 * Cost:     a constant in a kernel.
 */
CT_FN int32_t ct_tile_bytes(const ct_partition *P)
{
    int32_t n = P->elem_bits;
    CT_FOR(a, P->axes) n *= P->tile[a];
    return n / 8;
}

#if CT_HAS_BULK

/** @internal The axis of dimension d of a map: the contiguous axis first, the others in order. */
CT_FN int32_t ct_map_axis(int32_t axis, int32_t d) { return d == 0 ? axis : d <= axis ? d - 1 : d; }

/* The coordinates of a tile, the contiguous dimension first, and one call for each rank. */
#define CT_ENGINE_AT(a) (v->mine[a] + (int32_t)v->first[a])
#define CT_ENGINE_C(d) CT_ENGINE_AT(ct_map_axis(axis, d) < CT_AXES ? ct_map_axis(axis, d) : 0)
#define CT_ENGINE_BY_RANK(name, ...)                                                               \
    do {                                                                                           \
        if (P->axes == 1) name##_1d(__VA_ARGS__, CT_ENGINE_C(0));                                  \
        else if (P->axes == 2) name##_2d(__VA_ARGS__, CT_ENGINE_C(0), CT_ENGINE_C(1));             \
        else if (P->axes == 3)                                                                     \
            name##_3d(__VA_ARGS__, CT_ENGINE_C(0), CT_ENGINE_C(1), CT_ENGINE_C(2));                \
        else if (P->axes == 4)                                                                     \
            name##_4d(__VA_ARGS__, CT_ENGINE_C(0), CT_ENGINE_C(1), CT_ENGINE_C(2),                 \
                      CT_ENGINE_C(3));                                                             \
        else                                                                                       \
            name##_5d(__VA_ARGS__, CT_ENGINE_C(0), CT_ENGINE_C(1), CT_ENGINE_C(2), CT_ENGINE_C(3), \
                      CT_ENGINE_C(4));                                                             \
    } while (0)

#if defined(__CUDACC__)
#define CT_CHECK_MAP(map, P, axis, swizzle) ((void)0)
#else
/** @internal Stops the launch if a map's boxes differ from the partition's tiles, or if its swizzle
 *  differs. */
CT_DEVICE void ct_check_map(ct_grid_site *site, const void *map, const ct_partition *P, int axis,
                            ct_swizzle sw)
{
    int32_t box[5] = {1, 1, 1, 1, 1};
    for (int d = 0; d < P->axes && d < 5; ++d) box[d] = P->tile[ct_map_axis(axis, d)];
    box[0] = ct_bytes_of(P, box[0]);
    ct_grid_map_fits(site, map, P->axes, box, sw.bits, sw.base, sw.shift);
}
#define CT_CHECK_MAP(map, P, axis, swizzle) ct_check_map(CT_GRID_SITE, map, P, axis, swizzle)
#endif

/** @internal The address of a tile in shared memory. */
CT_DEVICE unsigned char *ct_engine_shared(const ct_partition *P, const ct_side *side,
                                          const ct_view *v)
{
    CT_REFUSE("tile in shared memory", ct_shared_refusal(P, side, v));
    return v->at + ct_shared_offset(P, side, v);
}

/** @internal Copies a tile by the tensor memory accelerator. */
CT_DEVICE void ct_copy_by_map(const ct_partition *P, const ct_view *from, const ct_view *to)
{
    const int load = P->atom == CT_ATOM_TMA_LOAD;
    const ct_view *const v = load ? from : to;
    const int axis = load ? P->src.axis : P->dst.axis;
    unsigned char *const in = ct_engine_shared(P, load ? &P->dst : &P->src, load ? to : from);
    const ct_tma_map *const map = (const ct_tma_map *)v->at;
    CT_CHECK_MAP(map, P, axis, load ? P->dst_swizzle : P->src_swizzle);
    if (load && to->mask == 0) CT_ENGINE_BY_RANK(ct_tma_load, in, map, to->bar);
    else if (load) CT_ENGINE_BY_RANK(ct_tma_load_multicast, in, map, to->bar, to->mask);
    else if (P->atom == CT_ATOM_TMA_STORE) CT_ENGINE_BY_RANK(ct_tma_store, map, in);
    else if (P->atom == CT_ATOM_TMA_ADD) CT_ENGINE_BY_RANK(ct_tma_add, map, in);
    else if (P->atom == CT_ATOM_TMA_MIN) CT_ENGINE_BY_RANK(ct_tma_min, map, in);
    else CT_ENGINE_BY_RANK(ct_tma_max, map, in);
}

/** @internal Copies the rows of a tile by bulk copies. */
CT_DEVICE void ct_copy_by_bulk(const ct_partition *P, const ct_view *from, const ct_view *to)
{
    const int load = P->atom == CT_ATOM_BULK_LOAD;
    const ct_side *const g = load ? &P->src : &P->dst, *const s = load ? &P->dst : &P->src;
    const ct_view placed = ct_view_of_thread(P, g, load ? *from : *to, 0), *const v = &placed;
    const int bytes = ct_access_bytes(P, g);
    unsigned char *const shared = ct_engine_shared(P, s, load ? to : from);
    if (!P->unchecked && (!v->whole || v->axis != g->axis || v->align < 16)) {
        ct_no_access(v->at);
        return;
    }
    CT_ROLL for (int i = 0; i < g->accesses; ++i)
    {
        unsigned char *const at = ct_access_at(P, g, v, i);
        unsigned char *const in = shared + s->add[i];
        if (load && to->mask == 0) ct_bulk_load(in, at, bytes, to->bar);
        else if (load) ct_bulk_load_multicast(in, at, bytes, to->bar, to->mask);
        else if (P->atom == CT_ATOM_BULK_STORE) ct_bulk_store(at, in, bytes);
        else if (P->atom == CT_ATOM_BULK_ADD) ct_bulk_add(at, in, bytes, P->elem);
        else if (P->atom == CT_ATOM_BULK_MIN) ct_bulk_min(at, in, bytes, P->elem);
        else ct_bulk_max(at, in, bytes, P->elem);
    }
}

/** @internal Copies the whole tile. One thread calls it. */
CT_DEVICE void ct_copy_by_engine(const ct_partition *P, const ct_view *from, const ct_view *to)
{
    if (ct_atom_is_bulk(P->atom)) ct_copy_by_bulk(P, from, to);
    else ct_copy_by_map(P, from, to);
}

#endif

#endif
