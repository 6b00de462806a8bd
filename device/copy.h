/**
 * The tiled copy inside a kernel: a tile from global to shared memory and back, as a plan says.
 *
 *     const ct_copy_place place = ct_copy_place_of(&plan, &args);
 *     ct_copy_in(&plan, &args, place, tile);
 *     ct_cp_async_commit();
 *     ct_cp_async_wait_all();
 *     __syncthreads();
 *     ct_copy_out(&plan, &args, place, tile);
 *
 * A tile that lies whole inside the matrix, at addresses that the plan's access width divides, takes
 * the short way: nothing is tested, all steps are constants, as many loads as the registers hold are
 * under way at once. Any other tile takes the careful way: as wide as its addresses allow, whole
 * accesses where they fit, elements at the edge, zeros in the shared tile behind it. No extent,
 * leading dimension or pointer makes either of them fault.
 */
#ifndef CUTLET_DEVICE_COPY_H
#define CUTLET_DEVICE_COPY_H

#include "atoms.h"
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
} ct_copy_args;

/** Where the block's tile begins, and whether all of it, and of the plan's size, is in the matrix. */
typedef struct ct_copy_place {
    int64_t inner, outer;
    int whole;
} ct_copy_place;

/* Loops of a constant number of rounds: CT_UNROLL is spread out by nvcc, CT_ROLL is kept. */
#if defined(__CUDACC__)
#define CT_UNROLL _Pragma("unroll")
#define CT_ROLL _Pragma("unroll 1")
#else
#define CT_UNROLL
#define CT_ROLL
#endif

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
               at.inner + plan->tile_inner <= args->inner && at.outer + plan->tile_outer <= args->outer;
    return at;
}

/** The coordinate of access i along one mode, relative to the thread's first. */
CT_DEVICE int32_t ct_copy_step(const ct_layout *along, int i) { return (int32_t)ct_offset(along, i); }

/** The coordinate of this thread's first element along one mode of the tile. */
CT_DEVICE int32_t ct_copy_start(const ct_layout *along)
{
    return (int32_t)ct_offset(along, (int64_t)threadIdx.x);
}

/* ---- the short way ---------------------------------------------------------------------------- */

/** Where access i lies in the shared tile, in bytes from the thread's first element. */
CT_DEVICE int32_t ct_copy_shared_at(const ct_tile_plan *plan, int i)
{
    return (plan->outer[i] * plan->tile_inner + plan->inner[i]) * plan->elem_bytes;
}

/** The way in global memory from access i to the next: ld_bytes is all of it that is not constant. */
CT_DEVICE int64_t ct_copy_global_step(const ct_tile_plan *plan, int i, int64_t ld_bytes)
{
    return (plan->outer[i + 1] - plan->outer[i]) * ld_bytes +
           (plan->inner[i + 1] - plan->inner[i]) * plan->elem_bytes;
}

/** From global to shared memory by cp.async; both pointers are to the thread's first element. */
CT_DEVICE void ct_copy_in_async(const ct_tile_plan *plan, unsigned char *tile,
                                const unsigned char *src, int64_t ld_bytes)
{
    CT_UNROLL for (int i = 0; i < CT_PLAN_ACCESSES; ++i) if (i < plan->accesses) {
        unsigned char *dst = tile + ct_copy_shared_at(plan, i);
        if (plan->atom == CT_ATOM_CP_ASYNC_CG) ct_cp_async_cg(dst, src, 16);
        else ct_cp_async_ca(dst, src, plan->access_bytes);
        src += ct_copy_global_step(plan, i, ld_bytes);
    }
}

/** The same through registers: as many loads as they hold, then as many stores, and so on. */
CT_DEVICE void ct_copy_in_registers(const ct_tile_plan *plan, unsigned char *tile,
                                    const unsigned char *src, int64_t ld_bytes)
{
    const int n = plan->accesses, bits = 8 * plan->access_bytes;
    const int group = ct_copy_in_flight(plan->access_bytes);
    CT_UNROLL for (int first = 0; first < CT_PLAN_ACCESSES; first += CT_COPY_IN_FLIGHT_WIDE) {
        if (first % group != 0) continue;
        CT_FRAGMENT(uint32_t, held, 4 * CT_COPY_IN_FLIGHT);
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_load_global(held + 4 * i, src, bits);
            src += ct_copy_global_step(plan, first + i, ld_bytes);
        }
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_store_shared(tile + ct_copy_shared_at(plan, first + i), held + 4 * i, bits);
        }
    }
}

/** From shared to global memory, through registers. */
CT_DEVICE void ct_copy_out_registers(const ct_tile_plan *plan, unsigned char *dst, int64_t ld_bytes,
                                     const unsigned char *tile)
{
    const int n = plan->accesses, bits = 8 * plan->access_bytes;
    const int group = ct_copy_in_flight(plan->access_bytes);
    CT_UNROLL for (int first = 0; first < CT_PLAN_ACCESSES; first += CT_COPY_IN_FLIGHT_WIDE) {
        if (first % group != 0) continue;
        CT_FRAGMENT(uint32_t, held, 4 * CT_COPY_IN_FLIGHT);
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_load_shared(held + 4 * i, tile + ct_copy_shared_at(plan, first + i), bits);
        }
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_store_global(dst, held + 4 * i, bits);
            dst += ct_copy_global_step(plan, first + i, ld_bytes);
        }
    }
}

/* ---- the careful way -------------------------------------------------------------------------- */

/** One access, of a width that is known at run time, the same for all threads. */
typedef struct ct_copy_access {
    unsigned char *tile;
    unsigned char *global;
    int32_t bytes, elem_bytes;
    int32_t elems, valid; /* its elements, and how many of them are inside the matrix */
    int32_t edge;         /* whether some access of the copy may be valid in part */
} ct_copy_access;

/** From global to shared memory, zeros behind the edge. */
CT_DEVICE void ct_copy_access_in(const int atom, const ct_copy_access a)
{
    if (atom != CT_ATOM_UNIVERSAL && a.bytes == 16) {
        ct_cp_async_cg_fill(a.tile, a.global, 16, a.valid * a.elem_bytes);
    } else if (atom != CT_ATOM_UNIVERSAL && a.bytes >= 4) {
        ct_cp_async_ca_fill(a.tile, a.global, a.bytes, a.valid * a.elem_bytes);
    } else {
        CT_FRAGMENT(uint32_t, held, 4) = {0, 0, 0, 0};
        ct_load_global_if(a.valid == a.elems, held, a.global, 8 * a.bytes);
        ct_store_shared(a.tile, held, 8 * a.bytes);
        CT_ROLL for (int k = 0; a.edge && k + 1 < a.elems; ++k) {
            const int on = a.valid < a.elems && k < a.valid;
            ct_load_global_if(on, held, a.global + k * a.elem_bytes, 8 * a.elem_bytes);
            ct_store_shared_if(on, a.tile + k * a.elem_bytes, held, 8 * a.elem_bytes);
        }
    }
}

/** From shared to global memory, nothing behind the edge. */
CT_DEVICE void ct_copy_access_out(const ct_copy_access a)
{
    CT_FRAGMENT(uint32_t, held, 4) = {0, 0, 0, 0};
    ct_load_shared(held, a.tile, 8 * a.bytes);
    ct_store_global_if(a.valid == a.elems, a.global, held, 8 * a.bytes);
    CT_ROLL for (int k = 0; a.edge && k + 1 < a.elems; ++k) {
        const int on = a.valid < a.elems && k < a.valid;
        ct_load_shared_if(on, held, a.tile + k * a.elem_bytes, 8 * a.elem_bytes);
        ct_store_global_if(on, a.global + k * a.elem_bytes, held, 8 * a.elem_bytes);
    }
}

/** The tile of any size, anywhere: `in` is 1 from global to shared memory, 0 for the way back. */
CT_DEVICE void ct_copy_careful(const ct_tile_plan *plan, const int in, const ct_copy_args *args,
                               const ct_copy_place place, unsigned char *tile)
{
    unsigned char *const global = in ? (unsigned char *)args->src : (unsigned char *)args->dst;
    const int64_t ld = in ? args->src_ld : args->dst_ld;
    ct_copy_access a = CT_ZERO;
    a.bytes = in ? args->src_bytes : args->dst_bytes;
    a.elem_bytes = plan->elem_bytes;
    a.elems = (int32_t)((uint32_t)a.bytes / (uint32_t)plan->elem_bytes);
    a.edge = (args->inner & (a.elems - 1)) != 0;
    const int32_t thread_inner = ct_copy_start(&plan->thread_inner);
    const int32_t thread_outer = ct_copy_start(&plan->thread_outer);
    const int32_t width = plan->access_bytes / plan->elem_bytes;
    CT_ROLL for (int32_t to = 0; to < args->tile_outer; to += plan->block_outer)
    CT_ROLL for (int32_t ti = 0; ti < args->tile_inner; ti += plan->block_inner)
    CT_ROLL for (int i = 0; i < plan->accesses_once; ++i)
    CT_ROLL for (int32_t part = 0; part < width; part += a.elems) {
        const int32_t outer = to + thread_outer + ct_copy_step(&plan->access_outer, i);
        const int32_t inner = ti + thread_inner + ct_copy_step(&plan->access_inner, i) + part;
        const int64_t left =
            place.outer + outer < args->outer ? args->inner - place.inner - inner : 0;
        a.valid = left < 0 ? 0 : left < a.elems ? (int32_t)left : a.elems;
        a.tile = tile + (outer * args->tile_inner + inner) * plan->elem_bytes;
        a.global = global + ((place.outer + outer) * ld + place.inner + inner) * plan->elem_bytes;
        if (in) ct_copy_access_in(plan->atom, a);
        else ct_copy_access_out(a);
    }
}

/* ---- the whole copy --------------------------------------------------------------------------- */

/** A tile that is whole, at addresses that the plan's width divides: the short way in. */
CT_DEVICE void ct_copy_in_whole(const ct_tile_plan *plan, const ct_copy_args *args,
                                const ct_copy_place place, unsigned char *tile)
{
    const int32_t inner = ct_copy_start(&plan->thread_inner);
    const int32_t outer = ct_copy_start(&plan->thread_outer);
    const int64_t ld_bytes = args->src_ld * plan->elem_bytes;
    const unsigned char *src = (const unsigned char *)args->src + (place.outer + outer) * ld_bytes +
                               (place.inner + inner) * plan->elem_bytes;
    tile += (outer * plan->tile_inner + inner) * plan->elem_bytes;
    if (plan->atom == CT_ATOM_UNIVERSAL) ct_copy_in_registers(plan, tile, src, ld_bytes);
    else ct_copy_in_async(plan, tile, src, ld_bytes);
}

/** The short way out. */
CT_DEVICE void ct_copy_out_whole(const ct_tile_plan *plan, const ct_copy_args *args,
                                 const ct_copy_place place, const unsigned char *tile)
{
    const int32_t inner = ct_copy_start(&plan->thread_inner);
    const int32_t outer = ct_copy_start(&plan->thread_outer);
    const int64_t ld_bytes = args->dst_ld * plan->elem_bytes;
    unsigned char *dst = (unsigned char *)args->dst + (place.outer + outer) * ld_bytes +
                         (place.inner + inner) * plan->elem_bytes;
    ct_copy_out_registers(plan, dst, ld_bytes,
                          tile + (outer * plan->tile_inner + inner) * plan->elem_bytes);
}

/** The block's tile from global to shared memory. cp.async is neither committed nor waited for. */
CT_DEVICE void ct_copy_in(const ct_tile_plan *plan, const ct_copy_args *args,
                          const ct_copy_place place, unsigned char *tile)
{
    if (place.whole && args->src_bytes == plan->access_bytes)
        ct_copy_in_whole(plan, args, place, tile);
    else ct_copy_careful(plan, 1, args, place, tile);
}

/** The block's tile from shared to global memory. */
CT_DEVICE void ct_copy_out(const ct_tile_plan *plan, const ct_copy_args *args,
                           const ct_copy_place place, unsigned char *tile)
{
    if (place.whole && args->dst_bytes == plan->access_bytes)
        ct_copy_out_whole(plan, args, place, tile);
    else ct_copy_careful(plan, 0, args, place, tile);
}

#endif
