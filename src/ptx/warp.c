/* What the threads of a warp or block do together: barriers, shuffles, votes. */
#include "handlers.h"

/* bar.sync number, or number and threads */
CT_PTX_DO(bar_sync)
{
    const int number = INT(D), all = x->thread->grid->block_threads;
    const int threads = in->more->count > 1 ? INT(A) : all;
    if (number == 0 && threads == all) ct_grid_barrier_anywhere(SITE);
    else ct_grid_named_barrier(SITE, number, threads, 1);
}

/* d, number, threads or not, predicate: how many threads have it, whether all have, or one */
CT_PTX_DO(bar_red)
{
    const int last = in->more->count - 1,
              threads = last > 2 ? INT(B) : x->thread->grid->block_threads;
    int all;
    const int yes =
        ct_grid_barrier_votes(SITE, INT(A), threads, ct_ptx_predicate(x, in, last), &all);
    D = in->mode == 0 ? (uint64_t)yes : in->mode == 1 ? yes == all : yes > 0;
}
CT_PTX_DO(bar_arrive) { ct_grid_named_barrier(SITE, INT(D), INT(A), 0); }
CT_PTX_DO(bar_warp) { ct_grid_warp_barrier(SITE, (uint32_t)D); }
CT_PTX_DO(cluster_arrive)
{
    ct_grid_cluster_arrive(SITE, in->mode ? CT_ORDER_RELAXED : CT_ORDER_CLUSTER);
}
CT_PTX_DO(cluster_wait) { ct_grid_cluster_wait(SITE); }
CT_PTX_DO(setmaxnreg) { ct_grid_setmaxnreg(SITE, INT(D)); }

/* p of d|p */
static void set_second(ct_ptx_thread *x, const ct_ptx_ins *in, int p)
{
    if (OPERAND(0)->second) x->r[OPERAND(0)->second->reg] = (uint64_t)p;
}

/* shfl.sync.mode.b32 d|p, a, b, c, mask: c has the segments' mask, and the bound within a segment. */
CT_PTX_DO(shfl)
{
    const uint32_t c = (uint32_t)C, bound = in->mode == CT_SHUFFLE_UP ? 0 : 31;
    const int width = 32 - (int)(c >> 8 & 31);
    uint32_t value = (uint32_t)A;
    if ((c & 31) != bound || (width & (width - 1)))
        CT_PTX_FAIL(CT_GRID_E_ATOM,
                    "c is 0x%x; only segments of 1, 2, 4, 8, 16 or 32 lanes are supported",
                    (unsigned)c);
    const int p = ct_grid_shuffle(SITE, (uint32_t)E, in->mode, &value, 4, (int)(B & 31), width);
    D = value;
    set_second(x, in, p);
}
static uint32_t votes(ct_ptx_thread *x, const ct_ptx_ins *in, int wanted)
{
    return ct_grid_ballot(SITE, (uint32_t)B, ct_ptx_predicate(x, in, 1) == wanted);
}
CT_PTX_DO(ballot) { D = votes(x, in, 1); }
CT_PTX_DO(any) { D = votes(x, in, 1) != 0; }
CT_PTX_DO(all) { D = votes(x, in, 0) == 0; }
CT_PTX_DO(uni)
{
    const uint32_t yes = votes(x, in, 1), no = votes(x, in, 0);
    D = !yes || !no;
}
CT_PTX_DO(activemask) { D = 1u << x->thread->lane; } /* lanes run one after another */

/* elect.sync d|p, mask: the lowest lane that has come. */
CT_PTX_DO(elect)
{
    D = (uint64_t)__builtin_ctz(ct_grid_ballot(SITE, (uint32_t)A, 1));
    set_second(x, in, (int)D == x->thread->lane);
}
CT_PTX_DO(redux)
{
    D = ct_grid_redux(SITE, (uint32_t)B, in->mode, in->type == PTX_S32, (uint32_t)A);
}
CT_PTX_DO(match)
{
    D = ct_grid_match(SITE, (uint32_t)B, A & ct_ptx_mask(ct_ptx_bits(in->type)), in->mode);
    set_second(x, in, D != 0);
}

/* clang-format off */
#define BARRIERS(name, words) {name ".sync", "", words, "w?w", 0, {bar_sync_any}, NULL}, \
    {name ".arrive", "", words, "ww", 0, {bar_arrive_any}, NULL}, \
    {name ".red.popc", "-", words, "owbq", 1, {[PTX_U32] = bar_red_any}, NULL}, \
    {name ".red", "popc and or", words, "pwbq", 1, {[PTX_PRED] = bar_red_any}, NULL}
#define ROW(name, modes, operands, run) {name, modes, "", operands, 1, {run}, NULL}
const ct_ptx_opcode ct_ptx_warp_rows[] = {
    BARRIERS("bar", ""), BARRIERS("bar.cta", ""), BARRIERS("barrier", "aligned"), BARRIERS("barrier.cta", "aligned"),
    {"bar.warp.sync", "", "", "w", 0, {bar_warp_any}, NULL},
    {"barrier.cluster.arrive", "- relaxed", "release aligned", "", 0, {cluster_arrive_any}, NULL},
    {"barrier.cluster.wait", "", "acquire aligned", "", 0, {cluster_wait_any}, NULL},
    {"setmaxnreg", "", "inc dec sync aligned", "w", 1, {setmaxnreg_any}, NULL}, ROW("shfl.sync", "idx up down bfly", "Rwwww", shfl_any),
    ROW("vote.sync.ballot", "", "oqw", ballot_any), ROW("vote.sync.any", "", "pqw", any_any), ROW("vote.sync.all", "", "pqw", all_any),
    ROW("vote.sync.uni", "", "pqw", uni_any), ROW("activemask", "", "o", activemask_any),
    {"elect.sync", "", "", "Rw", 0, {elect_any}, NULL}, ROW("redux.sync", "add min max and or xor", "oww", redux_any),
    ROW("match.any.sync", "- all", "oSw", match_any), ROW("match.all.sync", "all", "RSw", match_any),
    {0},
};
/* clang-format on */
