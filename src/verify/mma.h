/**
 * What the parts of ct_verify_mma share.
 */
#ifndef CUTLET_SRC_VERIFY_MMA_H
#define CUTLET_SRC_VERIFY_MMA_H

#include <cutlet/host/verify_mma.h>

/** `A`, `B`, `C` or `E`. */
char ct_operand_letter(int operand);

/** Writes the sentence, and that the property holds or not. */
void ct_mma_finding_say(ct_verify_mma_finding *f, int holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** What reads A or B from a layout; the sentence of CT_VERIFY_FEED_... and of conflicts. Fails if
 * the layout is not one of full tiles. */
ct_status ct_verify_feed(const ct_verify_mma_job *job, int operand, ct_mma_feed *feed,
                         ct_verify_mma_finding *can, ct_verify_mma_finding *conflicts,
                         char *message);

#endif
