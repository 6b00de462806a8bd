/**
 * The short way of a tile: nothing is tested, all steps are constants, as many loads as the
 * registers hold are under way at once. For tiles that lie whole inside the matrix, at addresses
 * that the plan's access width divides. Here are also the arguments of a copy and the place of a
 * tile.
 */
#ifndef CUTLET_DEVICE_COPY_SHORT_H
#define CUTLET_DEVICE_COPY_SHORT_H

#include "atoms.h"
#include "prefetch.h"
#include "static.h"
#include "tile.h"

/** What a copy kernel is told at run time. Extents, leading dimensions and the tile in elements. */
typedef struct ct_copy_args {
    const void *src;
    void *dst;
    int64_t src_ld, dst_ld;          /* from one coordinate of the outer mode to the next */
    int64_t inner, outer;            /* the extents of the matrix */
    int32_t tile_inner, tile_outer;  /* the tile of a block: a multiple of the plan's block */
    int32_t src_bytes, dst_bytes;    /* of one access on each side: a power of two, elem_bytes to the
                                        plan's access_bytes, that divides every address */
    int32_t whole_ld_bytes;          /* of ct_copy_whole_ld; not 0: all tiles are whole */
} ct_copy_args;

/** Where the block's tile begins, and whether all of it, and of the plan's size, is in the
 *  matrix. */
typedef struct ct_copy_place {
    int64_t inner, outer;
    int whole;
} ct_copy_place;

/** How many accesses' data the registers hold at once: at most 16 registers, so that 32 suffice for
 *  a thread and a multiprocessor holds all the threads that it can. */
enum { CT_COPY_IN_FLIGHT = 8, CT_COPY_IN_FLIGHT_WIDE = 4 };
CT_FN int32_t ct_copy_in_flight(int32_t access_bytes)
{
    return access_bytes <= 4 ? CT_COPY_IN_FLIGHT : CT_COPY_IN_FLIGHT_WIDE;
}

/** The tile of this block: x runs along the inner mode, y and beyond its end z along the outer. */
CT_DEVICE ct_copy_place ct_copy_place_of(const ct_tile_plan *plan, const ct_copy_args *args)
{
    ct_copy_place at = CT_ZERO;
    at.inner = (int64_t)blockIdx.x * args->tile_inner;
    at.outer = ((int64_t)blockIdx.z * gridDim.y + blockIdx.y) * args->tile_outer;
    at.whole = args->tile_inner == plan->tile_inner && args->tile_outer == plan->tile_outer &&
               at.inner + plan->tile_inner <= args->inner &&
               at.outer + plan->tile_outer <= args->outer;
    return at;
}

/** The coordinate of access i along one mode, relative to the thread's first. */
CT_DEVICE int32_t ct_copy_step(const ct_layout *along, int i)
{
    return (int32_t)ct_offset(along, i);
}

/** The coordinate of this thread's first element along one mode of the tile. */
CT_DEVICE int32_t ct_copy_start(const ct_layout *along)
{
    return (int32_t)ct_offset(along, (int64_t)threadIdx.x);
}

/* ---- the short way --------------------------------------------------------------------------- */

/** Where access i lies in the shared tile, in bytes from the thread's first element. */
CT_DEVICE int32_t ct_copy_shared_at(const ct_tile_plan *plan, int i)
{
    return (plan->outer[i] * plan->tile_inner + plan->inner[i]) * plan->elem_bytes;
}

/** Where a thread's accesses lie in global memory: its first element, and from row to row. */
typedef struct ct_copy_global {
    unsigned char *first;
    int32_t ld_bytes;
} ct_copy_global;

/** The row of access i, that of the access before it being `row`. */
CT_DEVICE unsigned char *ct_copy_next_row(const ct_tile_plan *plan, int i, const ct_copy_global g,
                                          unsigned char *row)
{
    return i == 0 ? g.first : row + (int64_t)g.ld_bytes * (plan->outer[i] - plan->outer[i - 1]);
}

/** From global to shared memory by cp.async; tile points to the thread's first element. The whole
 *  line of 128 bytes goes to L2, of which other threads, or the next access, want the rest. */
CT_DEVICE void ct_copy_in_async(const ct_tile_plan *plan, unsigned char *tile,
                                const ct_copy_global src)
{
    unsigned char *row = src.first;
    CT_UNROLL for (int i = 0; i < CT_PLAN_ACCESSES; ++i) if (i < plan->accesses) {
        unsigned char *dst = tile + ct_copy_shared_at(plan, i);
        row = ct_copy_next_row(plan, i, src, row);
        const unsigned char *from = row + plan->inner[i] * plan->elem_bytes;
        if (plan->atom == CT_ATOM_CP_ASYNC_CG) ct_cp_async_cg_l2(dst, from, 16, 128);
        else ct_cp_async_ca(dst, from, plan->access_bytes);
    }
}

/** What is left of the matrix from a thread's first element on, in elements: at an edge of it,
 *  accesses of one element that lie behind are left out. */
typedef struct ct_copy_left {
    int32_t inner, outer;
} ct_copy_left;

/** Whether access i is inside. */
CT_DEVICE int ct_copy_is_inside(const ct_tile_plan *plan, const int i, const ct_copy_left left)
{
    return plan->inner[i] < left.inner && plan->outer[i] < left.outer;
}

/** From global to shared memory through registers: as many loads as they hold, then as many stores,
 *  and so on; zeros behind an edge. */
CT_DEVICE void ct_copy_in_registers(const ct_tile_plan *plan, unsigned char *tile,
                                    const ct_copy_global src, const int edge,
                                    const ct_copy_left left)
{
    const int n = plan->accesses, bits = 8 * plan->access_bytes;
    const int group = ct_copy_in_flight(plan->access_bytes);
    unsigned char *row = src.first;
    CT_UNROLL for (int first = 0; first < CT_PLAN_ACCESSES; first += CT_COPY_IN_FLIGHT_WIDE) {
        if (first % group != 0) continue;
        CT_FRAGMENT(uint32_t, held, 4 * CT_COPY_IN_FLIGHT) = {0};
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            row = ct_copy_next_row(plan, first + i, src, row);
            const unsigned char *from = row + plan->inner[first + i] * plan->elem_bytes;
            if (!edge) ct_load_global(held + 4 * i, from, bits);
            else ct_load_global_if(ct_copy_is_inside(plan, first + i, left), held + 4 * i, from,
                                   bits);
        }
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_store_shared(tile + ct_copy_shared_at(plan, first + i), held + 4 * i, bits);
        }
    }
}

/** From shared to global memory, through registers. */
CT_DEVICE void ct_copy_out_registers(const ct_tile_plan *plan, const ct_copy_global dst,
                                     const unsigned char *tile, const int edge,
                                     const ct_copy_left left)
{
    const int n = plan->accesses, bits = 8 * plan->access_bytes;
    const int group = ct_copy_in_flight(plan->access_bytes);
    unsigned char *row = dst.first;
    CT_UNROLL for (int first = 0; first < CT_PLAN_ACCESSES; first += CT_COPY_IN_FLIGHT_WIDE) {
        if (first % group != 0) continue;
        CT_FRAGMENT(uint32_t, held, 4 * CT_COPY_IN_FLIGHT);
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_load_shared(held + 4 * i, tile + ct_copy_shared_at(plan, first + i), bits);
        }
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            row = ct_copy_next_row(plan, first + i, dst, row);
            unsigned char *to = row + plan->inner[first + i] * plan->elem_bytes;
            if (!edge) ct_store_global(to, held + 4 * i, bits);
            else ct_store_global_if(ct_copy_is_inside(plan, first + i, left), to, held + 4 * i,
                                    bits);
        }
    }
}

/** Whether the short way can take a leading dimension: less than 2 GiB. (In devices of today a tile
 *  of rows that lie further apart does not fit.) */
CT_FN int ct_copy_is_short(const ct_tile_plan *plan, int64_t ld)
{
    return ld <= INT32_MAX / plan->elem_bytes;
}

/** The thread's accesses of a tile that is whole. */
CT_DEVICE ct_copy_global ct_copy_global_of(const ct_tile_plan *plan, const void *base, int64_t ld,
                                           const ct_copy_place place)
{
    const int64_t row = place.outer + ct_copy_start(&plan->thread_outer);
    const int64_t along = place.inner + ct_copy_start(&plan->thread_inner);
    const ct_copy_global g = {(unsigned char *)base + (row * ld + along) * plan->elem_bytes,
                              (int32_t)(ld * plan->elem_bytes)};
    return g;
}

/** The thread's place in the shared tile. */
CT_DEVICE int32_t ct_copy_shared_start(const ct_tile_plan *plan)
{
    return ct_copy_start(&plan->thread_shared) * plan->elem_bytes;
}

/** The short way in: a tile that is whole, at addresses that the plan's width divides. */
CT_DEVICE void ct_copy_in_whole(const ct_tile_plan *plan, const ct_copy_global src,
                                unsigned char *tile)
{
    const ct_copy_left all = CT_ZERO;
    tile += ct_copy_shared_start(plan);
    if (plan->atom == CT_ATOM_UNIVERSAL) ct_copy_in_registers(plan, tile, src, 0, all);
    else ct_copy_in_async(plan, tile, src);
}

/** The short way out. */
CT_DEVICE void ct_copy_out_whole(const ct_tile_plan *plan, const ct_copy_global dst,
                                 const unsigned char *tile)
{
    const ct_copy_left all = CT_ZERO;
    ct_copy_out_registers(plan, dst, tile + ct_copy_shared_start(plan), 0, all);
}

/** How many elements from the thread's first one on are inside; at most 2^30. */
CT_DEVICE ct_copy_left ct_copy_left_of(const ct_tile_plan *plan, const ct_copy_args *args,
                                       const ct_copy_place place)
{
    const int64_t most = 1 << 30;
    const int64_t inner = args->inner - place.inner - ct_copy_start(&plan->thread_inner);
    const int64_t outer = args->outer - place.outer - ct_copy_start(&plan->thread_outer);
    const ct_copy_left left = {(int32_t)(inner < most ? inner : most),
                               (int32_t)(outer < most ? outer : most)};
    return left;
}

/** Whether a tile at an edge can be copied by the plan's own accesses: they are of one element. */
CT_DEVICE int ct_copy_is_by_element(const ct_tile_plan *plan, const ct_copy_args *args)
{
    return plan->access_bytes == plan->elem_bytes && plan->atom == CT_ATOM_UNIVERSAL &&
           args->tile_inner == plan->tile_inner && args->tile_outer == plan->tile_outer;
}

#define ct_copy_in_whole(...) CT_CALL(ct_copy_in_whole, __VA_ARGS__)
#define ct_copy_out_whole(...) CT_CALL(ct_copy_out_whole, __VA_ARGS__)

#endif
