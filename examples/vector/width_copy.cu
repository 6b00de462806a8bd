/* Copies of bytes by accesses of 1, 2, 4, 8, 16 and 32 bytes: what a wide access is worth.
 *
 * A copy is the element-wise kernel that changes nothing. Each thread moves 16 bytes (32 in the
 * last kernel); in how many accesses is all that differs, and no vector type is named: the kernel
 * counts its accesses from an aligned address of the destination, cuts them out of two where the
 * source begins elsewhere, and moves the bytes at either end one by one. So every kernel takes
 * every number of bytes at every address.
 *
 *     const ct_operand from = ct_make_operand(src, ct_layout1(bytes, 1), 1);
 *     const ct_operand to = ct_make_operand(dst, ct_layout1(bytes, 1), 1);
 *     ct_elementwise_args args = ct_make_elementwise(&from, 1, to, width);
 *     launch width_copy_16, args.blocks blocks of CT_ELEMENTWISE_THREADS threads
 *
 * A warp that moves a byte per lane fills one sector of 32 bytes with each instruction; with 16
 * bytes per lane it fills 16. Both move the same bytes: the wide one with a sixteenth of the
 * instructions. */
#include <cutlet/device/elementwise/elementwise.h>

/* part: copies */
CT_ELEMENTWISE_BY(1, width_copy_1, uint8, x, (uint8, x))
CT_ELEMENTWISE_BY(2, width_copy_2, uint8, x, (uint8, x))
CT_ELEMENTWISE_BY(4, width_copy_4, uint8, x, (uint8, x))
CT_ELEMENTWISE_BY(8, width_copy_8, uint8, x, (uint8, x))
CT_ELEMENTWISE_BY(16, width_copy_16, uint8, x, (uint8, x))
/* end */
#if CT_HAS_256 /* from sm_100 on */
CT_ELEMENTWISE_BY(32, width_copy_32, uint8, x, (uint8, x))
#endif
