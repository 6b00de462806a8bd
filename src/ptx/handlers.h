/* The rows of the table of opcodes, and what executes instructions. */
#ifndef CUTLET_SRC_PTX_HANDLERS_H
#define CUTLET_SRC_PTX_HANDLERS_H

#include "parse.h"

/* The words of `name` begin the opcode; each of the others is a type, one of `modes`, whose place is
 * the instruction's mode (`-`: mode 0 where none is there), or one of `modifiers`. Of rows with one name
 * the first type decides. */
typedef struct ct_ptx_opcode {
    const char *name, *modes, *modifiers;
    /* The operands, a letter for each; those behind ? may be missing.
     *   d D   a register that is written, of the type's width; of any width
     *   s S   a register or a constant, of the type's width; of any width
     *   w x   the same of 32 bits, of 64 bits; o O are written
     *   E F   of twice the type's width: written, read
     *   f     the same of the second type, or wider
     *   p P   a predicate that is written; with a second one behind | or not
     *   R     as d, with a predicate behind | or not
     *   q     a predicate, counted inverted behind !
     *   a t   an address; one with coordinates or not
     *   v u   registers that are written, or read, as many as `count`; V U: any number
     *   l c   a label; what a call gets and gives
     *   y z   any register, a predicate too; an address or a register */
    const char *operands;
    int types;                  /* at most so many */
    ct_ptx_run *const *by_type; /* [PTX_TYPES]; NULL: it has no types, */
    ct_ptx_run *run;            /* and this is it */
    void (*decode)(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words);
} ct_ptx_opcode;

const ct_ptx_opcode *ct_ptx_opcodes(int *count);
int ct_ptx_mma_shape(const char *word, ct_mma_op *op); /* 0: it is none */
void ct_ptx_decode_mma(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words);
ct_ptx_run *ct_ptx_comparison(const ct_ptx_ins *in); /* of integers, by type and mode */
ct_ptx_run *ct_ptx_conversion(const ct_ptx_ins *in); /* by its types and modifiers */

#define CT_PTX_RUN(name) const ct_ptx_ins *name(ct_ptx_thread *x, const ct_ptx_ins *in)
/* What does something and goes on. */
#define CT_PTX_DO(name, ...)                                                                       \
    CT_PTX_RUN(ct_ptx_##name)                                                                      \
    {                                                                                              \
        (void)x;                                                                                   \
        __VA_ARGS__;                                                                               \
        return in + 1;                                                                             \
    }
#define D x->r[in->r[0]]
#define A x->r[in->r[1]]
#define B x->r[in->r[2]]
#define C x->r[in->r[3]]
#define E x->r[in->r[4]]
#define OPERAND(i) (&in->more->operands[i])
#define SITE (&in->more->site)
#define AT(i) ct_ptx_at(x, OPERAND(i))
#define SHARED(i) ct_ptx_shared_at(x, OPERAND(i))
#define INT(r) ((int)(uint32_t)(r))

/* CT_ATOMIC_... of an access or a fence; without a scope it is the GPU's. */
static inline int ct_ptx_order(const ct_ptx_ins *in)
{
    const int scope = in->flags & FLAG_CTA       ? 0
                      : in->flags & FLAG_CLUSTER ? CT_ATOMIC_CLUSTER
                                                 : CT_ATOMIC_GPU;
    return (in->flags / FLAG_ACQUIRE & 3) | scope;
}

/* The elements of a type in memory: CT_ELEM_..., and how many. */
typedef struct ct_ptx_elem {
    int elem, count;
} ct_ptx_elem;
extern const ct_ptx_elem ct_ptx_elems[PTX_TYPES];

/* clang-format off */
/* Numbers in registers. */
#define CT_PTX_BITS(name, type, bits) \
    static inline type ct_ptx_##name(uint64_t r) { const bits b = (bits)r; type f; memcpy(&f, &b, sizeof f); return f; } \
    static inline uint64_t ct_ptx_of_##name(type f) { bits b; memcpy(&b, &f, sizeof b); return b; }
CT_PTX_BITS(f32, float, uint32_t)
CT_PTX_BITS(f64, double, uint64_t)

/* The tables by type, and what has no type. */
#define CT_PTX_TABLES(X) X(add) X(sub) X(mul_lo) X(mul_hi) X(mul_wide) X(mad_lo) X(mad_hi) X(mad_wide) X(div) X(rem) \
    X(abs) X(neg) X(min) X(max) X(popc) X(clz) X(bfind) X(brev) X(bfe) X(bfi) X(and) X(or) X(xor) X(not) X(shl) X(shr) \
    X(shf_l) X(shf_r) X(lop3) X(prmt) X(setp) X(selp) X(mov) X(add_f) X(sub_f) X(mul_f) X(div_f) X(abs_f) X(neg_f) \
    X(min_f) X(max_f) X(fma) X(setp_f) X(ex2) X(lg2) X(rcp) X(sqrt) X(rsqrt) X(sin) X(cos) X(tanh) X(copysign) \
    X(cvt) X(ld) X(st) X(atom) X(red) X(add_cc) X(sub_cc) X(mad_lo_cc) X(mad_hi_cc) X(testp)
#define CT_PTX_RUNS(X) X(bra) X(brx) X(call) X(ret) X(exit) X(nothing) X(trap) X(rounded) X(bar_sync) X(bar_red) X(bar_arrive) \
    X(bar_warp) X(cluster_arrive) X(cluster_wait) X(setmaxnreg) X(shfl) X(ballot) X(any) X(all) X(uni) X(activemask) \
    X(elect) X(redux) X(match) X(ldmatrix) X(stmatrix) X(mma) X(wgmma) X(wgmma_fence) X(wgmma_commit) X(wgmma_wait) \
    X(cp_async) X(cp_async_commit) X(cp_async_wait) X(cp_async_arrive) X(mbarrier_init) X(mbarrier_inval) \
    X(mbarrier_arrive) X(mbarrier_expect) X(mbarrier_wait) X(fence) X(fence_async) X(fence_init) X(bulk_load) \
    X(bulk_store) X(bulk_prefetch) X(bulk_commit) X(bulk_wait) X(tile_load) X(tile_store) X(tile_prefetch) \
    X(prefetch_map) X(prefetch) X(pack) X(unpack) X(getctarank) X(policy) X(cvta) X(cvta_to) X(mapa) \
    X(isspacep)
#define CT_PTX_DECLARE_TABLE(name) extern ct_ptx_run *const ct_ptx_##name##_by[PTX_TYPES];
#define CT_PTX_DECLARE_RUN(name) CT_PTX_RUN(ct_ptx_##name);
CT_PTX_TABLES(CT_PTX_DECLARE_TABLE)
CT_PTX_RUNS(CT_PTX_DECLARE_RUN)
/* clang-format on */
#define CT_PTX_TABLE(name, ...) ct_ptx_run *const ct_ptx_##name##_by[PTX_TYPES] = {__VA_ARGS__};

#endif
