/* PTX: the program as it is read, and the thread that runs it. */
#ifndef CUTLET_SRC_PTX_PTX_H
#define CUTLET_SRC_PTX_PTX_H

#include <stdint.h>
#include <string.h>

#include <cutlet/host/ptx.h>
#include <cutlet/mma/mma_op.h>

#include "base/list.h"
#include "grid/run/owned.h"
#include "grid/run/window.h"

/* clang-format off */
enum {
    PTX_NONE, PTX_PRED, PTX_B8, PTX_U8, PTX_S8, PTX_B16, PTX_U16, PTX_S16, PTX_F16, PTX_BF16, PTX_B32, PTX_U32,
    PTX_S32, PTX_F32, PTX_F16X2, PTX_BF16X2, PTX_TF32, PTX_B64, PTX_U64, PTX_S64, PTX_F64, PTX_E4M3X2, PTX_E5M2X2,
    PTX_B1, PTX_S4, PTX_U4, PTX_E4M3, PTX_E5M2, PTX_TYPES
};
enum {
    FLAG_FTZ = 1, FLAG_SAT = 2, FLAG_NAN = 4, FLAG_RELU = 8, FLAG_COMBINED = 16, FLAG_NUMBER = 32, FLAG_HINT = 64,
    FLAG_MULTICAST = 128, FLAG_ACQUIRE = 256, FLAG_RELEASE = 512, FLAG_STRONG = 1024, FLAG_CTA = 2048,
    FLAG_CLUSTER = 4096, FLAG_CARRY_IN = 8192, FLAG_CARRY_OUT = 16384, FLAG_MOVE = 32768
};
/* clang-format on */
extern const char *const ct_ptx_type_names[PTX_TYPES];
int ct_ptx_type(const char *word, size_t length); /* PTX_NONE: it is no type */
extern const unsigned char ct_ptx_type_bits[PTX_TYPES];
static inline int ct_ptx_bits(int type) { return ct_ptx_type_bits[type]; } /* 1 of a predicate */
static inline int ct_ptx_is_signed(int type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static inline int ct_ptx_is_pair(int type) { return type == PTX_F16X2 || type == PTX_BF16X2; }
static inline uint64_t ct_ptx_mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
/* A word of a type, with its sign or zeros above. */
static inline uint64_t ct_ptx_extended(uint64_t word, int type)
{
    const int above = 64 - ct_ptx_bits(type);
    if (!ct_ptx_is_signed(type)) return word << above >> above;
    return (uint64_t)((int64_t)(word << above) >> above);
}

enum { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM, SPACE_CONST };
enum {
    OPERAND_REGISTER,
    OPERAND_MEMORY,
    OPERAND_VECTOR,
    OPERAND_LIST,
    OPERAND_SINK,
    OPERAND_LABEL
};

typedef struct ct_ptx_thread ct_ptx_thread;
typedef struct ct_ptx_ins ct_ptx_ins;
typedef struct ct_ptx_variable ct_ptx_variable;

/* Executes an instruction; returns the next one, or NULL at the thread's end. */
typedef const ct_ptx_ins *ct_ptx_run(ct_ptx_thread *x, const ct_ptx_ins *in);

/* Every constant and every address of a variable is a register too. */
typedef struct ct_ptx_operand {
    unsigned char kind, is_not;           /* is_not: the predicate counts inverted */
    unsigned char is_constant;            /* it is not assigned to */
    unsigned char is_written;             /* by the instruction; of a vector, all elements */
    unsigned char bits;                   /* of the register; 1: a predicate */
    int32_t reg, count;                   /* count: of a vector's elements, or of coordinates */
    int64_t offset;                       /* of a memory operand */
    struct ct_ptx_operand *list, *second; /* second: b of a|b */
    const char *name;                     /* of a label */
    const ct_ptx_variable *variable;      /* whose address it is, or NULL */
} ct_ptx_operand;

enum { MAX_OPERANDS = 12 };

/* What most instructions do not need while they run. */
typedef struct ct_ptx_more {
    ct_grid_site site;
    int32_t line, count; /* of the PTX; of operands */
    ct_ptx_operand *operands;
    const char *text;  /* the opcode */
    ct_ptx_run *plain; /* what `run` executes in another rounding mode */
    int32_t types[4];  /* of the opcode */
    ct_mma_op mma;
    const struct ct_ptx_function *callee;
    int32_t *ways, way_count; /* of a jump: from it to each of its labels */
} ct_ptx_more;

struct ct_ptx_ins {
    ct_ptx_run *run;
    int32_t guard; /* the register of its predicate, or -1 */
    unsigned char guard_not;
    unsigned char takes_off;    /* a lane whose guard is false takes part, x->on = 0 */
    unsigned char type, from;   /* the first type of the opcode, and the last */
    unsigned char space, count; /* of memory; elements of a vector */
    unsigned char mode;         /* by the row of the opcode */
    unsigned char rounding;
    unsigned char nots; /* bit i: operand i is a predicate that counts inverted */
    uint16_t flags;
    int32_t r[5]; /* the registers of the first operands */
    int64_t
        offset; /* of the first operand in memory; of bra, its way; of brx, the number of ways */
    ct_ptx_more *more;
};

enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_INTEGER = 4, ROUND_AWAY = 8 };

/* A variable in memory, or a parameter. */
struct ct_ptx_variable {
    const char *name, *shown; /* shown: without C++'s mangling */
    int32_t space, type, is_dynamic, is_array, is_argument;
    size_t bytes, align, offset;
    unsigned char *data; /* initial; NULL: zeros */
    ct_grid_site site;
};

/* A register whose value is set when a function begins: a special one, or the address of a variable. */
typedef struct ct_ptx_value {
    int32_t reg, special;
    const ct_ptx_variable *variable;
} ct_ptx_value;

typedef struct ct_ptx_function {
    ct_grid_kernel kernel; /* first: the grid knows its address */
    ct_ptx *module;
    int32_t is_kernel, has_calls;
    int32_t waits;   /* its blocks may wait for each other */
    int32_t updates; /* it has atomic operations or reductions in global memory, or reads a clock */
    ct_ptx_ins *code;
    uint64_t *image; /* of the first `image_count` registers when it begins */
    ct_ptx_value *values;
    int32_t code_count, registers, image_count, value_count, param_count, result_count;
    ct_ptx_variable **params, **results;
    size_t frame_bytes; /* of its local variables and parameters */
    struct ct_ptx_function *next;
} ct_ptx_function;

struct ct_ptx {
    ct_arena *arena; /* all memory of the module */
    ct_ptx_function *functions, *last_function;
    int64_t limit;
    int32_t has_wgmma, has_waits; /* it has a wgmma; a function that is no kernel `waits` */
};

/* A call that has not returned. */
typedef struct ct_ptx_frame {
    const ct_ptx_function *function;
    const ct_ptx_ins *call;
    uint64_t *registers;
    unsigned char *memory;
} ct_ptx_frame;

enum { MAX_FRAMES = 64, D_WORDS = OWNED_WORDS };

struct ct_ptx_thread {
    uint64_t *r; /* registers of the current function */
    ct_thread *thread;
    int32_t on;    /* 0: the guard of the access is false */
    int32_t carry; /* CC.CF */
    const ct_ptx_function *function;
    unsigned char *shared; /* of its block */
    unsigned char *memory; /* of the current frame */
    const unsigned char *params;
    unsigned char *all_memory;
    size_t memory_bytes;
    ct_registers file;
    int32_t frame_count;
    ct_ptx_frame frames[MAX_FRAMES];
};

void ct_ptx_body(const void *args);
void ct_ptx_number_registers(ct_ptx_function *f);               /* registers.c */
void ct_ptx_check_tags(ct_ptx_thread *x, const ct_ptx_ins *in); /* wgmma.c */

/* The address of an operand, in shared memory in either of its forms. */
static inline unsigned char *ct_ptx_at(const ct_ptx_thread *x, const ct_ptx_operand *o)
{
    return (unsigned char *)(uintptr_t)(x->r[o->reg] + (uint64_t)o->offset);
}
static inline unsigned char *ct_ptx_shared_at(const ct_ptx_thread *x, const ct_ptx_operand *o)
{
    const uint64_t a = x->r[o->reg] + (uint64_t)o->offset;
    return a >> 32 ? (unsigned char *)(uintptr_t)a
                   : ct_grid_in_window(x->thread, x->shared, (uint32_t)a);
}

/* The elements of a vector; of another operand it alone. */
static inline int ct_ptx_elements(const ct_ptx_operand *o)
{
    return o->kind == OPERAND_VECTOR ? o->count : 1;
}
static inline const ct_ptx_operand *ct_ptx_items(const ct_ptx_operand *o)
{
    return o->kind == OPERAND_VECTOR ? o->list : o;
}

/* A word of 1, 2, 4 or 8 bytes. */
static inline uint64_t ct_ptx_word_at(const void *p, int bytes)
{
    uint64_t word = 0;
    if (bytes == 4) memcpy(&word, p, 4);
    else if (bytes == 8) memcpy(&word, p, 8);
    else memcpy(&word, p, (size_t)bytes);
    return word;
}
void ct_ptx_gather(const ct_ptx_thread *x, const ct_ptx_operand *o, int bytes, void *to);
void ct_ptx_scatter(const ct_ptx_thread *x, const ct_ptx_operand *o, int bytes, const void *from);

static inline int ct_ptx_predicate(const ct_ptx_thread *x, const ct_ptx_ins *in, int i)
{
    return (int)(x->r[in->r[i]] & 1) ^ (in->nots >> i & 1);
}

#endif
