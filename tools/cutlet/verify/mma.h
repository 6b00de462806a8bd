/**
 * `cutlet verify` of a tiled MMA.
 */
#ifndef CUTLET_TOOLS_VERIFY_MMA_H
#define CUTLET_TOOLS_VERIFY_MMA_H

#include "../common/copy_options.h"
#include <cutlet/host/verify_mma.h>

/** Verifies and prints. Returns an exit status. */
int ct_cmd_verify_mma(const ct_copy_options *o, const ct_copy_operands *x);

/** A layout, swizzled or not, as text of CT_TEXT_BYTES; 0 where it is failed. */
int ct_nearest_text(char *text, ct_tensor nearest);

/** The name of the ldmatrix that feeds an operand. */
void ct_feed_name(const ct_mma_feed *feed, char name[32]);

#endif
