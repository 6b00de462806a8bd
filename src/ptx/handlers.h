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
     *   a t   an address; one with the coordinates of a tile
     *   m h   a mask, a cache policy, which are there if the opcode says so
     *   b     a number of threads, which may be missing
     *   v u   registers that are written, or read, as many as `count`; V U: any number
     *   l c   a label; what a call gets and gives
     *   y     any register, a predicate too */
    const char *operands;
    int types;                   /* at most so many */
    ct_ptx_run *by_type[PTX_B1]; /* [PTX_NONE]: of any type, those of matrices too, and of none */
    void (*decode)(ct_ptx_parser *p, ct_ptx_ins *in);
} ct_ptx_opcode;

/* The rows, each list with an empty one at its end. */
extern const ct_ptx_opcode ct_ptx_integer_rows[], ct_ptx_float_rows[], ct_ptx_access_rows[],
    ct_ptx_async_rows[], ct_ptx_matrix_rows[], ct_ptx_warp_rows[], ct_ptx_control_rows[];
ct_ptx_run ct_ptx_ret, ct_ptx_exit;

/* setp: its row's `decode` and what combines its result, which is that of a relation of the operands: 1 less,
 * 2 equal, 4 greater, 8 one is a NaN. */
#define CT_PTX_COMBINED "and or xor ftz"
void ct_ptx_compare(ct_ptx_parser *p, ct_ptx_ins *in);
uint64_t ct_ptx_related(ct_ptx_thread *x, const ct_ptx_ins *in, int relation);

void ct_ptx_access(ct_ptx_parser *p,
                   ct_ptx_ins *in); /* `decode` of what takes lanes that are off */

static inline void ct_ptx_refuse_ins(ct_ptx_parser *p, const ct_ptx_ins *in, const char *why)
{
    ct_ptx_refuse(p, in->more->line, "%s: %s", in->more->text, why);
}

/* Handlers: of any next instruction, and, under NAME_any, of the one that follows. */
#define CT_PTX_ARGS                                                                                \
    (__attribute__((unused)) ct_ptx_thread * x, __attribute__((unused)) const ct_ptx_ins *in)
#define CT_PTX_RUN(name) const ct_ptx_ins *name CT_PTX_ARGS
#define CT_PTX_DO(name)                                                                            \
    static inline void name##_do CT_PTX_ARGS;                                                      \
    static CT_PTX_RUN(name##_any)                                                                  \
    {                                                                                              \
        name##_do(x, in);                                                                          \
        return in + 1;                                                                             \
    }                                                                                              \
    static inline void name##_do CT_PTX_ARGS
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
#define CT_PTX_FAIL(status, ...)                                                                   \
    ct_grid_fail_at(x->thread, &(ct_operation){SITE, in->more->text, 0, 0, 0, 0, 0}, status,       \
                    __VA_ARGS__)

/* CT_ATOMIC_... of an access or a fence; without a scope it is the GPU's. */
static inline int ct_ptx_order(const ct_ptx_ins *in)
{
    const int scope = in->flags & FLAG_CTA       ? 0
                      : in->flags & FLAG_CLUSTER ? CT_ATOMIC_CLUSTER
                                                 : CT_ATOMIC_GPU;
    return (in->flags / FLAG_ACQUIRE & 3) | scope;
}

extern const unsigned char ct_ptx_elems[PTX_TYPES]; /* CT_ELEM_... of a type in memory */

#endif
