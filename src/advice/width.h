/**
 * What the parts of ct_advise share.
 */
#ifndef CUTLET_SRC_ADVICE_WIDTH_H
#define CUTLET_SRC_ADVICE_WIDTH_H

#include <cutlet/host/advice.h>
#include "verify/holders.h"

/** The holders and tables of a job. */
typedef struct ct_copy_context {
    ct_holders holders;
    ct_verify_side side[2];
} ct_copy_context;

/** The context of a job, extents cut down to what shows the same. Freed in either case. */
ct_status ct_copy_context_make(ct_copy_context *context, const ct_advice_job *job, char *message);
void ct_copy_context_free(ct_copy_context *context);

/** The layout of a side with unknown strides made odd, and extents cut down to what shows the same.
 */
ct_tensor ct_cut_down(const ct_advice_job *job, int side);

/** The mode of leaf i of a layout. */
int ct_mode_of_leaf(ct_layout L, int leaf);

/** The mode that has a leaf of stride 1 and more than one coordinate, -1: none has. */
int ct_unit_mode(ct_layout L);

/** The alignment of a side's base, in bytes. */
int64_t ct_base_align(const ct_advice_job *job, int side);

const char *ct_side_word(int side); /* "source", "destination" */

/** The widest access, in bytes. */
ct_status ct_find_width(const ct_advice_job *job, int32_t *bytes, char *message);

/** The width of a job that is tried, as ct_advice_width. If memory runs out, advice->bytes becomes
 * 0, and ct_advise fails. */
int32_t ct_trial_width(const ct_advice_job *job, ct_advice *advice);

void ct_find_limits(const ct_advice_job *job, ct_advice *advice, char *message);
void ct_find_hints(const ct_advice_job *job, ct_advice *advice);
void ct_find_facts(const ct_advice_job *job, ct_advice *advice);
void ct_find_notes(const ct_advice_job *job, ct_advice *advice);

#endif
