/**
 * The error of a value, by one name for every type.
 *
 *     const ct_tensor tile = ct_local_tile(t, tiler, ct_tuple2(1, 0));
 *     if (ct_err(tile).status) ...
 *
 * Each value of the algebra carries at most one error: the first failure that led to it.
 */
#ifndef CUTLET_ERR_H
#define CUTLET_ERR_H

#include <cutlet/algebra/linear_layout.h>
#include <cutlet/algebra/normalize.h>
#include <cutlet/algebra/tiler.h>
#include <cutlet/copy/copy_sides.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/mma/mma_descriptor.h>
#include <cutlet/mma/mma_instruction.h>
#include <cutlet/mma/tiled_mma.h>

/** @internal The first of two errors that is one. */
CT_FN ct_error ct_first_error(ct_error a, ct_error b) { return a.status ? a : b; }

/** @internal The error of a value: its `.err`, or for a type made of others the first of theirs. */
CT_FN ct_error ct_tuple_err(ct_tuple t) { return t.err; }
CT_FN ct_error ct_layout_err(ct_layout L) { return L.err; }
CT_FN ct_error ct_swizzle_err(ct_swizzle s) { return s.err; }
CT_FN ct_error ct_linear_layout_err(ct_linear_layout f) { return f.err; }
CT_FN ct_error ct_normal_form_err(ct_normal_form f) { return f.err; }
CT_FN ct_error ct_copy_atom_err(ct_copy_atom a) { return a.err; }
CT_FN ct_error ct_partition_err(ct_partition p) { return p.err; }
CT_FN ct_error ct_copy_width_err(ct_copy_width_result w) { return w.err; }
CT_FN ct_error ct_mma_atom_err(ct_mma_atom a) { return a.err; }
CT_FN ct_error ct_mma_descriptor_err(ct_mma_descriptor d) { return d.err; }
CT_FN ct_error ct_mma_instruction_err(ct_mma_instruction d) { return d.err; }
CT_FN ct_error ct_tiler_err(ct_tiler t) { return t.tiles.err; }
CT_FN ct_error ct_tensor_err(ct_tensor t)
{
    return ct_first_error(t.layout.err, ct_first_error(t.offset.err, t.swizzle.err));
}
CT_FN ct_error ct_tiled_copy_err(ct_tiled_copy t)
{
    return ct_first_error(t.atom.err, ct_first_error(t.tv.err, t.tiler.tiles.err));
}
CT_FN ct_error ct_tiled_mma_err(ct_tiled_mma t)
{
    return ct_first_error(t.atom.err, ct_first_error(t.thr.err, t.tiler.tiles.err));
}

/* ct_err(value). A macro in C, which has no overloaded functions; functions in C++ and CUDA. */
#if defined(__cplusplus)
CT_FN ct_error ct_err(const ct_tuple &v) { return v.err; }
CT_FN ct_error ct_err(const ct_layout &v) { return v.err; }
CT_FN ct_error ct_err(const ct_swizzle &v) { return v.err; }
CT_FN ct_error ct_err(const ct_linear_layout &v) { return v.err; }
CT_FN ct_error ct_err(const ct_normal_form &v) { return v.err; }
CT_FN ct_error ct_err(const ct_copy_atom &v) { return v.err; }
CT_FN ct_error ct_err(const ct_partition &v) { return v.err; }
CT_FN ct_error ct_err(const ct_copy_width_result &v) { return v.err; }
CT_FN ct_error ct_err(const ct_mma_atom &v) { return v.err; }
CT_FN ct_error ct_err(const ct_mma_descriptor &v) { return v.err; }
CT_FN ct_error ct_err(const ct_mma_instruction &v) { return v.err; }
CT_FN ct_error ct_err(const ct_tiler &v) { return ct_tiler_err(v); }
CT_FN ct_error ct_err(const ct_tensor &v) { return ct_tensor_err(v); }
CT_FN ct_error ct_err(const ct_tiled_copy &v) { return ct_tiled_copy_err(v); }
CT_FN ct_error ct_err(const ct_tiled_mma &v) { return ct_tiled_mma_err(v); }
#else
#define ct_err(value)                                                                              \
    _Generic((value), ct_tuple                                                                     \
             : ct_tuple_err, ct_layout                                                             \
             : ct_layout_err, ct_swizzle                                                           \
             : ct_swizzle_err, ct_linear_layout                                                    \
             : ct_linear_layout_err, ct_normal_form                                                \
             : ct_normal_form_err, ct_copy_atom                                                    \
             : ct_copy_atom_err, ct_partition                                                      \
             : ct_partition_err, ct_copy_width_result                                              \
             : ct_copy_width_err, ct_mma_atom                                                      \
             : ct_mma_atom_err, ct_mma_descriptor                                                  \
             : ct_mma_descriptor_err, ct_mma_instruction                                           \
             : ct_mma_instruction_err, ct_tiler                                                    \
             : ct_tiler_err, ct_tensor                                                             \
             : ct_tensor_err, ct_tiled_copy                                                        \
             : ct_tiled_copy_err, ct_tiled_mma                                                     \
             : ct_tiled_mma_err)(value)
#endif

#endif
