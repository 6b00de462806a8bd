/**
 * Copies from view to view, by all threads of a block.
 *
 *     ct_copy(src, dst)                      chooses its threads and its accesses
 *     ct_copy_with(&plan, order, src, dst)   has those of a tiled copy
 *     ct_copy_wait() until all of it is there, for every thread of the block
 *
 * Each access is as wide as both layouts and the addresses allow: 16, 8, 4, 2 or 1 bytes (the
 * plan's access at most) along a mode that is contiguous on both sides; where none is, element by
 * element, in the order of the source. It is a cp.async from global to shared memory where it is 4
 * bytes or more, else a load and a store. Both are found when the kernel runs, from the steps and
 * addresses that it is given, constants or not.
 *
 * Elements that only one side has are left out; in shared memory they become zeros. No extent, step
 * or address makes a copy fault. Element (i,j) of dst must be no other element of dst, and no two
 * views may overlap.
 *
 * The element sizes and spaces of both views, and for good code the extents of the smaller one, are
 * constants.
 *
 * Cost: an access takes more instructions than those of a plan whose tiles are known to be whole
 * (copy_tile.h), for its place and the edge are worked out as it runs. On an H200 both are bound by
 * memory (docs/benchmarks.md).
 */
#ifndef CUTLET_DEVICE_COPY_VIEW_H
#define CUTLET_DEVICE_COPY_VIEW_H

#include "atoms.h"
#include "tile.h"
#include "turn.h"
#include "view.h"

/* ---- one access ------------------------------------------------------------------------------ */

/** One access of `bytes` bytes: the first `valid` come from src, zeros follow up to `room`. */
typedef struct ct_view_access {
    const unsigned char *src;
    unsigned char *dst;
    int32_t valid, room;
} ct_view_access;

CT_DEVICE void ct_view_load(const int space, const int on, uint32_t *v, const unsigned char *src,
                            const int bytes)
{
    if (space == CT_IN_GLOBAL) ct_load_global_if(on, v, src, 8 * bytes);
    else ct_load_shared_if(on, v, src, 8 * bytes);
}

CT_DEVICE void ct_view_store(const int space, const int on, unsigned char *dst, const uint32_t *v,
                             const int bytes)
{
    if (space == CT_IN_GLOBAL) ct_store_global_if(on, dst, v, 8 * bytes);
    else ct_store_shared_if(on, dst, v, 8 * bytes);
}

/** An access of which a part is missing, byte by byte. */
CT_DEVICE void ct_view_edge(const int from, const int to, const ct_view_access *a)
{
    CT_ROLL for (int i = 0; i < a->room; ++i) {
        CT_FRAGMENT(uint32_t, x, 1) = {0};
        ct_view_load(from, i < a->valid, x, a->src + i, 1);
        ct_view_store(to, i < a->valid || to == CT_IN_SHARED, a->dst + i, x, 1);
    }
}

/** The accesses of a thread, as many as are under way at once. */
enum { CT_VIEW_BATCH = 2 };

CT_DEVICE void ct_view_move(const int from, const int to, const int bytes, const ct_view_access *a)
{
    const int asynchronous = from == CT_IN_GLOBAL && to == CT_IN_SHARED && bytes >= 4;
    CT_FRAGMENT(uint32_t, held, 4 * CT_VIEW_BATCH);
    CT_UNROLL for (int k = 0; k < CT_VIEW_BATCH; ++k) {
        const int whole = a[k].valid == bytes;
        if (asynchronous && bytes == 16) ct_cp_async_cg_if(whole, a[k].dst, a[k].src, 16);
        else if (asynchronous) ct_cp_async_ca_if(whole, a[k].dst, a[k].src, bytes);
        else ct_view_load(from, whole, held + 4 * k, a[k].src, bytes);
    }
    CT_UNROLL for (int k = 0; k < CT_VIEW_BATCH && !asynchronous; ++k)
        ct_view_store(to, a[k].valid == bytes, a[k].dst, held + 4 * k, bytes);
    CT_UNROLL for (int k = 0; k < CT_VIEW_BATCH; ++k)
        if (a[k].valid < bytes && a[k].room > 0) ct_view_edge(from, to, &a[k]);
}

/* ---- where an access lies -------------------------------------------------------------------- */

/** Two views seen along their inner mode: runs of bytes, one for each coordinate of the outer. What
 *  both have of them is copied, and there is room for what dst has. */
typedef struct ct_view_pair {
    const unsigned char *src;
    unsigned char *dst;
    int64_t src_inner, src_outer, dst_inner, dst_outer; /* steps in bytes */
    int64_t run, runs;                                  /* the extents of dst: bytes, runs */
    int64_t valid_run, valid_runs, room_run, room_runs;
    int32_t elem_bytes, from, to;
    int32_t contiguous; /* along the inner mode, on both sides */
} ct_view_pair;

CT_DEVICE int64_t ct_view_min(int64_t a, int64_t b) { return a < b ? a : b; }

/** The views along mode `inner`, 0 or 1. */
CT_DEVICE ct_view_pair ct_view_pair_along(const ct_view *src, const ct_view *dst, const int inner)
{
    ct_view_pair p = CT_ZERO;
    const int64_t e = src->elem_bytes;
    const int64_t here_inner = inner ? src->inside[1] : src->inside[0];
    const int64_t here_outer = inner ? src->inside[0] : src->inside[1];
    p.src = src->at;
    p.dst = dst->at;
    p.src_inner = inner ? src->step[1] : src->step[0];
    p.src_outer = inner ? src->step[0] : src->step[1];
    p.dst_inner = inner ? dst->step[1] : dst->step[0];
    p.dst_outer = inner ? dst->step[0] : dst->step[1];
    p.run = (inner ? dst->extent[1] : dst->extent[0]) * e;
    p.runs = inner ? dst->extent[0] : dst->extent[1];
    p.room_run = (inner ? dst->inside[1] : dst->inside[0]) * e;
    p.room_runs = inner ? dst->inside[0] : dst->inside[1];
    p.valid_run = ct_view_min(here_inner * e, p.room_run);
    p.valid_runs = ct_view_min(here_outer, p.room_runs);
    p.elem_bytes = src->elem_bytes;
    p.from = src->space;
    p.to = dst->space;
    p.contiguous = p.src_inner == e && p.dst_inner == e;
    return p;
}

/** The mode along which both views are contiguous, or else the shorter step of the source lies. */
CT_DEVICE int ct_view_inner(const ct_view *src, const ct_view *dst)
{
    const int64_t e = src->elem_bytes;
    const int64_t m = src->step[0] < 0 ? -src->step[0] : src->step[0];
    const int64_t n = src->step[1] < 0 ? -src->step[1] : src->step[1];
    if (src->step[1] == e && dst->step[1] == e) return 1;
    if (src->step[0] == e && dst->step[0] == e) return 0;
    return n < m;
}

/** The widest access, up to `most` bytes: what divides both addresses and the steps between runs;
 *  where no mode is contiguous, a part of an element. */
CT_DEVICE int32_t ct_view_width(const ct_view_pair *p, const int most)
{
    uint32_t bits = (uint32_t)(uintptr_t)p->src | (uint32_t)(uintptr_t)p->dst | (uint32_t)most;
    if (p->runs > 1) bits |= (uint32_t)p->src_outer | (uint32_t)p->dst_outer;
    if (!p->contiguous)
        bits |= (uint32_t)p->src_inner | (uint32_t)p->dst_inner | (uint32_t)p->elem_bytes;
    return (int32_t)(bits & (0u - bits));
}

/** The bytes [byte, byte + bytes) of a run. */
CT_DEVICE ct_view_access ct_view_access_at(const ct_view_pair *p, const int bytes, int64_t run,
                                           int64_t byte)
{
    const int e = p->elem_bytes;
    ct_view_access a = CT_ZERO;
    a.src = p->src + run * p->src_outer +
            (p->contiguous ? byte : byte / e * p->src_inner + byte % e);
    a.dst = p->dst + run * p->dst_outer +
            (p->contiguous ? byte : byte / e * p->dst_inner + byte % e);
    a.room = (int32_t)ct_view_left(run < p->room_runs ? p->room_run : 0, byte, bytes);
    a.valid = (int32_t)ct_view_left(run < p->valid_runs ? p->valid_run : 0, byte, bytes);
    return a;
}

/* ---- the copies ------------------------------------------------------------------------------ */

/** All accesses of one width: consecutive threads along a run, then run after run. */
CT_DEVICE void ct_copy_runs(const ct_view_pair *p, const int bytes)
{
    const uint64_t each = ((uint64_t)p->run + (uint64_t)bytes - 1) / (uint64_t)bytes;
    const uint64_t all = each * (uint64_t)p->runs;
    CT_ROLL for (uint64_t first = threadIdx.x; first < all; first += CT_VIEW_BATCH * blockDim.x) {
        ct_view_access a[CT_VIEW_BATCH];
        CT_UNROLL for (int k = 0; k < CT_VIEW_BATCH; ++k) {
            const uint64_t i = first + (uint64_t)k * blockDim.x;
            a[k] = ct_view_access_at(p, bytes, (int64_t)(i / each), (int64_t)(i % each) * bytes);
            if (i >= all) a[k].valid = a[k].room = 0;
        }
        ct_view_move(p->from, p->to, bytes, a);
    }
}

/** The accesses of a tiled copy's thread, each in parts of `bytes`. */
CT_DEVICE void ct_copy_planned(const ct_tile_plan *plan, const ct_view_pair *p, const int bytes)
{
    const int32_t parts = plan->access_bytes / bytes, all = plan->accesses * parts;
    const int64_t inner = ct_offset(&plan->thread_inner, (int64_t)threadIdx.x) * p->elem_bytes;
    const int64_t outer = ct_offset(&plan->thread_outer, (int64_t)threadIdx.x);
    CT_ROLL for (int32_t first = 0; first < all; first += CT_VIEW_BATCH) {
        ct_view_access a[CT_VIEW_BATCH];
        CT_UNROLL for (int k = 0; k < CT_VIEW_BATCH; ++k) {
            const int32_t i = (first + k) / parts, part = (first + k) % parts;
            a[k] = ct_view_access_at(p, bytes, outer + ct_offset(&plan->access_outer, i),
                                     inner + ct_offset(&plan->access_inner, i) * p->elem_bytes +
                                         part * bytes);
            if (first + k >= all) a[k].valid = a[k].room = 0;
        }
        ct_view_move(p->from, p->to, bytes, a);
    }
}

/** Copies src to dst, by all threads of the block: blockDim.x, where y and z are 1. */
CT_DEVICE void ct_copy(const ct_view src, const ct_view dst)
{
    const ct_view_pair p = ct_view_pair_along(&src, &dst, ct_view_inner(&src, &dst));
    switch (ct_view_width(&p, 16)) { /* the width is a part of the instruction */
    case 16: ct_copy_runs(&p, 16); break;
    case 8: ct_copy_runs(&p, 8); break;
    case 4: ct_copy_runs(&p, 4); break;
    case 2: ct_copy_runs(&p, 2); break;
    default: ct_copy_runs(&p, 1);
    }
}

/** Copies src to dst by the threads and accesses of a tiled copy: a plan for tiles of these
 *  extents, and of the order (CT_ROW_MAJOR, CT_COL_MAJOR) that it was made for. */
CT_DEVICE void ct_copy_with(const ct_tile_plan *plan, const int order, const ct_view src,
                            const ct_view dst)
{
    const ct_view_pair p = ct_view_pair_along(&src, &dst, order == CT_ROW_MAJOR);
    switch (ct_view_width(&p, plan->access_bytes)) {
    case 16: ct_copy_planned(plan, &p, 16); break;
    case 8: ct_copy_planned(plan, &p, 8); break;
    case 4: ct_copy_planned(plan, &p, 4); break;
    case 2: ct_copy_planned(plan, &p, 2); break;
    default: ct_copy_planned(plan, &p, 1);
    }
}

/** Waits until what this block has copied is there for all of its threads. */
CT_DEVICE void ct_copy_wait(void)
{
    ct_cp_async_wait_all();
    __syncthreads();
}

#endif
