/* Copies that a thread issues and waits for: cp.async, bulk and tile copies; mbarriers, fences. */
#include "handlers.h"

/* [dst], [src], bytes, bytes of the source or a predicate to ignore it; mode 1: cg. */
CT_PTX_RUN(ct_ptx_cp_async)
{
    const int bytes = INT(B), has_size = in->more->count - (in->flags & FLAG_HINT ? 1 : 0) > 3;
    const int is_ignored = has_size && OPERAND(3)->bits == 1 && ct_ptx_predicate(x, in, 3);
    const int from = !has_size || (OPERAND(3)->bits == 1 && !is_ignored) ? bytes
                     : is_ignored                                        ? 0
                                                                         : INT(C);
    ct_grid_cp_async(SITE, x->on, in->mode ? CT_ACCESS_LDGSTS_CG : CT_ACCESS_LDGSTS, SHARED(0),
                     AT(1), bytes, from);
    return in + 1;
}
CT_PTX_DO(cp_async_commit, ct_grid_cp_async_commit())
CT_PTX_DO(cp_async_wait, ct_grid_cp_async_wait(in->more->count ? INT(D) : -1))

/* An arrival at the mbarrier of any block of the cluster. */
static void arrive(ct_ptx_thread *x, const ct_ptx_ins *in, int operand, int arrivals, int bytes)
{
    const ct_operation op = {SITE, "mbarrier.arrive", 0, 1, 0, 0, 0};
    unsigned char *const at = ct_ptx_shared_at(x, OPERAND(operand));
    const int rank = ct_ptx_rank(x, at);
    if (rank >= 0 && rank != x->thread->rank) ct_grid_peer_access(x->thread, &op, rank);
    ct_grid_mbarrier_arrive(SITE, at, arrivals, bytes, in->mode);
}

/* state, [at], count or bytes. The state is the parity of the open phase. */
CT_PTX_RUN(ct_ptx_mbarrier_arrive)
{
    const ct_operation op = {SITE, "mbarrier.arrive", 0, 1, 0, 0, 0};
    const int number = in->more->count > 2 ? INT(B) : 1, expects = in->flags & FLAG_NUMBER;
    if (OPERAND(0)->kind == OPERAND_REGISTER)
        D = ct_grid_mbarrier_find(x->thread, &op, SHARED(1))->phase & 1;
    arrive(x, in, 1, expects ? 1 : number, expects ? number : 0);
    return in + 1;
}
CT_PTX_DO(mbarrier_init, ct_grid_mbarrier_init(SITE, SHARED(0), INT(A)))
CT_PTX_DO(mbarrier_inval, ct_grid_mbarrier_invalidate(SITE, SHARED(0)))
CT_PTX_DO(mbarrier_expect, arrive(x, in, 0, 0, INT(A)))

/* p, [at], parity or state */
CT_PTX_RUN(ct_ptx_mbarrier_wait)
{
    const int parity = in->flags & FLAG_NUMBER ? INT(B) : (int)(B & 1);
    D = (uint64_t)ct_grid_mbarrier_wait(SITE, SHARED(1), parity, 1, in->mode);
    return in + 1;
}

/* An arrival once the thread's copies have ended, which it lets them do. */
CT_PTX_DO(cp_async_arrive, ct_grid_cp_async_wait(-1); arrive(x, in, 0, 1, 0))
CT_PTX_DO(fence_async, if (in->mode < 2) ct_grid_fence_async();
          if (in->mode != 1) ct_grid_fence_async_global())
CT_PTX_DO(fence_init, ct_grid_fence_mbarrier_init())
CT_PTX_DO(fence, ct_grid_fence(ct_ptx_order(in)))

/* [shared], [global], bytes, [mbarrier], mask */
CT_PTX_DO(bulk_load, ct_grid_bulk_load(SITE, SHARED(0), AT(1), INT(B), SHARED(3),
                                       in->flags &FLAG_MULTICAST ? (int)(E & 0xffff) : 0))
/* [global], [shared], bytes */
CT_PTX_RUN(ct_ptx_bulk_store)
{
    ct_grid_bulk_store(SITE, AT(0), SHARED(1), INT(B), in->mode, ct_ptx_elems[in->type].elem);
    return in + 1;
}
CT_PTX_DO(bulk_prefetch, ct_grid_bulk_prefetch(SITE, AT(0), INT(A)))
CT_PTX_DO(bulk_commit, ct_grid_bulk_commit())
CT_PTX_DO(bulk_wait, if (in->mode) ct_grid_bulk_wait_read(INT(D)); else ct_grid_bulk_wait(INT(D)))
static const int32_t *coordinates(const ct_ptx_thread *x, const ct_ptx_operand *o, int32_t *to)
{
    for (int i = 0; i < o->count; ++i) to[i] = (int32_t)(uint32_t)x->r[o->list[i].reg];
    return to;
}

/* A tensor map, in the parameters or in global memory. */
static const void *map_at(const ct_ptx_thread *x, const ct_ptx_ins *in, int i)
{
    enum { MAP_BYTES = 128, MAP_ALIGN = 64 };
    const ct_operation op = {SITE, "tensor map", MAP_BYTES, 0, 0, MAP_ALIGN, ENGINE_COPY};
    const unsigned char *const p = AT(i);
    const size_t at = (size_t)(p - x->params), args = x->thread->grid->kernel->args_bytes;
    if (at >= args || args - at < MAP_BYTES) (void)ct_grid_find_memory(x->thread, &op, p);
    return p;
}

/* [shared], [map, {coordinates}], [mbarrier], mask */
CT_PTX_RUN(ct_ptx_tile_load)
{
    int32_t at[CT_TMA_RANK];
    ct_grid_tma_load(SITE, SHARED(0), map_at(x, in, 1), SHARED(2),
                     in->flags & FLAG_MULTICAST ? (int)(C & 0xffff) : 0, OPERAND(1)->count,
                     coordinates(x, OPERAND(1), at));
    return in + 1;
}

/* [map, {coordinates}], [shared] */
CT_PTX_RUN(ct_ptx_tile_store)
{
    int32_t at[CT_TMA_RANK];
    ct_grid_tma_store(SITE, map_at(x, in, 0), SHARED(1), in->mode, OPERAND(0)->count,
                      coordinates(x, OPERAND(0), at));
    return in + 1;
}
CT_PTX_RUN(ct_ptx_tile_prefetch)
{
    int32_t at[CT_TMA_RANK];
    ct_grid_tma_prefetch(SITE, map_at(x, in, 0), OPERAND(0)->count, coordinates(x, OPERAND(0), at));
    return in + 1;
}
CT_PTX_DO(prefetch_map, ct_grid_tma_prefetch_map(SITE, map_at(x, in, 0)))
