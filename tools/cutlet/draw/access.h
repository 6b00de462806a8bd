/**
 * The part of `cutlet draw` that draws one memory instruction of one warp.
 */
#ifndef CUTLET_TOOLS_DRAW_ACCESS_H
#define CUTLET_TOOLS_DRAW_ACCESS_H

#include "../common/cli.h"
#include <cutlet/algebra/swizzle.h>
#include <cutlet/host/draw_access.h>

/** The keys of its options in the table of `cutlet draw`. */
enum {
    CT_KEY_KIND = 512,
    CT_KEY_BITS,
    CT_KEY_LANES,
    CT_KEY_MEMORY,
    CT_KEY_TYPE,
    CT_KEY_WARP,
    CT_KEY_INSTRUCTION,
    CT_KEY_SWIZZLE,
    CT_KEY_ARCH
};

typedef struct ct_draw_access {
    int wanted; /* `cutlet draw access` */
    int given;  /* one of the options was */
    const char *kind, *lanes, *memory, *type, *swizzle, *arch;
    int64_t bits, warp, instruction; /* bits 0: not given */
} ct_draw_access;

/** Parses one of the options above. */
error_t ct_draw_access_parse(int key, char *arg, struct argp_state *state, ct_draw_access *a);

/** What is missing, or does not go together. expression: NULL where none was given. */
error_t ct_draw_access_check(struct argp_state *state, const ct_draw_access *a,
                             const char *expression);

/** Draws the access. An exit status, and the picture where it is CT_EXIT_OK; otherwise complains. */
int ct_draw_access_picture(const ct_draw_access *a, const char *expression,
                           const ct_draw_options *draw, ct_picture **picture);

/** The access of --warp and --instruction of a tiled copy or thread-value layout over --memory:
 *  as it is, and through the swizzle in `after` where that is not NULL. An exit status, after a
 *  complaint. */
int ct_draw_access_of_layout(const ct_draw_access *a, int kind, const char *expression,
                             ct_swizzle swizzle, ct_access *access, ct_access *after);

#endif
