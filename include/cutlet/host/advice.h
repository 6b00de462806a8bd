/**
 * Advice on the access width of a copy: its limits, changes that make it wider, and its dependence
 * on run-time numbers. Each answer is found by enumerating the layouts.
 *
 * In C:     const ct_tiled_copy tiles = ct_make_tiled_copy(
 *               ct_copy_atom_universal(128, 16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
 *           ct_advice_job job = {.tv = tiles.tv, .tile = ct_tiled_copy_shape(tiles),
 *                                .elem_bytes = 2, .most_bytes = 16, .has = {1, 0}};
 *           job.memory[CT_ADVICE_SRC] = ct_make_tensor(ct_layout2(64, 64, 68, 1)); // rows of 68
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_advice_width(&job, message) == 8);
 *           static ct_advice advice;
 *           assert(ct_advise(&job, &advice, message) == CT_OK && advice.next == 16);
 *           assert(advice.limit[0].kind == CT_LIMIT_STRIDE && advice.limit[0].n == 68);
 *           assert(ct_advice_width(&advice.hint[0].job, message) == advice.hint[0].bytes);
 */
#ifndef CUTLET_HOST_ADVICE_H
#define CUTLET_HOST_ADVICE_H

#include <cutlet/host/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The sides of a copy. */
enum { CT_ADVICE_SRC, CT_ADVICE_DST };

/** A copy: its thread-value layout, the tensors that repetitions of the tile cover, the
 * alignments. */
typedef struct ct_advice_job {
    ct_layout tv; /* (thread, value) -> index in the tile; an access takes consecutive values */
    ct_tuple tile;
    ct_layout thr, val; /* that the tv was made of, where has_blocks is 1 */
    int32_t has_blocks;
    int32_t elem_bytes;  /* a power of two */
    int32_t most_bytes;  /* of one access that there is: 16, or 32 from sm_100 on */
    ct_tensor memory[2]; /* the source and the destination, in elements */
    int32_t has[2];      /* 0: that side is registers */
    int64_t align[2];    /* bytes that the base is a multiple of, a power of two; 0: most_bytes */
    uint32_t unknown[2]; /* bit i: the stride of leaf i is known at run time only */
} ct_advice_job;

/** What prevents the next access width. */
enum {
    CT_LIMIT_VALUES = 1, /* a thread's n values are not a multiple of such an access */
    CT_LIMIT_STEP,       /* consecutive values are n elements apart, not 1 */
    CT_LIMIT_SWIZZLE,    /* contiguous but for the swizzle, whose base is n */
    CT_LIMIT_STRIDE,     /* the stride n of a mode leaves the alignment */
    CT_LIMIT_OFFSET,     /* the layout begins at offset n, which is not aligned */
    CT_LIMIT_START, /* an access begins at offset n, which is not aligned, for another reason */
    CT_LIMIT_BASE   /* the base is a multiple of n bytes only */
};

typedef struct ct_advice_limit {
    int32_t kind; /* CT_LIMIT_... */
    int32_t side; /* CT_ADVICE_..., -1 for VALUES */
    int32_t mode; /* STEP: along which the values step, STRIDE: of the stride; -1: no single one */
    int32_t unit; /* STEP: the mode that has stride 1; -1: no mode has */
    int64_t n;
    char text[CT_MESSAGE_BYTES];
} ct_advice_limit;

/** A suggestion with wider accesses: its job, and what it changes. */
typedef struct ct_advice_hint {
    int32_t bytes;   /* of its accesses, by enumeration */
    int32_t changes; /* how many things change */
    ct_advice_job job;
    char text[CT_MESSAGE_BYTES];
} ct_advice_hint;

/** How the width depends on one number, all else unchanged. */
enum { CT_FACT_STRIDE = 1, CT_FACT_EXTENT };
typedef struct ct_advice_fact {
    int32_t kind; /* STRIDE: of a leaf; EXTENT: of a mode, packed strides with it */
    int32_t side; /* STRIDE: of which side */
    int32_t leaf; /* STRIDE: of the layout */
    int32_t mode;
    int32_t modulus;   /* elements of the widest access; at most 32 */
    int32_t bytes[32]; /* the width for numbers of each residue, from 2 * modulus on */
    int32_t at_one;    /* STRIDE: the width for a stride of 1 */
    char text[CT_MESSAGE_BYTES];
} ct_advice_fact;

enum { CT_ADVICE_LIMITS = 12, CT_ADVICE_HINTS = 6, CT_ADVICE_FACTS = 8, CT_ADVICE_NOTES = 4 };

typedef struct ct_advice {
    int32_t bytes; /* of the widest access that is always aligned and contiguous */
    int32_t next;  /* the width that the limits speak of; 0: no access is wider */
    int32_t limits, hints, facts, notes;
    ct_advice_limit limit[CT_ADVICE_LIMITS];
    ct_advice_hint hint[CT_ADVICE_HINTS]; /* the fewest changes first, then the widest */
    ct_advice_fact fact[CT_ADVICE_FACTS];
    char note[CT_ADVICE_NOTES][CT_MESSAGE_BYTES]; /* edges, and what the kernels do */
} ct_advice;

/**
 * The widest access, in bytes, that every thread can use for all its values. Its consecutive values
 * are contiguous in each side's layout and begin at a multiple of the width. Accesses across the
 * edge of the tensor do not count: kernels take them apart. Unknown strides count as odd.
 *
 * Returns: a power of two from elem_bytes to most_bytes; or -1 and one line in message.
 * Fails:   -1 as ct_advise.
 * Cost:    O(n) for n pairs of thread and value, times the tiles of the tensor that differ in their
 *          alignment; allocates.
 */
int32_t ct_advice_width(const ct_advice_job *job, char message[CT_MESSAGE_BYTES]);

/**
 * The width, what limits it, hints and facts.
 *
 * Ensures: ct_advice_width of each hint's job is its bytes, more than the width of the job.
 * Fails:   CT_E_ARGUMENT: the operands do not fit. CT_E_CAPACITY: there is more than CT_VERIFY_MOST
 *          (verify.h) to enumerate. CT_E_OVERFLOW, CT_E_MEMORY. A failed layout: its status.
 * Cost:    that of ct_advice_width for each candidate of the hints and each residue of the facts.
 */
ct_status ct_advise(const ct_advice_job *job, ct_advice *advice, char message[CT_MESSAGE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
