/**
 * What ct_find_hints tries: other threads and values, and other memory.
 */
#ifndef CUTLET_SRC_ADVICE_CHANGES_H
#define CUTLET_SRC_ADVICE_CHANGES_H

#include "width.h"

/** Other thread and value layouts. */
enum { CT_CANDIDATES = 96 };
typedef struct ct_candidate {
    ct_layout thr, val;
} ct_candidate;

typedef struct ct_candidates {
    int count;
    ct_candidate of[CT_CANDIDATES];
} ct_candidates;

/** The thread and value layouts worth trying, the widest first. */
void ct_candidates_of(const ct_advice_job *job, ct_candidates *c);

/** What can be changed in memory; UNIT: an unknown stride of a leaf is 1. */
enum {
    CT_CHANGE_UNIT,
    CT_CHANGE_PAD,
    CT_CHANGE_OFFSET,
    CT_CHANGE_SWIZZLE,
    CT_CHANGE_ALIGN,
    CT_CHANGE_KINDS
};
typedef struct ct_change {
    int kind, side, leaf;
} ct_change;

/** Changes the job and adds what it did to the text, of CT_MESSAGE_BYTES. 0: there is no such copy,
 * or it would change nothing. */
int ct_change_blocks(ct_advice_job *job, const ct_candidate *c, char *text);
int ct_change_memory(ct_advice_job *job, ct_change c, char *text);

#endif
