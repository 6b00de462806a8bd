/* The parts of bulk and tile copies in global memory: a run of bytes, or the rows of a tile. */
#include "in_flight.h"

int64_t ct_grid_tile_rows(const ct_tma_desc *d)
{
    return ct_tma_bytes(d) / (ct_tma_tile(d, 0) * d->stride[0]);
}

ct_tile_row ct_grid_tile_row(const ct_transfer *what, int64_t number)
{
    const ct_tma_desc *d = &what->desc;
    ct_tile_row row = {NULL, 0, 0};
    int64_t offset = 0;
    int inside = 1;
    for (int i = 1; i < d->rank; ++i) {
        const int64_t at = what->coords[i] + number % ct_tma_tile(d, i) * d->step[i];
        number /= ct_tma_tile(d, i);
        inside &= at >= 0 && at < d->extent[i];
        offset += inside ? at * d->stride[i] : 0;
    }
    if (!inside) return row;
    row.lo = ct_max(0, -(int64_t)what->coords[0]);
    row.hi = ct_min(ct_tma_tile(d, 0), d->extent[0] - what->coords[0]);
    if (row.hi <= row.lo) row.hi = row.lo = 0;
    row.address =
        (unsigned char *)(uintptr_t)(d->address + (uint64_t)offset +
                                     (uint64_t)((what->coords[0] + row.lo) * d->stride[0]));
    return row;
}

void ct_grid_transfer_each(ct_thread *t, const ct_transfer *what, ct_transfer_act *act)
{
    if (!what->is_tile) act(t, what, what->global, what->bytes);
    for (int64_t i = 0; what->is_tile && i < ct_grid_tile_rows(&what->desc); ++i) {
        const ct_tile_row row = ct_grid_tile_row(what, i);
        if (row.hi > row.lo) act(t, what, row.address, (row.hi - row.lo) * what->desc.stride[0]);
    }
}

/* Whether a part of a store has the address that is sought. */
static void find_part(ct_thread *t, const ct_transfer *store, unsigned char *at, int64_t bytes)
{
    if (t->grid->sought - at >= 0 && t->grid->sought - at < bytes) t->grid->found = store;
}

const ct_transfer *ct_grid_store_to(const ct_grid_state *r, const unsigned char *at, int *has_read)
{
    ct_thread *const all = r->threads;
    all->grid->sought = at;
    all->grid->found = NULL;
    for (int i = 0; i < r->thread_count && !r->found; ++i) {
        const ct_transfers *const stores = &all[i].stores;
        for (int k = 0; k < stores->count && !r->found; ++k) {
            ct_grid_transfer_each(&all[i], &stores->list[k], find_part);
            *has_read = k < stores->read;
        }
    }
    return r->found;
}
