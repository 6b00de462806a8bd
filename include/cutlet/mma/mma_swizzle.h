/**
 * The swizzle modes of operands in shared memory that wgmma and tcgen05.mma read by a descriptor.
 *
 * Such an operand consists of lines: runs of 16, 32, 64 or 128 bytes along the contiguous mode, its
 * major mode. Eight lines are consecutive in memory (four with pieces of 32 bytes), and the swizzle
 * moves pieces of 16 bytes within them.
 *
 * Source:  PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout" and "Valid
 *          Combinations of Type-Size, Major-ness and Swizzling" of tcgen05.
 */
#ifndef CUTLET_MMA_MMA_SWIZZLE_H
#define CUTLET_MMA_MMA_SWIZZLE_H

#include <cutlet/mma/mma_op.h>
#include <cutlet/algebra/swizzle.h>

/** The swizzle modes, by the bytes of a line. The last one, of tcgen05 alone, moves pieces of 32
 *  bytes. */
enum {
    CT_MMA_SWIZZLE_NONE,
    CT_MMA_SWIZZLE_32B,
    CT_MMA_SWIZZLE_64B,
    CT_MMA_SWIZZLE_128B,
    CT_MMA_SWIZZLE_128B_32B,
    CT_MMA_SWIZZLE_COUNT
};

/** The major mode of an operand (mn,k), which is contiguous: k, or m of A and n of B. */
enum { CT_MMA_K_MAJOR, CT_MMA_MN_MAJOR };

/** @internal The bytes of a line. */
CT_FN int32_t ct_mma_line_bytes(int32_t swizzle)
{
    return swizzle == CT_MMA_SWIZZLE_128B_32B ? 128 : 16 << swizzle;
}

/** @internal The number of consecutive lines. */
CT_FN int32_t ct_mma_lines(int32_t swizzle) { return swizzle == CT_MMA_SWIZZLE_128B_32B ? 4 : 8; }

/** @internal The period of the pattern of a swizzle, in bytes. */
CT_FN int32_t ct_mma_pattern_bytes(int32_t swizzle) { return 8 * ct_mma_line_bytes(swizzle); }

/**
 * The swizzle of element offsets, for elements of a number of bits. In bytes it XORs bits 7 and up
 * into bits 4 and up, or into bits 5 and up.
 * Fails:   CT_E_ARGUMENT for elements that are larger than the pieces it moves, or not of a power
 *          of two of bits; for an unknown mode.
 * Cost:    O(1).
 * In C:    const ct_swizzle s = ct_mma_swizzle_of(CT_MMA_SWIZZLE_128B, 16); // Sw<3,3,3> of halves
 *          assert(s.bits == 3 && s.base == 3 && s.shift == 3);
 *          assert(ct_mma_swizzle_mode(s, 16) == CT_MMA_SWIZZLE_128B);
 *          assert(ct_mma_swizzle_of(CT_MMA_SWIZZLE_128B, 6).err.status == CT_E_ARGUMENT);
 */
CT_FN ct_swizzle ct_mma_swizzle_of(int32_t swizzle, int32_t elem_bits)
{
    if (swizzle == CT_MMA_SWIZZLE_NONE) return ct_swizzle_none();
    ct_swizzle bytes = swizzle == CT_MMA_SWIZZLE_128B_32B ? ct_make_swizzle(2, 5, 2)
                                                          : ct_make_swizzle(swizzle, 4, 3);
    if (bytes.err.status == CT_OK && ct_log2(elem_bits) < 0)
        bytes.err = ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_NOT_POWER, 0, elem_bits, 0);
    if (bytes.err.status) return bytes;
    return elem_bits < 8 ? ct_swizzle_downcast(bytes, 8 / elem_bits)
                         : ct_swizzle_upcast(bytes, elem_bits / 8);
}

/**
 * The swizzle mode that gives s for elements of that size; -1 for a swizzle of no mode.
 * Cost:    O(1).
 * In C:    const ct_swizzle s = ct_make_swizzle(3, 3, 3);
 *          assert(ct_mma_swizzle_mode(s, 16) == CT_MMA_SWIZZLE_128B);
 *          assert(ct_mma_swizzle_mode(s, 32) == -1); // Sw<3,2,3> is that of 32 bits
 */
CT_FN int32_t ct_mma_swizzle_mode(ct_swizzle s, int32_t elem_bits)
{
    for (int32_t mode = CT_MMA_SWIZZLE_NONE; mode < CT_MMA_SWIZZLE_COUNT; ++mode) {
        const ct_swizzle t = ct_mma_swizzle_of(mode, elem_bits);
        if (s.bits == t.bits && (s.bits == 0 || (s.base == t.base && s.shift == t.shift)))
            return mode;
    }
    return -1;
}

/** @internal Whether an instruction reads an operand of that type with that major mode at all. */
CT_FN int ct_mma_takes_major(int32_t arch, int32_t type, int32_t major)
{
    const int32_t bits = ct_mma_bits(type);
    if (major == CT_MMA_K_MAJOR) return 1;
    return arch == 90 ? bits == 16 : bits >= 8;
}

/** @internal Whether it reads one with that major mode by that swizzle mode. The pieces of 32 bytes
 *  are for elements of 32 bits along m or n, and these have nothing else. */
CT_FN int ct_mma_takes_swizzle(int32_t arch, int32_t type, int32_t major, int32_t swizzle)
{
    const int wide = arch == 100 && major == CT_MMA_MN_MAJOR && ct_mma_bits(type) == 32;
    return ct_mma_takes_major(arch, type, major) && wide == (swizzle == CT_MMA_SWIZZLE_128B_32B);
}

#endif
