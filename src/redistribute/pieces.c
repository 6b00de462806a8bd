/* The pieces of a transfer, as layouts of both memories. */
#include <string.h>

#include <cutlet/algebra/tensor_ops.h>
#include "plan.h"

int ct_piece_is_run(const ct_piece_leaf *leaf, int32_t leaves, int side)
{
    int64_t run = 1;
    for (int32_t i = 0; i < leaves; run *= leaf[i++].count)
        if (leaf[i].at[side] != run) return 0;
    return 1;
}

static void sort_leaves(ct_piece_leaves *p, int side)
{
    for (int32_t i = 1; i < p->leaves; ++i) {
        const ct_piece_leaf leaf = p->leaf[i];
        int32_t k = i;
        for (; k > 0 && p->leaf[k - 1].at[side] > leaf.at[side]; --k) p->leaf[k] = p->leaf[k - 1];
        p->leaf[k] = leaf;
    }
}

/* The order is that of the source's memory, but for pieces that are contiguous in the destination's
 * only: these are received without a copy. */
void ct_piece_leaves_of(const ct_redistribute *plan, int32_t t, int32_t k, ct_piece_leaves *out)
{
    const ct_transfer *const transfer = &plan->transfer[t];
    const ct_transfer_sets *const of = &plan->sets_of[t];
    int64_t step[2][CT_SHARDED_MODES];
    ct_axes_steps(&plan->sides.side[0], transfer->from, step[0]);
    ct_axes_steps(&plan->sides.side[1], transfer->to, step[1]);
    memset(out, 0, sizeof *out);
    out->elems = 1;
    for (int m = 0; m < plan->sides.modes; ++m) {
        const ct_sets *const sets = &plan->shared[of->receives][m].sets[of->index[m]];
        const ct_set *const set = &sets->item[k % sets->count];
        k /= sets->count;
        out->first[m] = set->first;
        for (int side = 0; side < 2; ++side) out->at[side] += set->at[side] * step[side][m];
        for (int i = 0; i < set->digits; ++i) {
            ct_piece_leaf *const leaf = &out->leaf[out->leaves++];
            leaf->count = set->digit[i].count;
            out->elems *= leaf->count;
            for (int side = 0; side < 2; ++side)
                leaf->at[side] = set->digit[i].at[side] * step[side][m];
        }
    }
    sort_leaves(out, 0);
    if (ct_piece_is_run(out->leaf, out->leaves, 0)) return;
    ct_piece_leaves other = *out;
    sort_leaves(&other, 1);
    if (ct_piece_is_run(other.leaf, other.leaves, 1)) *out = other;
}

void ct_redistribute_piece(const ct_redistribute *plan, int32_t t, int32_t k,
                           ct_transfer_piece *piece)
{
    ct_piece_leaves p;
    ct_piece_leaves_of(plan, t, k, &p);
    ct_layout layout[2];
    for (int side = 0; side < 2; ++side) {
        if (p.leaves == 0) layout[side] = ct_layout1(1, 0);
        else {
            memset(&layout[side], 0, sizeof layout[side]);
            layout[side].profile = ct_profile_flat(p.leaves);
            for (int i = 0; i < p.leaves; ++i) {
                layout[side].shape[i] = p.leaf[i].count;
                layout[side].stride[i] = p.leaf[i].at[side];
            }
        }
        ct_tensor *const tensor = side ? &piece->dst : &piece->src;
        *tensor = ct_make_tensor(layout[side]);
        tensor->offset = ct_int(p.at[side]);
    }
    memcpy(piece->first, p.first, sizeof piece->first);
}
