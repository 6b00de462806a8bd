/**
 * CuTe's names of copy atoms, as C++ writes them: SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>,
 * Copy_Atom<UniversalCopy<uint64_t>, half_t>{}.
 */
#ifndef CUTLET_SRC_TEXT_CUTE_ATOMS_H
#define CUTLET_SRC_TEXT_CUTE_ATOMS_H

#include "reader.h"

/** Reads what follows the word of a call. 1: the word is CuTe's. *out is a copy atom, or its name
 * in the notation; or the reading has failed, with the replacement to use. 0: another word. */
int ct_read_cute_atom(ct_reader *r, const ct_call *word, ct_value *out);

/** The name of CuTe's that is most like a word, NULL when none is much like it. */
const char *ct_cute_atom_nearest(const char *word);

#endif
