/* Copies of bytes by accesses of 1, 2, 4, 8, 16 and 32 bytes: what a wide access is worth.
 *
 * A copy is the transform that changes nothing. Each thread moves 16 bytes (32 in the last kernel);
 * in how many accesses is all that differs, and no vector type is named: the kernel counts its
 * accesses from an aligned address of the destination, cuts them out of two where the source begins
 * elsewhere, and moves the bytes at either end one by one. So every kernel takes every number of
 * bytes at every address.
 *
 *     ct_transform_args args = ct_make_transform(
 *         ct_make_transform_side(src, ct_layout1(bytes, 1), 1),
 *         ct_make_transform_side(dst, ct_layout1(bytes, 1), 1), width);
 *     launch width_copy_16, args.blocks blocks of CT_TRANSFORM_THREADS threads
 *
 * A warp that moves a byte per lane fills one sector of 32 bytes with each instruction; with 16
 * bytes per lane it fills 16. Both move the same bytes: the wide one with a sixteenth of the
 * instructions. */
#include "transform.h"

/* part: copies */
CT_TRANSFORM_BY(1, width_copy_1, uint8, uint8, x, p, x)
CT_TRANSFORM_BY(2, width_copy_2, uint8, uint8, x, p, x)
CT_TRANSFORM_BY(4, width_copy_4, uint8, uint8, x, p, x)
CT_TRANSFORM_BY(8, width_copy_8, uint8, uint8, x, p, x)
CT_TRANSFORM_BY(16, width_copy_16, uint8, uint8, x, p, x)
/* end */
#if CT_HAS_256 /* from sm_100 on */
CT_TRANSFORM_BY(32, width_copy_32, uint8, uint8, x, p, x)
#endif
