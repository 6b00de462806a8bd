/**
 * The careful way of a tile: of any size, anywhere. As wide as the addresses allow, whole accesses
 * where they fit, elements at the edge, zeros in the shared tile behind it.
 */
#ifndef CUTLET_DEVICE_COPY_CAREFUL_H
#define CUTLET_DEVICE_COPY_CAREFUL_H

#include "copy_short.h"

/** One access, of a width that is known at run time, the same for all threads. */
typedef struct ct_copy_access {
    unsigned char *tile;
    unsigned char *global;
    int32_t bytes, elem_bytes;
    int32_t elems, valid; /* its elements, and how many of them are inside the matrix */
    int32_t edge;         /* whether some access of the copy may be valid in part */
} ct_copy_access;

/** From global to shared memory, zeros behind the edge. An access that is valid in part goes
 *  through registers, element by element: nothing behind the edge is read, or said to be. */
CT_DEVICE void ct_copy_access_in(const int atom, const ct_copy_access a)
{
    const int whole = a.valid == a.elems;
    const int async = whole && atom != CT_ATOM_UNIVERSAL && a.bytes >= 4;
    CT_FRAGMENT(uint32_t, held, 4) = {0, 0, 0, 0};
    if (a.bytes == 16) ct_cp_async_cg_if(async, a.tile, a.global, 16);
    else if (a.bytes >= 4) ct_cp_async_ca_if(async, a.tile, a.global, a.bytes);
    ct_load_global_if(whole && !async, held, a.global, 8 * a.bytes);
    ct_store_shared_if(!async, a.tile, held, 8 * a.bytes);
    CT_ROLL for (int k = 0; a.edge && k + 1 < a.elems; ++k) {
        const int on = !whole && k < a.valid;
        ct_load_global_if(on, held, a.global + k * a.elem_bytes, 8 * a.elem_bytes);
        ct_store_shared_if(on, a.tile + k * a.elem_bytes, held, 8 * a.elem_bytes);
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
CT_DEVICE void ct_copy_planned_careful(const ct_tile_plan *plan, const int in, const ct_copy_args *args,
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

#endif
