/**
 * What the modes in the sentence of a failed composition are modes of.
 */
#ifndef CUTLET_SRC_TEXT_NOTE_H
#define CUTLET_SRC_TEXT_NOTE_H

#include <cutlet/host/eval.h>

/** Adds to the message of CT_MESSAGE_BYTES which A and B the failure is of, where the operation of that
 *  name composes its values, divides, or repeats one: A as it is written, coalesced, and B. */
void ct_note_composition(const char *name, const ct_value *arg, int count, ct_error e,
                         char *message);

#endif
