/**
 * Values that options take as expressions: where a tensor lies in memory, a tiled copy, rules.
 */
#ifndef CUTLET_TOOLS_COMMON_OPERANDS_H
#define CUTLET_TOOLS_COMMON_OPERANDS_H

#include <argp.h>

#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/host/access.h>
#include <cutlet/host/eval.h>

/** A bare shape becomes its compact layout; other values stay. 0, or -1 after a complaint. */
int ct_cli_as_layout(const char *command, ct_value *v);

/** The memory that a value is: a layout or a swizzled one. An exit status, after a complaint. */
int ct_cli_memory_of(const char *command, const char *option, ct_value *v, ct_tensor *out);

/** The memory that an option names: a layout or a swizzled one. An exit status, after a complaint. */
int ct_cli_memory(const char *command, const char *option, const char *text, ct_tensor *out);

/** A tensor of packed elements, of 4 or 6 bits, as one of bytes: exact, or a complaint. An exit
 *  status. */
int ct_cli_bytes_of(const char *command, int32_t elem_bits, ct_tensor *t);

/** The instruction of an atom on a side, 0 the source, 1 the destination: CT_ACCESS_... */
int ct_cli_access_of(const ct_copy_atom *atom, int side, int global);

/** The tile of a matrix, two extents. 0, or EINVAL after a complaint. */
error_t ct_cli_matrix_tile(struct argp_state *state, const char *text, int64_t *m, int64_t *n);

/** The tuple of an option, extents as 64x64 too. 0, or -1 after a complaint. */
int ct_cli_tuple(const char *command, const char *option, const char *text, ct_tuple *out);

/** The rules of an architecture, those of sm_90 for NULL. NULL after a complaint. */
const ct_access_rules *ct_cli_rules(const char *command, const char *arch);

/** The shape of the first tile of a tiled copy in a tensor: no mode of it longer than the tensor's. */
ct_tuple ct_cli_first_tile(ct_tiled_copy copy, ct_tuple shape);

#endif
