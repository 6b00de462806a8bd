/**
 * Any argument of the headers of copies and matrix instructions: what their makers give for any
 * numbers, failed ones among them.
 */
#ifndef CUTLET_TESTS_PROOF_ANY_COPY_H
#define CUTLET_TESTS_PROOF_ANY_COPY_H

#include "any.h"

#include <cutlet/algebra/normalize.h>
#include <cutlet/copy/copy_check.h>
#include <cutlet/copy/copy_choice.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/copy/retile.h>
#include <cutlet/copy/tile_partition.h>
#include <cutlet/copy/tma.h>
#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/mma/mma_descriptor_nearest.h>
#include <cutlet/mma/mma_instruction.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/mma/mma_sparse.h>
#include <cutlet/mma/mma_tensor_memory.h>

uint64_t nondet_address(void);
const char *nondet_name(void);
ct_mma_op nondet_op_bytes(void);
ct_tma_desc nondet_tma_bytes(void);

/** An atom of any kind, of any widths. */
static inline ct_copy_atom ct_any_atom(void)
{
    const int32_t kind = (int32_t)nondet_number(), bits = (int32_t)nondet_number();
    const int32_t value_bits = (int32_t)nondet_number();
    switch (nondet_number() & 3) {
        case 0: return ct_copy_atom_universal(bits, value_bits);
        case 1: return ct_copy_atom_matrix(kind, bits, value_bits);
        case 2:
            return ct_atom_is_reduction(kind) ? ct_copy_atom_reduction(kind, value_bits)
                                              : ct_copy_atom_tile(kind, value_bits);
        default: return ct_copy_atom_auto(value_bits);
    }
}

static inline ct_tiled_copy ct_any_tiled_copy(void)
{
    const ct_copy_atom atom = ct_any_atom();
    return nondet_number() & 1 ? ct_make_tiled_copy(atom, ct_any_layout(), ct_any_layout())
                               : ct_make_tiled_copy_tv(atom, ct_any_layout(), ct_any_tuple());
}

static inline ct_memory ct_any_memory(void)
{
    switch (nondet_number() & 3) {
        case 0: return ct_in_global((int32_t)nondet_number());
        case 1: return ct_in_shared(ct_any_tensor());
        case 2: return ct_with_most(ct_in_shared_plain(ct_any_layout()), (int32_t)nondet_number());
        default: return ct_in_registers();
    }
}

static inline ct_mma_atom ct_any_mma_atom(void) { return ct_make_mma_atom(nondet_name()); }

static inline ct_tiled_mma ct_any_tiled_mma(void)
{
    return ct_make_tiled_mma(ct_any_mma_atom(), ct_any_layout(), ct_any_tiler());
}

/** A descriptor of a bulk copy, as its maker gives it. */
static inline ct_tma_desc ct_any_tma(void)
{
    return ct_make_tma_desc(ct_any_layout(), ct_any_tuple(), (int32_t)nondet_number(),
                            (int32_t)nondet_number(), nondet_address());
}

#endif
