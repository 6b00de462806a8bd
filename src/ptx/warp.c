/* What the threads of a warp or block do together: barriers, shuffles, votes. */
#include "handlers.h"

/* bar.sync number, or number and threads */
CT_PTX_RUN(ct_ptx_bar_sync)
{
    const int number = INT(D), all = x->thread->grid->block_threads;
    const int threads = in->more->count > 1 ? INT(A) : all;
    if (number == 0 && threads == all) ct_grid_barrier_anywhere(SITE);
    else ct_grid_named_barrier(SITE, number, threads, 1);
    return in + 1;
}

/* d, number, threads or not, predicate: how many threads have it, whether all have, or one */
CT_PTX_RUN(ct_ptx_bar_red)
{
    const int last = in->more->count - 1,
              threads = last > 2 ? INT(B) : x->thread->grid->block_threads;
    int all;
    const int yes =
        ct_grid_barrier_votes(SITE, INT(A), threads, ct_ptx_predicate(x, in, last), &all);
    D = in->mode == 0 ? (uint64_t)yes : in->mode == 1 ? yes == all : yes > 0;
    return in + 1;
}
CT_PTX_DO(bar_arrive, ct_grid_named_barrier(SITE, INT(D), INT(A), 0))
CT_PTX_DO(bar_warp, ct_grid_warp_barrier(SITE, (uint32_t)D))
CT_PTX_DO(cluster_arrive,
          ct_grid_cluster_arrive(SITE, in->mode ? CT_ORDER_RELAXED : CT_ORDER_CLUSTER))
CT_PTX_DO(cluster_wait, ct_grid_cluster_wait(SITE))
CT_PTX_DO(setmaxnreg, ct_grid_setmaxnreg(SITE, INT(D)))

/* shfl.sync.mode.b32 d|p, a, b, c, mask: c has the segments' mask, and the bound within a segment. */
CT_PTX_RUN(ct_ptx_shfl)
{
    const uint32_t c = (uint32_t)C, bound = in->mode == CT_SHUFFLE_UP ? 0 : 31;
    const int width = 32 - (int)(c >> 8 & 31), by = (int)(B & 31), lane = x->thread->lane;
    const int first = lane & ~(width - 1), last = first + width - 1;
    const int from[] = {first, lane - by, lane + by, lane ^ by}, asked = from[in->mode];
    const ct_ptx_operand *const second = OPERAND(0)->second;
    uint32_t value = (uint32_t)A;
    if ((c & 31) != bound || (width & (width - 1)))
        ct_ptx_fail(x, in, CT_GRID_E_ATOM,
                    "c is 0x%x; only segments of 1, 2, 4, 8, 16 or 32 lanes are supported",
                    (unsigned)c);
    ct_grid_shuffle(SITE, (uint32_t)E, in->mode, &value, 4, by, width);
    D = value;
    if (second) x->r[second->reg] = (in->mode == CT_SHUFFLE_UP ? asked >= first : asked <= last);
    return in + 1;
}
static uint32_t votes(ct_ptx_thread *x, const ct_ptx_ins *in, int wanted)
{
    return ct_grid_ballot(SITE, (uint32_t)B, ct_ptx_predicate(x, in, 1) == wanted);
}
CT_PTX_DO(ballot, D = votes(x, in, 1))
CT_PTX_DO(any, D = votes(x, in, 1) != 0)
CT_PTX_DO(all, D = votes(x, in, 0) == 0)
CT_PTX_DO(uni, const uint32_t yes = votes(x, in, 1); const uint32_t no = votes(x, in, 0);
          D = !yes || !no)
/* The lanes run one after another, so that each is active alone. */
CT_PTX_DO(activemask, D = 1u << x->thread->lane)

/* elect.sync d|p, mask: the lowest lane that has come. */
CT_PTX_RUN(ct_ptx_elect)
{
    const ct_ptx_operand *const second = OPERAND(0)->second;
    D = (uint64_t)__builtin_ctz(ct_grid_ballot(SITE, (uint32_t)A, 1));
    if (second) x->r[second->reg] = (int)D == x->thread->lane;
    return in + 1;
}
CT_PTX_DO(redux, D = ct_grid_redux(SITE, (uint32_t)B, in->mode, in->type == PTX_S32, (uint32_t)A))
CT_PTX_RUN(ct_ptx_match)
{
    const ct_ptx_operand *const second = OPERAND(0)->second;
    D = ct_grid_match(SITE, (uint32_t)B, A & ct_ptx_mask(ct_ptx_bits(in->type)), in->mode);
    if (second) x->r[second->reg] = D != 0;
    return in + 1;
}
