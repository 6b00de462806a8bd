/* Copies that a thread issues and waits for: cp.async, bulk and tile copies; mbarriers, fences. */
#include "handlers.h"

/* [dst], [src], bytes, bytes of the source or a predicate to ignore it; mode 1: cg. */
CT_PTX_DO(cp_async)
{
    const int bytes = INT(B), has_size = in->more->count - (in->flags & FLAG_HINT ? 1 : 0) > 3,
              is_predicate = has_size && OPERAND(3)->bits == 1;
    const int from = is_predicate ? ct_ptx_predicate(x, in, 3) ? 0 : bytes
                     : has_size   ? INT(C)
                                  : bytes;
    ct_grid_cp_async(SITE, x->on, in->mode ? CT_ACCESS_LDGSTS_CG : CT_ACCESS_LDGSTS, SHARED(0),
                     AT(1), bytes, from);
}
CT_PTX_DO(cp_async_commit) { ct_grid_cp_async_commit(); }
CT_PTX_DO(cp_async_wait) { ct_grid_cp_async_wait(in->more->count ? INT(D) : -1); }

/* state, [at], count or bytes. The state is the parity of the open phase. */
CT_PTX_DO(mbarrier_arrive)
{
    const int number = in->more->count > 2 ? INT(B) : 1, expects = in->flags & FLAG_NUMBER;
    D = (uint64_t)ct_grid_mbarrier_arrive(SITE, SHARED(1), expects ? 1 : number,
                                          expects ? number : 0, in->mode);
}
CT_PTX_DO(mbarrier_init) { ct_grid_mbarrier_init(SITE, SHARED(0), INT(A)); }
CT_PTX_DO(mbarrier_inval) { ct_grid_mbarrier_invalidate(SITE, SHARED(0)); }
CT_PTX_DO(mbarrier_expect) { ct_grid_mbarrier_arrive(SITE, SHARED(0), 0, INT(A), in->mode); }

/* p, [at], parity or state */
CT_PTX_DO(mbarrier_wait)
{
    const int parity = in->flags & FLAG_NUMBER ? INT(B) : (int)(B & 1);
    D = (uint64_t)ct_grid_mbarrier_wait(SITE, SHARED(1), parity, 1, in->mode);
}

/* An arrival once the thread's copies have ended, which it lets them do. */
CT_PTX_DO(cp_async_arrive)
{
    ct_grid_cp_async_wait(-1);
    ct_grid_mbarrier_arrive(SITE, SHARED(0), 1, 0, CT_ORDER_CTA);
}
CT_PTX_DO(fence_async)
{
    if (in->mode < 2) ct_grid_fence_async();
    if (in->mode != 1) ct_grid_fence_async_global();
}
CT_PTX_DO(fence_init) { ct_grid_fence_mbarrier_init(); }

/* The blocks of a mask to which a copy goes; 0: the thread's own. */
static int blocks_of(const ct_ptx_ins *in, uint64_t mask)
{
    return in->flags & FLAG_MULTICAST ? (int)(mask & 0xffff) : 0;
}

/* [shared], [global], bytes, [mbarrier], mask */
CT_PTX_DO(bulk_load)
{
    ct_grid_bulk_load(SITE, SHARED(0), AT(1), INT(B), SHARED(3), blocks_of(in, E));
}

/* [global], [shared], bytes */
CT_PTX_DO(bulk_store)
{
    ct_grid_bulk_store(SITE, AT(0), SHARED(1), INT(B), in->mode, ct_ptx_elems[in->type]);
}
CT_PTX_DO(bulk_prefetch) { ct_grid_bulk_prefetch(SITE, AT(0), INT(A)); }
CT_PTX_DO(bulk_commit) { ct_grid_bulk_commit(); }
CT_PTX_DO(bulk_wait) { (in->mode ? ct_grid_bulk_wait_read : ct_grid_bulk_wait)(INT(D)); }

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
CT_PTX_DO(tile_load)
{
    int32_t at[CT_TMA_RANK];
    ct_grid_tma_load(SITE, SHARED(0), map_at(x, in, 1), SHARED(2), blocks_of(in, C),
                     OPERAND(1)->count, coordinates(x, OPERAND(1), at));
}

/* [map, {coordinates}], [shared] */
CT_PTX_DO(tile_store)
{
    int32_t at[CT_TMA_RANK];
    ct_grid_tma_store(SITE, map_at(x, in, 0), SHARED(1), in->mode, OPERAND(0)->count,
                      coordinates(x, OPERAND(0), at));
}
CT_PTX_DO(tile_prefetch)
{
    int32_t at[CT_TMA_RANK];
    ct_grid_tma_prefetch(SITE, map_at(x, in, 0), OPERAND(0)->count, coordinates(x, OPERAND(0), at));
}
CT_PTX_DO(prefetch_map) { ct_grid_tma_prefetch_map(SITE, map_at(x, in, 0)); }

/* clang-format off */
#define BARRIER(name, more, operands, run) {"mbarrier." name, "- cluster relaxed", \
    "expect_tx release acquire cta shared shared::cta shared::cluster" more, operands, 1, {run}, NULL}
#define BYTES "mbarrier::complete_tx::bytes "
#define TILE "tile global shared::cta shared::cluster " BYTES "multicast::cluster bulk_group L2::cache_hint"
#define BULK(name, modes, more, operands, types, run) {name, modes, more "L2::cache_hint", operands, types, {run}, NULL}
#define TILES(rank) \
    {"cp.async.bulk.tensor." rank ".global.shared::cta", "-", TILE, "tah", 0, {tile_store_any}, NULL}, \
    {"cp.async.bulk.tensor." rank ".shared::cluster.global", "", TILE, "atamh", 0, {tile_load_any}, NULL}, \
    {"cp.async.bulk.tensor." rank ".shared::cta.global", "", TILE, "atah", 0, {tile_load_any}, NULL}, \
    {"cp.reduce.async.bulk.tensor." rank ".global.shared::cta", "- add min max", TILE, "tah", 0, {tile_store_any}, NULL}, \
    {"cp.async.bulk.prefetch.tensor." rank, "", TILE " L2", "th", 0, {tile_prefetch_any}, NULL}
#define PLAIN(name, operands, run) {name, "", "", operands, 0, {run}, NULL}
#define SHARED_1(name, operands, run) {name, "", "shared shared::cta", operands, 1, {run}, NULL}
const ct_ptx_opcode ct_ptx_async_rows[] = {
    {"cp.async", "ca cg", "shared shared::cta global L2::64B L2::128B L2::256B L2::cache_hint", "aaw?yx", 0, {cp_async_any}, ct_ptx_access},
    PLAIN("cp.async.commit_group", "", cp_async_commit_any), PLAIN("cp.async.wait_group", "w", cp_async_wait_any),
    PLAIN("cp.async.wait_all", "", cp_async_wait_any), SHARED_1("cp.async.mbarrier.arrive.noinc", "a", cp_async_arrive_any),
    SHARED_1("mbarrier.init", "aw", mbarrier_init_any), SHARED_1("mbarrier.inval", "a", mbarrier_inval_any),
    BARRIER("arrive", "", "Da?w", mbarrier_arrive_any), BARRIER("expect_tx", "", "aw", mbarrier_expect_any),
    BARRIER("test_wait", " parity", "paS?w", mbarrier_wait_any), BARRIER("try_wait", " parity", "paS?w", mbarrier_wait_any),
    {"fence.proxy.async", "- shared::cta global", "", "", 0, {fence_async_any}, NULL},
    PLAIN("fence.mbarrier_init.release.cluster", "", fence_init_any),
    PLAIN("prefetch.tensormap", "a", prefetch_map_any), PLAIN("prefetch.param.tensormap", "a", prefetch_map_any),
    BULK("cp.async.bulk.shared::cluster.global", "", BYTES "multicast::cluster ", "aawamh", 0, bulk_load_any),
    BULK("cp.async.bulk.shared::cta.global", "", BYTES, "aawah", 0, bulk_load_any),
    BULK("cp.async.bulk.global.shared::cta", "-", "bulk_group ", "aawh", 0, bulk_store_any),
    BULK("cp.reduce.async.bulk.global.shared::cta", "- add min max", "bulk_group noftz ", "aawh", 1, bulk_store_any),
    BULK("cp.async.bulk.prefetch.L2.global", "", "", "awh", 0, bulk_prefetch_any),
    PLAIN("cp.async.bulk.commit_group", "", bulk_commit_any),
    {"cp.async.bulk.wait_group", "- read", "", "w", 0, {bulk_wait_any}, NULL},
    TILES("1d"), TILES("2d"), TILES("3d"), TILES("4d"), TILES("5d"),
    {0},
};
/* clang-format on */
