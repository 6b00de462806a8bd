/* The universal accesses on the grid: check, record, copy. */
#include "run.h"

#include <string.h>

void ct_grid_check_fragment(ct_thread *t, const ct_operation *op, const void *reg)
{
    ct_grid_check_aligned(t, op, reg);
    if (t->grid->wgmmas) ct_grid_wgmma_check_variable(t, op, reg);
}

/* The address in the records after all checks; CT_LANE_OFF for an inactive lane. */
static int64_t check(ct_thread *t, const ct_operation *op, int bits, int on, const void *reg,
                     const void *p)
{
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "%d bits; an access has 8, 16, 32, 64 or 128", bits);
    if (!on) return CT_LANE_OFF;
    ct_grid_check_fragment(t, op, reg);
    return ct_grid_check(t, op, p);
}

void ct_grid_load_global(ct_grid_site *site, int on, void *reg, const void *src, int bits)
{
    ct_thread *t = self();
    const ct_operation op = {site, "load from global memory", bits / 8, 0, 0, 0, 0};
    ct_grid_record(t, site, CT_ACCESS_LDG, bits, 0, check(t, &op, bits, on, reg, src));
    if (on) memcpy(reg, src, (size_t)op.bytes);
}

void ct_grid_store_global(ct_grid_site *site, int on, void *dst, const void *reg, int bits)
{
    ct_thread *t = self();
    const ct_operation op = {site, "store to global memory", bits / 8, 0, 1, 0, 0};
    ct_grid_record(t, site, CT_ACCESS_STG, bits, 0, check(t, &op, bits, on, reg, dst));
    if (on) memcpy(dst, reg, (size_t)op.bytes);
}

static void check_256(ct_thread *t, const ct_operation *op, int on, const void *reg, const void *p,
                      int kind, ct_grid_site *site)
{
    int64_t address = CT_LANE_OFF;
    if (on) {
        ct_grid_check_fragment(t, op, reg);
        address = ct_grid_check(t, op, p);
    }
    ct_grid_record(t, site, kind, 256, 0, address);
}

void ct_grid_load_global_256(ct_grid_site *site, int on, void *reg, const void *src)
{
    const ct_operation op = {site, "load from global memory", 32, 0, 0, 0, 0};
    check_256(self(), &op, on, reg, src, CT_ACCESS_LDG, site);
    if (on) memcpy(reg, src, 32);
}

void ct_grid_store_global_256(ct_grid_site *site, int on, void *dst, const void *reg)
{
    const ct_operation op = {site, "store to global memory", 32, 0, 1, 0, 0};
    check_256(self(), &op, on, reg, dst, CT_ACCESS_STG, site);
    if (on) memcpy(dst, reg, 32);
}

void ct_grid_prefetch(ct_grid_site *site, const char *verb, const void *src)
{
    const ct_operation op = {site, verb, 1, 0, 0, 0, ENGINE_COPY};
    ct_grid_find_memory(self(), &op, src);
}

void ct_grid_check_l2(ct_grid_site *site, int bytes)
{
    const ct_operation op = {site, "cp.async", 0, 0, 0, 0, 0};
    if (bytes != 64 && bytes != 128 && bytes != 256)
        ct_grid_fail_at(self(), &op, CT_GRID_E_ATOM, "%d bytes into L2; it fetches 64, 128 or 256",
                        bytes);
}

/* An access to the shared memory of another block of the cluster: checked, and not in the records. */
static int is_of_peer(ct_thread *t, ct_grid_site *site, int on, const void *p, int bytes,
                      int is_write)
{
    const ct_grid_state *const r = t->grid;
    const int rank = r->cluster == 1 || !on ? -1 : ct_grid_rank_at(r, p);
    if (rank < 0 || rank == t->rank) return 0;
    const char *const verb =
        is_write ? "store to a block's shared memory" : "load from a block's shared memory";
    const ct_operation op = {site, verb, bytes, 1, is_write, 0, 0};
    if (rank / r->cluster != t->rank / r->cluster)
        ct_grid_fail_at(t, &op, CT_GRID_E_LAUNCH, "the block is of another cluster");
    (void)ct_grid_check(t, &op, p);
    ct_grid_peer_access(t, &op, rank);
    return 1;
}

/* Whether another lane of the warp has stored the same bytes, and nobody has read them since. */
static int is_stored_already(const ct_thread *t, const void *dst, const void *reg, int bytes)
{
    const ct_grid_state *const r = t->grid;
    const size_t at = (size_t)((const unsigned char *)dst - r->arena);
    if (!r->options->equal_stores || at >= r->arena_bytes * (size_t)r->resident) return 0;
    for (int i = 0; i < bytes; ++i) {
        const ct_shadow *const s = &r->arena_shadows[at + (size_t)i];
        const int is_own_warp = s->writer < r->thread_count && s->writer / WARP_LANES == t->warp;
        if (s->wrote < r->block_tick || !is_own_warp || s->read || s->flight || s->landing)
            return 0;
        if (ct_grid_comes_before(r, s->wrote, s->writer, t)) return 0; /* it is an earlier one */
    }
    return memcmp(dst, reg, (size_t)bytes) == 0;
}

void ct_grid_load_shared(ct_grid_site *site, int on, void *reg, const void *src, int bits)
{
    ct_thread *t = self();
    const ct_operation op = {site, "load from shared memory", bits / 8, 1, 0, 0, 0};
    if (!is_of_peer(t, site, on, src, bits / 8, 0))
        ct_grid_record(t, site, CT_ACCESS_LDS, bits, 0, check(t, &op, bits, on, reg, src));
    if (on) memcpy(reg, src, (size_t)op.bytes);
}

void ct_grid_store_shared(ct_grid_site *site, int on, void *dst, const void *reg, int bits)
{
    ct_thread *t = self();
    const ct_operation op = {site, "store to shared memory", bits / 8, 1, 1, 0, 0};
    if (on && is_stored_already(t, dst, reg, op.bytes)) {
        const ct_memory *const m = ct_grid_find_memory(t, &op, dst);
        ct_grid_record(t, site, CT_ACCESS_STS, bits, 0,
                       m->address + ((unsigned char *)dst - m->base));
    } else if (!is_of_peer(t, site, on, dst, bits / 8, 1))
        ct_grid_record(t, site, CT_ACCESS_STS, bits, 0, check(t, &op, bits, on, reg, dst));
    if (on) memcpy(dst, reg, (size_t)op.bytes);
}

/* Not recorded: the access model does not cover accesses between blocks. */
void ct_grid_load_cluster(ct_grid_site *site, void *reg, const void *src, int rank)
{
    ct_thread *t = self();
    const ct_operation op = {site, "load from a block's shared memory", 16, 1, 0, 0, 0};
    const int of = ct_grid_rank_in_cluster(t, &op, rank);
    ct_grid_find_memory(t, &op, src); /* the address in this block, which gives that in the other */
    const void *const there = ct_grid_in_rank(t->grid, (void *)src, t->rank, of);
    check(t, &op, 128, 1, reg, there);
    ct_grid_peer_access(t, &op, of);
    memcpy(reg, there, 16);
}
