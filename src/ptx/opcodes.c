/* The table of opcodes.
 *
 * Source: NVIDIA, PTX ISA 9.0, chapter 9. */
#include "handlers.h"

static void refuse(ct_ptx_parser *p, const ct_ptx_ins *in, const char *why)
{
    ct_ptx_refuse(p, in->more->line, "%s: %s", in->more->text, why);
}

/* Directed rounding is another function around the same one. */
static void rounding(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    (void)words;
    if (!in->rounding) return;
    if (in->type != PTX_F32 && in->type != PTX_F64) refuse(p, in, "it is rounded to nearest only");
    in->more->plain = in->run;
    in->run = ct_ptx_rounded;
}

/* add.cc writes the carry, addc reads it, addc.cc does both. */
static void carry(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    (void)p;
    if (words[0][3] == 'c') in->flags |= FLAG_CARRY_IN;
    for (; *words; ++words)
        if (strcmp(*words, "cc") == 0) in->flags |= FLAG_CARRY_OUT;
}

/* barrier.red: what is reduced stands behind the number of threads, if that is there. */
static void reduction(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    const ct_ptx_operand *const o = in->more->operands, *const last = &o[in->more->count - 1];
    (void)words;
    if (o[0].is_constant || o[0].is_not || (o[0].bits == 1) != (in->type == PTX_PRED) ||
        (in->mode == 0) != (in->type == PTX_U32) || last->is_constant || last->bits != 1 ||
        (in->more->count == 4 && !o[2].is_constant && o[2].bits != 32))
        refuse(p, in, "an operand is not what it takes");
}

/* setp.lt.and: `count` is what combines it with a third predicate, or 1. */
static void compare(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    (void)words;
    if ((in->count > 1) != (in->more->count == 4))
        refuse(p, in, "a third predicate is combined by and, or, xor");
    if (in->count > 1 || in->more->operands[0].second) in->flags |= FLAG_COMBINED;
    if (in->run == ct_ptx_setp_by[PTX_S32]) in->run = ct_ptx_comparison(in);
}

/* mov packs a vector into a register, and the other way. */
static void move(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    const ct_ptx_operand *const to = &in->more->operands[0], *const from = &in->more->operands[1];
    const int bits = ct_ptx_bits(in->type), to_many = to->kind == OPERAND_VECTOR,
              from_many = from->kind == OPERAND_VECTOR;
    const int count = to_many ? to->count : from->count;
    (void)words;
    if (to_many || from_many) in->run = to_many ? ct_ptx_unpack : ct_ptx_pack;
    if (to_many || from_many
            ? to_many == from_many || (count != 2 && count != 4) || bits / count < 8
            : (to->kind == OPERAND_REGISTER && to->bits != bits) ||
                  (!from->is_constant && from->bits != bits))
        refuse(p, in, "the registers do not have the width of the type");
}
static int is_pair(int type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2 || type == PTX_E4M3X2 || type == PTX_E5M2X2;
}
static void convert(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    const ct_ptx_operand *const to = &in->more->operands[0];
    const int to_pair = is_pair(in->type), from_pair = is_pair(in->from);
    (void)words;
    if (in->more->count != (to_pair && !from_pair ? 3 : 2))
        refuse(p, in, "it has another number of operands");
    else if (to->kind == OPERAND_REGISTER && to->bits < ct_ptx_bits(in->type))
        refuse(p, in, "the register is too narrow");
    else if (to_pair                ? !from_pair && in->from != PTX_F32
             : in->type == PTX_TF32 ? in->from != PTX_F32
                                    : !ct_ptx_cvt_by[in->from] || from_pair || in->from == PTX_TF32)
        refuse(p, in, "the types have no conversion");
    else in->run = ct_ptx_conversion(in);
}
static void access(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    (void)words;
    if (ct_ptx_bits(in->type) * in->count > 256) refuse(p, in, "an access has at most 256 bits");
}
static void atomic(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    const int is_cas = in->mode == 4, operands = in->more->count - (words[0][0] == 'a'),
              is_float = !strchr("bus", ct_ptx_type_names[in->type][0]) || in->type == PTX_BF16 ||
                         in->type == PTX_BF16X2;
    if (operands != 2 + is_cas || (is_cas && in->count > 1))
        refuse(p, in, "it has another number of operands");
    else if (is_float && in->mode > 2) refuse(p, in, "the type has no such operation");
    access(p, in, words);
}

/* Tiles: addresses, and behind them a mask and a cache policy. */
static void tile(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    const ct_ptx_operand *const o = in->more->operands;
    const int is_store = in->run == ct_ptx_tile_store, is_load = in->run == ct_ptx_tile_load,
              map = is_load;
    const int more = (in->flags & FLAG_HINT ? 1 : 0) + (in->flags & FLAG_MULTICAST ? 1 : 0);
    const int addresses = is_load ? 3 : is_store ? 2 : 1;
    const int rank =
        words[strcmp(words[1], "reduce") == 0 || strcmp(words[3], "prefetch") == 0 ? 5 : 4][0] -
        '0';
    if (in->more->count != addresses + more) refuse(p, in, "it has another number of operands");
    for (int i = 0; i < in->more->count && !p->failed; ++i)
        if ((i < addresses) != (o[i].kind == OPERAND_MEMORY) ||
            (i == map ? o[i].count != rank : o[i].count != 0))
            refuse(p, in, "an operand or its coordinates are not what it takes");
}

/* clang-format off */
#define SPACES "global shared shared::cta shared::cluster local const param param::entry param::func "
#define CACHE "ca cg cs lu cv wb wt nc L1::no_allocate L1::evict_normal L1::evict_last L1::evict_first L1::evict_unchanged L2::64B " \
    "L2::128B L2::256B L2::evict_last L2::evict_first L2::evict_normal L2::cache_hint "
#define STRONG "weak volatile relaxed acquire release acq_rel cta cluster gpu sys mmio "
#define WITH "and or xor ftz"
#define UPDATES "add min max exch cas and or xor inc dec"
#define ATOMIC "noftz v2 v4 v8 " STRONG SPACES
#define TILE "tile global shared::cta shared::cluster mbarrier::complete_tx::bytes multicast::cluster bulk_group L2::cache_hint"
#define MMA "MNK aligned row col satfinite xor and popc f16 bf16 tf32 f32 f64 b1 s4 u4 s8 u8 s32 e4m3 e5m2"
#define BARRIER "- cluster relaxed", "expect_tx release acquire cta shared shared::cta shared::cluster"
#define T(table) ct_ptx_##table##_by, NULL
#define R(run) NULL, ct_ptx_##run
#define OP(name, operands) {#name, "", "", operands, 1, T(name), NULL}
#define APPROX(name) {#name, "", "approx ftz", "ds", 1, T(name), NULL}

static const ct_ptx_opcode opcodes[] = {
    OP(add, "dss"), {"add", "", "rn rz rm rp ftz sat", "dss", 1, T(add_f), rounding}, OP(sub, "dss"),
    {"sub", "", "rn rz rm rp ftz sat", "dss", 1, T(sub_f), rounding}, {"mul.lo", "", "", "dss", 1, T(mul_lo), NULL},
    {"mul.hi", "", "", "dss", 1, T(mul_hi), NULL}, {"mul.wide", "", "", "Ess", 1, T(mul_wide), NULL},
    {"mul", "", "rn rz rm rp ftz sat", "dss", 1, T(mul_f), rounding}, {"mad.lo", "", "", "dsss", 1, T(mad_lo), NULL},
    {"add.cc", "", "", "dss", 1, T(add_cc), carry}, {"addc", "", "cc", "dss", 1, T(add_cc), carry},
    {"sub.cc", "", "", "dss", 1, T(sub_cc), carry}, {"subc", "", "cc", "dss", 1, T(sub_cc), carry},
#define MADS(half) {"mad." #half ".cc", "", "", "dsss", 1, T(mad_##half##_cc), carry}, {"madc." #half, "", "cc", "dsss", 1, T(mad_##half##_cc), carry}
    MADS(lo), MADS(hi),
    {"mad.hi", "", "", "dsss", 1, T(mad_hi), NULL}, {"mad.wide", "", "", "EssF", 1, T(mad_wide), NULL},
    {"mad", "", "rn rz rm rp ftz sat", "dsss", 1, T(fma), rounding},
    {"fma", "", "rn rz rm rp ftz sat relu", "dsss", 1, T(fma), rounding}, OP(div, "dss"),
    {"div", "", "rn rz rm rp ftz full approx", "dss", 1, T(div_f), rounding}, OP(rem, "dss"), OP(abs, "ds"),
    {"abs", "", "ftz", "ds", 1, T(abs_f), NULL}, OP(neg, "ds"), {"neg", "", "ftz", "ds", 1, T(neg_f), NULL},
    OP(copysign, "dss"), OP(min, "dss"), {"min", "", "ftz NaN", "dss", 1, T(min_f), NULL}, OP(max, "dss"),
    {"max", "", "ftz NaN", "dss", 1, T(max_f), NULL}, APPROX(ex2), APPROX(lg2),
    {"rcp", "", "approx rn rz rm rp ftz", "ds", 1, T(rcp), rounding},
    {"sqrt", "", "approx rn rz rm rp ftz", "ds", 1, T(sqrt), rounding}, APPROX(rsqrt), APPROX(sin), APPROX(cos),
    {"tanh", "", "approx", "ds", 1, T(tanh), NULL}, OP(popc, "os"),
    OP(clz, "os"), {"bfind", "- shiftamt", "", "os", 1, T(bfind), NULL}, OP(brev, "ds"), OP(bfe, "dsww"),
    OP(bfi, "dssww"), OP(and, "dss"), OP(or, "dss"), OP(xor, "dss"), OP(not, "ds"), OP(shl, "dsw"), OP(shr, "dsw"),
    {"shf.l", "clamp wrap", "", "dssw", 1, T(shf_l), NULL}, {"shf.r", "clamp wrap", "", "dssw", 1, T(shf_r), NULL},
    OP(lop3, "dsssw"), OP(prmt, "dssw"),
    {"setp", "eq ne lt le gt ge lo ls hi hs", WITH, "Pss?q", 1, T(setp), compare},
    {"setp", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan", WITH, "Pss?q", 1, T(setp_f), compare},
    {"testp", "finite infinite number notanumber normal subnormal", "", "ps", 1, T(testp), NULL}, OP(selp, "dssq"), {"mov", "", "", "VU", 1, T(mov), move},
    {"cvt", "", "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", "Df?f", 2, T(cvt), convert},
    {"ld", "", "v2 v4 v8 " SPACES CACHE STRONG, "va?x", 1, T(ld), access},
    {"ldu", "", "v2 v4 " SPACES, "va", 1, T(ld), access},
    {"st", "", "v2 v4 v8 " SPACES CACHE STRONG, "au?x", 1, T(st), access},
    {"atom", UPDATES, ATOMIC, "vau?s", 1, T(atom), atomic}, {"red", UPDATES, ATOMIC, "au", 1, T(red), atomic},
    {"isspacep", "global const local shared::cluster param param::entry shared shared::cta", "", "pS", 0, R(isspacep), NULL},
    {"cvta.to", "", SPACES, "ds", 1, R(cvta_to), NULL}, {"cvta", "", SPACES, "ds", 1, R(cvta), NULL},
    {"mapa", "", SPACES, "dsw", 1, R(mapa), NULL},
    {"getctarank", "", SPACES, "oS", 1, R(getctarank), NULL},
    {"prefetch", "", "global L1 L2 L2::evict_last L2::evict_normal", "a", 0, R(prefetch), NULL},
    {"prefetch.tensormap", "", "", "a", 0, R(prefetch_map), NULL},
    {"prefetch.param.tensormap", "", "", "a", 0, R(prefetch_map), NULL},
    {"createpolicy.fractional", "", "L2::evict_last L2::evict_first L2::evict_normal L2::evict_unchanged", "O?SS", 1, R(policy), NULL},
    {"bra", "", "uni", "l", 0, R(bra), NULL}, {"brx.idx", "", "uni", "wl", 0, R(brx), NULL},
    {"call", "", "uni", "ccc", 0, R(call), NULL}, {"ret", "", "uni", "", 0, R(ret), NULL},
    {"exit", "", "", "", 0, R(exit), NULL}, {"trap", "", "", "", 0, R(trap), NULL},
    {"brkpt", "", "", "", 0, R(nothing), NULL}, {"nanosleep", "", "", "w", 1, R(nothing), NULL},
    {"griddepcontrol", "wait launch_dependents", "", "", 0, R(nothing), NULL},
#define BARRIERS(name, words) {name ".sync", "", words, "w?w", 0, R(bar_sync), NULL}, {name ".arrive", "", words, "ww", 0, R(bar_arrive), NULL}, \
    {name ".red", "popc and or", words, "ywy?y", 1, R(bar_red), reduction}
    BARRIERS("bar", ""), BARRIERS("bar.cta", ""), BARRIERS("barrier", "aligned"), BARRIERS("barrier.cta", "aligned"),
    {"bar.warp.sync", "", "", "w", 0, R(bar_warp), NULL},
    {"barrier.cluster.arrive", "- relaxed", "release aligned", "", 0, R(cluster_arrive), NULL},
    {"barrier.cluster.wait", "", "acquire aligned", "", 0, R(cluster_wait), NULL},
    {"setmaxnreg", "", "inc dec sync aligned", "w", 1, R(setmaxnreg), NULL},
    {"shfl.sync", "idx up down bfly", "", "Rwwww", 1, R(shfl), NULL},
    {"vote.sync.ballot", "", "", "oqw", 1, R(ballot), NULL}, {"vote.sync.any", "", "", "pqw", 1, R(any), NULL},
    {"vote.sync.all", "", "", "pqw", 1, R(all), NULL}, {"vote.sync.uni", "", "", "pqw", 1, R(uni), NULL},
    {"activemask", "", "", "o", 1, R(activemask), NULL}, {"elect.sync", "", "", "Rw", 0, R(elect), NULL},
    {"redux.sync", "add min max and or xor", "", "oww", 1, R(redux), NULL},
    {"match.any.sync", "- all", "", "oSw", 1, R(match), NULL},
    {"match.all.sync", "all", "", "RSw", 1, R(match), NULL},
    {"ldmatrix.sync.aligned.m8n8", "- trans", "x1 x2 x4 shared shared::cta", "va", 1, R(ldmatrix), NULL},
    {"stmatrix.sync.aligned.m8n8", "- trans", "x1 x2 x4 shared shared::cta", "au", 1, R(stmatrix), NULL},
    {"mma.sync", "", MMA, "VUUU", 0, R(mma), ct_ptx_decode_mma},
    {"mma.sp.sync", "", MMA, "VUUUww", 0, R(mma), ct_ptx_decode_mma},
    {"mma.sp::ordered_metadata.sync", "", MMA, "VUUUww", 0, R(mma), ct_ptx_decode_mma},
    {"wgmma.fence.sync.aligned", "", "", "", 0, R(wgmma_fence), NULL},
    {"wgmma.mma_async.sync.aligned", "", MMA, "VUSq?SSSS", 0, R(wgmma), ct_ptx_decode_mma},
    {"wgmma.mma_async.sp.sync.aligned", "", MMA, "VUSwwq?SSSS", 0, R(wgmma), ct_ptx_decode_mma},
    {"wgmma.commit_group.sync.aligned", "", "", "", 0, R(wgmma_commit), NULL},
    {"wgmma.wait_group.sync.aligned", "", "", "w", 0, R(wgmma_wait), NULL},
    {"cp.async", "ca cg", "shared shared::cta global L2::64B L2::128B L2::256B L2::cache_hint", "aaw?yx", 0, R(cp_async), NULL},
    {"cp.async.commit_group", "", "", "", 0, R(cp_async_commit), NULL},
    {"cp.async.wait_group", "", "", "w", 0, R(cp_async_wait), NULL},
    {"cp.async.wait_all", "", "", "", 0, R(cp_async_wait), NULL},
    {"cp.async.mbarrier.arrive.noinc", "", "shared shared::cta", "a", 1, R(cp_async_arrive), NULL},
    {"mbarrier.init", "", "shared shared::cta", "aw", 1, R(mbarrier_init), NULL},
    {"mbarrier.inval", "", "shared shared::cta", "a", 1, R(mbarrier_inval), NULL},
    {"mbarrier.arrive", BARRIER, "Da?w", 1, R(mbarrier_arrive), NULL},
    {"mbarrier.expect_tx", BARRIER, "aw", 1, R(mbarrier_expect), NULL},
    {"mbarrier.test_wait", BARRIER " parity", "paS?w", 1, R(mbarrier_wait), NULL},
    {"mbarrier.try_wait", BARRIER " parity", "paS?w", 1, R(mbarrier_wait), NULL},
    {"fence.proxy.async", "- shared::cta global", "", "", 0, R(fence_async), NULL},
    {"fence.mbarrier_init.release.cluster", "", "", "", 0, R(fence_init), NULL},
    {"fence", "", "sc acq_rel cta cluster gpu sys", "", 0, R(fence), NULL},
    {"membar", "", "cta gl sys", "", 0, R(fence), NULL},
    {"cp.async.bulk.shared::cluster.global", "", "mbarrier::complete_tx::bytes multicast::cluster L2::cache_hint", "aawa?SS", 0, R(bulk_load), NULL},
    {"cp.async.bulk.shared::cta.global", "", "mbarrier::complete_tx::bytes L2::cache_hint", "aawa?S", 0, R(bulk_load), NULL},
    {"cp.async.bulk.global.shared::cta", "-", "bulk_group L2::cache_hint", "aaw?S", 0, R(bulk_store), NULL},
    {"cp.reduce.async.bulk.global.shared::cta", "- add min max", "bulk_group L2::cache_hint noftz", "aaw?S", 1, R(bulk_store), NULL},
    {"cp.async.bulk.prefetch.L2.global", "", "L2::cache_hint", "aw?S", 0, R(bulk_prefetch), NULL},
    {"cp.async.bulk.commit_group", "", "", "", 0, R(bulk_commit), NULL},
    {"cp.async.bulk.wait_group", "- read", "", "w", 0, R(bulk_wait), NULL},
#define TILES(rank) \
    {"cp.async.bulk.tensor." rank ".global.shared::cta", "-", TILE, "tt?z", 0, R(tile_store), tile}, \
    {"cp.async.bulk.tensor." rank ".shared::cluster.global", "", TILE, "ttt?zz", 0, R(tile_load), tile}, \
    {"cp.async.bulk.tensor." rank ".shared::cta.global", "", TILE, "ttt?zz", 0, R(tile_load), tile}, \
    {"cp.reduce.async.bulk.tensor." rank ".global.shared::cta", "- add min max", TILE, "tt?z", 0, R(tile_store), tile}, \
    {"cp.async.bulk.prefetch.tensor." rank, "", TILE " L2", "t?z", 0, R(tile_prefetch), tile}
    TILES("1d"), TILES("2d"), TILES("3d"), TILES("4d"), TILES("5d"),
};
/* clang-format on */

const ct_ptx_opcode *ct_ptx_opcodes(int *count)
{
    *count = (int)(sizeof opcodes / sizeof *opcodes);
    return opcodes;
}
