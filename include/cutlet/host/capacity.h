/**
 * libcutlet and the programs that call it have the same capacity.
 *
 * Layouts are passed by value, so both sides are compiled with the same CT_MAX_LEAVES (base.h). The
 * Meson option `capacity` sets the library's. A file that includes a header of the library
 * refers to a symbol that only a library of the same capacity defines. With another one it does
 * not link:
 *
 *     undefined reference to `ct_library_of_32_leaves_is_made_by_meson_Dcapacity_32'
 *
 * and a program that was linked before does not start. The algebra alone needs no library. A
 * file that only makes kernel arguments with the device headers needs none either: it defines
 * CT_NO_LIBRARY before it includes them.
 */
#ifndef CUTLET_HOST_CAPACITY_H
#define CUTLET_HOST_CAPACITY_H

#include <cutlet/algebra/base.h>

#define CT_LIBRARY_OF_LEAVES(leaves)                                                               \
    ct_library_of_##leaves##_leaves_is_made_by_meson_Dcapacity_##leaves
#define CT_LIBRARY_OF(leaves) CT_LIBRARY_OF_LEAVES(leaves)

/* Kept where nothing reads it, also by a linker that drops unused sections. */
#ifdef __has_attribute
#if __has_attribute(retain)
#define CT_KEPT __attribute__((used, retain))
#endif
#endif
#ifndef CT_KEPT
#define CT_KEPT __attribute__((used))
#endif

#ifndef CT_NO_LIBRARY

#ifdef __cplusplus
extern "C" {
#endif

extern const char CT_LIBRARY_OF(CT_MAX_LEAVES);
static const char *const ct_library_needed CT_KEPT = &CT_LIBRARY_OF(CT_MAX_LEAVES);

#ifdef __cplusplus
}
#endif

#endif

#endif
