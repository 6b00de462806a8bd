/* The registers of D of a wgmma belong to it until it is waited for. The instruction writes its result to
 * words of its own, one D for each array in flight. A register of D has a tag, the D and its word; a wait
 * gives the words to the registers that have their tags then. */
#include "owned.h"

#include <string.h>

enum { TAG_SHIFT = 16 };

static void set_tag(ct_registers *file, ptrdiff_t reg, uint32_t value)
{
    file->tagged += (value != 0) - (file->tags[reg] != 0);
    file->tags[reg] = value;
}

void ct_grid_move_tag(ct_registers *file, ptrdiff_t to, ptrdiff_t from)
{
    set_tag(file, to, from < 0 ? 0 : file->tags[from]);
}

/* The D in flight that begins in a register, or a free one. */
static ct_owned_d *d_of(ct_registers *file, const ct_operation *op, int count, const int32_t *d)
{
    const uint32_t first = file->tags[d[0]];
    uint32_t k = 0;
    while (k < OWNED_MOST && file->d[k].in_flight) ++k;
    if (first) k = (first >> TAG_SHIFT) - 1;
    else if (k == OWNED_MOST)
        ct_grid_fail_at(self(), op, CT_GRID_E_ATOM, "more than %d arrays of D in flight",
                        OWNED_MOST);
    for (int i = 0; i < count; ++i) {
        const uint32_t own = (k + 1) << TAG_SHIFT | (uint32_t)i;
        if (file->tags[d[i]] != (first ? own : 0))
            ct_grid_fail_at(self(), op, CT_GRID_E_IN_FLIGHT,
                            "register %d of D is one of another wgmma in flight", i);
        if (!first) memcpy(&file->d[k].words[i], &file->r[d[i]], sizeof(uint32_t));
        set_tag(file, d[i], own);
    }
    return &file->d[k];
}

void ct_grid_wgmma_owned(ct_grid_site *site, ct_registers *file, int count, const int32_t *d,
                         ct_wgmma_lane own)
{
    const ct_operation op = {site, "wgmma", 0, 0, 0, 0, 0};
    ct_owned_d *const owned = d_of(file, &op, count, d);
    uint32_t *const held = file->a[file->next_a++ % OWNED_A];
    owned->in_flight = 1;
    owned->group = file->groups;
    own.d = (unsigned char *)owned->words;
    if (own.a) own.a = memcpy(held, own.a, sizeof file->a[0]);
    ct_grid_wgmma_lane(site, &own);
}

void ct_grid_wgmma_wait_owned(ct_grid_site *site, ct_registers *file, int groups)
{
    ct_grid_wgmma_wait(site, groups);
    for (int k = 0; k < OWNED_MOST; ++k)
        file->d[k].in_flight &= file->d[k].group >= file->groups - groups;
    for (int32_t r = 0; file->tagged && r < file->count; ++r) {
        const uint32_t t = file->tags[r];
        const ct_owned_d *const d = t ? &file->d[(t >> TAG_SHIFT) - 1] : NULL;
        if (!d || d->in_flight) continue;
        file->r[r] = d->words[t & 0xffff];
        set_tag(file, r, 0);
    }
}
