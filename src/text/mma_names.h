/**
 * The names of MMA atoms in the notation, and an iteration over all of them.
 */
#ifndef CUTLET_SRC_TEXT_MMA_NAMES_H
#define CUTLET_SRC_TEXT_MMA_NAMES_H

#include <stddef.h>

#include <cutlet/mma/mma_atom.h>

/** Room for any name of an MMA atom, its terminating zero included. */
#define CT_MMA_NAME_BYTES 64

/** Writes the name of an instruction, as ct_mma_op_named reads it. */
void ct_mma_op_name(char buf[CT_MMA_NAME_BYTES], ct_mma_op op);

/** Calls visit for every instruction that there is, until it returns other than 0. */
int ct_mma_each(int (*visit)(void *context, ct_mma_op op), void *context);

/** Whether a word is written as the names of MMA atoms are, whether there is such an atom or
 *  not. */
int ct_mma_looks_named(const char *word);

/** Writes the names of the word's architecture that are nearest to it, the nearest first: "A, B or
 *  C"; "" when none is near. */
void ct_mma_nearest(const char *word, char *buf, size_t size);

#endif
