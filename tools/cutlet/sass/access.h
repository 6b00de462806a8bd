/**
 * The memory accesses of generated code: the instructions, the memories and the widths.
 *
 * The names are those of SASS. A PTX instruction counts as the one that it compiles to:
 * ld.global as LDG, cp.async as LDGSTS, ldmatrix as LDSM, cp.async.bulk.tensor as UTMALDG or
 * UTMASTG.
 */
#ifndef CUTLET_TOOLS_SASS_ACCESS_H
#define CUTLET_TOOLS_SASS_ACCESS_H

#include <stddef.h>

typedef enum ct_sass_access {
    CT_LDG,      /* load from global memory */
    CT_STG,      /* store to global memory */
    CT_LDGSTS,   /* cp.async: from global to shared memory */
    CT_LDS,      /* load from shared memory */
    CT_STS,      /* store to shared memory */
    CT_LDSM,     /* ldmatrix */
    CT_STSM,     /* stmatrix */
    CT_STAS,     /* st.async: store to the shared memory of a block of the cluster */
    CT_UBLKCP,   /* cp.async.bulk */
    CT_UTMALDG,  /* cp.async.bulk.tensor from global memory */
    CT_UTMASTG,  /* cp.async.bulk.tensor to global memory */
    CT_UBLKRED,  /* cp.reduce.async.bulk */
    CT_UTMAREDG, /* cp.reduce.async.bulk.tensor */
    CT_LDL,      /* load from local memory: an array on the stack, a spilled register */
    CT_STL,      /* store to local memory */
    CT_LD,       /* load from a generic address, or from another block's shared memory */
    CT_ST,       /* store there */
    CT_ATOMG,    /* atomic on global memory that returns the old value */
    CT_RED,      /* the same without it; REDG in newer code */
    CT_ATOMS,    /* atomic on shared memory */
    CT_ATOM,     /* atomic on a generic address */
    CT_SASS_ACCESS_COUNT,
    CT_NO_ACCESS = -1
} ct_sass_access;

/** How much one instruction moves for one thread, in bits; for some accesses another measure. */
typedef enum ct_sass_width {
    CT_SASS_8,
    CT_SASS_16,
    CT_SASS_32,
    CT_SASS_64,
    CT_SASS_128,
    CT_SASS_256,
    CT_SASS_X1, /* LDSM, STSM: matrices */
    CT_SASS_X2,
    CT_SASS_X4,
    CT_SASS_1D, /* UTMALDG, UTMASTG, UTMAREDG: dimensions of the tensor map */
    CT_SASS_2D,
    CT_SASS_3D,
    CT_SASS_4D,
    CT_SASS_5D,
    CT_SASS_NONE, /* UBLKCP, UBLKRED, whose bytes are known when they run; or unreadable */
    CT_SASS_WIDTH_COUNT
} ct_sass_width;

/** An access and its width. The access is CT_NO_ACCESS where an instruction accesses no memory, or
 *  constants, parameters, textures or tensor memory, which are not counted. */
typedef struct ct_sass_sized {
    ct_sass_access access;
    ct_sass_width width;
} ct_sass_sized;

/** `LDG`. */
const char *ct_sass_access_name(ct_sass_access access);

/** The access of that name of n characters, in any case; CT_NO_ACCESS for another name. */
ct_sass_access ct_sass_access_named(const char *name, size_t n);

/** `128`, `x4`, `2D`; `?` for CT_SASS_NONE. */
const char *ct_sass_width_name(ct_sass_width width);

/** The width of that name of n characters, in any case; CT_SASS_WIDTH_COUNT for another name. */
ct_sass_width ct_sass_width_named(const char *name, size_t n);

/** The widths that an access may have: the first and the last. */
void ct_sass_access_widths(ct_sass_access access, ct_sass_width *first, ct_sass_width *last);

/**
 * What an instruction of machine code accesses, by its mnemonic with all modifiers; what follows it
 * is not looked at.
 *
 * Example: `LDG.E.LTC128B.64.CONSTANT R2, desc[UR4][R2.64]` is LDG of 64 bits.
 */
ct_sass_sized ct_sass_access_of(const char *instruction);

/**
 * The same for PTX, by the whole instruction without its predicate.
 *
 * Example: `cp.async.cg.shared.global [%r1], [%rd1], 16` is LDGSTS of 128 bits.
 */
ct_sass_sized ct_ptx_access_of(const char *instruction);

#endif
