/**
 * Values on standard output: ct_print(value) writes the text of a value of any type, and a line end.
 */
#ifndef CUTLET_HOST_PRINT_H
#define CUTLET_HOST_PRINT_H

#include <cutlet/algebra/swizzle.h>
#include <cutlet/algebra/tensor.h>
#include <cutlet/algebra/tiler.h>
#include <cutlet/copy/tiled_copy.h>
#include <cutlet/host/message.h>
#include <cutlet/mma/tiled_mma.h>

#if defined(__cplusplus)
extern "C" {
#endif

/** @internal ct_print of one type each. */
ct_status ct_print_tuple(ct_tuple t);
ct_status ct_print_layout(ct_layout L);
ct_status ct_print_tiler(ct_tiler t);
ct_status ct_print_tensor(ct_tensor t);
ct_status ct_print_swizzle(ct_swizzle s);
ct_status ct_print_copy_atom(ct_copy_atom a);
ct_status ct_print_tiled_copy(ct_tiled_copy c);
ct_status ct_print_mma_atom(ct_mma_atom a);
ct_status ct_print_tiled_mma(ct_tiled_mma m);

#if defined(__cplusplus)
}
/**
 * Writes the text of a value to standard output, and a line end: in C++ an overload for each type.
 * Fails:    CT_E_FILE where standard output takes no more.
 * Cost:     a text of CT_TEXT_BYTES on the stack, no allocation.
 * In C:     assert(ct_print(ct_tuple2(4, 8)) == CT_OK);
 */
static inline ct_status ct_print(ct_tuple v) { return ct_print_tuple(v); }
static inline ct_status ct_print(ct_layout v) { return ct_print_layout(v); }
static inline ct_status ct_print(const ct_tiler &v) { return ct_print_tiler(v); }
static inline ct_status ct_print(const ct_tensor &v) { return ct_print_tensor(v); }
static inline ct_status ct_print(ct_swizzle v) { return ct_print_swizzle(v); }
static inline ct_status ct_print(const ct_copy_atom &v) { return ct_print_copy_atom(v); }
static inline ct_status ct_print(const ct_tiled_copy &v) { return ct_print_tiled_copy(v); }
static inline ct_status ct_print(const ct_mma_atom &v) { return ct_print_mma_atom(v); }
static inline ct_status ct_print(const ct_tiled_mma &v) { return ct_print_tiled_mma(v); }
#else
/**
 * Writes the text of a value to standard output, and a line end.
 *
 * Returns:  CT_OK. A failed value prints its error as a sentence.
 * Fails:    CT_E_FILE where standard output takes no more.
 * Cost:     a text of CT_TEXT_BYTES on the stack, no allocation.
 * In C:     assert(ct_print(ct_layout2(4, 8, 8, 1)) == CT_OK); // (4,8):(8,1)
 *           assert(ct_print(ct_tuple2(4, 8)) == CT_OK);
 *           assert(ct_print(ct_make_tensor(ct_layout1(4, 1))) == CT_OK);
 *           assert(ct_print(ct_make_swizzle(3, 4, 3)) == CT_OK);
 *           assert(ct_print(ct_copy_atom_universal(128, 16)) == CT_OK);
 */
#define ct_print(value)                                                                            \
    _Generic((value), ct_tuple                                                                     \
             : ct_print_tuple, ct_layout                                                           \
             : ct_print_layout, ct_tiler                                                           \
             : ct_print_tiler, ct_tensor                                                           \
             : ct_print_tensor, ct_swizzle                                                         \
             : ct_print_swizzle, ct_copy_atom                                                      \
             : ct_print_copy_atom, ct_tiled_copy                                                   \
             : ct_print_tiled_copy, ct_mma_atom                                                    \
             : ct_print_mma_atom, ct_tiled_mma                                                     \
             : ct_print_tiled_mma)(value)
#endif

#endif
