/* Loads, stores, atomic operations, and the conversions of addresses. */
#include "handlers.h"

void ct_ptx_gather(const ct_ptx_thread *x, const ct_ptx_operand *o, int bytes, void *to)
{
    const ct_ptx_operand *const list = ct_ptx_items(o);
    for (int i = 0, n = ct_ptx_elements(o); i < n; ++i)
        if (bytes == 4) memcpy((char *)to + 4 * i, &x->r[list[i].reg], 4);
        else memcpy((char *)to + i * bytes, &x->r[list[i].reg], (size_t)bytes);
}
void ct_ptx_scatter(const ct_ptx_thread *x, const ct_ptx_operand *o, int bytes, const void *from)
{
    const ct_ptx_operand *const list = ct_ptx_items(o);
    for (int i = 0, n = ct_ptx_elements(o); i < n; ++i)
        x->r[list[i].reg] = ct_ptx_word_at((const char *)from + i * bytes, bytes);
}

/* The host's address of an operand, and the space of a generic one. */
static unsigned char *address(const ct_ptx_thread *x, const ct_ptx_ins *in, int operand, int *space)
{
    unsigned char *const p =
        (unsigned char *)(uintptr_t)(x->r[in->r[operand]] + (uint64_t)in->offset);
    *space = in->space;
    if (*space == SPACE_SHARED)
        return ct_grid_in_window(x->thread, x->shared, (uint32_t)(uintptr_t)p);
    if (*space != SPACE_GENERIC) return p;
    *space = SPACE_GLOBAL;
    if (ct_grid_rank_at(x->thread->grid, p) >= 0) *space = SPACE_SHARED;
    else if ((uintptr_t)p - (uintptr_t)x->all_memory < x->memory_bytes) *space = SPACE_LOCAL;
    else if ((uintptr_t)p - (uintptr_t)x->params < x->thread->grid->kernel->args_bytes)
        *space = SPACE_PARAM;
    return p;
}

/* Memory of the thread's own: within its frames, or the argument, which is only read. */
static void check_own(const ct_ptx_thread *x, const ct_ptx_ins *in, const unsigned char *p,
                      size_t bytes, int is_store)
{
    const size_t args = x->thread->grid->kernel->args_bytes;
    const uintptr_t in_frames = (uintptr_t)p - (uintptr_t)x->all_memory,
                    in_args = (uintptr_t)p - (uintptr_t)x->params;
    if (in_frames < x->memory_bytes && x->memory_bytes - in_frames >= bytes) return;
    if (!is_store && in_args < args && args - in_args >= bytes) return;
    CT_PTX_FAIL(in_args < args && is_store ? CT_GRID_E_READ_ONLY : CT_GRID_E_BOUNDS,
                "%zu bytes that are not in the thread's local memory%s", bytes,
                is_store ? "" : ", nor its parameters");
}

/* What is not a plain access of a lane to global or shared memory; 0: it is one. */
static int is_special(ct_ptx_thread *x, const ct_ptx_ins *in, int space, unsigned char *p,
                      int bytes, int is_store)
{
    const ct_operation op = {SITE, "load from constant memory", bytes, 0, 0, 0, 0};
    const int is_shared = space == SPACE_SHARED;
    if (is_shared && bytes == 32)
        CT_PTX_FAIL(CT_GRID_E_ATOM, "256 bits; an access to shared memory has up to 128");
    if (space == SPACE_CONST) (void)ct_grid_find_memory(x->thread, &op, p);
    else if (space == SPACE_LOCAL || space == SPACE_PARAM)
        check_own(x, in, p, (size_t)bytes, is_store);
    else if (!(in->flags & FLAG_STRONG)) return 0;
    else
        ct_grid_atomic(SITE, is_store ? CT_ATOMIC_STORE : CT_ATOMIC_LOAD, p, bytes, is_shared,
                       ct_ptx_order(in));
    return 1;
}
static inline __attribute__((always_inline)) void move(ct_ptx_thread *x, const ct_ptx_ins *in,
                                                       const int is_store)
{
    const int each = ct_ptx_bits(in->type) / 8, bytes = each * in->count;
    const ct_ptx_operand *const list = ct_ptx_items(OPERAND(0));
    _Alignas(32) unsigned char buffer[32];
    int space;
    unsigned char *const p = address(x, in, !is_store, &space);
    const int is_own = space > SPACE_SHARED, is_shared = space == SPACE_SHARED;
    if (!x->on && is_own) return;
    if (is_store) ct_ptx_gather(x, OPERAND(1), each, buffer);
    if (x->on && (is_own || in->flags & FLAG_STRONG || bytes == 32) &&
        is_special(x, in, space, p, bytes, is_store))
        memcpy(is_store ? p : buffer, is_store ? buffer : p, (size_t)bytes);
    else if (is_store && is_shared) ct_grid_store_shared(SITE, x->on, p, buffer, 8 * bytes);
    else if (is_shared) ct_grid_load_shared(SITE, x->on, buffer, p, 8 * bytes);
    else if (is_store && bytes == 32) ct_grid_store_global_256(SITE, x->on, p, buffer);
    else if (is_store) ct_grid_store_global(SITE, x->on, p, buffer, 8 * bytes);
    else if (bytes == 32) ct_grid_load_global_256(SITE, x->on, buffer, p);
    else ct_grid_load_global(SITE, x->on, buffer, p, 8 * bytes);
    for (int i = 0; !is_store && x->on && i < in->count; ++i) {
        const uint64_t word = ct_ptx_word_at(buffer + i * each, each);
        x->r[list[i].reg] =
            ct_ptx_is_signed(in->type)
                ? ct_ptx_extended(word, in->type) & ct_ptx_mask(list[i].bits ? list[i].bits : 64)
                : word;
    }
}
CT_PTX_DO(ld) { move(x, in, 0); }
CT_PTX_DO(st) { move(x, in, 1); }

const unsigned char ct_ptx_elems[PTX_TYPES] = {
    [PTX_U32] = CT_ELEM_U32,   [PTX_B32] = CT_ELEM_U32,   [PTX_S32] = CT_ELEM_S32,
    [PTX_U64] = CT_ELEM_U64,   [PTX_B64] = CT_ELEM_U64,   [PTX_S64] = CT_ELEM_S64,
    [PTX_F32] = CT_ELEM_F32,   [PTX_F64] = CT_ELEM_F64,   [PTX_F16] = CT_ELEM_F16,
    [PTX_BF16] = CT_ELEM_BF16, [PTX_F16X2] = CT_ELEM_F16, [PTX_BF16X2] = CT_ELEM_BF16,
    [PTX_B16] = CT_ELEM_U16};

static void update(ct_ptx_thread *x, const ct_ptx_ins *in, int first)
{
    const int each = ct_ptx_bits(in->type) / 8, bytes = each * in->count;
    const ct_ptx_operand *const b = ct_ptx_items(OPERAND(first + 1));
    int space;
    unsigned char *const p = address(x, in, first, &space);
    if (space > SPACE_SHARED)
        CT_PTX_FAIL(CT_GRID_E_BOUNDS, "the address is in the thread's own memory");
    const uint64_t c = in->mode == 4 ? x->r[in->r[first + 2]] & ct_ptx_mask(8 * each) : 0;
    ct_grid_atomic(SITE, CT_ATOMIC_UPDATE, p, bytes, space == SPACE_SHARED, ct_ptx_order(in));
    for (int i = 0; i < in->count; ++i) {
        const uint64_t old =
            ct_grid_update(in->mode, ct_ptx_elems[in->type], ct_ptx_is_pair(in->type) ? 2 : 1,
                           p + i * each, x->r[b[i].reg], c);
        if (first) x->r[ct_ptx_items(OPERAND(0))[i].reg] = old;
    }
}
CT_PTX_DO(atom) { update(x, in, 1); }
CT_PTX_DO(red) { update(x, in, 0); }
CT_PTX_DO(cvta)
{
    D = in->space != SPACE_SHARED ? A
                                  : (uintptr_t)ct_grid_in_window(x->thread, x->shared, (uint32_t)A);
}

/* An address outside of shared memory is checked where it is used. */
CT_PTX_DO(cvta_to)
{
    const unsigned char *const p = (const unsigned char *)(uintptr_t)A;
    const int rank = in->space == SPACE_SHARED ? ct_grid_rank_at(x->thread->grid, p) : -1;
    if (in->space != SPACE_SHARED) D = A;
    else if (rank < 0 || rank == x->thread->rank) D = A - (uint64_t)(uintptr_t)x->shared;
    else D = ct_grid_window_address(rank, (uint64_t)(p - ct_grid_window(x->thread, rank)));
}

/* The same address in another block of the cluster. */
CT_PTX_DO(mapa)
{
    const ct_operation op = {SITE, in->more->text, 0, 0, 0, 0, 0};
    const int there = ct_grid_rank_in_cluster(x->thread, &op, INT(B));
    if (in->space == SPACE_SHARED) D = ct_grid_window_address(there, A);
    else
        D = (uintptr_t)ct_grid_in_rank(x->thread->grid, (void *)(uintptr_t)A, x->thread->rank,
                                       there);
}

/* Whether a generic address is in a space; the parameters of a kernel are in global memory too. */
CT_PTX_DO(isspacep)
{
    static const int by_mode[] = {SPACE_GLOBAL, SPACE_CONST, SPACE_LOCAL,
                                  SPACE_SHARED, SPACE_PARAM, SPACE_PARAM};
    const ct_ptx_ins generic = {.r = {in->r[1]}};
    int space;
    const unsigned char *const p = address(x, &generic, 0, &space);
    if (space == SPACE_GLOBAL && ct_grid_is_constant(x->thread->grid, p)) space = SPACE_CONST;
    if (in->mode > 5)
        D = ct_grid_rank_at(x->thread->grid, p) == x->thread->rank; /* the block's shared memory */
    else D = space == by_mode[in->mode] || (in->mode == 0 && space == SPACE_PARAM);
}
CT_PTX_DO(getctarank)
{
    const int rank = ct_grid_rank_at(x->thread->grid, SHARED(1));
    D = rank < 0 ? 0 : (uint64_t)(rank % x->thread->grid->cluster);
}
CT_PTX_DO(policy) { D = 0; } /* a cache policy has no effect */
CT_PTX_DO(prefetch) { ct_grid_prefetch(SITE, "prefetch", AT(0)); }

/* Blocks may wait for each other by what has these flags, and the scope of the GPU. */
static void note_wait(ct_ptx_parser *p, const ct_ptx_ins *in, int flags)
{
    p->function->waits |= in->space <= SPACE_GLOBAL && !(in->flags & (FLAG_CTA | FLAG_CLUSTER)) &&
                          (!flags || in->flags & flags);
}
static void check_width(ct_ptx_parser *p, ct_ptx_ins *in)
{
    if (ct_ptx_bits(in->type) * in->count > 256)
        ct_ptx_refuse_ins(p, in, "an access has at most 256 bits");
}
void ct_ptx_access(ct_ptx_parser *p, ct_ptx_ins *in)
{
    check_width(p, in);
    in->takes_off = 1;
    note_wait(p, in, FLAG_STRONG);
}
static void check_atomic(ct_ptx_parser *p, ct_ptx_ins *in)
{
    const int is_cas = in->mode == CT_UPDATE_CAS,
              operands = in->more->count - (in->run == atom_any),
              is_float = !strchr("bus", ct_ptx_type_names[in->type][0]) || in->type == PTX_BF16 ||
                         in->type == PTX_BF16X2;
    if (operands != 2 + is_cas || (is_cas && in->count > 1))
        ct_ptx_refuse_ins(p, in, "it has another number of operands");
    else if (is_float && in->mode > 2) ct_ptx_refuse_ins(p, in, "the type has no such operation");
    check_width(p, in);
    note_wait(p, in,
              in->run == atom_any && (is_cas || in->mode == CT_UPDATE_EXCH)
                  ? 0
                  : FLAG_ACQUIRE | FLAG_RELEASE);
    p->function->updates |= in->space != SPACE_SHARED;
}
static void check_fence(ct_ptx_parser *p, ct_ptx_ins *in) { note_wait(p, in, 0); }
CT_PTX_DO(fence) { ct_grid_fence(ct_ptx_order(in)); }

/* clang-format off */
#define OF_MEMORY(n) [PTX_B16] = n, [PTX_U16] = n, [PTX_S16] = n, [PTX_F16] = n, [PTX_BF16] = n, [PTX_B32] = n, \
    [PTX_U32] = n, [PTX_S32] = n, [PTX_F32] = n, [PTX_F16X2] = n, [PTX_BF16X2] = n, [PTX_B64] = n, [PTX_U64] = n, [PTX_S64] = n, [PTX_F64] = n
#define OF_BYTES(n) OF_MEMORY(n), [PTX_B8] = n, [PTX_U8] = n, [PTX_S8] = n
#define SPACES "global shared shared::cta shared::cluster local const param param::entry param::func "
#define CACHE "ca cg cs lu cv wb wt nc L1::no_allocate L1::evict_normal L1::evict_last L1::evict_first L1::evict_unchanged L2::64B " \
    "L2::128B L2::256B L2::evict_last L2::evict_first L2::evict_normal L2::cache_hint "
#define STRONG "weak volatile relaxed acquire release acq_rel cta cluster gpu sys mmio "
#define UPDATES "add min max exch cas and or xor inc dec"
#define ATOMIC "noftz v2 v4 v8 " STRONG SPACES
const ct_ptx_opcode ct_ptx_access_rows[] = {
    {"ld", "", "v2 v4 v8 " SPACES CACHE STRONG, "vah", 1, {OF_BYTES(ld_any)}, ct_ptx_access},
    {"ldu", "", "v2 v4 " SPACES, "va", 1, {OF_BYTES(ld_any)}, ct_ptx_access},
    {"st", "", "v2 v4 v8 " SPACES CACHE STRONG, "auh", 1, {OF_BYTES(st_any)}, ct_ptx_access},
    {"atom", UPDATES, ATOMIC, "vau?s", 1, {OF_MEMORY(atom_any)}, check_atomic},
    {"red", UPDATES, ATOMIC, "au", 1, {OF_MEMORY(red_any)}, check_atomic},
    {"isspacep", "global const local shared::cluster param param::entry shared shared::cta", "", "pS", 0, {isspacep_any}, NULL},
    {"cvta.to", "", SPACES, "ds", 1, {cvta_to_any}, NULL}, {"cvta", "", SPACES, "ds", 1, {cvta_any}, NULL},
    {"mapa", "", SPACES, "dsw", 1, {mapa_any}, NULL}, {"getctarank", "", SPACES, "oS", 1, {getctarank_any}, NULL},
    {"prefetch", "", "global L1 L2 L2::evict_last L2::evict_normal", "a", 0, {prefetch_any}, NULL},
    {"createpolicy.fractional", "", "L2::evict_last L2::evict_first L2::evict_normal L2::evict_unchanged", "O?SS", 1, {policy_any}, NULL},
    {"fence", "", "sc acq_rel cta cluster gpu sys", "", 0, {fence_any}, check_fence}, {"membar", "", "cta gl sys", "", 0, {fence_any}, check_fence},
    {0},
};
/* clang-format on */
