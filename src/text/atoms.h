/**
 * The names of copy atoms in the notation: universal128, cp_async_ca64, ldmatrix_x4_trans.
 */
#ifndef CUTLET_SRC_TEXT_ATOMS_H
#define CUTLET_SRC_TEXT_ATOMS_H

#include <stddef.h>

#include <cutlet/copy/copy_atom.h>

/** The name of an atom, NULL when it has none. */
const char *ct_atom_name(const ct_copy_atom *a);

/** Whether there is an atom of that name; if so, *out is that atom, which fails where values of
 *  value_bits do not fit it. */
int ct_atom_named(const char *name, int32_t value_bits, ct_copy_atom *out);

/** The i-th name, NULL after the last one. */
const char *ct_atom_listed(int i);

#endif
