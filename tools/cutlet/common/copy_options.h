/**
 * What `cutlet verify` and `cutlet explain copy` take: a tiled copy, a thread-value layout, or a
 * thread and a value layout, and `verify` a tiled MMA; and the layouts in memory.
 */
#ifndef CUTLET_TOOLS_COMMON_COPY_OPTIONS_H
#define CUTLET_TOOLS_COMMON_COPY_OPTIONS_H

#include "cli.h"
#include <cutlet/mma/tiled_mma.h>

/** The arguments as they stand on the command line. */
typedef struct ct_copy_options {
    const char *command;    /* for complaints */
    const char *expression; /* TILED_COPY or TV */
    const char *thr, *val, *tile, *src, *dst, *shared, *type;
    const char *shared_a, *shared_b, *arch;           /* of a tiled MMA */
    int takes_mma;                                    /* whether the expression may be one */
    int64_t src_align, dst_align, shared_bytes, bits; /* 0: not given */
    int json;
} ct_copy_options;

/** The keys of the options that both have. */
enum {
    /* clang-format off */
    CT_KEY_THR = 256, CT_KEY_VAL, CT_KEY_SRC, CT_KEY_DST, CT_KEY_TYPE, CT_KEY_SRC_ALIGN,
    CT_KEY_DST_ALIGN, CT_KEY_SHARED, CT_KEY_SHARED_BYTES, CT_KEY_BITS, CT_KEY_ARCH, CT_KEY_SHARED_A,
    CT_KEY_SHARED_B, CT_KEY_JSON
    /* clang-format on */
};

/** Takes an option or the expression; ARGP_ERR_UNKNOWN for other keys. */
error_t ct_copy_option(ct_copy_options *o, int key, char *arg, struct argp_state *state);

/** What they stand for. */
typedef struct ct_copy_operands {
    int is_copy, is_mma, has_tv, has_blocks; /* one of them */
    ct_tiled_copy copy;
    ct_tiled_mma mma;
    ct_layout tv, thr, val;
    ct_tuple tile; /* () where it was not given */
    int has_src, has_dst, has_shared, has_shared_a, has_shared_b;
    ct_tensor src, dst, shared, shared_a, shared_b;
    int elem_bits, type_given; /* half where no type was given */
} ct_copy_operands;

/** Evaluates them. CT_EXIT_OK, or what was wrong has been said: 1 or 2. */
int ct_copy_operands_of(const ct_copy_options *o, ct_copy_operands *out);

#endif
